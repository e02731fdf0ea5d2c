package ask

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestFurtherWordingsAreScannedLikeTheQuestion(t *testing.T) { // law 8
	t.Parallel()
	l := open(t, map[string]string{"skills/parcels/SKILL.md": parcels}, testScanner())
	value := token(31)
	for name, also := range map[string][]string{
		"in a further wording":     {"where is the daemon", "install with " + value},
		"where two wordings touch": {value[:4], value[4:]},
	} {
		a, err := l.Ask(context.Background(), "How do I install the parcel tool?", also...)
		if name == "in a further wording" && !errors.Is(err, ErrSecret) {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(shown(t, a), value) {
			t.Errorf("%s: the value is shown", name)
		}
	}
	a, err := l.Ask(context.Background(), "how do I get it running", "how do I install the parcel tool")
	if err != nil || !a.Answered || a.Hits[0].Fact.Entry().Text != "install the parcel tool with brew" {
		t.Errorf("%v %+v", err, a.Refusal)
	}
}

// What came closest is repository text: Ask leaves it out, Explain scans it.
func TestWhatCameClosestIsScanned(t *testing.T) { // law 8
	t.Parallel()
	value := token(32)
	text := parcels + "\n- parcel labels are printed with " + value + " in the depot\n"
	l := open(t, map[string]string{"skills/parcels/SKILL.md": text}, testScanner())
	const question = "who waters the plants beside the parcel queue in the depot"
	plain, err := l.Ask(context.Background(), question)
	if err != nil || plain.Answered || len(plain.Refusal.Nearest) > 0 {
		t.Fatalf("%v, answered %v, %+v", err, plain.Answered, plain.Refusal)
	}
	a, err := l.Explain(context.Background(), question)
	if err != nil || a.Answered || len(a.Refusal.Nearest) == 0 {
		t.Fatalf("%v, answered %v, nothing near", err, a.Answered)
	}
	if out := shown(t, a); strings.Contains(out, value) || !strings.Contains(out, "restart the daemon when the queue hangs") {
		t.Errorf("%s", out)
	}
}
