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
	if q.Change == Kept { // it is told for what happens to the question itself
		if parts[0] = q.Edit; q.Right {
			parts = append(parts, "its answer stays")
		}
	}
	if q.Change == Changed || q.Change == Gained || q.Change == New && q.Right {
		parts = append(parts, "right")
	}
	if q.Why != "" {
		parts = append(parts, q.Why)
	}
	switch {
	case q.Change == Kept:
	case q.Edit == "dropped":
		parts = append(parts, "the change drops the question")
	case q.Edit == "edited":
		parts = append(parts, "the change edits the question")
	}
	return strings.Join(parts, "; ")
}

// next is what a person does about it, "" for nothing. What is lost is told by the questions of
// the base, so that a question which is changed on purpose is merged before what answers it.
func (q Question) next() string {
	switch {
	case q.Change == Lost && q.Edit == "dropped":
		return "put back what answered, or if the question is to go, merge that first, without the rest"
	case q.Change == Lost && q.Edit == "edited":
		return "put back what answered, or if the edit is right, merge the edited question first, without the rest"
	case q.Change == Lost:
		return "put back what answered, or if the change is right, change the question and merge that first, without the rest"
	case q.Change == Wrong:
		return "put back what answered, or change what the question expects"
	case q.Edit == "dropped":
		return "put the question's line back if it is not to go"
	}
	return ""
}

// withNext is a text with what a person does about the question.
func (q Question) withNext(text string) string {
	if next := q.next(); next != "" {
		return text + "; next: " + next
	}
	return text
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
	l := listing{head: "| question | what | expected | before | after |\n|---|---|---|---|---|\n", noun: "question", most: maxListed}
	for _, q := range r.Questions {
		l.rows = append(l.rows, fmt.Sprintf("| %s | %s | %s | %s | %s |\n", cell(q.name()), cell(q.withNext(q.says())), orNothing(q.Expected), placeCell(q.Before), placeCell(q.After)))
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

// name is the question, or what else names one that cannot be read or not be shown.
func (q Question) name() string {
	at := fmt.Sprintf("%s:%d", suite.File, q.line)
	switch {
	case q.Unshown != "" && q.ID != "":
		return q.ID + " (not shown: " + q.Unshown + ")"
	case q.Unshown != "":
		return at + " (not shown: " + q.Unshown + ")"
	case q.Question == "":
		return at
	}
	return q.Question
}

// label is name with the id before it.
func (q Question) label() string {
	if q.Unshown != "" || q.Question == "" || q.ID == "" {
		return q.name()
	}
	return q.ID + ": " + q.Question
}

// orNothing is a cell with a text, or an empty one.
func orNothing(text string) string {
	if text == "" {
		return ""
	}
	return cell(text)
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
		fmt.Fprintf(&b, "question %s: %s%s\n", visible(q.says()), visible(q.name()), q.answers())
		if next := q.next(); next != "" {
			b.WriteString("  next: " + next + "\n")
		}
	}
	if a := r.Asked; a != nil && a.Questions > 0 {
		fmt.Fprintf(&b, "asked %s: %d right, %d wrong\n", count(a.Questions, "question"), a.Right, a.Questions-a.Right)
	} else if a != nil && a.Unasked != "" {
		b.WriteString("could not ask the questions: " + a.Unasked + "\n")
	}
	return b.String()
}

// answers says what was expected, and what answered first before the change and after it.
func (q Question) answers() string {
	var parts []string
	if q.Expected != "" {
		parts = append(parts, "expected: "+visible(q.Expected))
	}
	if q.Before != nil {
		parts = append(parts, fmt.Sprintf("answered at the base by %s:%d", visible(q.Before.File), q.Before.Line))
	}
	if q.After != nil {
		parts = append(parts, fmt.Sprintf("answered now by %s:%d", visible(q.After.File), q.After.Line))
	} else if q.Before != nil {
		parts = append(parts, "now by nothing")
	}
	if len(parts) == 0 {
		return ""
	}
	return "  (" + strings.Join(parts, "; ") + ")"
}
