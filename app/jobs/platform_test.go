package jobs

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker"
)

// 2A-28: one request that meets a limit stops the others of its installation
// before they are sent, and all of them come again at different times.
func TestOneLimitPutsOffAllOfAnInstallation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	const pulls = 12
	var heads []string
	for n := range pulls {
		_, head := w.open(fmt.Sprint("topic-", n), docs(fmt.Sprint(n)))
		heads = append(heads, head)
	}
	w.deliver()
	w.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/access_tokens", Times: 1}) // passes
	limit := fakehub.SecondaryLimit(403, time.Minute)
	limit.Path, limit.Times = "/repositories/*", -1 // those that are on their way meet it as well
	w.hub.Fail(limit)
	w.start()
	w.await("all jobs to be put off", func() bool {
		return w.count("river_job WHERE kind = 'evaluate' AND state = 'scheduled'") == pulls
	})
	if n := len(w.hub.Requests()); n > 1+workers {
		t.Errorf("%d requests: some were sent into a known limit", n)
	}
	if n := w.count("(SELECT DISTINCT scheduled_at FROM river_job WHERE kind = 'evaluate') x"); n < pulls/2 {
		t.Errorf("%d jobs wake at %d moments", pulls, n)
	}
	if n := w.count("river_job WHERE kind = 'evaluate' AND attempt <> 0"); n != 0 {
		t.Errorf("%d jobs used up an attempt", n)
	}
	for _, head := range heads {
		w.none(head)
	}
}

// 2A-27: a machine whose clock is ten minutes off works like any other.
func TestAClockThatIsTenMinutesOff(t *testing.T) {
	t.Parallel()
	for _, off := range []time.Duration{-10 * time.Minute, 10 * time.Minute} {
		w := newWorld(t, options{})
		w.hub.SetClock(func() time.Time { return time.Now().Add(off) })
		number, head := w.open("topic", w.stale())
		must(w.repo.Comment(number, "mallory", question))(t)
		w.settled()
		w.want(head, "failure", "1 card stale")
		if n := w.hub.Counts()["POST /app/installations/{id}/access_tokens"]; n != 4 || len(w.replies(number)) != 1 {
			t.Errorf("off by %v: %d requests for tokens, one of three refused; %d replies", off, n, len(w.replies(number)))
		}
		if n := w.count("river_job WHERE attempt <> 1"); n != 0 {
			t.Errorf("off by %v: %d jobs were tried again", off, n)
		}
	}
}

// While a head is read and checked, nothing can be written with the token at hand,
// and no token opens more than the one repository.
func TestTokensHaveTheRightsOfTheirDuty(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", w.stale())
	must(w.repo.Comment(number, "mallory", question))(t)
	w.settled()
	want := []string{
		"checks:write metadata:read 1",
		"contents:read metadata:read pull_requests:read 1",
		"metadata:read pull_requests:write 1",
	}
	if got := w.hub.Tokens(); !slices.Equal(got, want) {
		t.Errorf("tokens:\n%s", strings.Join(got, "\n"))
	}
}

// Tokens end in the midst of a job: the work goes on with new ones.
func TestTokensThatEndInTheMidstAreRenewed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.stale())
	gate := make(chan struct{})
	w.hub.Fail(fakehub.Fault{Path: "*/git/trees/*", Hold: gate})
	w.deliver()
	w.await("the first request with a token", func() bool { return w.hub.Counts()["GET /repos/{owner}/{repo}/compare/{basehead...}"] > 0 })
	w.hub.ExpireTokens()
	close(gate)
	guid := w.settled()
	w.want(head, "failure", "1 card stale")
	if n := w.count("river_job WHERE attempt <> 1"); n != 0 || guid != "" {
		t.Errorf("%d jobs used up an attempt", n)
	}
	if n := w.hub.Counts()["POST /app/installations/{id}/access_tokens"]; n != 3 {
		t.Errorf("%d tokens were made, want one anew", n)
	}
}

// 2A-30: a permission that the owner has not accepted is said, and not tried for ever.
func TestAMissingPermissionIsSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{permissions: map[string]string{"metadata": "read", "checks": "write", "pull_requests": "write"}})
	_, head := w.open("topic", w.stale())
	w.settled()
	if run := w.want(head, "failure", "Could not check"); !strings.Contains(run.Summary, "accept the App's new permissions") {
		t.Errorf("summary: %s", run.Summary)
	}
}

// 2A-31: a repository that went to another owner is worked on by that one's installation.
func TestATransferredRepositoryGetsItsRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	_, head := w.open("topic", w.stale())
	w.deliver()
	former := w.hub.Installation("ada")
	check(t, w.repo.Transfer("bob"))
	w.start()
	w.settled()
	w.none(head)
	check(t, w.keeper().bidFarewells(t.Context()))
	if left := w.named(former, w.repo.ID()); left != nil {
		t.Errorf("left of the old installation, which has no business there: %s", left)
	}
	w.rounds()
	w.idleQueue()
	w.want(head, "failure", "1 card stale")
	head = w.commit("topic", docs("x"))
	w.settled()
	w.want(head, "failure", "1 card stale")
}

