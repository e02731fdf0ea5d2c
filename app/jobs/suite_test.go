package jobs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

const (
	quota   = `{"id":"quota","question":"What to do when the quota is exceeded?","expect":["wait one minute"]}` + "\n"
	pigeons = `{"id":"pigeons","question":"May pigeons carry letters overnight?","expect":["refuses every other thread"]}` + "\n"
	zebras  = `{"id":"zebras","question":"Which zebras may fly?","refuse":true}` + "\n"
)

// suited commits a suite and what the policy says of it to the default branch.
func (w *world) suited(policy string, lines ...string) {
	w.t.Helper()
	w.main = w.commit("main", map[string]fakehub.File{
		suite.File:         fakehub.Text(strings.Join(lines, "")),
		checker.ConfigFile: fakehub.Text("policy:\n  questions: " + policy + "\n"),
	})
	w.settled()
	w.hub.Lose()
}

// without is a change that takes an answer away, its card rebuilt.
func (w *world) without() map[string]string {
	return map[string]string{mail: w.text(mail, `- "quota exceeded": wait one minute, then run the plan again.`, "- Read the log.")}
}

func TestAPullRequestThatLosesAnAnswer(t *testing.T) {
	t.Parallel()
	for policy, want := range map[string][2]string{
		"block": {"failure", "1 answer lost"},
		"warn":  {"success", "1 card updated, all fresh, 1 answer lost"},
		"off":   {"success", "1 card updated, all fresh"},
	} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{})
			w.suited(policy, quota, zebras)
			config := "policy:\n  questions: " + policy + "\n"
			with := func(more map[string]string) map[string]string {
				more[checker.ConfigFile] = config
				return more
			}
			_, lost := w.open("lost", w.fresh(with(w.without())))
			_, kept := w.open("kept", w.fresh(with(map[string]string{mail: w.text(mail, "# Mail\n", "# Mail\n\nA line more.\n")})))
			_, docs := w.open("docs", docs("x"))
			w.settled()
			run := w.want(lost, want[0], want[1])
			if policy != "off" && (!strings.Contains(run.Text, "no fact is as expected any more") || !strings.Contains(run.Text, "Asked 2 questions: 1 right, 1 wrong") || len(run.Annotations) != 1 || run.Annotations[0].Path != suite.File) {
				t.Errorf("text: %s\n%+v", run.Text, run.Annotations)
			}
			if policy == "off" && strings.Contains(run.Text, "question") {
				t.Errorf("text: %s", run.Text)
			}
			if run := w.want(kept, "success", "1 card updated, all fresh"); strings.Contains(run.Title, "lost") {
				t.Errorf("title: %s", run.Title)
			}
			w.want(docs, "success", "No cards affected")
		})
	}
}

// A head that drops the question, or switches the suite off, loses the answer all
// the same (law 7).
func TestAHeadCannotHideALoss(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.suited("block", quota, zebras)
	files := w.without()
	files[checker.ConfigFile] = "policy:\n  questions: off\n"
	edits := w.fresh(files)
	edits[suite.File] = fakehub.Text(zebras)
	_, head := w.open("sly", edits)
	w.settled()
	if run := w.want(head, "failure", "1 answer lost"); !strings.Contains(run.Text, "the change drops the question") {
		t.Errorf("text: %s", run.Text)
	}
}

// What a head puts beside a fact so that /ask would not answer from it any more is an answer
// lost, by the rules of the base (law 7); a skill in which a secret stands is read for that.
func TestAHeadThatKeepsAnAnswerBack(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3)
	const line = `- "quota exceeded": wait one minute, then run the plan again.`
	for name, c := range map[string]struct{ text, title string }{
		"a name":   {`- "quota exceeded": wait one minute, as King<b></b>fisher says, then run the plan again.`, "1 answer lost"},
		"a secret": {`- "quota exceeded": wait one minute, then run the plan again with ` + token + `.`, "1 secret found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{})
			const config = "policy:\n  questions: block\nask:\n  never: [Kingfisher]\n"
			w.main = w.commit("main", map[string]fakehub.File{
				suite.File: fakehub.Text(quota + `{"id":"who","question":"Who is Kingfisher?","refuse":true}` + "\n"), checker.ConfigFile: fakehub.Text(config),
			})
			w.settled()
			w.hub.Lose()
			edits := w.fresh(map[string]string{mail: w.text(mail, line, c.text), checker.ConfigFile: "policy:\n"})
			edits[suite.File] = fakehub.Text(quota)
			_, head := w.open("topic", edits)
			w.settled()
			run := w.want(head, "failure", c.title)
			if !strings.Contains(run.Text, "`lost; withheld: ") || strings.Contains(strings.ToLower(run.Title+run.Summary+run.Text), "kingfisher") || strings.Contains(run.Text+run.Summary, token) {
				t.Errorf("text: %s\n%s", run.Summary, run.Text)
			}
			if !strings.Contains(run.Text, "| `who (not shown: it holds") {
				t.Errorf("the dropped question is not told: %s", run.Text)
			}
		})
	}
}

// The suite of the base branch as it is now tells what is lost.
func TestTheBranchMovedOnAndAsksMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.suited("block", zebras)
	files := w.without()
	files[checker.ConfigFile] = "policy:\n  questions: block\n"
	_, head := w.open("topic", w.fresh(files))
	w.settled()
	w.want(head, "success", "1 card updated")
	w.commit("main", map[string]fakehub.File{suite.File: fakehub.Text(zebras + quota)})
	head = w.commit("topic", docs("again"))
	w.settled()
	w.want(head, "failure", "1 answer lost")
}

