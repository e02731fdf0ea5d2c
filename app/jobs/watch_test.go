package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/logs"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

func TestTheKindOfAnErrorIsOneWord(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"limit": &github.Limited{}, "gone": errGone, "uninstalled": github.ErrNoInstallation, "suspended": github.ErrSuspended,
		"archived": github.ErrArchived, "lag": errLag, "damaged_row": errRow, "stopped": context.Canceled,
		"github_down": github.ErrUnavailable, "forbidden": github.ErrForbidden, "other": errors.New("a canary"),
	} {
		err = river.JobCancel(fmt.Errorf("around it: %w", err))
		if got := class(err); got != want || !regexp.MustCompile(`^[a-z_]+$`).MatchString(got) {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
		var cancel *rivertype.JobCancelError
		if c := (classed{err}); !errors.As(c, &cancel) || class(c) != want {
			t.Errorf("%v lost what it is", c)
		}
	}
}

// A job is made with the delivery behind it, also where it does not end that delivery.
func TestAJobKnowsTheDeliveryBehindIt(t *testing.T) {
	t.Parallel()
	ctx := logs.With(t.Context(), slog.String(logs.Delivery, "guid-1"))
	row := &rivertype.JobRow{ID: 7, Kind: "publish", Metadata: inserted(ctx).Metadata, EncodedArgs: []byte(`{"guid":""}`)}
	if got := logs.DeliveryOf(follow(t.Context(), row)); got != "guid-1" {
		t.Errorf("the delivery of a job without one is %q", got)
	}
	row.EncodedArgs = []byte(`{"guid":"guid-2"}`)
	if got := logs.DeliveryOf(follow(t.Context(), row)); got != "guid-2" {
		t.Errorf("the delivery of a job with its own is %q", got)
	}
	if string(inserted(t.Context()).Metadata) != "{}" {
		t.Error("a job of no delivery has a trail")
	}
}
