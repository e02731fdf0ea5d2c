package ask

import (
	"context"
	"errors"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// ErrBeside is returned where an answer is not kept because some of it was left out.
var ErrBeside = errors.New("what answers stands beside a secret or a withheld value, so the question was not saved; take that out first")

// Teach makes the words of a suite's questions terms of the facts that they expect.
// It returns the lines that teach nothing, since a question that must be refused
// would be answered by their words. It must be called before the library is shared.
func (l *Library) Teach(questions []suite.Question) (idle []int) {
	if len(questions) > 0 {
		l.index, idle = suite.Resolve(l.index, questions).Teach()
	}
	return idle
}

// Try asks questions as [Library.Ask] does and says what came of each.
func (l *Library) Try(ctx context.Context, questions []suite.Question) ([]suite.Outcome, error) {
	out := []suite.Outcome{}
	err := suite.Resolve(l.index, questions).Run(l.index,
		func(question string) (answer.Answer, error) { return l.Ask(ctx, question) },
		func(o suite.Outcome) { out = append(out, o) })
	return out, err
}

// Add appends a question with its further wordings and its answer to a file of questions, as [suite.Add] does.
// It fails with [ErrBeside] where the answer is not all that the index says.
func (l *Library) Add(file []byte, question string, got answer.Answer, also ...string) (out, line []byte, err error) {
	whole := l.index.Ask(question, also...)
	if whole.Answered != got.Answered || len(whole.Hits) != len(got.Hits) {
		return nil, nil, ErrBeside
	}
	return suite.Add(file, l.index, question, got, also...)
}
