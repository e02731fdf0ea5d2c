package jobs

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// caught turns a panic over hostile input into an error, so that the check fails
// with a verdict and the worker lives (2A-56). The value of the panic may quote
// its input; its type and the stack do not.
func (r *Runner) caught(ctx context.Context, err *error) {
	if v := recover(); v != nil {
		r.cfg.Log.ErrorContext(ctx, "panic", "type", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
		*err = errPanicked
	}
}

// tried does a job's work and turns a panic into an error that the job can settle.
func (r *Runner) tried(ctx context.Context, work func(context.Context) error) (err error) {
	defer r.caught(ctx, &err)
	return work(ctx)
}

// guard is around every job, whatever its worker does about panics: the queue
// would log and store the value of one.
func (r *Runner) guard() rivertype.Middleware {
	return river.WorkerMiddlewareFunc(func(ctx context.Context, _ *rivertype.JobRow, work func(context.Context) error) error {
		return r.tried(ctx, work)
	})
}
