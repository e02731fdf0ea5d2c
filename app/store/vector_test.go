package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// key is the n-th hash.
func key(n int) string { return fmt.Sprintf("%064x", n) }

func vectors(repository int64, numbers ...int) Vectors {
	v := Vectors{Installation: 9, Repository: repository, Data: map[string][]byte{}}
	for _, n := range numbers {
		v.Data[key(n)] = []byte{byte(n), 0, 255}
	}
	return v
}

func putVectors(t *testing.T, s *Store, v Vectors) {
	t.Helper()
	do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.PutVectorsTx(ctx, tx, v) })
}

func TestVectorsAreKeptForTheirRepository(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		putVectors(t, s, vectors(1, 1, 2, 3))
		putVectors(t, s, vectors(2, 1))
		putVectors(t, s, vectors(1))
		exchanged := vectors(1, 2)
		exchanged.Data[key(2)] = []byte("another model's")
		putVectors(t, s, exchanged)
		got, err := s.Vectors(t.Context(), 1, []string{key(1), key(2), key(7)})
		want := map[string][]byte{key(1): {1, 0, 255}, key(2): []byte("another model's")}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Error(err, diff)
		}
		for _, keys := range [][]string{nil, {}, {key(3)}} {
			if got, err := s.Vectors(t.Context(), 2, keys); err != nil || len(got) != 0 {
				t.Errorf("%d keys: %v, %v", len(keys), got, err)
			}
		}
	})
}

// Law 8: what names a vector is a hash, and no error says what stood there instead.
func TestAVectorsKeyIsAHash(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		for _, bad := range []string{"", "fix the queue", strings.Repeat("x", 64), strings.Repeat("a", 63), strings.Repeat("A", 64)} {
			v := vectors(1, 1)
			v.Data[bad] = []byte{1}
			err := s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error { return s.PutVectorsTx(ctx, tx, v) })
			_, read := s.Vectors(t.Context(), 1, []string{bad})
			for _, err := range []error{err, read} {
				if !errors.Is(err, ErrInvalid) || bad != "" && strings.Contains(err.Error(), bad) {
					t.Errorf("%q: %v", bad, err)
				}
			}
		}
		if _, err := s.Vectors(t.Context(), 1, make([]string, mostKeys+1)); !errors.Is(err, ErrInvalid) {
			t.Errorf("too many keys: %v", err)
		}
	})
}

// The newest stay, those of other repositories too.
func TestVectorsAreBounded(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		putVectors(t, s, vectors(2, 1, 2, 3))
		for n := range 6 {
			putVectors(t, s, vectors(1, n))
			c.move(time.Second)
		}
		putVectors(t, s, vectors(1, 0)) // made again, it is the newest
		do(t, s, func(ctx context.Context, tx *sql.Tx) error { return trim(ctx, tx, 1, 3) })
		got, err := s.Vectors(t.Context(), 1, []string{key(0), key(1), key(2), key(3), key(4), key(5)})
		if _, again := got[key(0)]; err != nil || len(got) != 3 || !again || got[key(4)] == nil || got[key(5)] == nil {
			t.Errorf("%v, %v", got, err)
		}
		if n := count(t, s, "vectors"); n != 6 {
			t.Errorf("%d rows", n)
		}
	})
}
