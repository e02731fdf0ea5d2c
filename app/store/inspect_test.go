package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"log/slog"
)

func TestInspectSeesTheVersionAndChangesNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		before, err := Inspect(t.Context(), url)
		if err != nil || before.Made || before.Version != 0 || before.Newest < 1 {
			t.Fatalf("an empty database: %+v, %v", before, err)
		}
		if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
			if _, err := os.Stat(path); !os.IsNotExist(err) {
				t.Error("a file was made")
			}
		}
		s, err := Open(t.Context(), url, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		after, err := Inspect(t.Context(), url) // beside one that is open
		if err != nil || !after.Made || after.Version != after.Newest || after.Newest != before.Newest {
			t.Errorf("a database that runs: %+v, %v", after, err)
		}
		if _, err := s.DB().ExecContext(t.Context(), `UPDATE schema_version SET version = 9999`); err != nil {
			t.Fatal(err)
		}
		if newer, err := Inspect(t.Context(), url); err != nil || newer.Version != 9999 {
			t.Errorf("a newer database: %+v, %v", newer, err)
		}
	})
}

func TestInspectSaysWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database at all\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	word := "pass" + "word-QQQ"
	for url, want := range map[string]string{
		"sqlite:" + text: "no SQLite database",
		"postgres://u:" + word + "@127.0.0.1:1/QQQ?connect_timeout=1": "PostgreSQL does not answer",
		"mysql://QQQ": "want sqlite:PATH",
	} {
		_, err := Inspect(t.Context(), url)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "QQQ") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
