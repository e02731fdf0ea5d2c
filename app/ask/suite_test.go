package ask

import (
	"errors"
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
	if idle, err := l.Teach(t.Context(), questions); err != nil || len(idle) > 0 {
		t.Errorf("%v, idle: %v", err, idle)
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
	tried, err := l.Try(t.Context(), append(questions, suite.Question{ID: "b", Question: "How do I install the parcel tool?", Refuse: true}))
	if err != nil || len(tried) != 2 || !errors.Is(tried[0].Silent, ErrSecret) || tried[1].Why != suite.Answered {
		t.Errorf("tried: %v, %+v", err, tried)
	}
	const question = "What is the courier key?"
	got, err := l.Ask(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Add(t.Context(), nil, suite.Addition{Question: question, Answer: got}); !errors.Is(err, ErrBeside) {
		t.Errorf("kept: %v", err)
	}
}
