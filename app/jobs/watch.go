package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/logs"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// The keys of the log lines about jobs, beside the delivery that they work for.
const (
	LogJob     = "job"     // the queue's id
	LogKind    = "kind"    // what the job does
	LogOutcome = "outcome" // of one attempt: done, retried, postponed, failed, stopped
	LogReason  = "reason"  // the kind of trouble, one word
)

// trail is what a job's row knows of the delivery behind it, if there is one. The
// metadata is there even where the job does not end the delivery.
type trail struct {
	Delivery string `json:"delivery,omitempty"`
}

// inserted are the options of a job that is made while ctx works for a delivery.
func inserted(ctx context.Context) *river.InsertOpts {
	metadata, _ := json.Marshal(trail{logs.DeliveryOf(ctx)}) // a string always marshals
	return &river.InsertOpts{Metadata: metadata}
}

// follow puts the delivery behind a job into its context.
func follow(ctx context.Context, job *rivertype.JobRow) context.Context {
	var t trail
	var args struct {
		GUID string `json:"guid"`
	}
	_ = json.Unmarshal(job.Metadata, &t) // a row of another build: nothing is known then
	_ = json.Unmarshal(job.EncodedArgs, &args)
	if args.GUID != "" {
		t.Delivery = store.Whole(args.GUID)
	}
	ctx = at(ctx, job.EncodedArgs)
	ctx = logs.With(ctx, slog.Int64(LogJob, job.ID), slog.String(LogKind, job.Kind))
	if t.Delivery != "" {
		ctx = logs.With(ctx, slog.String(logs.Delivery, t.Delivery))
	}
	return ctx
}

// watch stands around every job: it counts the attempt and writes one line about it.
func (r *Runner) watch(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
	ctx = follow(ctx, job)
	begun := time.Now()
	err := work(ctx)
	took := time.Since(begun)
	outcome, level := ended(ctx, err)
	r.cfg.Meter.Job(job.Kind, outcome, took)
	attrs := []slog.Attr{slog.String(LogOutcome, outcome), slog.Int("attempt", job.Attempt), slog.Float64("seconds", took.Seconds())}
	if job.AttemptedAt != nil {
		attrs = append(attrs, slog.Float64("waited", max(job.AttemptedAt.Sub(job.ScheduledAt), 0).Seconds()))
	}
	var postponed *rivertype.JobSnoozeError
	if errors.As(err, &postponed) {
		attrs = append(attrs, slog.Float64("again_in", postponed.Duration.Seconds()))
	} else if err != nil {
		attrs = append(attrs, slog.String(LogReason, class(err)))
	}
	r.cfg.Log.LogAttrs(ctx, level, "job", attrs...)
	if err == nil || outcome == "postponed" {
		return err
	}
	return classed{err}
}

// ended is how an attempt went, and how loud that is.
func ended(ctx context.Context, err error) (outcome string, level slog.Level) {
	var postponed *rivertype.JobSnoozeError
	var given *rivertype.JobCancelError
	switch {
	case err == nil:
		return "done", slog.LevelInfo
	case errors.As(err, &postponed):
		return "postponed", slog.LevelInfo
	case errors.As(err, &given):
		return "failed", slog.LevelError
	case stopped(ctx):
		return "stopped", slog.LevelInfo
	}
	return "retried", slog.LevelWarn
}

// A classed error begins with the word for its kind, so that a row of the queue
// tells it without its text.
type classed struct{ error }

func (c classed) Error() string { return class(c.error) + ": " + c.error.Error() }
func (c classed) Unwrap() error { return c.error }

// class is the kind of an error in one word: for labels, logs and pages.
func class(err error) string {
	switch {
	case limit(err) != nil:
		return "limit"
	case errors.Is(err, errGone):
		return "gone"
	case errors.Is(err, github.ErrNoInstallation):
		return "uninstalled"
	case errors.Is(err, github.ErrSuspended):
		return "suspended"
	case errors.Is(err, github.ErrArchived):
		return "archived"
	case errors.Is(err, errLag):
		return "lag"
	case errors.Is(err, errRow):
		return "damaged_row"
	case errors.Is(err, context.Canceled):
		return "stopped"
	}
	word, _ := cause(err)
	return word
}

// complain writes that something could not be done, in words of ours.
func (r *Runner) complain(ctx context.Context, level slog.Level, what string, err error, attrs ...any) {
	word, text := cause(err)
	r.cfg.Log.Log(ctx, level, what, append(attrs, LogReason, word, "text", text)...)
}

// uncheckable tells of a verdict that says that nothing could be checked.
func (r *Runner) uncheckable(ctx context.Context, err error, attrs ...any) {
	word, _ := cause(err)
	r.cfg.Meter.Unable(word)
	r.complain(ctx, slog.LevelError, "could not check", err, attrs...)
}

// published counts how long the delivery that ctx works for has waited for its run.
// One that is done has its run: what is said of it later is no answer any more.
func (r *Runner) published(ctx context.Context, conclusion string) {
	attrs := []slog.Attr{slog.String("conclusion", conclusion)}
	if guid := logs.DeliveryOf(ctx); guid != "" {
		if d, err := r.cfg.Store.Delivery(ctx, guid); err == nil && d.State != store.Done {
			delay := r.cfg.Store.Now().Sub(d.ReceivedAt)
			r.cfg.Meter.Published(delay)
			attrs = append(attrs, slog.Float64("delay", delay.Seconds()))
		}
	}
	r.cfg.Log.LogAttrs(ctx, slog.LevelInfo, "check run published", attrs...)
}
