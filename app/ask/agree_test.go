package ask

import (
	"errors"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// Further wordings lead around no marker: neither senseless ones that lower the first one's
// share, nor a harmless first one.
func TestFurtherWordingsDoNotLeadAroundAMarker(t *testing.T) {
	t.Parallel()
	text := parcels + "\n## Registry\n\n- The registry password is \\[REDACTED].\n- Ask the desk for a seat.\n"
	l := open(t, map[string]string{"a/SKILL.md": text}, testScanner()).Under(answer.Rules{Markers: answer.DefaultMarkers()})
	const asks = "What is the registry password?"
	kept := 0
	for name, wordings := range map[string][]string{
		"alone":                        {asks},
		"in the second place":          {"How is the registry password kept?", asks},
		"behind one that asks nothing": {"registry password, tell", asks},
		"before others":                {asks, "Ask the desk for a seat", "Whom do I ask for a registry seat?"},
		"before a list":                {asks, "What are the registry rules?"},
		"behind a list":                {"Which registry password rules are there?", asks},
	} {
		a, err := l.Ask(t.Context(), wordings[0], wordings[1:]...)
		if err != nil || a.Answered && !a.Withheld || a.Withheld && (len(a.Hits) != 1 || !strings.Contains(a.Hits[0].Fact.Entry().Text, "REDACTED")) {
			t.Errorf("%s: %v, withheld is %v\n%s", name, err, a.Withheld, answer.Text(a, nil))
		}
		if a.Withheld {
			kept++
		}
	}
	if kept < 4 {
		t.Errorf("withheld only %d times", kept)
	}
	if a, err := l.Ask(t.Context(), "Whom do I ask for a seat?", "Where is a seat asked for at the desk?"); err != nil || !a.Answered || a.Withheld {
		t.Errorf("another question: %v, %s", err, answer.Text(a, nil))
	}
}

// What was just saved is right when the file is asked, whatever was asked and in how many
// wordings; and most of what can be asked is saved.
func TestWhatIsSavedIsRightAtOnce(t *testing.T) {
	t.Parallel()
	tree := os.DirFS("../../testdata/example")
	all, err := extractor.Extract(tree, extractor.DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	var questions []string
	for _, s := range all.Skills {
		for _, f := range append(s.Facts, s.Rest...) {
			words := strings.Fields(strings.Map(letters, f.Entry().Text))
			for i, begin := range []string{"What is ", "How do I ", "which ", "", "What are the ", "May I "} {
				if n := min(len(words), 3+i); n > 1 {
					questions = append(questions, begin+strings.Join(words[:n], " ")+"?")
				}
			}
		}
		questions = append(questions, "List all of "+path.Base(s.Path), "Who pays for "+path.Base(s.Path)+" zeppelins?")
	}
	saved, refused := 0, 0
	for i, q := range questions {
		also := []string(nil)
		if i%2 == 1 {
			also = []string{questions[(i*7+3)%len(questions)]}
		}
		l, err := Open(tree, extractor.DefaultShape(), testScanner())
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.Ask(t.Context(), q, also...)
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := l.Add(t.Context(), nil, suite.Addition{Question: q, Also: also, Answer: got, All: got.List && i%3 == 0})
		if errors.Is(err, ErrAmiss) || errors.Is(err, suite.ErrUnfit) {
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("%q: %v", q, err)
		}
		saved++
		file, faults := suite.Parse(out)
		then, err := Open(tree, extractor.DefaultShape(), testScanner())
		if err != nil || len(faults) > 0 {
			t.Fatal(err, faults)
		}
		if _, err := then.Teach(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		if o, err := then.Try(t.Context(), file); err != nil || !o[0].Right {
			t.Errorf("%q, %q: %v, %s", q, also, err, o[0].Says())
		}
	}
	t.Logf("%d saved, %d not", saved, refused)
	if saved < 3*refused {
		t.Errorf("of %d questions %d were not saved", len(questions), refused)
	}
}

// letters leaves letters, digits and blanks.
func letters(c rune) rune {
	if strings.ContainsRune("`*[]()<>|.,:;!?\"", c) {
		return ' '
	}
	return c
}

// A withheld answer is none to keep.
func TestAWithheldAnswerIsNotKept(t *testing.T) {
	t.Parallel()
	text := parcels + "\n## Registry\n\n- The registry password is <redacted>.\n- The kingfisher desk opens at nine.\n"
	l := open(t, map[string]string{"a/SKILL.md": text}, testScanner()).Under(answer.Rules{Markers: answer.DefaultMarkers(), Never: []string{"Kingfisher"}})
	for question, want := range map[string]error{"What is the registry password?": suite.ErrBack, "Which desk opens at nine?": ErrBeside} {
		got, err := l.Ask(t.Context(), question)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := l.Add(t.Context(), nil, suite.Addition{Question: question, Answer: got}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", question, err, want)
		}
	}
}
