package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// alike are n facts that differ in a number alone.
func alike(t testing.TB, n int) []answer.Skill {
	t.Helper()
	s := answer.Skill{Path: "skills/a", Name: "a"}
	for i := range n {
		f, err := card.Ground(card.Entry{Section: card.Commands, File: "SKILL.md", Kind: card.Bullet, Text: fmt.Sprintf("parcel daemon restart queue n%d", i)},
			card.ByHeading, card.Place{File: "skills/a/SKILL.md", First: i + 1, Last: i + 1})
		if err != nil {
			t.Fatal(err)
		}
		s.Facts = append(s.Facts, f)
	}
	return []answer.Skill{s}
}

// A file may name all facts of an index, a hundred times over. What it may teach is bounded, by
// a count that is the same on every machine, and what names few facts teaches still.
func TestTeachingIsBounded(t *testing.T) {
	t.Parallel()
	const n = 3_000
	var b strings.Builder
	long := strings.Repeat("parcel daemon hang wait zebra ", 20)
	for i := range 40 {
		want := `"refuse":true`
		if i%2 == 0 {
			want = `"expect":["parcel daemon restart queue"]`
		}
		fmt.Fprintf(&b, `{"id":"q%d","question":"%s u%d",%s}`+"\n", i, long, i, want)
	}
	b.WriteString(`{"id":"z","question":"Which gizmo wedges?","expect":["parcel daemon restart queue n7"]}` + "\n")
	e := resolved(t, answer.NewIndex(alike(t, n)), parsed(t, b.String()))
	x, idle := teach(t, e)
	why := map[string]int{}
	for _, one := range idle {
		why[one.Why]++
	}
	if why[whyWide] != 20-mostTaught/n || slices.ContainsFunc(idle, func(one Idle) bool { return one.Line == 41 }) {
		t.Errorf("idle: %v", idle)
	}
	if a := x.Ask("Which gizmo wedges?"); !a.Answered {
		t.Error("what names one fact teaches nothing")
	}
	if _, looked := x.Lifts(long); looked > 2*mostTaught {
		t.Errorf("%d facts were looked at for one question", looked)
	}
	again, idleAgain := teach(t, e)
	if fmt.Sprint(idle) != fmt.Sprint(idleAgain) || again.Facts() != x.Facts() {
		t.Error("it teaches otherwise the second time")
	}
}

// Where asking what must be refused takes too much, nothing is taught, and each line says so.
func TestAskingWhatMustBeRefusedIsBounded(t *testing.T) {
	t.Parallel()
	e := resolved(t, answer.NewIndex(alike(t, 4_000)), parsed(t, func() string {
		var b strings.Builder
		for i := range 4 {
			fmt.Fprintf(&b, `{"id":"e%d","question":"gizmo wedges u%d","expect":["parcel daemon restart queue"]}`+"\n", i, i)
		}
		for i := range 200 {
			fmt.Fprintf(&b, `{"id":"r%d","question":"gizmo wedges z%d","refuse":true}`+"\n", i, i)
		}
		return b.String()
	}()))
	x, idle := teach(t, e)
	if len(idle) != 4 || idle[0].Why != whyLong || idle[3].Line != 4 {
		t.Errorf("idle: %v", idle)
	}
	if a := x.Ask("gizmo wedges u1"); a.Answered {
		t.Error("something is taught")
	}
}
