package checker

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// A Desk answers questions from an index so that the answers may be shown: no secret, no
// withheld value and no name that no answer may hold goes in or out. It is the one road to an
// answer: a command, a reply and a check all take it, so that what one of them answers is
// what the others test. It is safe for concurrent use, but for one that is [Desk.ForMany].
type Desk struct {
	index   *answer.Index
	files   fs.FS
	scanner Scanner
	ready   func(ctx context.Context, files []string) error
	names   answer.Names
	clean   map[string]bool // skills in which nothing is found
	scanned map[string]scan // of files, where they are kept from question to question; nil where they are not
}

// NewDesk makes a desk over an index of the skills in files. A [Gate] for a scanner lets into
// answers what its rules allow in the files that are quoted.
func NewDesk(x *answer.Index, files fs.FS, s Scanner) *Desk {
	return &Desk{index: x, files: files, scanner: s, ready: func(context.Context, []string) error { return nil }}
}

// Over is the desk over another index of the same files, such as one that was taught.
func (d *Desk) Over(x *answer.Index) *Desk {
	other := *d
	other.index = x
	return &other
}

// Under is the desk under the rules of a policy; without it there are none.
func (d *Desk) Under(rules answer.Rules) *Desk {
	other := d.Over(d.index.Keeping(rules.Markers))
	other.names = answer.NewNames(rules.Never)
	return other
}

// Fetching is the desk over files that are not all at hand: ready is called with the Markdown
// files that an answer quotes before they are read and scanned. Of the skills in clean it is
// known that nothing is found in their files, facts and names; none of their files is read.
func (d *Desk) Fetching(ready func(ctx context.Context, files []string) error, clean map[string]bool) *Desk {
	other := d.Over(d.index)
	other.clean = clean
	if ready != nil {
		other.ready = ready
	}
	return other
}

// Strict is the desk without allow rules: what may be shown in an answer beside its source
// may still not leave for another server.
func (d *Desk) Strict() *Desk {
	other := d.Over(d.index)
	if gate, ok := d.scanner.(*Gate); ok {
		other.scanner = gate.Scanner
	}
	return other
}

// ForMany is the desk for many questions: each file is scanned once. Each question is answered
// as if it were the only one, in whatever order they are asked.
func (d *Desk) ForMany() *Desk {
	other := d.Over(d.index)
	other.scanned = map[string]scan{}
	return other
}

// Index is what the desk answers from.
func (d *Desk) Index() *answer.Index { return d.index }

// Names reports whether a text holds a name that no answer may hold.
func (d *Desk) Names(text string) bool { return d.names.In(text) }

// Ask answers a question, which the caller may also put in further words; see
// [answer.Index.Ask]. Facts whose lines hold a secret, and facts with a name that no answer
// may hold, are left out, and the answer numbers them, and says where one of them answers better;
// where none is left that answers nearly as well, it is a refusal.
// Where a best fact keeps the value back that a wording asks for, the answer says so and cites
// it alone. Let are the findings that rules let into the answer. It fails with an error that is
// [answer.Silent] for a question which must not be shown in one of its wordings, and where
// something could not be scanned. What came closest to a refused question was not scanned.
func (d *Desk) Ask(ctx context.Context, question string, also ...string) (a answer.Answer, let []Finding, err error) {
	wordings := append([]string{question}, also...)
	if err := d.admit(ctx, wordings); err != nil {
		return answer.Answer{}, nil, err
	}
	a = d.index.Ask(question, also...)
	if err := d.veilReadings(ctx, &a); err != nil {
		return answer.Answer{}, nil, err
	}
	if !a.Answered {
		return a, nil, nil
	}
	clean, let, err := d.Clean(ctx, a.Hits)
	if err != nil {
		return answer.Answer{}, nil, err
	}
	if len(clean) == 0 || outdone(a, clean, answerShare) {
		a.LeftOut = dropped(a.Hits, nil)
		return d.withheld(a), nil, nil
	}
	a.LeftOut = dropped(a.Hits, clean)
	a.Outdone = outdone(a, clean, 1)
	a.Hits = clean
	if kept, at, err := d.keptBack(ctx, wordings, a); err != nil {
		return answer.Answer{}, nil, err
	} else if kept {
		a.Withheld, a.List, a.Hits = true, false, []answer.Hit{at}
	}
	return a, let, nil
}

