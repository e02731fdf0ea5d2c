package checker

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// ruled are the rules of the tests' base.
func ruled() answer.Rules {
	return answer.Rules{Markers: answer.DefaultMarkers(), Never: []string{"Kingfisher", "Zebra Fish"}}
}

// answered answers a question from the files of a side as the command ask does.
func answered(t *testing.T, of repo, question string) (answer.Answer, error) {
	t.Helper()
	files := of.files()
	all, err := extractor.Extract(files, extractor.DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	var skills []answer.Skill
	for _, s := range all.Skills {
		skills = append(skills, answer.Skill{Path: s.Path, Name: s.Path, Facts: append(s.Facts, s.Rest...)})
	}
	return NewDesk(answer.NewIndex(skills), files, NewGate(testScanner(), nil, 0)).Under(ruled()).Tell(t.Context(), question)
}

// What a change puts beside a fact so that nobody gets it any more is an answer lost: the
// check says of it what ask answers (law 7).
func TestAnAnswerThatMayNotBeShownIsLost(t *testing.T) {
	t.Parallel()
	const fact = "- restart the parcel daemon when it hangs"
	token := newMint(31).token()
	for name, c := range map[string]struct{ beside, says string }{
		"a name that no answer may hold": {fact + ", as kingfisher does\n", "withheld: what would answer stands beside"},
		"a name in pieces of HTML":       {fact + ", as Zebra<b></b>fish does\n", "withheld: what would answer stands beside"},
		"a marker":                       {fact + ": [REDACTED]\n", "withheld: a marker stands where the value would"},
		"a secret":                       {fact + " with " + token + "\n", "withheld: what would answer stands beside"},
		"nothing":                        {fact + " at night\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := quiz(hangs, pushes)
			head := base.with(alphaMain, strings.Replace(alpha, fact+"\n", c.beside, 1)).built()
			r, err := Check(t.Context(), Input{Base: base.side(), Head: *head.side(), Scanner: testScanner(), Rules: ruled(), Policy: Policy{BlockQuestions: true}})
			if err != nil {
				t.Fatal(err)
			}
			a, err := answered(t, head, "What to restart when the daemon hangs?")
			if err != nil {
				t.Fatal(err)
			}
			shown := a.Answered && !a.Withheld
			if lost := strings.HasPrefix(quizzed(r), "hangs lost"); lost == shown || lost != (c.says != "") {
				t.Fatalf("ask answers is %v, and the check says %q\n%s", shown, quizzed(r), answer.Text(a, nil))
			}
			if c.says != "" && (!r.Failed() || !strings.Contains(r.Plain(), c.says)) {
				t.Errorf("no %q in:\n%s", c.says, r.Plain())
			}
			unspoken(t, token, everything(r))
			if text := everything(r); strings.Contains(strings.ToLower(text), "answered now by") && c.says != "" && c.beside != fact+": [REDACTED]\n" {
				t.Errorf("a place is told:\n%s", text)
			}
		})
	}
}

// A question that names what no answer may is told without its words, and the others are asked.
func TestAQuestionThatMayNotBeShown(t *testing.T) {
	t.Parallel()
	const named = `{"id":"desk","question":"Where is the King<i></i>fisher desk?","expect":["restart the parcel daemon"]}` + "\n" +
		`{"id":"the-kingfisher-desk","question":"Whose desk is it?","also":["Who has the Zebra**fish** desk?"],"expect":["Kingfisher opens at nine"]}` + "\n" +
		`{"id":"who","question":"Who is Kingfisher?","refuse":true}` + "\n" +
		`{"id":"plain","question":"Which build is run second?","expect":["the zebra-fish build"]}` + "\n"
	head := quiz(hangs, named)
	for name, in := range map[string]Input{
		"without a base":  {Head: *head.side()},
		"brought":         {Base: quiz(hangs).side(), Head: *head.side()},
		"dropped":         {Base: head.side(), Head: *quiz(hangs).side()},
		"names unread":    {Head: *head.side(), RulesUnread: true},
		"of a later base": {Base: two().side(), Head: *head.without(suite.File).with(betaMain, beta+"- more\n").built().side(), Suite: head.files()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if in.Scanner = testScanner(); !in.RulesUnread {
				in.Rules = ruled()
			}
			r, err := Check(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			text := everything(r)
			if answer.NewNames(ruled().Never).In(text) {
				t.Errorf("a name is shown:\n%s", text)
			}
			if in.RulesUnread {
				if strings.Contains(text, "desk") || strings.Contains(text, "second?") {
					t.Errorf("shown although the names could not be read:\n%s", text)
				}
				return
			}
			told := name != "of a later base" // whose questions are as they were
			if told && !strings.Contains(text, "desk (not shown: it holds") || told && !strings.Contains(text, suite.File+":3 (not shown: it holds") {
				t.Errorf("not told:\n%s", r.Plain())
			}
			if n := r.Asked.Questions; n != 5 && n != 4 {
				t.Errorf("%d questions are asked", n)
			}
		})
	}
}

// A skill in which nothing is found is answered from without its files, and the answer is the
// same.
func TestACleanSkillIsNotRead(t *testing.T) {
	t.Parallel()
	base := quiz(hangs, pushes)
	head := base.with(betaMain, beta+"- always pull first\n").built()
	var reads []string
	in := Input{Base: base.side(), Head: *head.side(), Scanner: testScanner(), Facts: func(ctx context.Context, of Side) (Stock, error) {
		s, err := (&check{facts: nil}).stock(ctx, must(look(of)))
		s.Clean = map[string]bool{"skills/alpha": true}
		s.Ready = func(_ context.Context, files []string) error {
			reads = append(reads, files...)
			return nil
		}
		return s, err
	}}
	r, err := Check(t.Context(), in)
	if err != nil || r.Asked.Right != 2 {
		t.Fatalf("%v, %+v", err, r.Asked)
	}
	if got := fmt.Sprint(reads); got != fmt.Sprint([]string{betaMain, betaMain}) {
		t.Errorf("read: %s", got)
	}
}
