package checker

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// given is a line that gives a value away, and the value, which nothing tells elsewhere.
func given() (line, value string) {
	value = strings.Join([]string{"Zebra", "finch77x", "!q"}, "")
	return "- the wombat login pass" + "word is " + value + "\n", value
}

// What a head gives away is judged at the head: the base answered before the change (law 7).
func TestWhatTheHeadGivesAwayHidesNoLoss(t *testing.T) {
	t.Parallel()
	const daemon = "- restart the parcel daemon when it hangs\n"
	line, value := given()
	quoting := strings.Replace(daemon, "hangs\n", "hangs with "+value+"\n", 1)
	base := quiz(hangs).with(alphaMain, strings.Replace(alpha, daemon, quoting, 1)).built()
	for name, c := range map[string]struct {
		head repo
		told string
	}{
		"in the file that is quoted": {base.with(alphaMain, strings.Replace(alpha, daemon, quoting+line, 1)).built(), "hangs lost"},
		"in another file":            {base.with(betaMain, beta+line).built(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := compare(t, base.side(), c.head.side(), Policy{BlockQuestions: true})
			a, err := answered(t, c.head, "What to restart when the daemon hangs?")
			if err != nil || a.Answered != (c.told == "") {
				t.Fatalf("ask answers: %v (%v)", a.Answered, err)
			}
			if quizzed(r) != c.told {
				t.Errorf("told %q, want %q:\n%s", quizzed(r), c.told, r.Plain())
			}
			if strings.Contains(everything(r), value) {
				t.Error("the value is shown")
			}
		})
	}
}

// What came of a question does not hang on the others, nor on their order.
func TestEachQuestionIsAnsweredAsIfAlone(t *testing.T) {
	t.Parallel()
	line, value := given()
	of := two().with(alphaMain, strings.Replace(alpha, "hangs\n", "hangs with "+value+"\n", 1), betaMain, beta+line)
	files := of.files()
	all, err := extractor.Extract(files, extractor.DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	var skills []answer.Skill
	for _, s := range all.Skills {
		skills = append(skills, answer.Skill{Path: s.Path, Name: s.Path, Facts: append(s.Facts, s.Rest...)})
	}
	desk := NewDesk(answer.NewIndex(skills), files, NewGate(testScanner(), nil, 0)).Under(ruled())
	questions := []string{"What to restart when the daemon hangs?", "What is the wombat login?", "Which build is run second?", "What to restart when the daemon hangs?"}
	want := map[string]string{}
	for _, q := range questions {
		a, err := answered(t, of, q)
		want[q] = fmt.Sprint(err, answer.Text(a, nil))
	}
	if !strings.Contains(want[questions[0]], value) || strings.Contains(want[questions[1]], value) {
		t.Fatalf("the test proves nothing: %v", want)
	}
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 0, 1, 2}} {
		many := desk.ForMany()
		for _, i := range order {
			a, err := many.Tell(t.Context(), questions[i])
			if got := fmt.Sprint(err, answer.Text(a, nil)); got != want[questions[i]] {
				t.Errorf("in the order %v, %q gets\n%s\nand alone\n%s", order, questions[i], got, want[questions[i]])
			}
		}
	}
}
