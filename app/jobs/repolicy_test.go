package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/planted"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/checker"
)

// tokened is a stale change that holds a secret too.
func (w *world) tokened(n int) map[string]fakehub.File {
	w.t.Helper()
	return map[string]fakehub.File{mail: fakehub.Text(w.text(mail, "wait one minute", "use "+planted.Kinds(93)[n].Bare))}
}

// lenient is a configuration under which a stale card does not block.
func lenient(comment string) map[string]fakehub.File {
	return map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy: {block: [secrets]} # " + comment + "\n")}
}

// asked are the requests whose address holds a piece.
func (w *world) asked(piece string) (n int) {
	for _, r := range w.hub.Requests() {
		if strings.Contains(r.Path+"?", piece) {
			n++
		}
	}
	return n
}

// last holds the newest run on a commit: a verdict with other annotations needs
// another run. None is or was in progress.
func (w *world) last(head, conclusion, title string) {
	w.t.Helper()
	runs := w.hub.CheckRuns(w.repo, head)
	for _, r := range runs {
		if r.Status != "completed" || strings.Contains(r.ExternalID, "again:") {
			w.t.Errorf("a run is %s, or was shown in progress", r.Status)
		}
	}
	if r := runs[len(runs)-1]; r.Conclusion != conclusion || !strings.Contains(r.Title, title) {
		w.t.Errorf("run: %s %q, want %s %q", r.Conclusion, r.Title, conclusion, title)
	}
}

// A policy that reaches the default branch is that of the red pull requests at
// once: one of three turns green by it. The green one and the one of another base
// are not looked at, and nobody sees a run in progress.
func TestAChangedPolicyIsThatOfOpenPullRequests(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		green, greenHead := w.open("green", docs("x"))
		_, stale := w.open("stale", w.stale())
		_, leak1 := w.open("leak-1", w.tokened(0))
		_, leak2 := w.open("leak-2", w.tokened(1))
		w.commit("release", nil, w.main)
		w.commit("other", docs("y"), w.main)
		other := w.commit("other", w.stale())
		number := must(w.repo.OpenPull("other", "release", "mallory", fakehub.PullOptions{}))(t)
		w.settled()
		for _, head := range []string{stale, leak1, leak2, other} {
			w.want(head, "failure", "stale")
		}
		w.hub.ForgetRequests()
		w.commit("main", lenient(""))
		w.settled()
		w.last(stale, "success", "1 card stale")
		w.last(leak1, "failure", "1 secret found")
		w.last(leak2, "failure", "1 secret found")
		w.want(greenHead, "success", "No cards affected")
		w.want(other, "failure", "1 card stale")
		for _, n := range []int{green, number} {
			if n := w.asked(fmt.Sprintf("/pulls/%d?", n)); n != 0 {
				t.Errorf("a pull request that the policy does not touch was asked for %d times", n)
			}
		}
		requests, rounds := len(w.hub.Requests()), w.count("river_job WHERE kind = 'repolicy'")
		w.hub.ForgetRequests()
		w.commit("main", docs("z")) // red ones are left, and the policy is the same
		w.settled()
		if n := w.asked("/pulls/"); n != 0 {
			t.Errorf("a push without a change of policy asked for pull requests %d times", n)
		}
		idle := len(w.hub.Requests())
		// The later push took one round too, and a round takes five requests.
		if per := (requests - idle - 5*(rounds-1)) / 3; per > 35 {
			t.Errorf("each pull request cost %d requests, want at most 35", per)
		}
		t.Logf("%d requests in %d rounds for three pull requests, %d for a push that changes nothing", requests-idle, rounds, idle)
	})
}

// repolicies counts the rounds that wait.
func (w *world) repolicies() int {
	w.t.Helper()
	return w.count("river_job WHERE kind = 'repolicy' AND finalized_at IS NULL")
}

// A burst of pushes is one round, and so is a delivery that comes twice. It
// waits, so that what follows close is one change with it.
func TestABurstOfPoliciesIsOneRefresh(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url, pace: time.Hour})
		_, head := w.open("topic", w.stale())
		w.settled()
		w.want(head, "failure", "1 card stale")
		var guid string
		for i := range 5 {
			w.commit("main", lenient(fmt.Sprint(i)))
			guid = w.deliver()
		}
		check(t, w.hub.Repeat(guid))
		w.deliver()
		if n := w.repolicies(); n != 1 {
			t.Errorf("%d rounds wait, want 1", n)
		}
		if n := w.count("river_job WHERE kind = 'repolicy' AND state = 'scheduled'"); n != 1 {
			t.Errorf("%d rounds are put off, want 1", n)
		}
		if n := w.count("river_job WHERE kind = 'evaluate' AND finalized_at IS NULL"); n != 0 {
			t.Errorf("%d evaluations were begun by the pushes themselves", n)
		}
	})
}

// Where no pull request is red, a push asks for nothing.
func TestAPolicyThatConcernsNobodyCostsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{pace: time.Hour})
	w.open("topic", docs("x"))
	w.settled()
	w.commit("main", lenient(""))
	w.settled() // a round would wait for an hour
	if n := w.count("river_job WHERE kind = 'repolicy'"); n != 0 {
		t.Errorf("%d rounds", n)
	}
}

