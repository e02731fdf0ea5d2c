package store

import (
	"context"
	"database/sql"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func verdict(repository, number, generation int64, head string) Verdict {
	return Verdict{Installation: 9, Repository: repository, Number: number, Generation: generation,
		HeadSHA: head, Conclusion: "failure", Report: []byte(`{"title":"2 cards stale"}`)}
}

// judge puts a verdict in a transaction of its own.
func judge(t *testing.T, s *Store, v Verdict) (kept bool) {
	t.Helper()
	do(t, s, func(ctx context.Context, tx *sql.Tx) (err error) {
		kept, err = s.PutVerdictTx(ctx, tx, v)
		return err
	})
	return kept
}

// 2A-9: the verdict for code that is no longer there came last.
func TestTheVerdictOfAnOlderGenerationIsRefused(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		if judge(t, s, verdict(1, 7, 1, sha1)) {
			t.Error("kept for a pull request that is not known")
		}
		for _, head := range []string{sha1, sha2} {
			if _, _, err := next(s, Pull{Number: 7, Head: head}, 0); err != nil {
				t.Fatal(err)
			}
		}
		newer := verdict(1, 7, 2, sha2)
		newer.Base, newer.Conclusion, newer.Report = sha3, "success", []byte(`{"title":"\u0000 fresh"}`)
		if !judge(t, s, newer) {
			t.Error("the current generation was refused")
		}
		if judge(t, s, verdict(1, 7, 1, sha1)) || judge(t, s, verdict(1, 7, 3, sha1)) {
			t.Error("another generation was kept")
		}
		newer.MadeAt = c.now()
		list, err := s.VerdictsAt(t.Context(), 1, sha2)
		if diff := cmp.Diff([]Verdict{newer}, list); diff != "" || err != nil {
			t.Error(err, diff)
		}
		if list, err := s.VerdictsAt(t.Context(), 1, sha1); err != nil || len(list) != 0 {
			t.Errorf("on the old head: %+v, %v", list, err)
		}
	})
}

// 2A-9: the old head's verdict counts no more as soon as the push is known, before the
// new head has one.
func TestAPullThatMovedOnHasNoVerdictOnItsOldHead(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		if _, _, err := next(s, Pull{Number: 7, Head: sha1}, 0); err != nil {
			t.Fatal(err)
		}
		judge(t, s, verdict(1, 7, 1, sha1))
		if _, _, err := next(s, Pull{Number: 7, Head: sha2}, 0); err != nil {
			t.Fatal(err)
		}
		for _, head := range []string{sha1, sha2} {
			if list, err := s.VerdictsAt(t.Context(), 1, head); err != nil || len(list) != 0 {
				t.Errorf("on %s: %+v, %v", head, list, err)
			}
		}
	})
}

// A push event may carry an older head than the job then reads; what was evaluated
// counts.
func TestAVerdictSetsTheHeadThatWasEvaluated(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		if _, _, err := next(s, Pull{Number: 7, Head: sha1, Base: sha3}, 0); err != nil {
			t.Fatal(err)
		}
		if !judge(t, s, verdict(1, 7, 1, sha2)) {
			t.Fatal("refused")
		}
		if !judge(t, s, verdict(1, 7, 1, sha2)) {
			t.Error("a retry of the same generation was refused")
		}
		p, err := s.Pull(t.Context(), 1, 7)
		if err != nil || p.Head != sha2 || p.Base != sha3 {
			t.Errorf("pull %+v, %v", p, err)
		}
		if n := count(t, s, "verdicts"); n != 1 {
			t.Errorf("%d verdicts", n)
		}
	})
}

// 2A-17: two pull requests from branches at one commit overwrote each other's result.
func TestVerdictsOfSeveralPullsOnOneHeadStandSideBySide(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		for _, number := range []int64{2, 1, 3} {
			if _, _, err := next(s, Pull{Number: number, Head: sha1}, 0); err != nil {
				t.Fatal(err)
			}
			judge(t, s, verdict(1, number, 1, sha1))
		}
		if _, err := closePull(s, 3); err != nil {
			t.Fatal(err)
		}
		if _, _, err := next(s, Pull{Number: 2, Base: sha2}, 0); err != nil {
			t.Fatal(err)
		}
		type line struct {
			Number     int64
			Superseded bool
		}
		var got []line
		list, err := s.VerdictsAt(t.Context(), 1, sha1)
		for _, v := range list {
			got = append(got, line{v.Number, v.Superseded})
		}
		if diff := cmp.Diff([]line{{1, false}, {2, true}}, got); diff != "" || err != nil {
			t.Error(err, diff)
		}
		if list, err := s.VerdictsAt(t.Context(), 2, sha1); err != nil || len(list) != 0 {
			t.Errorf("of another repository: %+v, %v", list, err)
		}
	})
}
