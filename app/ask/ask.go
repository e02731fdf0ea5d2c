// Package ask answers questions from the skills of a tree, and lets no secret
// out: neither one of the question nor one of the facts.
package ask

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// What keeps a question from being answered and from being shown; see [answer.Silent].
var (
	ErrSecret   = answer.ErrSecret
	ErrWithheld = answer.ErrWithheld
	ErrNever    = answer.ErrNever
)

// Silent reports whether an error is one of a question that must be neither shown
// nor kept. Its text can be shown.
func Silent(err error) bool { return answer.Silent(err) }

// A Library is the index of one tree, with the files behind it. It is safe for
// concurrent use.
type Library struct {
	meaning Meaning // nil is none
	weight  int     // of it, in hundredths

	desk    *checker.Desk
	scanner checker.Scanner
	before  map[string]bool // statements of an earlier tree; nil for none

	mu     sync.Mutex
	passed []secret.Known // what rules let into answers
}

// Open reads all skills of a tree. A [checker.Gate] for a scanner lets into
// answers what its rules allow in the files that are quoted.
func Open(files fs.FS, shape extractor.Shape, scanner checker.Scanner) (*Library, error) {
	tree, err := extractor.Extract(files, shape)
	if err != nil {
		return nil, fmt.Errorf("ask.Open: %w", err)
	}
	skills := make([]answer.Skill, 0, len(tree.Skills))
	for _, s := range tree.Skills {
		skills = append(skills, Skill(s.Path, slices.Concat(s.Facts, s.Rest)))
	}
	return New(skills, files, scanner, nil), nil
}

// Skill is what a library holds of one skill: its facts, those that its card holds
// by digest only among them.
func Skill(folder string, facts []card.Fact) answer.Skill {
	return answer.Skill{Path: folder, Name: path.Base(folder), Facts: facts}
}

// New makes a library of facts that were read before. Ready is called with the
// Markdown files that an answer quotes before they are read and scanned; nil where
// all files are at hand.
func New(skills []answer.Skill, files fs.FS, scanner checker.Scanner, ready func(ctx context.Context, files []string) error) *Library {
	return over(answer.NewIndex(skills), files, scanner, ready)
}

func over(index *answer.Index, files fs.FS, scanner checker.Scanner, ready func(ctx context.Context, files []string) error) *Library {
	return &Library{desk: checker.NewDesk(index, files, scanner).Fetching(ready, nil), scanner: scanner}
}

// Under has the library answer by the rules of a policy. It is called before the
// first question; without it there are none.
func (l *Library) Under(rules answer.Rules) *Library {
	l.desk = l.desk.Under(rules)
	return l
}

// Ask answers a question, which the caller may also put in further words; see
// [answer.Index.Ask]. Facts whose lines hold a secret, and facts with a name that no answer
// may hold, are left out; where none is left, the answer is a refusal. Where the best fact
// keeps the value back that is asked for, the answer says so and cites it alone. It fails
// with an error that is [Silent] for a question which must not be shown in one of its
// wordings, and where something could not be scanned.
func (l *Library) Ask(ctx context.Context, question string, also ...string) (answer.Answer, error) {
	a, err := l.ask(ctx, question, also)
	if a.Refusal != nil {
		a.Refusal.Nearest = nil // they were not scanned
	}
	return a, err
}

// Explain is Ask, and a refusal also holds what came closest, scanned like an answer.
func (l *Library) Explain(ctx context.Context, question string, also ...string) (answer.Answer, error) {
	a, err := l.ask(ctx, question, also)
	if err == nil && a.Refusal != nil && len(a.Refusal.Nearest) > 0 {
		a.Refusal.Nearest, _, err = l.desk.Clean(ctx, a.Refusal.Nearest)
	}
	if err != nil {
		return answer.Answer{}, err
	}
	return a, nil
}

func (l *Library) ask(ctx context.Context, question string, also []string) (answer.Answer, error) {
	a, let, err := l.desk.Ask(ctx, question, also...)
	l.pass(let)
	if err != nil || !a.Answered {
		return a, err
	}
	a, err = l.order(ctx, question, also, a)
	l.age(a.Hits)
	return a, err
}

// pass keeps what was let into an answer.
func (l *Library) pass(found []checker.Finding) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range found {
		l.passed = append(l.passed, secret.Known{Rule: f.Rule, Fingerprint: f.Fingerprint})
	}
}

// Withhold takes secrets out of a text that is made of this library's answers,
// but for what a rule let into one of them.
func (l *Library) Withhold(ctx context.Context, text string, place func(line int) string) (string, error) {
	l.mu.Lock()
	passed := slices.Clone(l.passed)
	l.mu.Unlock()
	return l.scanner.Except(passed...).Withhold(ctx, text, place)
}

// Size says how many facts and cards are searched.
func (l *Library) Size() (facts, cards int) { return l.desk.Index().Facts(), l.desk.Index().Cards() }
