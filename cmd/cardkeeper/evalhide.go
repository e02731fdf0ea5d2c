package main

import (
	"context"
	"fmt"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// hide takes out of all that is printed what any question or file gave away. Each question was
// answered as if it were the only one; what one of them shows, another may have told for a
// secret.
func (e *evaluation) hide(ctx context.Context, ws *workspace) error {
	var lines []checker.Line
	var texts []*string
	add := func(file string, of ...*string) {
		for _, text := range of {
			lines, texts = append(lines, checker.Line{Text: *text, File: file}), append(texts, text)
		}
	}
	for i := range e.Questions {
		q := &e.Questions[i]
		add(suite.File, &q.ID, &q.Question)
		add("", &q.Says, &q.Expected, &q.Came)
		for j := range q.Hits {
			h := &q.Hits[j]
			add("", &h.File, &h.Skill)
			for k := range h.Context {
				add(h.File, &h.Context[k])
			}
			add(h.File, &h.Text)
		}
	}
	if err := ws.gate().WithholdLines(ctx, lines); err != nil {
		return fmt.Errorf("scan what is told of the questions: %w", err)
	}
	for i, text := range texts {
		*text = lines[i].Text
	}
	return nil
}