// A skill in which something was found is read for the questions each time; what the
// check reads besides stays at hand.
func TestASuiteOverASkillThatIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	token := "gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3)
	leaky := w.text(mail, "# Mail\n", "# Mail\n\nThe key is "+token+".\n")
	w.main = w.commit("main", w.fresh(map[string]string{mail: leaky, suite.File: quota}))
	w.settled()
	w.hub.Lose()
	_, head := w.open("topic", map[string]fakehub.File{mail: fakehub.Text(strings.Replace(leaky, "wait one minute", "wait one minute or two", 1))})
	w.settled()
	if run := w.want(head, "failure", "1 card stale"); !strings.Contains(run.Text, "Asked 1 question: 1 right, 0 wrong") {
		t.Errorf("text: %s", run.Text)
	}
}

// A maintainer turns a gap into an answer by a line on the base branch; a line of
// the head does not (law 7).
func TestAGapBecomesAnAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", map[string]fakehub.File{suite.File: fakehub.Text(pigeons)})
	ask := func(question string) string {
		must(w.repo.Comment(number, "mallory", "/ask "+question))(t)
		w.settled()
		replies := w.replies(number)
		return replies[len(replies)-1]
	}
	const question = "May pigeons carry letters overnight?"
	if got := ask(question); !strings.Contains(got, "Not documented") {
		t.Fatalf("a head teaches: %s", got)
	}
	w.commit("main", map[string]fakehub.File{suite.File: fakehub.Text(pigeons)})
	w.settled()
	got := ask(question)
	m := permalink.FindStringSubmatch(got)
	if m == nil || m[2] != mail || !strings.Contains(strings.Split(git(w, "show", m[1]+":"+m[2]), "\n")[14], "refuses every other thread") || m[3] != "15" {
		t.Errorf("reply: %s", got)
	}
	if got := ask("May pigeons carry parcels overnight?"); !strings.Contains(got, "Not documented") {
		t.Errorf("a near miss is answered: %s", got)
	}
}

// Law 13: where the questions block and nobody could look for withheld values, the
// check is red, and nothing is kept that was not looked through.
func TestASuiteIsNotAskedBlindly(t *testing.T) {
	t.Parallel()
	right := withholdKey(t, "right")
	w := newWorld(t, options{keys: []secret.Key{withholdKey(t, "wrong")}})
	w.main = w.commit("main", map[string]fakehub.File{
		suite.File:         fakehub.Text(quota),
		checker.ConfigFile: fakehub.Text(strings.Replace(withholding(t, right, "Quiet Heron"), "policy:\n", "policy:\n  questions: block\n", 1)),
	})
	w.settled()
	w.hub.Lose()
	_, head := w.open("topic", w.stale())
	w.settled()
	if run := w.want(head, "failure", "could not ask the questions"); !strings.Contains(run.Summary, "withholds") {
		t.Errorf("summary: %s", run.Summary)
	}
	if n := w.count("segments"); n != 0 {
		t.Errorf("%d segments were kept", n)
	}
}

// What it costs: a pull request that changes one of many skills asks GitHub for the
// suite's file and no more; the facts are those that were kept.
func TestWhatASuiteCosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	const skills = manySkills / 10 // each costs the same
	w.big(skills)
	var lines strings.Builder
	const questions = min(200, skills)
	for i := range questions {
		fmt.Fprintf(&lines, `{"id":"q%d","question":"What does queue%d drain do?","expect":["queue%d drain"]}`+"\n", i, i, i)
	}
	w.suited("warn", lines.String())
	change := func(name string, n, most int) {
		t.Helper()
		b := w.cost(name, func() {
			_, head := w.touch(fmt.Sprint("change-", n), n)
			w.settled()
			if run := w.want(head, "failure", "1 card stale"); !strings.Contains(run.Text, fmt.Sprintf("Asked %d questions: %d right, 0 wrong", questions, questions)) {
				t.Errorf("%s: %s", name, run.Text)
			}
		})
		b.within(t, name, most)
	}
	const perQuery = 100
	change("the first", 30, 24+skills/perQuery+4)
	change("the second", 31, 12+3)
}

// What was asked in one slice is not asked in the next.
func TestQuestionsGoOnInTheNextSlice(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	w.main = w.commit("main", map[string]fakehub.File{suite.File: fakehub.Text(quota + zebras)})
	head := w.commit("topic", w.stale(), w.main)
	client := w.runner.cfg.GitHub.Installation(w.hub.Installation("ada"))
	from := newSource(client, must(client.Repository(t.Context(), w.repo.ID()))(t))
	c := comparison{base: w.main, tip: w.main, head: head, installation: w.hub.Installation("ada")}
	must(w.runner.assess(t.Context(), from, c))(t)
	if n := from.asked(); n != 4 || from.done() < 4 {
		t.Fatalf("%d outcomes are kept", n)
	}
	s := must(w.runner.sides(t.Context(), from, c))(t)
	check(t, w.runner.examined(t.Context(), from, c, s))
	s.in.Facts = func(context.Context, checker.Side) (checker.Stock, error) {
		t.Error("the facts are read again")
		return checker.Stock{}, nil
	}
	if r := must(checker.Check(t.Context(), s.in))(t); r.Asked.Questions != 2 {
		t.Errorf("%+v", r.Asked)
	}
}
