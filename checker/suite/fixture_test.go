package suite

import (
	"context"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

const backup, export = "skills/backup", "skills/export"

// skills are two skills with facts that are near each other.
func skills(t testing.TB) []answer.Skill {
	t.Helper()
	line := map[string]int{}
	fact := func(skill, file string, section card.Section, kind card.Kind, under, text string) card.Fact {
		line[skill+file]++
		f, err := card.Ground(card.Entry{Section: section, File: file, Kind: kind, Text: text, Context: card.Context{{Role: card.Heading, Text: under}}},
			card.ByHeading, card.Place{File: skill + "/" + file, First: line[skill+file], Last: line[skill+file]})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	const main = "SKILL.md"
	return []answer.Skill{
		{Path: backup, Name: "backup", Facts: []card.Fact{
			fact(backup, main, card.Setup, card.Bullet, "Setup", "The scratch folder needs **twice** the size of the largest `dump`."),
			fact(backup, main, card.Commands, card.Paragraph, "Usage", "List the dumps and take the newest."),
			fact(backup, main, card.Commands, card.Paragraph, "Usage", "Restore it into the scratch folder."),
			fact(backup, main, card.Refusals, card.Bullet, "Boundaries", "Ask a person when the dump is older than two days."),
			fact(backup, main, card.Troubleshooting, card.Bullet, "Common issues", "counts.txt is missing: the job stopped halfway."),
			fact(backup, "more.md", card.Architecture, card.Paragraph, "Parts", "Don’t keep 日本語の記録 here."),
		}},
		{Path: export, Name: "export", Facts: []card.Fact{
			fact(export, main, card.Commands, card.Paragraph, "Usage", "Write the table to a comma separated file."),
			fact(export, main, card.Commands, card.Paragraph, "Usage", "Restore it into the scratch folder."),
			fact(export, main, card.Refusals, card.Bullet, "Boundaries", "Columns with customer mail never leave the machine."),
		}},
	}
}

// parsed reads lines that have no fault.
func parsed(t testing.TB, text string) []Question {
	t.Helper()
	q, faults := Parse([]byte(text))
	if len(faults) > 0 {
		t.Fatalf("faults: %v", faults)
	}
	return q
}

func resolved(t testing.TB, x *answer.Index, questions []Question) Expected {
	t.Helper()
	e, err := Resolve(t.Context(), x, questions)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func teach(t testing.TB, e Expected) (*answer.Index, []Idle) {
	t.Helper()
	x, idle, err := e.Teach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return x, idle
}

// asks answers from an index alone.
func asks(x *answer.Index) Ask {
	return func(_ context.Context, q string) (answer.Answer, error) { return x.Ask(q), nil }
}

// outcomes asks an index all questions.
func outcomes(t testing.TB, e Expected, x *answer.Index) (out []Outcome) {
	t.Helper()
	err := e.Run(t.Context(), x, asks(x), func(o Outcome) { out = append(out, o) })
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// run asks questions of the fixture after they taught it.
func run(t testing.TB, text string) []Outcome {
	t.Helper()
	e := resolved(t, answer.NewIndex(skills(t)), parsed(t, text))
	x, _ := teach(t, e)
	return outcomes(t, e, x)
}
