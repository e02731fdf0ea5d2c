// Package storetest gives tests an empty database of each kind, so that one list
// of tests runs on both. It knows nothing of the store's tables; only tests import
// it.
package storetest

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Variable names the environment variable that holds the URL of a PostgreSQL
// database which tests may make schemas in.
const Variable = "CARDKEEPER_TEST_POSTGRES"

// Each runs test as the subtests "sqlite" and "postgres" with the URL of an empty
// database. The second is skipped, and says so, where [Variable] is not set.
func Each(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, Postgres(t)) })
}

// SQLite is the URL of a file that does not exist yet, in a folder of the test's own.
func SQLite(t testing.TB) string {
	return "sqlite:" + filepath.Join(t.TempDir(), "store.db")
}

// Postgres is a URL whose search_path is a new schema, dropped when the test ends;
// so any number of tests can share a database. Without [Variable] it skips the test.
func Postgres(t testing.TB) string {
	t.Helper()
	server := os.Getenv(Variable)
	if server == "" {
		t.Skip("SKIP: PostgreSQL suite: set " + Variable + " to a URL of a scratch database")
	}
	schema := "test_" + strings.ToLower(rand.Text())
	execute(t, server, "CREATE SCHEMA "+schema)
	t.Cleanup(func() { execute(t, server, "DROP SCHEMA "+schema+" CASCADE") })
	u, err := url.Parse(server)
	if err != nil {
		t.Fatalf("%s is not a URL", Variable)
	}
	query := u.Query()
	query.Set("search_path", schema)
	u.RawQuery = query.Encode()
	return u.String()
}

// execute runs one statement on a connection of its own.
func execute(t testing.TB, server, statement string) {
	t.Helper()
	ctx := context.Background() // t.Context has ended when cleanups run
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Fatalf("%s: connect: %v", Variable, err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Fatalf("%s: %s: %v", Variable, statement, err)
	}
}
