package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/riverqueue/river"
)

type publishWorker struct {
	river.WorkerDefaults[publishArgs]
	r *Runner
}

// Work brings the run on a head to what the verdicts of its pull requests say.
func (w *publishWorker) Work(ctx context.Context, job *river.Job[publishArgs]) error {
	a := job.Args
	err := w.r.publishHead(ctx, a)
	return w.r.settle(ctx, a.GUID, job.Attempt >= job.MaxAttempts, err)
}

func (r *Runner) publishHead(ctx context.Context, a publishArgs) error {
	unlock, err := r.single.lock(ctx, store.CheckKey(a.Repository, a.Head))
	if err != nil {
		return err
	}
	defer unlock()
	out, err := r.merged(ctx, a)
	if err != nil || out == nil {
		return err
	}
	return r.run(ctx, a, *out)
}

// merged joins the verdicts on a head: the worst wins and all are named. It is
// nil where there is nothing to say yet: no verdict, or none but green ones while
// another pull request on the head is still looked at.
func (r *Runner) merged(ctx context.Context, a publishArgs) (*outcome, error) {
	verdicts, err := r.cfg.Store.VerdictsAt(ctx, a.Repository, a.Head)
	if err != nil {
		return nil, err
	}
	pulls, err := r.cfg.Store.PullsAt(ctx, a.Repository, a.Head)
	if err != nil {
		return nil, err
	}
	pending := len(pulls) > len(verdicts)
	var outs []outcome
	var names []string
	for _, v := range verdicts {
		if v.Superseded {
			pending = true
			continue
		}
		var out outcome
		if err := json.Unmarshal(v.Report, &out); err != nil {
			return nil, fmt.Errorf("jobs: a verdict row that is no verdict of ours: %w", err)
		}
		outs, names = append(outs, out), append(names, "#"+strconv.FormatInt(v.Number, 10))
	}
	worst := join(outs, names)
	if worst == nil || pending && worst.Conclusion == checker.Success {
		return nil, nil
	}
	return worst, nil
}

// join makes one outcome of several: the texts of the first failing one, or of
// the first, and above them what each pull request got.
func join(outs []outcome, names []string) *outcome {
	if len(outs) == 0 {
		return nil
	}
	worst := 0
	for i, o := range outs {
		if o.Conclusion == checker.Failure {
			worst = i
			break
		}
	}
	out := outs[worst]
	if len(outs) == 1 {
		return &out
	}
	var b strings.Builder
	b.WriteString("Several open pull requests have this head; the worst result counts.\n\n")
	for i, o := range outs {
		fmt.Fprintf(&b, "- %s: %s\n", names[i], o.Conclusion)
	}
	fmt.Fprintf(&b, "\nShown is %s.\n\n", names[worst])
	out.Output.Title += " (" + names[worst] + " of " + strings.Join(names, ", ") + ")"
	out.Output.Summary = b.String() + out.Output.Summary
	return &out
}

// run writes the effect's key, publishes, and records what GitHub calls it.
func (r *Runner) run(ctx context.Context, a publishArgs, out outcome) error {
	key := store.CheckKey(a.Repository, a.Head)
	err := r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, _, err := r.cfg.Store.BeginEffectTx(ctx, tx, store.Effect{Key: key, Installation: a.Installation, Repository: a.Repository})
		return err
	})
	if err != nil {
		return err
	}
	client := r.cfg.GitHub.Installation(a.Installation)
	repo, err := client.Repository(ctx, a.Repository)
	if err != nil {
		return err
	}
	id, err := client.PublishRun(ctx, repo, checkRun(a.Head, out))
	if err != nil {
		return err
	}
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return r.cfg.Store.FinishEffectTx(ctx, tx, key, strconv.FormatInt(id, 10))
	})
}

func checkRun(head string, out outcome) github.Run {
	run := github.Run{
		SHA: head, Name: CheckName, Conclusion: string(out.Conclusion),
		Title: out.Output.Title, Summary: out.Output.Summary, Text: out.Output.Text,
	}
	for _, a := range out.Output.Annotations {
		run.Annotations = append(run.Annotations, github.Annotation{
			Path: a.File, Start: a.Line, End: a.End, Level: string(a.Level), Title: a.Title, Message: a.Message,
		})
	}
	return run
}
