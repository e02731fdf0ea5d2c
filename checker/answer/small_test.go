package answer

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// In a handful of facts one word that stands nowhere must not refuse what the rest of the
// question finds.
func TestASmallIndexAnswersDespiteOneStrangeWord(t *testing.T) {
	t.Parallel()
	x := corpus(t, "../../testdata/example")
	for question, want := range map[string]string{
		"How large must the scratch folder be?":                         "The scratch folder needs twice",
		"When do I have to ask a person first?":                         "Ask a person first",
		"What does --dry-run do?":                                       "--dry-run",
		"where does the skill restore a dump into the scratch folder":   "Restore it into the scratch folder",
		"what is the frobnicated size of the scratch folder":            "The scratch folder needs twice",
		"which person do I ask first about the whereabouts":             "Ask a person first",
		"is the encoding of files that are not UTF-8 settable somehow":  "CSV_TIDY_ENCODING",
		"what happens to dates where the day and the month are swapped": "Never guess a date",
	} {
		a := ask(t, x, question)
		if !a.Answered {
			t.Errorf("%q: refused\n%s", question, Explain(a))
			continue
		}
		if out := Text(a, nil); !strings.Contains(out, want) {
			t.Errorf("%q: want %q\n%s", question, want, out)
		}
	}
	for _, question := range []string{
		"When must mail never be sent?", "Who sends the newsletter?", "How many retries are made?", "What is the timeout of a restore?",
		"How do I restore to production?", "Can it encrypt the dump?", "Which licence does the export have?",
	} {
		if a := ask(t, x, question); a.Answered {
			t.Errorf("%q: answered\n%s", question, Explain(a))
		}
	}
}

func TestOneSkillAloneIsAnswered(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 8; n++ {
		skill := readSkill(t, "testdata/mailbox.txt")
		skill.Facts = skill.Facts[:n]
		x := NewIndex([]Skill{skill})
		if a := ask(t, x, "what must I run once before anything else"); !a.Answered {
			t.Errorf("%d facts: %s", n, Explain(a))
		}
		if a := ask(t, x, "which telescope shows the moons of Jupiter"); a.Answered {
			t.Errorf("%d facts: %s", n, Explain(a))
		}
	}
}

func TestAQuestionThatNamesASkillIsAnsweredFromItFirst(t *testing.T) {
	t.Parallel()
	var skills []Skill
	for _, name := range []string{"alpha-desk", "beta-desk", "gamma-desk"} {
		skills = append(skills, Skill{Path: name, Name: name, Facts: []card.Fact{
			fact(t, name, 1, "setup", "bullet", "Top", "The "+strings.TrimSuffix(name, "-desk")+" key lies in the lower drawer."),
			fact(t, name, 2, "setup", "bullet", "Top", "Lock it."),
		}})
	}
	x := NewIndex(skills)
	for _, s := range skills {
		for _, question := range []string{"in which drawer lies the key of " + s.Name, strings.ReplaceAll(s.Name, "-", " ") + " key drawer"} {
			if a := ask(t, x, question); !a.Answered || a.Hits[0].Skill != s.Path {
				t.Errorf("%q: %s", question, Explain(a))
			}
		}
	}
}

func TestASlipInASmallWordCountsForNothing(t *testing.T) {
	t.Parallel()
	x := mailbox(t)
	want := ask(t, x, "which threads shoud apply refuse")
	if !want.Answered || len(want.Terms) != 3 {
		t.Errorf("%s", Explain(want))
	}
	for word, slip := range map[string]bool{"shoud": true, "wich": true, "witch": false, "apply": false, "wha": false, "zwhich": false} {
		r := reader{lex: x.lex, stems: stemmer{}}
		if got := x.slip(r.words(word)[0]); got != slip {
			t.Errorf("%q: a slip %v", word, got)
		}
	}
}
