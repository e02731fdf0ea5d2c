package ask

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/answer"
)

func TestWhatTheDocumentsKeepBack(t *testing.T) {
	t.Parallel()
	text := parcels + "\n## Registry\n\n- The registry password is <redacted>.\n- The seats of Acme are ***.\n- Ask the desk for a seat.\n"
	l := open(t, map[string]string{"a/SKILL.md": text}, testScanner()).Under(answer.Rules{Markers: answer.DefaultMarkers()})
	for question, line := range map[string]int{"What is the registry password?": 17, "How many seats does Acme have?": 18} {
		a, err := l.Ask(t.Context(), question)
		if err != nil || !a.Answered || !a.Withheld || len(a.Hits) != 1 || a.Hits[0].Fact.Places()[0].First != line {
			t.Errorf("%s: %v, %s", question, err, shown(t, a))
		}
		if a.Gap() {
			t.Errorf("%s: a gap", question)
		}
	}
	for _, question := range []string{"How do I install the parcel tool?", "Whom do I ask for a seat?"} {
		if a, err := l.Ask(t.Context(), question); err != nil || !a.Answered || a.Withheld {
			t.Errorf("%s: %v, %s", question, err, shown(t, a))
		}
	}
	if a, err := l.Ask(t.Context(), "What is the zeppelin password?"); err != nil || a.Withheld {
		t.Errorf("the password of another thing: %v, %s", err, shown(t, a))
	}
	if a, _ := open(t, map[string]string{"a/SKILL.md": text}, testScanner()).Ask(t.Context(), "What is the registry password?"); a.Withheld {
		t.Error("withheld without a rule")
	}
}

// No part of an answer names what the policy says that none may.
func TestNoAnswerHoldsANameOfTheList(t *testing.T) {
	t.Parallel()
	rules := answer.Rules{Never: []string{"Quiet Heron", "Kingfisher"}}
	for name, files := range map[string]map[string]string{
		"in the words":              {"a/SKILL.md": "- install the parcel tool of kingfisher\n"},
		"in an identifier":          {"a/SKILL.md": "- install the parcel tool as `newKingfisherClient`\n"},
		"with marks in it":          {"a/SKILL.md": "- install the parcel tool of **King**fisher\n"},
		"in the heading":            {"a/SKILL.md": "# Kingfisher\n\n- install the parcel tool\n"},
		"in the lead-in":            {"a/SKILL.md": "For quiet heron:\n\n- install the parcel tool\n"},
		"from the heading on":       {"a/SKILL.md": "# Quiet\n\n- Heron: install the parcel tool\n"},
		"in the file's name":        {"a/SKILL.md": "# A\n", "a/quiet-heron.md": "- install the parcel tool\n"},
		"in the folder's name":      {"kingfisher/SKILL.md": "- install the parcel tool\n"},
		"in the code":               {"a/SKILL.md": "```yaml\ninstall: parcel tool # QUIET_HERON\n```\n"},
		"in the name of a twin":     {"a/SKILL.md": "- install the parcel tool\n", "kingfisher/SKILL.md": "- install the parcel tool\n"},
		"in an unwrapped piece":     {"a/SKILL.md": "- install the parcel tool of Quiet\n  Heron\n"},
		"in a list that is wanted":  {"a/SKILL.md": "# Setup\n\n- install the parcel tool\n- tell kingfisher\n"},
		"in what is nearly written": {"a/SKILL.md": "- install the parcel tool\n- the kingfisher desk opens at nine\n"},
	} {
		l := open(t, files, testScanner()).Under(rules)
		for _, question := range []string{"How do I install the parcel tool?", "Where is the kingfiser desk?", "list the setup"} {
			a, err := l.Ask(t.Context(), question)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			text := shown(t, a) + answer.Markdown(a, nil)
			if answer.NewNames(rules.Never).In(strings.ReplaceAll(text, "kingfiser", "")) {
				t.Errorf("%s: %s is answered with a name: %s", name, question, text)
			}
		}
	}
	clean := map[string]string{"a/SKILL.md": "- install the parcel tool of kingfisher\n", "b/SKILL.md": parcels}
	a, err := open(t, clean, testScanner()).Under(rules).Ask(t.Context(), "How do I install the parcel tool?")
	if err != nil || !a.Answered || slices.ContainsFunc(a.Hits, func(h answer.Hit) bool { return h.Skill != "b" }) {
		t.Errorf("the other fact is not left: %v %s", err, shown(t, a))
	}
}

func TestAQuestionThatHoldsAName(t *testing.T) {
	t.Parallel()
	l := open(t, map[string]string{"a/SKILL.md": parcels}, testScanner()).Under(answer.Rules{Never: []string{"Kingfisher"}})
	a, err := l.Ask(t.Context(), "Who ships the KINGFISHER parcels?")
	if !errors.Is(err, ErrNever) || !Silent(err) || a.Answered || a.Terms != nil || strings.Contains(strings.ToLower(err.Error()), "kingfisher") {
		t.Errorf("%v, %s", err, shown(t, a))
	}
	for err, want := range map[error]bool{ErrSecret: true, ErrWithheld: true, errors.New("x"): false, nil: false} {
		if Silent(err) != want {
			t.Errorf("%v: %v", err, Silent(err))
		}
	}
}

// A withheld value is found in each part that goes out, also where it begins in one
// and ends in the next.
func TestAWithheldValueInEachPart(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"from the heading on":      {"a/SKILL.md": "# Quiet\n\n- Heron: install the parcel tool\n"},
		"in the heading":           {"a/SKILL.md": "# Quiet heron\n\n- install the parcel tool\n"},
		"in the file's name":       {"a/SKILL.md": "# A\n", "a/quiet-heron.md": "- install the parcel tool\n"},
		"in the skill's folder":    {"quiet heron/SKILL.md": "- install the parcel tool\n"},
		"in the name of a twin":    {"a/SKILL.md": "- install the parcel tool\n", "quiet-heron/SKILL.md": "- install the parcel tool\n"},
		"over a folder and a file": {"quiet/SKILL.md": "# A\n", "quiet/heron.md": "- install the parcel tool\n"},
	} {
		a, err := open(t, files, watching(t, "quiet heron")).Ask(t.Context(), "How do I install the parcel tool?")
		if err != nil {
			t.Fatal(err)
		}
		if text := shown(t, a) + answer.Markdown(a, nil); answer.NewNames([]string{"quiet heron"}).In(text) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// A password is known for one by its line alone; a question that comes near it
// does not get it spelt out.
func TestAMistypedSecretIsNotSpeltOut(t *testing.T) {
	t.Parallel()
	password := "Tr0ub" + "adour" + "Lantern77"
	l := open(t, map[string]string{"a/SKILL.md": parcels + "\n## Login\n\n- password: " + password + "\n"}, testScanner())
	if found, err := testScanner().Scan(t.Context(), "- password: "+password+"\n"); err != nil || len(found) == 0 {
		t.Skipf("the scanner does not know it for one: %v", err)
	}
	a, err := l.Ask(t.Context(), "Who knows "+password[:len(password)-1]+"8 of the zebra?")
	if err != nil {
		t.Skipf("the question itself is kept back: %v", err)
	}
	if text := shown(t, a) + answer.Markdown(a, nil); strings.Contains(strings.ToLower(text), strings.ToLower(password)) {
		t.Errorf("spelt out: %s", text)
	}
	a, err = l.Ask(t.Context(), "Where is the parcell deamon of the zebra?")
	if err != nil || !strings.Contains(shown(t, a), "read as daemon") {
		t.Errorf("an ordinary word: %v, %s", err, shown(t, a))
	}
}
