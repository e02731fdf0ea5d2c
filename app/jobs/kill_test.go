package jobs

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/webhooks"
)

// childVariable makes the test binary a process that accepts deliveries on the database it names,
// from 64 senders at once, until it is killed.
const childVariable = "CARDKEEPER_JOBS_TEST_CHILD"

func TestMain(m *testing.M) {
	if url := os.Getenv(childVariable); url != "" {
		fmt.Fprintln(os.Stderr, acceptForEver(url))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// acceptForEver writes each guid to standard output once it was accepted. Each sender has 50 pull requests, so that
// most deliveries replace an older one.
func acceptForEver(url string) error {
	ctx := context.Background()
	st, err := store.Open(ctx, url, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	hub, err := fakehub.New(fakehub.Options{})
	if err != nil {
		return err
	}
	key, err := hub.PrivateKey()
	if err != nil {
		return err
	}
	client, err := github.New(github.Config{AppID: 1, Key: key, BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		return err
	}
	runner, err := New(Config{Store: st, GitHub: client, Log: slog.New(slog.DiscardHandler)}) // it accepts, and never works
	if err != nil {
		return err
	}
	failed := make(chan error)
	for sender := range 64 {
		go func() {
			for i := 0; ; i++ {
				d := webhooks.Delivery{GUID: fmt.Sprintf("guid-%d-%d", sender, i), Event: "pull_request", Installation: 1, Repository: 2, Pull: 1 + sender*50 + i%50}
				work := []webhooks.Work{{Kind: webhooks.Check, Installation: 1, Repository: 2, Pull: d.Pull}}
				if _, err := runner.Accept(ctx, d, work); err != nil {
					failed <- err
					return
				}
				fmt.Println(d.GUID)
			}
		}()
	}
	return <-failed
}

// 2A-2, law 12: a process that dies in the middle of a burst loses nothing that it has acknowledged, and no batch is
// there in part: each pull request has the one job of its newest delivery, and every other one's job was replaced.
func TestAKillInABurstLosesNothingThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		acknowledged := killedAfter(t, url, 2000)
		c := newCounter(t, url, 0)
		for _, guid := range acknowledged {
			if _, err := c.store.Delivery(t.Context(), guid); err != nil {
				t.Errorf("%s was acknowledged: %v", guid, err)
			}
		}
		pulls := c.count(t, "pulls")
		for _, from := range []string{
			"deliveries WHERE state = 'accepted'", "river_job WHERE state = 'available'", "pulls JOIN river_job ON river_job.id = pulls.job WHERE state = 'available'",
		} {
			if n := c.count(t, from); n != pulls {
				t.Errorf("%d of %s, want one for each of %d pull requests", n, from, pulls)
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
	output := must(child.StdoutPipe())(t)
	check(t, child.Start())
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if acknowledged = append(acknowledged, lines.Text()); len(acknowledged) == n {
			check(t, child.Process.Kill())
		}
	}
	_ = child.Wait() // it was killed, which is an error here
	if len(acknowledged) < n {
		t.Fatalf("the child ended by itself after %d", len(acknowledged))
	}
	return acknowledged
}