// red makes verdicts of pull requests, as if they had been evaluated, without
// asking anybody.
func (w *world) red(numbers ...int) {
	w.t.Helper()
	for _, n := range numbers {
		head := fmt.Sprintf("%040x", n)
		check(w.t, w.store.Tx(w.t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			p := store.Pull{Installation: w.hub.Installation("ada"), Repository: w.repo.ID(), Number: int64(n), Head: head}
			generation, _, err := w.store.NextGenerationTx(ctx, tx, p)
			if err != nil {
				return err
			}
			_, err = w.store.PutVerdictTx(ctx, tx, store.Verdict{
				Installation: p.Installation, Repository: p.Repository, Number: p.Number, Generation: generation, HeadSHA: head,
				Conclusion: "failure", Report: []byte("{}"), Policy: noConfig, BaseRef: refHash("main"),
			})
			return err
		}))
	}
}

// A round takes a few, the newest first, and asks for the next round. It can be
// killed before or after its transaction: run again, it takes no pull request twice.
func TestRoundsArePacedAndCanRunTwice(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url, idle: true, pace: time.Hour})
		w.red(11, 12, 13, 14, 15)
		a := repolicyArgs{Installation: w.hub.Installation("ada"), Repository: w.repo.ID()}
		w.hub.ForgetRequests()
		var begun []string
		for round := range 4 {
			check(t, w.runner.repolicy(t.Context(), a))
			begun = append(begun, w.evaluations())
			if n := w.repolicies(); n != 1 {
				t.Errorf("round %d: %d rounds wait, want 1", round+1, n)
			}
		}
		// The fourth is the third again: all are under way.
		want := "15 14; 15 14 13 12; 15 14 13 12 11; 15 14 13 12 11"
		if got := strings.Join(begun, "; "); got != want {
			t.Errorf("begun: %s\nwant:  %s", got, want)
		}
		if n := len(w.hub.Requests()); n > 4*5+1 { // and one for the token
			t.Errorf("four rounds cost %d requests, want 5 each", n)
		}
		if n := w.count("pulls WHERE generation <> 2"); n != 0 {
			t.Errorf("%d pull requests are not of the second generation", n)
		}
	})
}

// evaluations lists the pull requests whose evaluation waits, in the order in which it was asked for.
func (w *world) evaluations() string {
	w.t.Helper()
	rows := must(w.store.DB().Query(`SELECT p.number FROM pulls p JOIN river_job j ON j.id = p.job WHERE j.finalized_at IS NULL ORDER BY j.id`))(w.t)
	var out []string
	for rows.Next() {
		var n int
		check(w.t, rows.Scan(&n))
		out = append(out, fmt.Sprint(n))
	}
	check(w.t, rows.Close())
	return strings.Join(out, " ")
}

// What never gets a verdict under the new policy does not keep rounds going.
func TestRoundsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true, pace: time.Hour})
	w.red(11)
	ends := func(a repolicyArgs, list []store.Pull, pending bool) bool {
		check(t, w.store.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `DELETE FROM river_job WHERE kind = 'repolicy'`)
			if err != nil {
				return err
			}
			return w.runner.round(ctx, tx, a, list, pending)
		}))
		return w.repolicies() == 0
	}
	a := repolicyArgs{Installation: w.hub.Installation("ada"), Repository: w.repo.ID(), Policy: noConfig}
	var many []store.Pull
	for n := range perRound + 1 {
		many = append(many, store.Pull{Installation: a.Installation, Repository: a.Repository, Number: int64(n + 1)})
	}
	for name, c := range map[string]struct {
		round, idle int
		list        []store.Pull
		pending     bool
		want        bool
	}{
		"nothing left":            {want: true},
		"others under way":        {pending: true},
		"others for ever":         {pending: true, idle: idleRounds, want: true},
		"more than one round":     {list: many},
		"just one round":          {list: many[:perRound], want: true},
		"more than all rounds":    {list: many, round: maxRounds - 1, want: true},
		"more after a long pause": {list: many, idle: idleRounds},
	} {
		a.Round, a.Idle = c.round, c.idle
		if got := ends(a, c.list, c.pending); got != c.want {
			t.Errorf("%s: ends %v, want %v", name, got, c.want)
		}
	}
}

// An evaluation that cannot look counts as one under the policy that it was for:
// it is not begun again for ever.
func TestWhatCannotBeCheckedIsNotLookedAtForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.settled()
	w.hub.Fail(fakehub.Fault{Path: "*/compare/*", Status: 500, Times: -1})
	w.commit("main", lenient(""))
	w.settled()
	w.last(head, "failure", "Could not check")
	if n := w.count("verdicts WHERE policy = $1", noConfig); n != 0 {
		t.Errorf("%d verdicts are of no policy", n)
	}
	before := w.asked("/compare/")
	w.commit("main", docs("x"))
	w.settled()
	if n := w.asked("/compare/") - before; n != 0 {
		t.Errorf("compared %d times more", n)
	}
	w.hub.Heal()
	w.commit("main", lenient("again"))
	w.settled()
	w.last(head, "success", "1 card stale")
}
