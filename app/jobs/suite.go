package jobs

import (
	"context"
	"errors"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// The questions of the suite are asked before there is a verdict, and not after it as
// the commits are looked at: a lost answer may block, and a run that was green and
// turns red is merged in between. It is one road for those that block and those that
// warn, so that App and command line cannot disagree. What is paid for it: facts come from
// the segments that answers use, each question is asked once a pull request's
// generation, also where that takes several slices, and nothing is asked where no
// skill and no question is touched. What an answer quotes of a kept skill was scanned when
// that was kept; of the others the quoted files are read.

// examined gives the check what it asks the suite with. Without an installation, or
// where the policy asks nothing, there is nothing to give.
func (r *Runner) examined(ctx context.Context, from *source, c comparison, s *sides) error {
	s.in.NoQuestions = c.installation == 0 || s.in.Policy.NoQuestions
	if s.in.NoQuestions {
		return nil
	}
	if s.tip != nil {
		if err := s.tip.fetch(ctx, suite.File); err != nil {
			return err
		}
		s.in.Suite = s.tip
	}
	s.in.Rules, s.in.RulesUnread = s.policy.Answers.Rules, s.policy.Answers.Unread
	s.in.Outcomes = from.kept(c.base + " " + c.tip + " " + c.head)
	known := map[string]bundle{} // what both sides have alike is taken from the database once
	s.in.Facts = func(ctx context.Context, of checker.Side) (checker.Stock, error) {
		side, ok := of.Files.(*snapshot)
		if !ok {
			return checker.Stock{}, nil // the side that stands for nothing
		}
		b, err := r.bound(ctx, bound{from, side, of.Shape, s.policy, s.in.Scanner, c.installation, known})
		if errors.Is(err, github.ErrTooLarge) {
			return checker.Stock{}, checker.Unasked("the skills hold more than can be read")
		}
		if err != nil {
			return checker.Stock{}, err
		}
		return checker.Stock{Skills: b.skills, Clean: b.clean, Ready: b.fetch}, nil
	}
	return nil
}

// kept are the outcomes of one comparison, for this job alone.
func (s *source) kept(comparison string) map[string]suite.Outcome {
	if s.outcomes == nil {
		s.outcomes = map[string]map[string]suite.Outcome{}
	}
	if s.outcomes[comparison] == nil {
		s.outcomes[comparison] = map[string]suite.Outcome{}
	}
	return s.outcomes[comparison]
}

// asked counts the outcomes that are kept.
func (s *source) asked() (n int) {
	for _, some := range s.outcomes {
		n += len(some)
	}
	return n
}

// lessons are the questions of a commit's suite, those of lines without a fault.
func (s *snapshot) lessons(ctx context.Context) ([]suite.Question, error) {
	if err := s.fetch(ctx, suite.File); err != nil {
		return nil, err
	}
	questions, _, err := checker.ReadQuestions(s)
	return questions, hush(err)
}
