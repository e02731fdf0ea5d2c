package ask

import (
	"context"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// Why a question is not kept.
var (
	// ErrBeside is returned where some of the answer was left out.
	ErrBeside = errors.New("what answers stands beside a secret, a withheld value or a name that no answer may hold, so the question was not saved; take that out first")
	// ErrAmiss is returned where the question would be wrong as soon as it was kept.
	ErrAmiss = errors.New("the question was not saved, since it would be wrong at once. A suite asks each wording by itself")
)

// Teach makes the words of a suite's questions terms of the facts that they expect.
// It returns the lines that teach nothing, with why; see [suite.Expected.Teach]. It must be called before the library is shared, and fails
// with ctx's error where that ends before.
func (l *Library) Teach(ctx context.Context, questions []suite.Question) (idle []suite.Idle, err error) {
	if len(questions) == 0 {
		return nil, nil
	}
	expected, err := suite.Resolve(ctx, l.desk.Index(), questions)
	if err != nil {
		return nil, fmt.Errorf("find what the questions expect: %w", err)
	}
	taught, idle, err := expected.Teach(ctx)
	if err != nil {
		return nil, fmt.Errorf("read what the questions teach: %w", err)
	}
	l.desk = l.desk.Over(taught)
	return idle, nil
}

// Try asks questions as [Library.Ask] does, but in no order by meaning, and says what came of
// each. One that may not be shown is an outcome that says so.
func (l *Library) Try(ctx context.Context, questions []suite.Question) ([]suite.Outcome, error) {
	desk := l.desk.ForMany()
	out := []suite.Outcome{}
	expected, err := suite.Resolve(ctx, desk.Index(), questions)
	if err != nil {
		return nil, fmt.Errorf("find what the questions expect: %w", err)
	}
	err = expected.Run(ctx, desk.Index(), desk.Tell, func(o suite.Outcome) { out = append(out, o) })
	return out, err
}

// OtherKind is the line of a taught question that has the words of another, but asks for another
// kind of thing; 0 for none.
func (l *Library) OtherKind(question string) int { return l.desk.Index().OtherKind(question) }

// Names reports whether a text holds a name that no answer may hold.
func (l *Library) Names(text string) bool { return l.desk.Names(text) }

// Add appends a question to a file of questions, as [suite.Add] does. What it appends is right
// when the file is asked. It fails with [ErrBeside] where the answer is not all that the index
// says, and with [ErrAmiss] where the line would be wrong.
func (l *Library) Add(ctx context.Context, file []byte, a suite.Addition) (out, line []byte, err error) {
	if len(a.Answer.LeftOut) > 0 || a.Answer.Refusal != nil && a.Answer.Refusal.Why == answer.WhyWithheld {
		return nil, nil, ErrBeside
	}
	out, line, err = suite.Add(ctx, file, l.desk.Index(), a)
	if err != nil {
		return nil, nil, err
	}
	questions, _ := suite.Parse(out)
	then := &Library{desk: l.desk, scanner: l.scanner}
	if _, err := then.Teach(ctx, questions); err != nil {
		return nil, nil, err
	}
	outcomes, err := then.Try(ctx, questions[len(questions)-1:])
	if err != nil {
		return nil, nil, err
	}
	if o := outcomes[0]; !o.Right {
		return nil, nil, fmt.Errorf("%w: %s", ErrAmiss, o.Says())
	}
	return out, line, nil
}
