package store

import (
	"context"
	"database/sql"
	"strings"
	"testing"
)

// Only open pull requests are outdated that are red, under another policy, for
// that base branch, and not looked at anew already.
func TestOutdated(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		policy, other, ref, branch := sha1, sha2, strings.Repeat("a", 64), strings.Repeat("b", 64)
		put := func(number int64, conclusion, policy, ref string) {
			if _, _, err := next(s, Pull{Number: number, Head: sha3}, 0); err != nil {
				t.Fatal(err)
			}
			v := verdict(1, number, 1, sha3)
			v.Conclusion, v.Policy, v.BaseRef = conclusion, policy, ref
			if !judge(t, s, v) {
				t.Fatal("not kept")
			}
		}
		any := func() (some bool) {
			do(t, s, func(ctx context.Context, tx *sql.Tx) (err error) {
				some, err = s.AnyNotGreenTx(ctx, tx, 1)
				return err
			})
			return some
		}
		put(1, "success", other, ref)
		if any() {
			t.Error("a green pull request counts")
		}
		put(2, "failure", other, ref)
		put(3, "failure", policy, ref)
		put(4, "failure", other, branch)
		put(5, "failure", "", "")
		put(6, "failure", other, ref)
		list := func() (numbers []int64, pending bool) {
			t.Helper()
			pulls, pending, err := s.Outdated(t.Context(), 1, policy, ref, 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range pulls {
				numbers = append(numbers, p.Number)
			}
			return numbers, pending
		}
		same := func(got []int64, want ...int64) bool {
			ok := len(got) == len(want)
			for i := range got {
				ok = ok && got[i] == want[i]
			}
			return ok
		}
		if got, pending := list(); !same(got, 6, 5, 2) || pending || !any() {
			t.Errorf("%v, pending %v", got, pending)
		}
		if _, _, err := next(s, Pull{Number: 6, Head: sha3}, 0); err != nil { // a newer event
			t.Fatal(err)
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			_, err := s.CloseTx(ctx, tx, 1, 2)
			return err
		})
		if got, pending := list(); !same(got, 5) || !pending {
			t.Errorf("%v, pending %v", got, pending)
		}
		if pulls, _, err := s.Outdated(t.Context(), 1, policy, ref, 0); err != nil || len(pulls) != 0 {
			t.Errorf("over the limit: %v, %v", pulls, err)
		}
		if pulls, pending, err := s.Outdated(t.Context(), 2, policy, ref, 10); err != nil || len(pulls) != 0 || pending {
			t.Errorf("of another repository: %v, %v", pulls, err)
		}
		wrong := verdict(1, 5, 1, sha3)
		wrong.BaseRef = "feature/a-name"
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			if _, err := s.PutVerdictTx(ctx, tx, wrong); err == nil {
				t.Error("the name of a branch was stored")
			}
			return nil
		})
	})
}
