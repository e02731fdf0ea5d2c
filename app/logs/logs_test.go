package logs

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/webhooks"
)

func TestEachLineNamesItsDelivery(t *testing.T) {
	t.Parallel()
	ctx := With(context.Background(), slog.String(Delivery, "old"), slog.Int("pull", 3))
	ctx = With(ctx, slog.String(Delivery, "guid-1"), slog.Int64("job", 7))
	for _, text := range []bool{false, true} {
		var out bytes.Buffer
		log := New(&out, slog.LevelInfo, text).With("part", "x")
		log.InfoContext(ctx, "worked", "job", 8)
		log.DebugContext(ctx, "not shown")
		want := `"msg":"worked","part":"x","job":8,"delivery":"guid-1","pull":3}`
		if text {
			want = "msg=worked part=x job=8 delivery=guid-1 pull=3"
		}
		if got := strings.TrimSpace(out.String()); !strings.HasSuffix(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := DeliveryOf(ctx); got != "guid-1" || DeliveryOf(context.Background()) != "" {
		t.Errorf("the delivery is %q", got)
	}
}

func TestTheKeyIsTheHandlersOwn(t *testing.T) {
	t.Parallel()
	if Delivery != webhooks.LogDelivery {
		t.Errorf("%q here, %q there: a delivery could not be followed", Delivery, webhooks.LogDelivery)
	}
}
