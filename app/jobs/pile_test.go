package jobs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/webhooks"
)

// What a batch leaves behind is what the same deliveries leave one after the other, but that a pull request whose
// newest delivery alone counts got one generation and one job.
func TestABatchIsTheSameAsItsDeliveriesOneByOne(t *testing.T) {
	t.Parallel()
	head := strings.Repeat("a", 40)
	look := func(pull int) webhooks.Work { return webhooks.Work{Kind: webhooks.Check, Pull: pull, Head: head} }
	closed := func(pull int) webhooks.Work { return webhooks.Work{Kind: webhooks.Drop, Pull: pull, Head: head} }
	again := webhooks.Work{Kind: webhooks.Recheck, Head: head}
	ask := webhooks.Work{Kind: webhooks.Answer, Pull: 1, Comment: 5}
	group := webhooks.Work{Kind: webhooks.CheckCommit, Head: head, Base: strings.Repeat("b", 40)}
	for _, tc := range []struct {
		sentence string
		work     []webhooks.Work
		jobs     []string // that wait
		open     []int64  // pull requests that are known and open
		accepted int      // deliveries that wait
	}{
		{"two pull requests", []webhooks.Work{look(1), look(2)}, []string{"evaluate", "evaluate"}, []int64{1, 2}, 2},
		{"pushed three times", []webhooks.Work{look(1), look(1), look(1)}, []string{"evaluate"}, []int64{1}, 1},
		{"pushed and closed", []webhooks.Work{look(1), closed(1)}, []string{"publish"}, nil, 1},
		{"closed and opened again", []webhooks.Work{look(1), closed(1), look(1)}, []string{"evaluate", "publish"}, []int64{1}, 2},
		{"pushed and run again by a person", []webhooks.Work{again, look(1)}, []string{"evaluate", "recheck"}, []int64{1}, 2},
		{"a question and a merge group beside it", []webhooks.Work{look(1), ask, group}, []string{"answer", "commit", "evaluate"}, []int64{1}, 3},
		{"what wants nothing more", []webhooks.Work{{Kind: webhooks.Act, Identifier: "another"}, {Kind: webhooks.Drop, Comment: 5}}, nil, nil, 0},
	} {
		t.Run(tc.sentence, func(t *testing.T) {
			t.Parallel()
			for _, way := range []string{"together", "one by one"} {
				storetest.Each(t, func(t *testing.T, url string) {
					c := newCounter(t, url, 0)
					var batch []*letter
					for i, w := range tc.work {
						w.Installation, w.Repository = 1, 2
						d := webhooks.Delivery{GUID: fmt.Sprint("guid-", i), Event: "pull_request", Installation: 1, Repository: w.Repository, Pull: w.Pull}
						batch = append(batch, &letter{ctx: t.Context(), d: d, work: []webhooks.Work{w}, done: make(chan struct{})})
					}
					size := map[string]int{"together": len(batch), "one by one": 1}[way]
					for part := range slices.Chunk(batch, size) {
						c.runner.acceptAll(part)
					}
					for i, l := range batch {
						if l.err != nil || !l.fresh {
							t.Fatalf("%s: delivery %d: fresh %v, %v", way, i, l.fresh, l.err)
						}
					}
					got := c.list(t, `SELECT kind FROM river_job WHERE state = 'available' ORDER BY kind`)
					if !slices.Equal(got, tc.jobs) {
						t.Errorf("%s: jobs %q, want %q", way, got, tc.jobs)
					}
					open := c.list(t, `SELECT CAST(number AS TEXT) FROM pulls JOIN river_job ON river_job.id = job WHERE NOT closed AND state = 'available' ORDER BY number`)
					if fmt.Sprint(open) != fmt.Sprint(tc.open) {
						t.Errorf("%s: open %v, want %v", way, open, tc.open)
					}
					if n := c.count(t, "deliveries WHERE state = 'accepted'"); n != tc.accepted {
						t.Errorf("%s: %d deliveries wait, want %d", way, n, tc.accepted)
					}
				})
			}
		})
	}
}

// Of two deliveries with one guid in a batch the first is taken, and of one that is done none.
func TestADeliveryThatIsTwiceInABatchIsTakenOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		c := newCounter(t, url, 0)
		var batch []*letter
		for range 3 {
			d := webhooks.Delivery{GUID: "one", Event: "pull_request", Installation: 1, Repository: 2, Pull: 3}
			w := webhooks.Work{Kind: webhooks.Check, Installation: 1, Repository: 2, Pull: 3}
			batch = append(batch, &letter{ctx: t.Context(), d: d, work: []webhooks.Work{w}, done: make(chan struct{})})
		}
		c.runner.acceptAll(batch[:2])
		c.runner.acceptAll(batch[2:])
		if !batch[0].fresh || batch[1].fresh || batch[2].fresh || batch[1].err != nil || batch[2].err != nil {
			t.Errorf("fresh: %v, %v, %v", batch[0].fresh, batch[1].fresh, batch[2].fresh)
		}
		if jobs, open := c.count(t, "river_job"), c.count(t, "pulls WHERE generation = 1 AND job > 0"); jobs != 1 || open != 1 {
			t.Errorf("%d jobs, %d pull requests", jobs, open)
		}
	})
}

// list reads one column.
func (c *counter) list(t *testing.T, query string) (values []string) {
	t.Helper()
	rows := must(c.store.DB().Query(query))(t)
	defer rows.Close()
	for rows.Next() {
		var v string
		check(t, rows.Scan(&v))
		values = append(values, v)
	}
	check(t, rows.Err())
	return values
}
