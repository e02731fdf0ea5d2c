package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// Segments gives those of one repository, edition and rule set, and no others.
func TestSegmentsAreThoseOfOneRepositoryAndProgram(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		s := open(t, url)
		tree := func(n int) string { return strings.Repeat(fmt.Sprint(n), 64) }
		mine := Segment{Installation: 5, Repository: 9, Edition: 1, Rules: "r1"}
		for i, g := range []Segment{
			mine, mine, {Installation: 5, Repository: 8, Edition: 1, Rules: "r1"}, {Installation: 5, Repository: 9, Edition: 2, Rules: "r1"}, {Installation: 5, Repository: 9, Edition: 1, Rules: "r2"},
		} {
			g.Tree, g.Data = tree(i+1), []byte(fmt.Sprint("data ", i+1))
			if err := s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error { return s.PutSegmentTx(ctx, tx, g) }); err != nil {
				t.Fatal(err)
			}
		}
		got := map[string]string{}
		err := s.Segments(t.Context(), mine, func(tree string, data []byte) error { got[tree] = string(data); return nil })
		if err != nil || len(got) != 2 || got[tree(1)] != "data 1" || got[tree(2)] != "data 2" {
			t.Errorf("%v, %v", got, err)
		}
		stop := errors.New("enough")
		if err := s.Segments(t.Context(), mine, func(string, []byte) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("an error of the reader: %v", err)
		}
	})
}
