package jobs

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/webhooks"
	"github.com/google/go-cmp/cmp"
)

// What failed while GitHub was down runs again once a person says so, and only once.
func TestAFailedDeliveryRunsAgain(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		w.hub.Fail(fakehub.Fault{Method: http.MethodGet, Path: "*/git/trees/*", Status: 500, Times: attempts})
		w.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/check-runs", Status: 403, Times: publishAttempts})
		_, head := w.open("topic", w.stale())
		guid := w.settled()
		w.wantState(guid, store.Failed)
		w.hub.Heal()
		check(t, w.runner.RunAgain(t.Context(), guid))
		if err := w.runner.RunAgain(t.Context(), guid); !errors.Is(err, store.ErrNotFailed) {
			t.Errorf("pressed twice: %v", err)
		}
		w.settled()
		w.wantState(guid, store.Done)
		w.want(head, "failure", "1 card stale")
		if dead := must(w.store.Jobs(t.Context(), store.Dead, guid, 0, 10))(t); len(dead) != 0 {
			t.Errorf("%d dead jobs are still shown", len(dead))
		}
		if err := w.runner.RunAgain(t.Context(), "no-such-delivery"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("an unknown delivery: %v", err)
		}
	})
}

// A job that ends no delivery runs again by its own row.
func TestAJobWithoutADeliveryRunsAgain(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		pull, head := w.open("topic", w.stale())
		w.hub.Lose()
		repo := w.repo.ID()
		install := w.hub.Installation("ada")
		w.hub.Fail(fakehub.Fault{Path: "*/check-runs", Status: 403, Times: 10 * publishAttempts})
		check(t, w.store.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			return w.runner.evaluate(ctx, tx, evaluateArgs{}, store.Pull{Installation: install, Repository: repo, Number: int64(pull)})
		}))
		w.settled()
		dead := must(w.store.Jobs(t.Context(), store.Dead, "", 0, 10))(t)
		if len(dead) != 1 || dead[0].Kind != "publish" || dead[0].Error != "forbidden" {
			t.Fatalf("dead: %+v", dead)
		}
		w.hub.Heal()
		check(t, w.runner.RunJobAgain(t.Context(), dead[0].ID))
		w.settled()
		w.want(head, "failure", "1 card stale")
		if err := w.runner.RunJobAgain(t.Context(), dead[0].ID); !errors.Is(err, store.ErrNotFailed) {
			t.Errorf("pressed twice: %v", err)
		}
	})
}

func TestWhatADeliveryWantedIsToldFromItsIDs(t *testing.T) {
	t.Parallel()
	const sha = "0123456789012345678901234567890123456789"
	all := store.Delivery{Installation: 1, Repository: 2, Pull: 3, Comment: 4, CheckRun: 5, HeadSHA: sha}
	work := webhooks.Work{Installation: 1, Repository: 2, Pull: 3}
	for name, change := range map[string]func(*webhooks.Work){
		"pull_request.synchronize":      func(w *webhooks.Work) { w.Kind = webhooks.Check },
		"pull_request.closed":           func(w *webhooks.Work) { w.Kind, w.Head = webhooks.Drop, sha },
		"issue_comment.created":         func(w *webhooks.Work) { w.Kind, w.Comment = webhooks.Answer, 4 },
		"push.":                         func(w *webhooks.Work) { w.Kind, w.Head = webhooks.CheckCommit, sha },
		"merge_group.checks_requested":  func(w *webhooks.Work) { w.Kind, w.CheckRun, w.Head = webhooks.Recheck, 5, sha },
		"check_suite.rerequested":       func(w *webhooks.Work) { w.Kind, w.CheckRun, w.Head = webhooks.Recheck, 5, sha },
		"check_run.requested_action":    nil,
		"installation.created":          nil,
		"issue_comment.deleted":         nil,
		"merge_group.destroyed":         nil,
		"installation_repositories.add": nil,
	} {
		d, want := all, work
		d.Event, d.Action, _ = strings.Cut(name, ".")
		if change != nil {
			change(&want)
		}
		if got, ok := wanted(d); ok != (change != nil) || cmp.Diff(want, got) != "" {
			t.Errorf("%s: %v %s", name, ok, cmp.Diff(want, got))
		}
	}
}
