package checker

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// What a change does to the suite takes effect when it is merged. What the base's questions lose
// by that is lost by this change, with the line that does it (law 7).
func TestWhatIsLostOnceTheSuiteIsMerged(t *testing.T) {
	t.Parallel()
	const (
		poison  = `{"id":"poison","question":"Gizmo wedges?","refuse":true}` + "\n"
		shadow  = `{"id":"shadow","question":"Which gizmo wedges at night?","expect":["second build"]}` + "\n"
		helper  = `{"id":"helper","question":"Which gizmo wedges now?","expect":["restart the parcel daemon"]}` + "\n"
		bare    = `{"id":"bare","question":"Gizmo wedges","expect":["restart the parcel daemon"]}` + "\n"
		another = `{"id":"gizmo","question":"Which gizmo wedges?","also":["Which gizmo is wedged?"],"expect":["restart the parcel daemon"]}` + "\n"
	)
	more := beta + "- always pull first\n"
	for name, c := range map[string]struct {
		base, head repo
		told, says string
	}{
		"a refused question that the lesson would answer": {quiz(gizmo, pets), quiz(gizmo, pets, poison), "gizmo lost; poison new right",
			"right until this is merged, and lost then: line 3 of " + suite.File + " must be refused"},
		"the same beside a skill that is touched": {quiz(gizmo, pets), quiz(gizmo, pets, poison).with(betaMain, more).built(), "gizmo lost; poison new right", "line 3 of"},
		"the same above the question":             {quiz(gizmo), quiz(poison, gizmo), "gizmo lost; poison new right", "line 1 of"},
		"the same, and the question is given another wording": {quiz(gizmo), quiz(another, poison),
			"gizmo lost edited; gizmo new; poison new right", "the change edits the question"},
		"one that no lesson answers":                 {quiz(gizmo), quiz(gizmo, pets), "pets new right", ""},
		"the line that taught another's answer goes": {quiz(helper, `{"id":"b","question":"Which gizmo wedges","expect":["restart the parcel daemon"]}`+"\n"), quiz(`{"id":"b","question":"Which gizmo wedges","expect":["restart the parcel daemon"]}` + "\n"), "helper kept dropped right", ""},
		"a lesson for another question":              {quiz(gizmo), quiz(gizmo, shadow), "shadow new right", ""},
		"a question that nothing teaches":            {quiz(pushes), quiz(pushes, poison), "poison new right", ""},
		"the order of lines":                         {quiz(gizmo, bare, pets), quiz(pets, bare, gizmo), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := compare(t, c.base.side(), c.head.side(), Policy{BlockQuestions: true})
			if d := cmp.Diff(c.told, quizzed(r)); d != "" {
				t.Errorf("told: %s\n%s", d, r.Plain())
			}
			if lost := strings.Contains(c.told, "lost"); r.Failed() != lost || !strings.Contains(r.Plain(), c.says) {
				t.Errorf("%s: no %q in\n%s", r.Conclusion, c.says, r.Plain())
			}
		})
	}
}

// The base branch may have moved on: what it gained since then stays when the change is merged.
func TestWhatTheBaseGainedMeanwhileStays(t *testing.T) {
	t.Parallel()
	base := quiz(hangs)
	in := Input{Base: base.side(), Head: *quiz(hangs, pets).side(), Scanner: testScanner(), Suite: quiz(hangs, gizmo).files(), Policy: Policy{BlockQuestions: true}}
	in.Rules = answer.Rules{Never: []string{"Kingfisher"}}
	r, err := Check(t.Context(), in)
	if err != nil || quizzed(r) != "pets new right" {
		t.Errorf("%v: %q\n%s", err, quizzed(r), r.Plain())
	}
}

// Rules for answers that a change brings count from the base. What they will take away is lost
// by this change, and the report says so without a name.
func TestWhatIsLostOnceTheRulesAreMerged(t *testing.T) {
	t.Parallel()
	base := quiz(hangs, pushes)
	marked := base.with(alphaMain, strings.Replace(alpha, "when it hangs\n", "when it hangs (hush)\n", 1)).built()
	other := base.with(betaMain, beta+"- always pull first\n").built()
	for name, c := range map[string]struct {
		base, head  repo
		now, after  answer.Rules
		told, notes string
	}{
		"a name of a fact, nothing else": {base, base, answer.Rules{}, answer.Rules{Never: []string{"Zeppelin", "parcel daemon"}}, "hangs lost",
			"note: ask.never gains 2 names: that counts once it stands on the base; 1 question of the suite will have lost the right answer then"},
		"a name of a fact beside a skill": {base, other, answer.Rules{}, answer.Rules{Never: []string{"parcel daemon"}}, "hangs lost", "ask.never gains 1 name"},
		"a name of a question":            {base, base, answer.Rules{}, answer.Rules{Never: []string{"daemon hangs"}}, "hangs lost", "not shown"},
		"a marker":                        {marked, marked, answer.Rules{}, answer.Rules{Markers: []string{"(hush)"}}, "hangs lost", "ask.markers gains 1 marker"},
		"a name that no fact holds":       {base, base, ruled(), answer.Rules{Markers: ruled().Markers, Never: []string{"Kingfisher"}}, "", "ask.never loses 1 name: that counts once it stands on the base\n"},
		"the same in another order":       {base, base, answer.Rules{Never: []string{"a1b", "c2d"}}, answer.Rules{Never: []string{"c2d", "a1b"}}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := Input{Base: c.base.side(), Head: *c.head.side(), Scanner: testScanner(), Policy: Policy{BlockQuestions: true}, Rules: c.now, RulesAfter: &c.after}
			r, err := Check(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			text := everything(r)
			if d := cmp.Diff(c.told, quizzed(r)); d != "" || r.Failed() != (c.told != "") {
				t.Errorf("%s, told: %s\n%s", r.Conclusion, d, r.Plain())
			}
			if !strings.Contains(r.Plain(), c.notes) || (len(r.Coming()) > 0) != (c.notes != "") {
				t.Errorf("no %q in\n%s", c.notes, r.Plain())
			}
			if c.told != "" && answer.NewNames(c.after.Never).In(text) {
				t.Errorf("a name is shown:\n%s", text)
			}
		})
	}
}

// What a change's own policy says of questions is told and does not count.
func TestAPolicyThatCountsLater(t *testing.T) {
	t.Parallel()
	base, head := quiz(hangs), quiz(hangs).with(alphaMain, strings.Replace(alpha, "- restart the parcel daemon when it hangs\n", "", 1)).built()
	r, err := Check(t.Context(), Input{Base: base.side(), Head: *head.side(), Scanner: testScanner(), HeadPolicy: &Policy{BlockQuestions: true}})
	want := "The change sets policy.questions to block, which counts once it stands on the base; this check goes by the base, which says warn"
	if err != nil || r.Failed() || quizzed(r) != "hangs lost" || len(r.Coming()) != 1 || r.Coming()[0] != want || !strings.Contains(r.Markdown(), "policy.questions to block") {
		t.Errorf("%v, %s: %q\n%s", err, r.Conclusion, r.Coming(), r.Markdown())
	}
}
