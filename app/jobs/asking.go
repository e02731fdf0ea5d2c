package jobs

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker/answer"
)

// admit counts the questions of a comment against the limits of the operator and
// of the base's policy, whichever is lower.
func (r *Runner) admit(ctx context.Context, a answerArgs, comment github.Comment, questions int, base config.Config) (admission store.Admission, err error) {
	unlock, err := r.alone(ctx, fmt.Sprint("asking ", a.Repository))
	if err != nil {
		return admission, err
	}
	defer unlock()
	limits := store.AskLimits{
		Person:     lower(r.cfg.Asking.Person, base.Answers.PerPerson),
		Repository: lower(r.cfg.Asking.Repository, base.Answers.PerRepository),
	}
	asking := store.Asking{
		Installation: a.Installation, Repository: a.Repository, Person: comment.AuthorID,
		Delivery: store.Whole(a.GUID), Questions: questions,
	}
	err = r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		admission, err = r.cfg.Store.AdmitTx(ctx, tx, asking, limits)
		return err
	})
	return admission, err
}

// lower is the lower of two limits; 0 is none.
func lower(a, b int) int {
	if a == 0 || b == 0 {
		return cmp.Or(a, b)
	}
	return min(a, b)
}

// tooMany says when one may ask again, to the minute after.
func tooMany(until time.Time) string {
	again := until.UTC().Add(time.Minute - time.Nanosecond).Truncate(time.Minute)
	return "That is more questions than are answered in an hour. Ask again from " + again.Format("15:04") + " UTC on, with a new comment; until then there is no reply."
}

// keepGaps keeps what a reply left undocumented, and ends the gaps that the base branch
// answers by now. It is done once for each comment, when the reply stands.
func (r *Runner) keepGaps(ctx context.Context, a answerArgs, got reply) error {
	if r.cfg.GapDays == 0 || len(got.refused)+len(got.covered) == 0 {
		return nil
	}
	ended, err := r.ended(ctx, a.Repository, got.covered)
	if err != nil {
		return err
	}
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		first, err := r.cfg.Store.NoteAskingTx(ctx, tx, a.Repository, store.Whole(a.GUID))
		if err != nil || !first {
			return err
		}
		for _, id := range ended {
			if _, err := r.cfg.Store.DeleteGapTx(ctx, tx, a.Repository, id); err != nil {
				return err
			}
		}
		until := r.cfg.Store.Now().Add(time.Duration(r.cfg.GapDays) * 24 * time.Hour)
		for _, q := range got.refused {
			q = ask.Anonymous(q)
			if q == "" {
				continue
			}
			gap := store.Gap{Installation: a.Installation, Repository: a.Repository, Question: q, ExpiresAt: until}
			if err := r.cfg.Store.PutGapTx(ctx, tx, gap); err != nil {
				return err
			}
		}
		return nil
	})
}

// ended are the ids of the gaps that ask for what some questions ask for.
func (r *Runner) ended(ctx context.Context, repository int64, questions []string) (ids []string, err error) {
	if len(questions) == 0 {
		return nil, nil
	}
	list, err := r.cfg.Store.Gaps(ctx, repository)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	var alike answer.Alikeness
	for i, q := range questions {
		questions[i] = alike.Key(ask.Anonymous(q))
	}
	for _, g := range list {
		if slices.Contains(questions, alike.Key(g.Question)) {
			ids = append(ids, g.ID)
		}
	}
	return ids, nil
}
