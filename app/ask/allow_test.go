package ask

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker"
)

// A value that the policy allows in one file is answered with from there, and
// from nowhere else; what goes out as a whole keeps it, and nothing more.
func TestWhatThePolicyAllowsIsAnswered(t *testing.T) {
	t.Parallel()
	value, other := token(10), token(11)
	found, err := checker.ScanText(t.Context(), testScanner(), "a/SKILL.md", value)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %d findings", err, len(found))
	}
	const today = checker.Date(740_000)
	rule := checker.Allow{Rule: found[0].Rule, Path: "a/SKILL.md", Fingerprint: found[0].Fingerprint, Until: today}
	line := "- install the parcel tool with " + value + "\n"
	for name, c := range map[string]struct {
		files map[string]string
		today checker.Date
		shown bool
	}{
		"in its file":                   {map[string]string{"a/SKILL.md": line}, today, true},
		"in its heading":                {map[string]string{"a/SKILL.md": "# Key " + value + "\n\n- install the parcel tool\n"}, today, true},
		"on the day after":              {map[string]string{"a/SKILL.md": line}, today + 1, false},
		"in another file":               {map[string]string{"a/SKILL.md": "# A\n", "a/more.md": line}, today, false},
		"in another skill":              {map[string]string{"b/SKILL.md": line}, today, false},
		"in a folder's name":            {map[string]string{value + "/a/SKILL.md": "- install the parcel tool\n"}, today, false},
		"beside a value that is not":    {map[string]string{"a/SKILL.md": "- install the parcel tool with " + value + " or " + other + "\n"}, today, false},
		"in its file, and another's":    {map[string]string{"a/SKILL.md": line, "b/SKILL.md": "- install the parcel tool: " + value + "\n"}, today, true},
		"in both, the other file alone": {map[string]string{"a/SKILL.md": "# A\n", "b/SKILL.md": line}, today, false},
	} {
		l := open(t, c.files, checker.NewGate(testScanner(), []checker.Allow{rule}, c.today))
		a, err := l.Ask(t.Context(), "How do I install the parcel tool?")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, h := range a.Hits {
			if h.Skill != "a" {
				t.Errorf("%s: answered from %q", name, h.Skill)
			}
		}
		text := shown(t, a)
		if strings.Contains(text, value) != c.shown || strings.Contains(text, other[4:12]) {
			t.Errorf("%s: shown is %v", name, !c.shown)
		}
		out, err := l.Withhold(t.Context(), "says "+value+"\nand "+other+"\n", nil)
		if err != nil || strings.Contains(out, value) != c.shown || strings.Contains(out, other[4:12]) {
			t.Errorf("%s: goes out as %v, %v", name, !c.shown, err)
		}
	}
}

// A question is no file: what a file may hold is still a secret in it.
func TestAnAllowedValueInAQuestion(t *testing.T) {
	t.Parallel()
	value := token(12)
	found, err := checker.ScanText(t.Context(), testScanner(), "", value)
	if err != nil {
		t.Fatal(err)
	}
	rule := checker.Allow{Rule: found[0].Rule, Path: "**", Fingerprint: found[0].Fingerprint, Until: 2}
	l := open(t, map[string]string{"a/SKILL.md": parcels}, checker.NewGate(testScanner(), []checker.Allow{rule}, 1))
	if a, err := l.Ask(t.Context(), "Is "+value+" for the parcel tool?"); err != ErrSecret || a.Answered {
		t.Errorf("got %v", err)
	}
}
