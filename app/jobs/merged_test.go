package jobs

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/google/go-cmp/cmp"
)

// A head that adds a question to refuse, by which a lesson of the base would be idle once it is
// merged, is red, and says which line does it (law 7).
func TestAHeadThatMakesALessonIdle(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.suited("block", pigeons)
	_, head := w.open("topic", map[string]fakehub.File{suite.File: fakehub.Text(pigeons + `{"id":"r","question":"Pigeons carry letters overnight?","refuse":true}` + "\n")})
	w.settled()
	run := w.want(head, "failure", "1 answer lost")
	if !strings.Contains(run.Text, "lost then: line 2 of") {
		t.Errorf("the line is not told:\n%s", run.Text)
	}
}

// A head that adds names which no answer may hold is told what they will do.
func TestAHeadThatBringsNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.suited("block", quota)
	_, head := w.open("topic", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy:\n  questions: warn\nask:\n  never: [quota exceeded, Zeppelin]\n")})
	w.settled()
	run := w.want(head, "failure", "1 answer lost")
	for _, want := range []string{"ask.never gains 2 names", "1 question of the suite will have lost", "policy.questions to warn"} {
		if !strings.Contains(run.Summary+run.Text, want) {
			t.Errorf("no %q in\n%s\n%s", want, run.Summary, run.Text)
		}
	}
	if strings.Contains(run.Title+run.Summary+run.Text, "Zeppelin") {
		t.Error("a name is shown")
	}
}

// What the base branch gained since the head left it is not taken for what the head takes away.
func TestRulesThatTheBaseGainedMeanwhile(t *testing.T) {
	t.Parallel()
	never := func(block bool, names ...string) (c config.Config) {
		c.Answers.Never, c.Policy.BlockQuestions = names, block
		return c
	}
	for name, c := range map[string]struct {
		before, now, own config.Config
		after            answer.Rules
		policy           bool
	}{
		"nothing is changed":  {never(false, "a1b"), never(false, "a1b"), never(false, "a1b"), answer.Rules{Never: []string{"a1b"}}, false},
		"the base gained one": {never(false, "a1b"), never(true, "a1b", "c2d"), never(false, "a1b"), answer.Rules{Never: []string{"a1b", "c2d"}}, false},
		"both gained one":     {never(false, "a1b"), never(false, "a1b", "c2d"), never(true, "a1b", "e3f"), answer.Rules{Never: []string{"a1b", "c2d", "e3f"}}, true},
		"the head drops one":  {never(false, "a1b"), never(false, "a1b", "c2d"), never(false), answer.Rules{Never: []string{"c2d"}}, false},
	} {
		var s sides
		s.brings(c.before, c.now, c.own)
		if d := cmp.Diff(c.after.Never, s.in.RulesAfter.Never); d != "" || (s.in.HeadPolicy != nil) != c.policy {
			t.Errorf("%s: %s; a policy is %v", name, d, s.in.HeadPolicy != nil)
		}
	}
}
