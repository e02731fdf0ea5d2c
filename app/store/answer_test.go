package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func answer(repository int64, text string) Answer {
	return Answer{Repository: repository, QuestionHash: "q1", IndexHash: "i1", Model: "some-model-4.5",
		Installation: 9, Text: []byte(text)}
}

func tell(s *Store, a Answer) (kept Answer, err error) {
	err = s.Tx(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
		kept, err = s.PutAnswerTx(ctx, tx, a)
		return err
	})
	return kept, err
}

// Law 11: same question, same index, same answer.
func TestTheFirstAnswerIsKeptAndRepeated(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		want := answer(1, "first \x00 é")
		if kept, err := tell(s, want); err != nil || string(kept.Text) != string(want.Text) {
			t.Fatalf("%q, %v", kept.Text, err)
		}
		if kept, err := tell(s, answer(1, "second")); err != nil || string(kept.Text) != string(want.Text) {
			t.Errorf("the second asker gets %q, %v", kept.Text, err)
		}
		want.MadeAt = c.now()
		if got, err := s.Answer(t.Context(), answer(1, "")); err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("%v %s", err, cmp.Diff(want, got))
		}
	})
}

func TestConcurrentAskersHearOneAnswer(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		heard := together(t, 16, func(i int) (string, error) {
			kept, err := tell(s, answer(1, fmt.Sprint("text ", i)))
			return string(kept.Text), err
		})
		for _, text := range heard {
			if text != heard[0] {
				t.Errorf("%q and %q", heard[0], text)
			}
		}
	})
}

func TestEachFieldOfTheKeyMakesAnotherAnswer(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		if _, err := tell(s, answer(1, "text")); err != nil {
			t.Fatal(err)
		}
		for name, change := range map[string]func(*Answer){
			"repository": func(a *Answer) { a.Repository = 2 },
			"question":   func(a *Answer) { a.QuestionHash = "q2" },
			"index":      func(a *Answer) { a.IndexHash = "i2" },
			"model":      func(a *Answer) { a.Model = "other" },
		} {
			a := answer(1, "text")
			change(&a)
			if got, err := s.Answer(t.Context(), a); !errors.Is(err, ErrNotFound) || got.Text != nil {
				t.Errorf("another %s gives %q, %v", name, got.Text, err)
			}
		}
	})
}

func segment(repository int64) Segment {
	return Segment{Repository: repository, Tree: sha1, Edition: 1, Rules: "r1", Installation: 9, Data: []byte{0, 1, 255}}
}

func TestSegmentsAreKeptUnderTheirKey(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		again := segment(1)
		again.Data = []byte("other")
		for _, g := range []Segment{segment(1), again} {
			do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.PutSegmentTx(ctx, tx, g) })
		}
		data, err := s.Segment(t.Context(), segment(1))
		if diff := cmp.Diff(segment(1).Data, data); diff != "" || err != nil {
			t.Error(err, diff)
		}
		for name, change := range map[string]func(*Segment){
			"repository": func(g *Segment) { g.Repository = 2 },
			"tree":       func(g *Segment) { g.Tree = sha2 },
			"edition":    func(g *Segment) { g.Edition = 2 },
			"rules":      func(g *Segment) { g.Rules = "r2" },
		} {
			g := segment(1)
			change(&g)
			if _, err := s.Segment(t.Context(), g); !errors.Is(err, ErrNotFound) {
				t.Errorf("another %s gives %v", name, err)
			}
		}
	})
}
