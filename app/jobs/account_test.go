package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// keeper is a runner that does rounds when it is told to, and works on no job.
func (w *world) keeper() *Runner {
	w.t.Helper()
	r := w.newRunner(options{scanner: w.runner.cfg.Scanner, keys: w.runner.cfg.WithholdKeys}, w.runner.cfg.Log)
	r.cfg.Reconcile, r.cfg.Sweep = time.Hour, time.Minute
	return r
}

// rounds does all rounds that are due, and says how many.
func (w *world) rounds() (n int) {
	w.t.Helper()
	r := w.keeper()
	for {
		did, err := r.nextRound(w.t.Context())
		check(w.t, err)
		if !did {
			return n
		}
		n++
	}
}

// later lets a period pass for everything that is done again and again.
func (w *world) later() {
	w.t.Helper()
	for _, table := range []string{"rounds", "duties"} {
		_ = must(w.store.DB().Exec(`UPDATE ` + table + ` SET due_at = 0`))(w.t)
	}
}

// idleQueue waits until no job is left.
func (w *world) idleQueue() {
	w.t.Helper()
	w.await("the end of all jobs", func() bool { return w.count("river_job WHERE finalized_at IS NULL") == 0 })
}

// tables lists all tables whose rows could name somebody's repository.
func (w *world) named(installation, repository int64) (where []string) {
	w.t.Helper()
	for _, table := range []string{
		"deliveries", "pulls", "verdicts", "effects", "answers", "askings", "gaps", "segments", "rounds", "redeliveries", "parts", "farewells",
	} {
		if n := w.count(table+` WHERE installation = $1 AND ($2 = 0 OR repository = $2)`, installation, repository); n > 0 {
			where = append(where, fmt.Sprint(table, ": ", n))
		}
	}
	condition := w.runner.argument("installation") + ` = $1`
	args := []any{installation}
	if repository != 0 {
		condition, args = condition+` AND `+w.runner.argument("repository")+` = $2`, append(args, repository)
	}
	if n := w.count(`river_job WHERE `+condition, args...); n > 0 {
		where = append(where, fmt.Sprint("river_job: ", n))
	}
	return where
}

// On installation the open pull requests are looked at, which no event told of, and the default
// branch's head gets a run, so that the check can be chosen as required.
func TestAnInstallationBeginsWithWhatIsThere(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		_, head := w.open("topic", w.stale())
		plain := must(w.hub.AddRepo("ada", "plain", fakehub.RepoOptions{}))(t)
		other := must(plain.Commit("main", map[string]fakehub.File{"README.md": fakehub.Text("nothing here")}, "first"))(t)
		empty := must(w.hub.AddRepo("ada", "empty", fakehub.RepoOptions{}))(t)
		w.hub.Lose()
		w.hub.Reinstall("ada")
		guid := w.deliver()
		w.wantState(guid, store.Done)
		w.rounds()
		w.idleQueue()
		w.want(head, "failure", "1 card stale")
		w.want(w.main, "success", "")
		runs := w.hub.CheckRuns(plain, other)
		if len(runs) != 1 || runs[0].Conclusion != "success" || !strings.Contains(strings.ToLower(runs[0].Title), "not switched on") {
			t.Errorf("runs on a repository without skills: %+v", runs)
		}
		if n := w.count("rounds WHERE repository = $1 AND looked_at > 0", empty.ID()); n != 1 {
			t.Error("a repository without a commit was not looked at to the end")
		}
		w.later()
		w.hub.ForgetRequests()
		w.rounds()
		w.idleQueue()
		w.only(head)
		w.only(w.main)
		for _, r := range w.hub.Requests() {
			if r.Method != "GET" && !strings.Contains(r.Path, "access_tokens") {
				t.Errorf("a second look wrote: %s %s", r.Method, r.Path)
			}
		}
	})
}

// Whoever leaves takes along all that is kept, in every table and in the queue, also
// what a job that ran at that moment wrote afterwards.
func TestNothingIsLeftOfWhoIsGone(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		for name, leave := range map[string]func(*world){
			"the App was uninstalled":                         func(w *world) { w.hub.Reinstall("ada") },
			"the App was uninstalled, and no event told":      func(w *world) { w.hub.Reinstall("ada"); w.hub.Lose() },
			"the repository was taken out":                    func(w *world) { w.repo.Uncover() },
			"the repository was taken out, and no event told": func(w *world) { w.repo.Uncover(); w.hub.Lose() },
			"the repository was given away": func(w *world) {
				check(w.t, w.repo.Transfer("grace"))
			},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, options{url: fresh(t, url)})
				installation := w.hub.Installation("ada")
				number, head := w.open("done", w.stale())
				must(w.repo.Comment(number, "mallory", "/ask How do I install it?\n/ask Which telescope shows the moons?"))(t)
				w.settled()
				if w.count("gaps") == 0 || w.count("askings") == 0 || w.count("segments") == 0 {
					t.Errorf("nothing was kept of the questions; the log:\n%s", w.log)
				}
				_, late := w.open("late", docs("x"))
				gate := make(chan struct{})
				w.hub.Fail(fakehub.Fault{Path: "*/git/trees/" + late, Hold: gate, Times: -1})
				w.deliver()
				w.await("the evaluation", func() bool { return w.count("river_job WHERE state = 'running'") > 0 })
				w.open("waiting", docs("y"))
				w.hub.Lose()
				leave(w)
				w.deliver()
				w.later()
				w.rounds()
				close(gate)
				w.idleQueue()
				check(t, w.keeper().bidFarewells(t.Context()))
				repository := w.repo.ID()
				if strings.Contains(name, "uninstalled") {
					repository = 0
				}
				if left := w.named(installation, repository); len(left) > 0 {
					t.Errorf("left: %s", left)
				}
				_ = head
			})
		}
	})
}

