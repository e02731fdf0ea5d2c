package checker

import (
	"context"
	"errors"
	"path"
	"reflect"
	"slices"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// A Stock is all facts of a side, as who keeps them has them.
type Stock struct {
	Skills []answer.Skill
	// Clean are the folders of skills in whose files, facts and names nothing is found, allowed
	// or not: none of their files is read for an answer.
	Clean map[string]bool
	// Ready brings files of the others to hand; nil where all are.
	Ready func(ctx context.Context, files []string) error
}

// stock are all facts of a side. A skill that both sides have alike is read once.
func (c *check) stock(ctx context.Context, v *view) (Stock, error) {
	if c.in.Facts != nil {
		return c.in.Facts(ctx, v.Side)
	}
	skills, err := c.skillsOf(ctx, v)
	return Stock{Skills: skills}, err
}

// skillsOf reads all skills of a side.
func (c *check) skillsOf(ctx context.Context, v *view) ([]answer.Skill, error) {
	alike := c.base != nil && reflect.DeepEqual(c.base.Shape, c.head.Shape)
	out := make([]answer.Skill, 0, len(v.skills))
	for _, folder := range paths(nil, v) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		key, err := v.signature(v.skills[folder])
		if err != nil {
			return nil, err
		}
		facts, read := c.facts[folder+"\n"+key]
		if !read || !alike {
			s, err := c.extract(v, v.skills[folder])
			if err != nil {
				return nil, err
			}
			facts = slices.Concat(s.Facts, s.Rest)
		}
		if alike {
			c.facts[folder+"\n"+key] = facts
		}
		out = append(out, answer.Skill{Path: folder, Name: path.Base(folder), Facts: facts})
	}
	return out, nil
}

// A sitting asks questions of one side.
type sitting struct {
	name      string           // for what is kept
	teachers  []suite.Question // whose words count
	questions []suite.Question // that are asked
	rules     answer.Rules     // by which they are answered
	alone     bool             // the questions are not among the teachers
	told      func(suite.Outcome) suite.Outcome
	out       map[string]suite.Outcome

	expected suite.Expected // of the teachers
	taught   *answer.Index  // by them; nil until it was made
	idle     []suite.Idle
}

// left are the questions whose outcomes are not known yet.
func (s *sitting) left(kept map[string]suite.Outcome) (out []suite.Question) {
	if s.out == nil {
		s.out = map[string]suite.Outcome{}
	}
	for _, q := range s.questions {
		if o, known := kept[s.name+q.ID]; known {
			s.out[q.ID] = o
		} else {
			out = append(out, q)
		}
	}
	return out
}

// leastAsked is how many wordings are asked although the time is up, some seconds of
// work: an index that takes all the time there is must not be made in vain.
const leastAsked = 5

// A patient context goes on when its time is up, and ends when it is cancelled.
type patient struct{ context.Context }

// Err is nil where no more than the time is up.
func (p patient) Err() error {
	if err := p.Context.Err(); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// Done never closes: who works under a patient context asks for its error.
func (patient) Done() <-chan struct{} { return nil }

// A bench holds the sittings of one side. Its index is made for them, if anything is left
// to ask, and let go: two at a time are the most that a check would keep in memory.
type bench struct {
	c    *check
	v    *view
	desk *Desk
}

// open makes the index, unless that was done.
func (b *bench) open(ctx context.Context) error {
	if b.c.in.Blind != "" { // what was not looked through must not be kept
		return Unasked("an answer could hold a value that the policy withholds")
	}
	if b.desk != nil {
		return nil
	}
	stock, err := b.c.stock(ctx, b.v)
	if err != nil {
		return err
	}
	b.desk = NewDesk(answer.NewIndex(stock.Skills), b.v.Files, b.c.gate).Fetching(stock.Ready, stock.Clean).ForMany()
	return nil
}

// teach has the teachers of a sitting teach, unless that was done.
func (b *bench) teach(ctx context.Context, s *sitting) ([]suite.Idle, error) {
	if s.taught != nil {
		return s.idle, nil
	}
	err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	if s.expected, err = suite.Resolve(patient{ctx}, b.desk.Index(), s.teachers); err != nil {
		return nil, err
	}
	s.taught, s.idle, err = s.expected.Teach(patient{ctx})
	return s.idle, err
}

// sit asks the questions that are left, as anybody's are answered there.
func (b *bench) sit(ctx context.Context, s *sitting) error {
	left := s.left(b.c.in.Outcomes)
	if len(left) == 0 {
		return nil
	}
	if _, err := b.teach(ctx, s); err != nil {
		return err
	}
	slow := patient{ctx}
	expected := s.expected.Only(left)
	if s.alone {
		var err error
		if expected, err = suite.Resolve(slow, b.desk.Index(), left); err != nil {
			return err
		}
	}
	desk, n := b.desk.Over(s.taught).Under(s.rules), 0
	tell := func(_ context.Context, question string) (answer.Answer, error) {
		if n++; n <= leastAsked {
			return desk.Tell(slow, question)
		}
		if err := ctx.Err(); err != nil {
			return answer.Answer{}, err
		}
		return desk.Tell(ctx, question)
	}
	return expected.Run(slow, s.taught, tell, func(o suite.Outcome) {
		if s.told != nil {
			o = s.told(o)
		}
		s.out[o.ID], b.c.in.Outcomes[s.name+o.ID] = o, o
	})
}
