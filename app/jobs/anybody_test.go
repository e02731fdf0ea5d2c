package jobs

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/planted"
)

// 2A-63: the pull request of a fork and that of a robot get the same scan and the
// same check as any other, or the check could not be required.
func TestForksAndRobotsGetTheSameCheck(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	value := planted.Kinds(94)[0]
	edits := map[string]fakehub.File{mail: fakehub.Text(w.text(mail, "wait one minute", "use "+value.Bare))}
	var said []string
	for _, tc := range []struct{ branch, author string }{
		{"topic", "mallory"}, {"eve:topic", "eve"}, {"dependabot/npm/x", "dependabot[bot]"},
	} {
		head := must(w.repo.Commit(tc.branch, edits, "from "+tc.author, w.main))(t)
		must(w.repo.OpenPull(tc.branch, "main", tc.author, fakehub.PullOptions{}))(t)
		w.settled()
		run := w.want(head, "failure", "1 secret found, 1 card stale")
		if len(run.Annotations) == 0 || value.Shows(run.Summary+run.Text) {
			t.Errorf("%s: %d annotations, or the value is shown", tc.author, len(run.Annotations))
		}
		said = append(said, run.Title+"\n"+run.Text) // the summary names the commit
	}
	if said[0] != said[1] || said[0] != said[2] {
		t.Errorf("not the same check:\n%s", strings.Join(said, "\n---\n"))
	}
}

// 2A-56: a scanner that panics is a failed check, neither neutral nor green, and
// the worker lives: the next pull request gets its run.
func TestAScannerThatPanicsFailsTheCheck(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	w.runner.cfg.Scanner = nil // any use of it panics
	w.start()
	for _, branch := range []string{"first", "second"} {
		_, head := w.open(branch, w.fresh(map[string]string{mail: w.text(mail, "wait one minute", "wait for "+branch)}))
		w.settled()
		if run := w.want(head, "failure", "Could not check"); !strings.Contains(run.Summary, "Cardkeeper itself failed") {
			t.Errorf("summary: %s", run.Summary)
		}
	}
	if log := w.log.String(); !strings.Contains(log, `"msg":"panic"`) {
		t.Error("the log says nothing of the panic")
	}
}
