package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// deliver accepts a guid in a transaction of its own.
func deliver(s *Store, d Delivery) (fresh bool, err error) {
	err = s.Tx(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
		fresh, err = s.AcceptTx(ctx, tx, d)
		return err
	})
	return fresh, err
}

func freshOnes(results []bool) (n int) {
	for _, fresh := range results {
		if fresh {
			n++
		}
	}
	return n
}

// 2A-4: two concurrent deliveries of one guid both ran. 2A-3: so must a redelivery of
// a failed one be taken by one caller alone.
func TestOfTwentyConcurrentDeliveriesOfOneGUIDExactlyOneIsFresh(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		one := Delivery{GUID: guid(1), Event: "pull_request", Action: "opened"}
		for round := 1; round <= 2; round++ {
			fresh := together(t, 20, func(int) (bool, error) { return deliver(s, one) })
			if n := freshOnes(fresh); n != 1 {
				t.Errorf("round %d: %d fresh", round, n)
			}
			d, err := s.Delivery(t.Context(), one.GUID)
			if err != nil || d.Attempts != round {
				t.Errorf("round %d: %+v, %v", round, d, err)
			}
			do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.FinishTx(ctx, tx, one.GUID, false) })
		}
	})
}

// 2A-3: a manual redelivery was dropped as a duplicate.
func TestARedeliveryIsFreshOnlyAfterFailure(t *testing.T) {
	for _, test := range []struct {
		name   string
		finish []bool
		fresh  bool
		state  State
	}{
		{"while the work is under way it is not", nil, false, Accepted},
		{"after success it is not", []bool{true}, false, Done},
		{"after failure it is", []bool{false}, true, Accepted},
		{"a late failure does not undo a success", []bool{true, false}, false, Done},
		{"a late success does not hide a failure", []bool{false, true}, true, Accepted},
	} {
		t.Run(test.name, func(t *testing.T) {
			each(t, func(t *testing.T, s *Store, _ *clock) {
				d := Delivery{GUID: guid(1), Event: "push"}
				if fresh, err := deliver(s, d); !fresh || err != nil {
					t.Fatal(fresh, err)
				}
				for _, ok := range test.finish {
					do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.FinishTx(ctx, tx, d.GUID, ok) })
				}
				fresh, err := deliver(s, d)
				if err != nil || fresh != test.fresh {
					t.Errorf("fresh %v, %v", fresh, err)
				}
				if got, _ := s.Delivery(t.Context(), d.GUID); got.State != test.state {
					t.Errorf("state %q, want %q", got.State, test.state)
				}
			})
		})
	}
}

func TestADeliveryReadsBackWhole(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		want := Delivery{GUID: guid(1), Event: "check_run", Action: "requested_action", Installation: 1, Repository: 2,
			Pull: 3, Comment: 4, CheckRun: 1 << 62, HeadSHA: sha1}
		if _, err := deliver(s, want); err != nil {
			t.Fatal(err)
		}
		c.move(time.Second)
		if _, err := deliver(s, Delivery{GUID: guid(2), Event: "ping"}); err != nil {
			t.Fatal(err)
		}
		want.State, want.Attempts, want.ReceivedAt = Accepted, 1, c.now().Add(-time.Second)
		got, err := s.Delivery(t.Context(), want.GUID)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Error(err, diff)
		}
		list, err := s.RecentDeliveries(t.Context(), 10)
		if err != nil || len(list) != 2 || list[0].GUID != guid(2) || list[1] != got {
			t.Errorf("recent %+v, %v: want the newest first", list, err)
		}
		if list, err := s.RecentDeliveries(t.Context(), 1); err != nil || len(list) != 1 {
			t.Errorf("recent %+v, %v: want one", list, err)
		}
		if _, err := s.RecentDeliveries(t.Context(), -1); err == nil {
			t.Error("a negative limit is taken")
		}
		if _, err := s.Delivery(t.Context(), "none"); !errors.Is(err, ErrNotFound) {
			t.Errorf("an unknown guid gives %v", err)
		}
	})
}