// Tell is Ask for a suite: in one wording, and without what was not scanned.
func (d *Desk) Tell(ctx context.Context, question string) (answer.Answer, error) {
	a, _, err := d.Ask(ctx, question)
	if a.Refusal != nil {
		a.Refusal.Nearest = nil
	}
	return a, err
}

// keptShare is the least share of a question that a fact with a marker covers where the answer is that the
// value is kept back: of two words, more than one, since the password of one thing is not that of another.
const keptShare = .6

// keptBack looks whether the first hit keeps the value back that is asked for. Of several
// wordings each is looked at by itself: no further one may lead around the marker.
func (d *Desk) keptBack(ctx context.Context, wordings []string, a answer.Answer) (bool, answer.Hit, error) {
	for _, w := range wordings {
		one := a
		if len(wordings) > 1 {
			one = d.index.Ask(w)
			hits, _, err := d.Clean(ctx, one.Hits)
			if err != nil {
				return false, answer.Hit{}, err
			}
			one.Hits = hits
		}
		if !one.List && len(one.Hits) > 0 && one.Hits[0].Base >= keptShare && d.index.KeepsBack(w, one.Hits[0].Fact) {
			return true, one.Hits[0], nil
		}
	}
	return false, answer.Hit{}, nil
}

// answerShare is how much of what the floor read of the best hit another must have to answer in
// its place: less is a statement about something else, with some words in common.
const answerShare = .75

// outdone reports whether the best hit, by what the floor reads, is none that may be shown, and
// all that may be have less than a share of it, or are below the floor. A list is one answer.
func outdone(a answer.Answer, clean []answer.Hit, share float64) bool {
	if a.List || len(clean) == len(a.Hits) {
		return false
	}
	surer := func(h, g answer.Hit) int { return cmp.Compare(h.Sure, g.Sure) }
	best, left := slices.MaxFunc(a.Hits, surer).Sure, slices.MaxFunc(clean, surer).Sure
	return left < share*best || left < answer.Floor/10_000.0
}

// dropped are the numbers of the hits that are not among those that may be shown.
func dropped(hits, clean []answer.Hit) (out []int) {
	for _, h := range hits {
		if !slices.ContainsFunc(clean, func(c answer.Hit) bool { return c.Number == h.Number }) {
			out = append(out, h.Number)
		}
	}
	return out
}

// admit looks whether the wordings of a question may be shown, each by itself and all together, since one may
// end where the next begins.
func (d *Desk) admit(ctx context.Context, wordings []string) error {
	if len(wordings) > 1 {
		wordings = append(slices.Clone(wordings), strings.Join(wordings, "\n"))
	}
	withheld, never := false, false
	for _, w := range wordings {
		found, err := d.scanner.Scan(ctx, w)
		if err != nil {
			return fmt.Errorf("scan the question: %w", err)
		}
		never = never || d.names.In(w)
		for _, f := range found {
			if f.Rule != secret.WithheldRule {
				return answer.ErrSecret
			}
			withheld = true
		}
	}
	switch {
	case withheld:
		return answer.ErrWithheld
	case never:
		return answer.ErrNever
	}
	return nil
}

// withheld refuses where every fact that would answer touches a secret.
func (d *Desk) withheld(a answer.Answer) answer.Answer {
	return answer.Answer{Terms: a.Terms, LeftOut: a.LeftOut, Refusal: &answer.Refusal{
		Facts: d.index.Facts(), Cards: d.index.Cards(), Terms: a.Terms, Floor: answer.Floor / 10_000.0,
		Why: answer.WhyWithheld,
	}}
}
