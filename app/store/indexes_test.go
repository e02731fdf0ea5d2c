package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// storedIndex is the n-th index of a repository.
func storedIndex(repository int64, n int) Index {
	return Index{Repository: repository, Key: key(n), Rules: "r1", Installation: 9, Data: []byte{byte(n), 0, 255}}
}

func putIndex(t testing.TB, s *Store, x Index) {
	t.Helper()
	do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.PutIndexTx(ctx, tx, x) })
}

func TestAnIndexIsTheOneOfItsKeyOrElseTheNewest(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		of := func(repository int64, rules string, n int) string {
			t.Helper()
			kept, err := s.Index(t.Context(), Index{Repository: repository, Key: key(n), Rules: rules})
			if err != nil && !errors.Is(err, ErrNotFound) || err == nil && kept.Installation != 9 {
				t.Fatal(kept.Installation, err)
			}
			return strings.TrimLeft(kept.Key, "0") + fmt.Sprintf(" %x", kept.Data)
		}
		for n := 1; n <= 3; n++ {
			putIndex(t, s, storedIndex(1, n))
			c.move(time.Second)
		}
		other := storedIndex(1, 7)
		other.Rules = "r2"
		putIndex(t, s, other)
		for _, test := range []struct {
			name       string
			repository int64
			rules      string
			n          int
			want       string
		}{
			{"its key", 1, "r1", 2, "2 0200ff"},
			{"the newest, for a key that is not there", 1, "r1", 5, "3 0300ff"},
			{"another program's is never the nearest", 1, "r2", 2, "7 0700ff"},
			{"nor one of its own key", 1, "r1", 7, "3 0300ff"},
			{"no index of another repository", 2, "r1", 2, " "},
			{"none of a program that made none", 1, "r3", 2, " "},
		} {
			if got := of(test.repository, test.rules, test.n); got != test.want {
				t.Errorf("%s: %s, want %s", test.name, got, test.want)
			}
		}
		mended := storedIndex(1, 2)
		mended.Data = []byte("mended")
		putIndex(t, s, mended)
		if got := of(1, "r1", 2); got != fmt.Sprintf("2 %x", "mended") {
			t.Errorf("after another one was put in its place: %s", got)
		}
	})
}

func TestIndexesAreBoundedInNumberAndBytes(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		putIndex(t, s, storedIndex(2, 1))
		for n := range mostIndexes + 3 {
			putIndex(t, s, storedIndex(1, n))
			c.move(time.Second)
		}
		if n := count(t, s, "indexes WHERE repository = 1"); n != mostIndexes {
			t.Errorf("%d are kept, want %d", n, mostIndexes)
		}
		putIndex(t, s, storedIndex(1, 4)) // made again, it is the newest
		do(t, s, func(ctx context.Context, tx *sql.Tx) error { return trimIndexes(ctx, tx, 1, mostIndexes, 8) })
		if n := count(t, s, "indexes WHERE repository = 1 AND key IN ($1, $2)", key(4), key(mostIndexes+2)); n != 2 || count(t, s, "indexes WHERE repository = 1") != 2 {
			t.Errorf("of three bytes each, two and no others fit in eight: %d", n)
		}
		if n := count(t, s, "indexes WHERE repository = 2"); n != 1 {
			t.Errorf("another repository's: %d", n)
		}
	})
}

func TestAnIndexThatIsTooLargeIsNotKept(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	small := storedIndex(1, 1)
	putIndex(t, s, small)
	large := storedIndex(1, 2)
	large.Data = make([]byte, MostIndexBytes+1)
	putIndex(t, s, large)
	if n := count(t, s, "indexes"); n != 1 {
		t.Errorf("%d rows", n)
	}
}

// Law 8: what names an index is a hash, and no error says what stood there instead.
func TestAnIndexesKeyIsAHash(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		for _, bad := range []string{"", "fix the queue", strings.Repeat("x", 64), strings.Repeat("A", 64)} {
			x := storedIndex(1, 1)
			x.Key = bad
			err := s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error { return s.PutIndexTx(ctx, tx, x) })
			_, read := s.Index(t.Context(), x)
			for _, err := range []error{err, read} {
				if !errors.Is(err, ErrInvalid) || bad != "" && strings.Contains(err.Error(), bad) {
					t.Errorf("%q: %v", bad, err)
				}
			}
		}
	})
}

// BenchmarkIndex puts and reads an index of 20 MB: one of 100,000 facts.
func BenchmarkIndex(b *testing.B) {
	x := storedIndex(1, 1)
	x.Data = bytes.Repeat([]byte("0123456789abcdef"), 20<<20/16)
	for i := range x.Data { // no database may save itself the work by packing it
		x.Data[i] ^= byte(i * 7 >> (i % 11))
	}
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.Postgres} {
		b.Run(name+"/put", func(b *testing.B) {
			s := open(b, url(b))
			for b.Loop() {
				putIndex(b, s, x)
			}
		})
		b.Run(name+"/read", func(b *testing.B) {
			s := open(b, url(b))
			putIndex(b, s, x)
			for b.Loop() {
				if _, err := s.Index(b.Context(), x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