// 2A-30: what ended because it was archived begins anew when it is not any more.
func TestAnArchivedRepositoryIsLeftAloneUntilItIsNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, head := w.open("topic", w.stale())
	w.repo.Archive()
	w.settled()
	w.none(head)
	w.repo.Unarchive()
	check(t, w.repo.Close(number))
	check(t, w.repo.Reopen(number))
	w.settled()
	w.want(head, "failure", "1 card stale")
}

// 2A-26: no configuration on either side is "not switched on"; one that cannot be
// read is a failure after all attempts, never a success.
func TestAConfigurationThatIsNotThereIsNotOneThatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", docs("x"))
	w.hub.Fail(fakehub.Fault{Path: "*/git/blobs/" + blob(w, w.main, checker.ConfigFile), Status: 500, Times: -1})
	guid := w.settled()
	w.want(head, "failure", "Could not check")
	w.wantState(guid, store.Failed)
	w.hub.Heal()
	check(t, w.hub.Repeat(guid))
	w.settled()
	w.want(head, "success", "No cards affected")
}

// 2A-34: no list of files ends the look at a change, neither after one page nor
// at GitHub's limits of 300 and 3,000; 2A-35: a whole diff is never asked for.
func TestAChangeOfThousandsOfFilesIsSeenWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	edits := map[string]fakehub.File{}
	for n := range 4_336 {
		edits[fmt.Sprintf("docs/page-%04d.md", n)] = fakehub.Text(fmt.Sprint(n))
	}
	edits[mail] = w.stale()[mail] // the last in the order of names
	number, head := w.open("topic", edits)
	w.settled()
	run := w.want(head, "failure", "1 card stale")
	if len(run.Annotations) != 1 || run.Annotations[0].Path != mail {
		t.Errorf("annotations: %+v", run.Annotations)
	}
	for _, r := range w.hub.Requests() {
		if strings.Contains(r.Path, "/files") || strings.HasSuffix(r.Path, ".diff") || r.Status == http.StatusNotAcceptable {
			t.Errorf("asked: %s %s, %d", r.Method, r.Path, r.Status)
		}
	}
	_ = number
}

// 2A-63: outsiders' pull requests get the same check.
func TestAForksSecretIsFoundLikeAnybodys(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	token := "gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3)
	leak := w.fresh(map[string]string{backup: w.text(backup, "PostgreSQL 15 or newer", "PostgreSQL 15 with "+token)})
	_, own := w.open("topic", leak)
	_, fork := w.open("eve:topic", leak)
	must(w.repo.OpenPull("topic", "main", "dependabot[bot]", fakehub.PullOptions{}))(t)
	w.settled()
	for _, head := range []string{own, fork} {
		for _, run := range w.hub.CheckRuns(w.repo, head) {
			if run.Conclusion != "failure" || !strings.Contains(run.Title, "secret") || strings.Contains(run.Summary+run.Text, token) {
				t.Errorf("run: %s %q", run.Conclusion, run.Title)
			}
		}
		if n := len(w.hub.CheckRuns(w.repo, head)); n != 1 {
			t.Errorf("%d runs", n)
		}
	}
}

// The default branch's own run waits while few requests are left, and a verdict does not.
func TestBackgroundWorkYieldsToVerdicts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.hub.SetBudget(400)
	installation := w.hub.Installation("ada")
	client := w.runner.reader(installation, w.repo.ID())
	repo := must(client.Repository(t.Context(), w.repo.ID()))(t)
	number, head := w.open("topic", w.stale())
	w.hub.Lose()
	for left := 400; left >= 40; {
		must(client.Comments(t.Context(), repo, number))(t)
		budget, known := w.runner.cfg.GitHub.Budget(installation)
		if left = budget.Left; !known {
			t.Fatal("nothing is known of the budget")
		}
	}
	w.hub.ForgetRequests()
	tip := w.commit("main", docs("x"))
	w.deliver()
	w.await("the push to be put off", func() bool { return w.count("river_job WHERE kind = 'commit' AND state = 'scheduled'") == 1 })
	if n := len(w.hub.Requests()); n != 0 {
		t.Errorf("it cost %d requests nevertheless", n)
	}
	check(t, w.repo.Ready(number, false))
	w.deliver()
	w.await("the verdict", func() bool { return len(w.hub.CheckRuns(w.repo, head)) == 1 })
	w.want(head, "failure", "1 card stale")
	w.none(tip)
}

// 2A-1: GitHub's API hangs, and its delivery is answered all the same; the check is posted once it answers again.
func TestADeliveryIsAnsweredWhileGitHubHangs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	gate := make(chan struct{})
	release := sync.OnceFunc(func() { close(gate) })
	defer release()
	w.hub.Fail(fakehub.Fault{Path: "*", Hold: gate, Times: -1})
	_, head := w.open("topic", w.stale())
	guid := w.deliver() // comes back with an answer, though no call does
	w.wantState(guid, store.Accepted)
	w.none(head)
	w.hub.Heal()
	release()
	w.settled()
	w.want(head, "failure", "1 card stale")
	w.wantState(guid, store.Done)
}