// Law 12: no field of a row can hold a sentence; law 8: the error does not repeat it.
func TestFieldsThatCouldHoldTextAreRefused(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		const sentence = "please fix this"
		put := map[string]func(context.Context, *sql.Tx) error{}
		delivery := func(name string, d Delivery) {
			put[name] = func(ctx context.Context, tx *sql.Tx) error { _, err := s.AcceptTx(ctx, tx, d); return err }
		}
		delivery("guid", Delivery{GUID: sentence, Event: "push"})
		delivery("guid: empty", Delivery{Event: "push"})
		delivery("guid: too long", Delivery{GUID: strings.Repeat("g", wordLimit+1), Event: "push"})
		delivery("guid: a zero byte", Delivery{GUID: "g\x00", Event: "push"})
		delivery("event", Delivery{GUID: "g", Event: sentence})
		delivery("action", Delivery{GUID: "g", Event: "push", Action: sentence})
		delivery("head", Delivery{GUID: "g", Event: "push", HeadSHA: "main"})
		delivery("id", Delivery{GUID: "g", Event: "push", Comment: -1})
		for name, change := range map[string]func(*Verdict){
			"verdict: report":     func(v *Verdict) { v.Report = []byte(sentence) },
			"verdict: conclusion": func(v *Verdict) { v.Conclusion = sentence },
			"verdict: head":       func(v *Verdict) { v.HeadSHA = "" },
			"verdict: generation": func(v *Verdict) { v.Generation = 0 },
		} {
			v := verdict(1, 1, 1, sha1)
			change(&v)
			put[name] = func(ctx context.Context, tx *sql.Tx) error { _, err := s.PutVerdictTx(ctx, tx, v); return err }
		}
		put["pull"] = func(ctx context.Context, tx *sql.Tx) error {
			_, _, err := s.NextGenerationTx(ctx, tx, Pull{Installation: 1, Repository: 1, Number: 1, Base: sentence})
			return err
		}
		put["effect"] = func(ctx context.Context, tx *sql.Tx) error {
			_, _, err := s.BeginEffectTx(ctx, tx, Effect{Key: sentence, Installation: 1, Repository: 1})
			return err
		}
		put["effect: external id"] = func(ctx context.Context, tx *sql.Tx) error {
			return s.FinishEffectTx(ctx, tx, "k", sentence)
		}
		put["answer: nothing"] = func(ctx context.Context, tx *sql.Tx) error {
			_, err := s.PutAnswerTx(ctx, tx, answer(1, ""))
			return err
		}
		put["gap: nothing"] = func(ctx context.Context, tx *sql.Tx) error { return s.PutGapTx(ctx, tx, gap(1, "")) }
		put["segment"] = func(ctx context.Context, tx *sql.Tx) error { return s.PutSegmentTx(ctx, tx, Segment{Tree: sentence}) }
		put["repository"] = func(ctx context.Context, tx *sql.Tx) error { return s.ForgetRepositoryTx(ctx, tx, 0) }
		put["installation"] = func(ctx context.Context, tx *sql.Tx) error { return s.ForgetInstallationTx(ctx, tx, 0) }
		for name, call := range put {
			err := s.Tx(t.Context(), call)
			if !errors.Is(err, ErrInvalid) || strings.Contains(err.Error(), "fix") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// 2A-4: in a batch, too, of two with one guid one is fresh, and what is done stays done.
func TestOfABatchOnlyWhatIsNewOrFailedIsFresh(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		for n := range 3 {
			if _, err := deliver(s, Delivery{GUID: guid(n), Event: "push"}); err != nil {
				t.Fatal(err)
			}
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			return errors.Join(s.FinishAllTx(ctx, tx, []string{guid(0), "unknown"}), s.FinishTx(ctx, tx, guid(1), false))
		})
		var batch []Delivery
		for _, n := range []int{3, 0, 1, 2, 3} {
			batch = append(batch, Delivery{GUID: guid(n), Event: "push", Repository: 1 << 60, HeadSHA: sha1})
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			fresh, err := s.AcceptAllTx(ctx, tx, batch)
			if diff := cmp.Diff(map[string]bool{guid(1): true, guid(3): true}, fresh); diff != "" {
				t.Error(diff)
			}
			return err
		})
		for n, want := range []State{Done, Accepted, Accepted, Accepted} {
			if got, err := s.Delivery(t.Context(), guid(n)); got.State != want || err != nil {
				t.Errorf("delivery %d: %s, %v", n, got.State, err)
			}
		}
		if got, err := s.Delivery(t.Context(), guid(3)); got.Repository != 1<<60 || got.HeadSHA != sha1 || err != nil {
			t.Errorf("kept %+v, %v", got, err)
		}
	})
}
