package answer

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

func TestWhatAQuestionAsksFor(t *testing.T) {
	t.Parallel()
	l := words()
	read := reader{lex: l, stems: stemmer{}}
	for question, want := range map[string]kind{
		"How many runs are kept?": "count", "how long are runs kept": "count", "What number of runs is kept?": "count",
		"Where are runs kept?": "where", "In which folder are runs kept?": "where", "Which file holds the runs?": "where",
		"When are runs removed?": "when", "At what time are runs removed?": "when", "When the daemon hangs, what do I do?": "how",
		"When the daemon hangs, which log is read?": "what",
		"Who keeps the runs?":                       "who", "Whose runs are kept?": "who", "Why are runs kept?": "why", "How come runs are kept?": "why",
		"What is kept?": "what", "Which runs are kept?": "what", "How do I keep runs?": "how", "What should I do when runs fail?": "how",
		"Are runs kept?": "yes", "May I keep runs?": "yes", "Don't runs expire?": "yes", "Do you know whether runs are kept?": "yes",
		"Can you tell me how many runs are kept?": "count", "Please, where are runs kept?": "where", "Do you know when runs are removed?": "when",
		"Tell me who keeps runs": "who", "the daemon is hanging, where is the log": "where", "runs that are kept": "", "keep runs": "", "": "",
		"runs, can they be kept": "",
	} {
		if got := l.kind(read.words(clean(question))); got != want {
			t.Errorf("%q asks for %q, want %q", question, got, want)
		}
	}
}

// What was taught for one kind of question answers no other one of the same words.
func TestALessonHoldsForItsOwnKindOfQuestion(t *testing.T) {
	t.Parallel()
	runs := fact(t, "s", 1, "architecture", "bullet", "Storage", "The last 12 results stay on disk.")
	x := NewIndex([]Skill{{Path: "s", Name: "s", Facts: []card.Fact{runs, fact(t, "s", 2, "setup", "bullet", "Setup", "Install the parcel tool.")}}})
	asked := map[kind]string{
		"count": "How many finished runs does the vault keep?", "where": "Where does the vault keep finished runs?",
		"when": "When does the vault keep finished runs?", "who": "Who keeps finished runs of the vault?", "why": "Why does the vault keep finished runs?",
		"what": "What finished runs does the vault keep?", "how": "How does the vault keep finished runs?", "yes": "Does the vault keep finished runs?",
	}
	for taughtKind, lesson := range asked {
		y := taught(t, x, []Lesson{{Text: lesson, Line: 3, Facts: []int{numbered(t, x, "12 results")}}})
		for kind, question := range asked {
			if a := y.Ask(question); a.Answered != (kind == taughtKind) {
				t.Errorf("%q taught, %q: answered is %v\n%s", lesson, question, a.Answered, Explain(a))
			}
			if line := y.OtherKind(question); (line == 3) != (kind != taughtKind) {
				t.Errorf("%q taught, %q: of another kind is line %d", lesson, question, line)
			}
		}
		if a := y.Ask("finished runs, vault keeps"); !a.Answered {
			t.Errorf("%q taught, and its words alone are refused", lesson)
		}
	}
	bare := taught(t, x, []Lesson{{Text: "finished runs, vault keeps", Line: 3, Facts: []int{numbered(t, x, "12 results")}}})
	for _, question := range asked {
		if a := bare.Ask(question); !a.Answered || bare.OtherKind(question) != 0 {
			t.Errorf("bare words taught, and refused: %q", question)
		}
	}
	if line := bare.OtherKind("How often are zebras fed?"); line != 0 {
		t.Errorf("of other words: line %d", line)
	}
}

// An answer that stands thanks to a lesson alone says so wherever it is shown, and one that
// would stand without it does not.
func TestAnAnswerThatIsOwedToALessonSaysSo(t *testing.T) {
	t.Parallel()
	x := mailbox(t)
	const question = "May bulk erasure go by elapsed days?"
	n := numbered(t, x, "limited only by age")
	a := taught(t, x, []Lesson{{Text: question, Line: 7, Facts: []int{n}}}).Ask(question)
	form := a.Form()
	for name, text := range map[string]string{"text": Text(a, nil), "comment": Markdown(a, nil), "explanation": Explain(a)} {
		if part := map[string]string{"text": "Found through the question suite, line 7", "comment": "found through the question suite, line 7", "explanation": "found through it alone"}[name]; !strings.Contains(text, part) {
			t.Errorf("%s: no %q in\n%s", name, part, text)
		}
	}
	if !a.Hits[0].Taught || form.Hits[0].Taught != 7 {
		t.Errorf("JSON: %+v", form.Hits[0])
	}
	const plain = "Is a trash rule limited only by age?"
	if a := x.Ask(plain); !a.Answered || a.Hits[0].Number != n {
		t.Fatalf("not answered before: %s", Text(a, nil))
	}
	if a := taught(t, x, []Lesson{{Text: plain, Line: 7, Facts: []int{n}}}).Ask(plain); a.Hits[0].Taught || strings.Contains(Text(a, nil), "question suite") || a.Form().Hits[0].Taught != 0 {
		t.Errorf("owed to a lesson, though it stood before: %s", Text(a, nil))
	}
}

// What a page shows decides, not how it is written.
func TestNamesAreFoundAsAPageShowsThem(t *testing.T) {
	t.Parallel()
	names := NewNames([]string{"Zebrafish", "Quiet Heron"})
	for text, want := range map[string]bool{
		"Zebra<b></b>fish": true, "Zebra**fish**": true, "**Zebra**fish": true, "Zebra&shy;fish": true, "Zebra&#8203;fish": true, "Zebra\u00adfish": true,
		"Zebra<!-- x -->fish": true, "Zebra<wbr>fish": true, "Zebra<span title=\"a b\">fish</span>": true, "Zebra[fish](https://example.com/a)": true,
		"[Zebra](a \"b\")[fish][c]": true, "Zebra\ufe0ffish": true, "Zebra\u034ffish": true, "Zebra`fish`": true, "Ze\\-bra\\-fish": true,
		"&#90;ebra&#102;ish": true, "Z&#x65;bra<b>fish</b>": true, "Quiet<br>Heron": true, "*Quiet*&nbsp;**Heron**": true, "Quiet[ ](x)Heron": true,
		"`Zebra<b></b>fish`": true, "see <https://example.com/zebrafish>": true, "![Zebra](x.png)fish": true, "a < zebra fish > b": true,
		"<zebrafish>": true, "Zebra<b>x</b>fish": false, "Zebra fishing": false, "Quiet [the](x) Heron": false, "Zebra&amp;shy;fish": false,
	} {
		if got := names.In(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
