package checker

import (
	"fmt"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// lost are the questions that block where questions do: not what the head brings, but
// what it takes away, and without a base what is wrong.
func (r Report) lost() int {
	n := 0
	for _, q := range r.Questions {
		if q.bad() {
			n++
		}
	}
	return n
}

func (q Question) bad() bool { return q.Change == Lost || q.Change == Wrong || q.Change == Faulty }

// says is what is to tell of a question, in words.
func (q Question) says() string {
	parts := []string{q.Change}
	if q.Change == Changed || q.Change == Gained || q.Change == New && q.Right {
		parts = append(parts, "right")
	}
	if q.Why != "" {
		parts = append(parts, q.Why)
	}
	switch {
	case q.Edit == "dropped":
		parts = append(parts, "the change drops the question")
	case q.Edit == "edited" && q.Change == Lost:
		parts = append(parts, "the change edits the question; if that is right, merge the edited question first, without the rest")
	case q.Edit == "edited":
		parts = append(parts, "the change edits the question")
	}
	return strings.Join(parts, "; ")
}

// questionsTitle is what a title says of lost answers.
func (r Report) questionsTitle() (text string, blocks bool) {
	var parts []string
	for _, k := range []struct{ change, noun string }{{Lost, "answer lost"}, {Wrong, "question with a wrong answer"}, {Faulty, "question that cannot be read"}} {
		n := 0
		for _, q := range r.Questions {
			if q.Change == k.change {
				n++
			}
		}
		if first, rest, _ := strings.Cut(k.noun, " "); n > 0 {
			parts = append(parts, count(n, first)+" "+rest)
		}
	}
	if r.unasked() != "" {
		parts = append(parts, "could not ask the questions")
	}
	return strings.Join(parts, ", "), r.policy.BlockQuestions
}

func (r Report) unasked() string {
	if r.Asked == nil {
		return ""
	}
	return r.Asked.Unasked
}

// questionSteps says what a person does about questions.
func (r Report) questionSteps() (out []string) {
	if why := r.unasked(); why != "" {
		out = append(out, "**Could not ask the questions of the suite:** "+why+".")
	}
	if r.lost() > 0 {
		out = append(out, "**Answers of the question suite are lost or wrong.** Put back what answered, or change the question in "+inert(suite.File)+
			". Which answers are lost is told by the questions on the base.")
	}
	return out
}

// questionTable lists what the change does to the suite.
func (r Report) questionTable() listing {
	l := listing{head: "| question | what | before | after |\n|---|---|---|---|\n", noun: "question", most: maxListed}
	for _, q := range r.Questions {
		l.rows = append(l.rows, fmt.Sprintf("| %s | %s | %s | %s |\n", cell(q.name()), cell(q.says()), placeCell(q.Before), placeCell(q.After)))
	}
	return l
}

// questionText is the suite's part of a check run's text.
func (r Report) questionText(room int) string {
	if a := r.Asked; a != nil && a.Unasked == "" && a.Questions > 0 {
		head := fmt.Sprintf("### Questions\n\nAsked %s: %d right, %d wrong.\n\n", count(a.Questions, "question"), a.Right, a.Questions-a.Right)
		return head + r.questionTable().fit(room-len(head))
	}
	return r.questionTable().fit(room)
}

// name is the question, or the place of one that cannot be read.
func (q Question) name() string {
	if q.Question == "" {
		return fmt.Sprintf("%s:%d", suite.File, q.line)
	}
	return q.Question
}

func placeCell(p *Place) string {
	if p == nil {
		return ""
	}
	return cell(fmt.Sprintf("%s:%d", p.File, p.Line))
}

// plainQuestions is the same for a terminal.
func (r Report) plainQuestions() string {
	var b strings.Builder
	for _, q := range r.Questions {
		fmt.Fprintf(&b, "question %s: %s", visible(q.says()), visible(q.name()))
		for _, p := range []*Place{q.Before, q.After} {
			if p != nil {
				b.WriteString(at(Fact{Places: []Place{*p}}))
			}
		}
		b.WriteByte('\n')
	}
	if a := r.Asked; a != nil && a.Questions > 0 {
		fmt.Fprintf(&b, "asked %s: %d right, %d wrong\n", count(a.Questions, "question"), a.Right, a.Questions-a.Right)
	} else if a != nil && a.Unasked != "" {
		b.WriteString("could not ask the questions: " + a.Unasked + "\n")
	}
	return b.String()
}

// annotation stands at the question's line in the head's file, if there is one.
func (q Question) annotation() []Annotation {
	if q.line == 0 || q.Right || !q.bad() && q.Change != New {
		return nil
	}
	a := Annotation{suite.File, q.line, q.line, Error, "Question: " + q.Change, q.says()}
	if q.Change == New {
		a.Level = Warning
	}
	return []Annotation{a}
}
