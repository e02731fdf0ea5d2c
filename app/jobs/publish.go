package jobs

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
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
	err := w.r.tried(ctx, func(ctx context.Context) error { return w.r.publishHead(ctx, job.Args) })
	return w.r.settle(ctx, job.Args.GUID, job.Attempt >= publishAttempts, err)
}

// publishHead says what the verdicts say. They are read again right before each
// request that writes, since a verdict that was overtaken must not be said, and
// once more afterwards, since what changed meanwhile must be. What is left is the
// time that one request is on its way.
func (r *Runner) publishHead(ctx context.Context, a publishArgs) error {
	if out, err := r.merged(ctx, a); err != nil || out == nil {
		return err
	}
	client := r.publisher(a.Installation, a.Repository)
	repo, err := repository(ctx, client, a.Repository)
	if err != nil {
		return err
	}
	unlock, err := r.alone(ctx, store.CheckKey(a.Repository, a.Head))
	if err != nil {
		return err
	}
	defer unlock()
	if err := r.begin(ctx, store.CheckKey(a.Repository, a.Head), a.Installation, a.Repository); err != nil {
		return err
	}
	out, err := r.merged(ctx, a)
	for err == nil && out != nil {
		said := out
		run := checkRun(a.Head, *said)
		run.Still = func(ctx context.Context) (bool, error) {
			now, err := r.merged(ctx, a)
			return reflect.DeepEqual(said, now), err
		}
		if err := r.run(ctx, client, repo, run); err != nil && !errors.Is(err, github.ErrOvertaken) {
			return err
		}
		if out, err = r.merged(ctx, a); err == nil && reflect.DeepEqual(said, out) {
			return nil
		}
	}
	return err
}

// merged joins the verdicts on a head: the worst wins and all are named. It is
// nil where there is nothing to say yet: no verdict, or none but green ones while
// another pull request on the head is still looked at. A verdict that a newer
// generation replaces is not counted, nor is that of a pull request that was
// closed or has another head by now.
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
			return nil, errRow
		}
		if out.History != nil {
			out.Output = out.Output.WithHistory(*out.History)
		}
		if out.Note != "" {
			out.Output.Summary = out.Note + "\n\n" + out.Output.Summary
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

// begin writes the key of an effect before the effect.
func (r *Runner) begin(ctx context.Context, key string, installation, repository int64) error {
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, _, err := r.cfg.Store.BeginEffectTx(ctx, tx, store.Effect{Key: key, Installation: installation, Repository: repository})
		return err
	})
}

// done records what GitHub calls an effect.
func (r *Runner) done(ctx context.Context, key string, id int64) error {
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return r.cfg.Store.FinishEffectTx(ctx, tx, key, strconv.FormatInt(id, 10))
	})
}

// run publishes a run whose key was written, under the lock of its head.
func (r *Runner) run(ctx context.Context, client *github.Client, repo github.Repo, run github.Run) error {
	id, err := client.PublishRun(ctx, repo, run)
	if err != nil {
		return err
	}
	r.published(ctx, run.Conclusion)
	return r.done(ctx, store.CheckKey(repo.ID, run.SHA), id)
}

// announce shows a run in progress, for a person who pressed Re-run and would
// else go on seeing the old result (2A-15). The verdict completes it.
func (r *Runner) announce(ctx context.Context, client *github.Client, repo github.Repo, guid, head string) error {
	unlock, err := r.alone(ctx, store.CheckKey(repo.ID, head))
	if err != nil {
		return err
	}
	defer unlock()
	_, err = client.PublishRun(ctx, repo, github.Run{
		SHA: head, Name: CheckName, Key: "again:" + store.Whole(guid), Title: "Looking again", Summary: "Somebody asked to run this check again.",
	})
	return err
}

// checkRun is an outcome as a run. Its key is of the annotations alone: these
// GitHub can only add to, so that other ones need another run, while any other
// word of a run can be changed.
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
	if out.Button {
		run.Actions = []github.Action{{Label: checker.ButtonName, Description: "Commits the rebuilt cards here", ID: updateAction}}
	}
	notes, _ := json.Marshal(run.Annotations) // strings and numbers always marshal
	sum := sha256.Sum256(notes)
	run.Key = "notes:" + hex.EncodeToString(sum[:16])
	return run
}