// fresh is a URL of another empty database of the kind.
func fresh(t *testing.T, url string) string {
	if strings.HasPrefix(url, "postgres") {
		return storetest.Postgres(t)
	}
	return storetest.SQLite(t)
}

// A repository that comes back before the last job of it ended is nobody to be forgotten.
func TestARepositoryThatComesBackIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.settled()
	w.rounds()
	w.repo.Uncover()
	w.deliver()
	w.rounds()
	if n := w.count("pulls"); n != 0 {
		t.Fatalf("%d pull requests after the removal", n)
	}
	w.repo.Cover()
	w.deliver()
	w.rounds()
	check(t, w.keeper().bidFarewells(t.Context()))
	w.idleQueue()
	if n := w.count("rounds WHERE repository = $1", w.repo.ID()); n != 1 {
		t.Errorf("%d rounds of it", n)
	}
	w.only(head)
}

// 2A-30: the jobs of a suspended installation wait, and use up no attempt; then they go on, and
// what happened meanwhile is found.
func TestSuspendedIsParkedAndGoesOn(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url, idle: true})
		_, before := w.open("before", w.stale())
		guid := w.deliver()
		w.hub.Suspend("ada", true)
		w.deliver()
		w.start()
		w.await("the job to be parked", func() bool { return w.count("river_job WHERE state = 'scheduled'") == 1 })
		w.wantState(guid, store.Accepted)
		if n := w.count("river_job WHERE attempt > 1 OR state = 'retryable'"); n != 0 {
			t.Errorf("%d attempts were used up", n)
		}
		_, meanwhile := w.open("meanwhile", docs("x"))
		tip := w.commit("main", docs("y"))
		w.hub.Suspend("ada", false)
		w.deliver()
		w.rounds()
		w.idleQueue()
		w.want(before, "failure", "1 card stale")
		w.want(meanwhile, "success", "No cards affected")
		w.want(tip, "success", "")
		w.wantState(guid, store.Done)
	})
}

// An archived repository is left alone, and looked through when it is writable again; so is one whose default
// branch is another now.
func TestUnarchivedIsLookedThrough(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.repo.Archive()
	_, head := w.open("topic", w.stale())
	w.settled()
	w.none(head)
	w.repo.Unarchive()
	w.deliver()
	w.rounds()
	w.idleQueue()
	w.want(head, "failure", "1 card stale")
	w.only(w.main)
}

// A recheck of a commit that several pull requests share is one delivery: it is done with the last
// of them, and has failed with the first that has.
func TestADeliveryOfSeveralPartsEndsWithTheLast(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		_, head := w.open("topic", w.stale())
		w.commit("release", nil, w.main)
		second := must(w.repo.OpenPull("topic", "release", "mallory", fakehub.PullOptions{}))(t)
		w.settled()
		run := w.hub.CheckRuns(w.repo, head)[0]
		gate := make(chan struct{})
		w.hub.Fail(fakehub.Fault{Method: "GET", Path: fmt.Sprint("*/pulls/", second), Hold: gate})
		check(t, w.repo.Rerequest(run.ID, "ada"))
		guid := w.deliver()
		w.await("the first part's end", func() bool { return w.count("parts") == 1 })
		w.wantState(guid, store.Accepted)
		close(gate)
		w.idleQueue()
		w.wantState(guid, store.Done)
		if n := w.count("parts"); n != 0 {
			t.Errorf("%d parts are left", n)
		}
		check(t, w.store.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			d := store.Delivery{GUID: "two", Event: "check_run"}
			_, err := w.store.AcceptTx(ctx, tx, d)
			for number := range int64(2) {
				name := must(w.store.AddPartTx(ctx, tx, d.GUID, store.Pull{Installation: 1, Repository: 1, Number: number + 1}))(t)
				check(t, w.store.FinishTx(ctx, tx, name, number == 1))
			}
			return err
		}))
		w.wantState("two", store.Failed)
	})
}
