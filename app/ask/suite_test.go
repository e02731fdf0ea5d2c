package ask

import (
	"errors"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/suite"
)

func TestATaughtLibrary(t *testing.T) {
	t.Parallel()
	l := open(t, map[string]string{"skills/parcels/SKILL.md": parcels}, testScanner())
	questions, faults := suite.Parse([]byte(`{"id":"a","question":"May couriers deliver at weekends?","expect":["never ship parcels"]}
{"id":"b","question":"May couriers deliver by bicycle?","refuse":true}`))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	before, err := l.Try(t.Context(), questions)
	if err != nil || before[0].Why != suite.Refused || !before[1].Right {
		t.Fatalf("%v: %+v", err, before)
	}
	if idle := l.Teach(questions); len(idle) > 0 {
		t.Errorf("idle: %v", idle)
	}
	after, err := l.Try(t.Context(), questions)
	if err != nil || !after[0].Right || !after[1].Right || after[0].Answer.Hits[0].Fact.Places()[0].First != 9 {
		t.Errorf("%v: %+v", err, after)
	}
}

// A question that holds a secret is not tried, and one whose answer was cut is not kept.
func TestWhatIsNeitherTriedNorKept(t *testing.T) {
	t.Parallel()
	value := token(9)
	l := open(t, map[string]string{"skills/parcels/SKILL.md": parcels + "- the courier key is " + value + "\n"}, testScanner())
	questions, _ := suite.Parse([]byte(`{"id":"a","question":"Is ` + value + ` right?","refuse":true}`))
	if _, err := l.Try(t.Context(), questions); !errors.Is(err, ErrSecret) || strings.Contains(err.Error(), value[8:16]) {
		t.Errorf("tried: %v", err)
	}
	const question = "What is the courier key?"
	got, err := l.Ask(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Add(nil, question, got); !errors.Is(err, ErrBeside) {
		t.Errorf("kept: %v", err)
	}
}
