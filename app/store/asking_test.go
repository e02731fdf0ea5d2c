package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// admit counts a comment of a person with some questions.
func admit(t *testing.T, s *Store, person int64, delivery string, questions int, l AskLimits) (a Admission) {
	t.Helper()
	do(t, s, func(ctx context.Context, tx *sql.Tx) (err error) {
		a, err = s.AdmitTx(ctx, tx, Asking{Installation: 9, Repository: 4, Person: person, Delivery: delivery, Questions: questions}, l)
		return err
	})
	return a
}

func TestQuestionsAreLimitedByTheHour(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		l := AskLimits{Person: 5, Repository: 12}
		start := c.now()
		free := Admission{}
		for i, step := range []struct {
			sentence  string
			after     time.Duration // since the step before
			person    int64
			delivery  string
			questions int
			want      Admission
		}{
			{"the first is answered", 0, 1, "a", 3, free},
			{"the same delivery again counts once", time.Minute, 1, "a", 3, free},
			{"one that comes below the limit is answered whole", time.Minute, 1, "b", 4, free},
			{"over it the person is told when the oldest is an hour old", time.Minute, 1, "c", 1, Admission{Until: start.Add(time.Hour)}},
			{"an attempt that is repeated tells the same", time.Minute, 1, "c", 1, Admission{Until: start.Add(time.Hour)}},
			{"then there is silence", time.Minute, 1, "d", 1, Admission{start.Add(time.Hour), true}},
			{"another person is answered", 0, 2, "e", 5, free},
			{"the repository's limit holds for everybody", time.Minute, 3, "f", 1, Admission{Until: start.Add(time.Hour)}},
			{"up to the time that was told", 54*time.Minute - time.Millisecond, 1, "g", 1, Admission{start.Add(time.Hour), true}},
			{"and from then on there is room again", time.Millisecond, 1, "h", 1, free},
			{"a refusal counts no question", 0, 3, "i", 1, free},
		} {
			c.move(step.after)
			if got := admit(t, s, step.person, step.delivery, step.questions, l); !cmp.Equal(got, step.want) {
				t.Errorf("step %d, %s: %+v, want %+v", i, step.sentence, got, step.want)
			}
		}
		if n := count(t, s, "askings WHERE asked_at <= $1", c.now().Add(-time.Hour).UnixMilli()); n != 0 {
			t.Errorf("%d rows are over an hour old", n)
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			c.move(time.Hour)
			_, err := s.ExpireTx(ctx, tx)
			return err
		})
		if n := count(t, s, "askings"); n != 0 {
			t.Errorf("%d rows stay", n)
		}
	})
}

func TestWithoutALimitEverythingIsAnswered(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		for n := range 20 {
			if got := admit(t, s, 1, fmt.Sprint("d", n), 5, AskLimits{}); !got.Until.IsZero() {
				t.Fatalf("comment %d: %+v", n, got)
			}
		}
		for name, a := range map[string]Asking{
			"no person": {9, 4, 0, "x", 1}, "a sentence for a delivery": {9, 4, 1, "what is it", 1}, "no questions": {9, 4, 1, "x", 0},
		} {
			err := s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
				_, err := s.AdmitTx(ctx, tx, a, AskLimits{})
				return err
			})
			if !errors.Is(err, ErrInvalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestAnAskingIsNotedOnce(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		admit(t, s, 1, "a", 1, AskLimits{})
		for _, step := range []struct {
			delivery string
			want     bool
		}{{"a", true}, {"a", false}, {"b", false}} {
			do(t, s, func(ctx context.Context, tx *sql.Tx) error {
				if first, err := s.NoteAskingTx(ctx, tx, 4, step.delivery); err != nil || first != step.want {
					t.Errorf("%s: %v, %v", step.delivery, first, err)
				}
				return nil
			})
		}
	})
}
