package suite

import "github.com/cardkeeper/cardkeeper/checker/answer"

// Teach makes the words of each question and of its wordings terms of the facts
// that it expects. A question that must be refused is not answered by that: lessons
// that would lift its answer are left out, and their lines are told as idle.
func (e Expected) Teach() (taught *answer.Index, idle []int) {
	out := map[int]bool{}
	for range teachRounds {
		taught = e.index.Taught(e.lessons(out))
		found := e.lifted(taught)
		if len(found) == 0 {
			return taught, idle
		}
		for _, line := range found {
			if !out[line] {
				out[line] = true
				idle = append(idle, line)
			}
		}
	}
	for _, l := range e.lessons(out) {
		if !out[l.Line] {
			out[l.Line] = true
			idle = append(idle, l.Line)
		}
	}
	return e.index.Taught(nil), idle
}

// teachRounds is how often all questions that must be refused are asked. Leaving out what
// lifts one can bring up at most the next lesson behind it, which seldom happens twice.
const teachRounds = 4

// lessons are what the questions teach, but for those on some lines.
func (e Expected) lessons(without map[int]bool) (out []answer.Lesson) {
	for i, q := range e.questions {
		var facts []int
		for _, some := range e.facts[i] {
			facts = append(facts, some...)
		}
		if len(facts) == 0 || without[q.Line] {
			continue
		}
		for _, wording := range q.Wordings() {
			out = append(out, answer.Lesson{Text: wording, Line: q.Line, Facts: facts})
		}
	}
	return out
}

// lifted are the lines whose lessons brought an answer to a question that must be
// refused.
func (e Expected) lifted(x *answer.Index) (lines []int) {
	for _, q := range e.questions {
		if !q.Refuse {
			continue
		}
		for _, wording := range q.Wordings() {
			for _, h := range x.Ask(wording).Hits {
				if h.Lesson > 0 {
					lines = append(lines, h.Lesson)
				}
			}
		}
	}
	return lines
}
