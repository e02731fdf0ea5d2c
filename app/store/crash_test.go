package store

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// childVariable makes the test binary a process that accepts deliveries on the
// database it names until it is killed.
const childVariable = "CARDKEEPER_STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	if url := os.Getenv(childVariable); url != "" {
		fmt.Fprintln(os.Stderr, acceptForEver(url))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// acceptForEver writes each guid to standard output once its transaction is
// committed, as the handler answers 2xx. It returns only with an error.
func acceptForEver(url string) error {
	ctx := context.Background()
	s, err := Open(ctx, url, quiet())
	if err != nil {
		return err
	}
	client, err := newInserter(s)
	if err != nil {
		return err
	}
	failed := make(chan error)
	for writer := range 4 {
		go func() {
			for i := writer; ; i += 4 {
				if err := s.Tx(ctx, acceptWithJob(s, client, guid(i), int64(i+1))); err != nil {
					failed <- err
					return
				}
				fmt.Println(guid(i))
			}
		}()
	}
	return <-failed
}

// 2A-2, law 12: what was acknowledged is there after a kill, with its job.
func TestEveryAcknowledgedDeliverySurvivesAKill(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		acknowledged := killedAfter(t, url, 100)
		s := open(t, url)
		for _, guid := range acknowledged {
			if _, err := s.Delivery(t.Context(), guid); err != nil {
				t.Errorf("%s was acknowledged: %v", guid, err)
			}
		}
		if d, j, p := count(t, s, "deliveries"), count(t, s, "river_job"), count(t, s, "pulls"); d != j || d != p {
			t.Errorf("%d deliveries, %d jobs, %d pull requests: a transaction was split", d, j, p)
		}
		if s.Dialect() == SQLite {
			var state string
			if err := s.write.QueryRow(`PRAGMA integrity_check`).Scan(&state); err != nil || state != "ok" {
				t.Errorf("integrity: %q, %v", state, err)
			}
		}
	})
}

// killedAfter starts the child, kills it when it has acknowledged n deliveries, and
// gives all that it acknowledged until it was dead.
func killedAfter(t *testing.T, url string, n int) (acknowledged []string) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+url)
	child.Stderr = os.Stderr
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if acknowledged = append(acknowledged, lines.Text()); len(acknowledged) == n {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = child.Wait() // it was killed, which is an error here
	if len(acknowledged) < n {
		t.Fatalf("the child ended by itself after %d", len(acknowledged))
	}
	return acknowledged
}
