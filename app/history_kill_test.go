package app

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/planted"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// Law 12: killed while it reads the commits, and killed again while it tells of
// them, the service loses neither the verdict nor them, and the head has one run.
func TestKilledBetweenVerdictAndCommits(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.SQLite(t))
	value := planted.Kinds(95)[0]
	leak := s.commit("topic", map[string]fakehub.File{mail: fakehub.Text(s.text(mail, "wait one minute", "use "+value.Bare))}, s.main)
	head := s.commit("topic", s.fresh(nil))
	must(s.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)
	tree := strings.TrimSpace(string(must(exec.Command("git", "--git-dir", s.repo.GitDir(), "rev-parse", leak+"^{tree}").Output())(t)))
	// The job that published may be taken up as well, so that either may be the one
	// whose change of the run is cut off.
	for _, at := range []struct{ method, path string }{
		{http.MethodGet, "*/git/trees/" + tree}, {http.MethodPatch, "*/check-runs/*"},
	} {
		come, release := s.hold(at.method, at.path)
		kill := s.spawn()
		s.deliver()
		select {
		case <-come:
		case <-time.After(time.Minute):
			t.Fatalf("waited in vain for %s %s; the log:\n%s", at.method, at.path, s.log)
		}
		if runs := s.hub.CheckRuns(s.repo, head); len(runs) != 1 || runs[0].Conclusion != "success" || runs[0].Updates != 0 {
			t.Errorf("before the commits are told: %+v", runs)
		}
		kill()
		release()
	}
	s.gone()
	s.spawn()
	s.await("the end of the work", func() bool {
		runs := s.hub.CheckRuns(s.repo, head)
		return len(runs) == 1 && strings.Contains(runs[0].Summary, "commits.")
	})
	run := s.run(head)
	if run.Conclusion != "success" || strings.Count(run.Summary, "Looked at 2 of 2 commits.") != 1 || strings.Count(run.Summary, "held a secret (") != 1 {
		t.Errorf("%s %q:\n%s", run.Conclusion, run.Title, run.Summary)
	}
	if value.Shows(run.Title + run.Summary + run.Text + s.log.String()) {
		t.Error("a piece of the token was written")
	}
}
