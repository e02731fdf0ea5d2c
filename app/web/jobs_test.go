package web

import (
	"context"
	"database/sql"
	"log/slog"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/riverqueue/river"
)

// work is a job as the queue has one.
type work struct {
	GUID string `json:"guid"`
}

func (work) Kind() string { return "evaluate" }

// A job that gave up can run again; one that newer work replaced cannot, and
// neither shows more of its trouble than the kind.
func TestJobsThatGaveUpHaveAButton(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	client, err := river.NewClient(d.store.QueueDriver(), &river.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	err = d.store.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		for _, state := range []string{"cancelled', errors = jsonb('[{\"error\":\"forbidden: GET /canary\"}]'), finalized_at = '2026-03-01 11:00:00.000", "cancelled', finalized_at = '2026-03-01 11:00:00.000", "available"} {
			made, err := client.InsertTx(ctx, tx, work{"guid-1"}, nil)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `UPDATE river_job SET state = '`+state+`' WHERE id = $1`, made.Job.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	d.accept("guid-1", store.Accepted)
	for path, want := range map[string][3]int{"/operator/jobs": {3, 1, 1}, "/operator/jobs?show=failed": {1, 1, 0}, "/operator/jobs?show=waiting": {1, 0, 0}, "/operator/deliveries/guid-1": {3, 1, 1}} {
		page := d.send("GET", path, nil, d.bearer).Body.String()
		got := [3]int{strings.Count(page, `data-label="Kind"`), strings.Count(page, ">Run again<"), strings.Count(page, ">replaced<")}
		if got != want || strings.Contains(page, "canary") || want[1] == 1 && !strings.Contains(page, "<code>forbidden</code>") {
			t.Errorf("%s: rows, buttons and replaced ones are %v, want %v", path, got, want)
		}
	}
	if page := d.send("GET", "/operator/", nil, d.bearer).Body.String(); !strings.Contains(page, ">evaluate<") || !strings.Contains(page, `<dt>Jobs that gave up</dt><dd><a href="/operator/jobs?show=failed">1</a>`) {
		t.Errorf("the overview: %s", page)
	}
}
