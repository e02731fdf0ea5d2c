package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/webhooks/command"
	"github.com/riverqueue/river"
)

type answerWorker struct {
	river.WorkerDefaults[answerArgs]
	r *Runner
}

// Work replies to the questions of one comment.
func (w *answerWorker) Work(ctx context.Context, job *river.Job[answerArgs]) error {
	last := job.Attempt >= attempts
	err := w.r.tried(ctx, func(ctx context.Context) error { return w.r.answerComment(ctx, job.Args, last) })
	if errors.Is(err, github.ErrNotFound) {
		err = nil // the comment or the pull request is gone, and nobody waits for a reply
	}
	// A refused write, as in a locked conversation, is refused the next time too.
	last = last || err != nil && !retried(err, false) && !stopped(ctx)
	return w.r.settle(ctx, job.Args.GUID, last, err)
}

// answerComment reads the comment again, since it may have been changed or taken
// back, and replies if its author may ask. Silence is the answer to anybody else.
func (r *Runner) answerComment(ctx context.Context, a answerArgs, last bool) error {
	work, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	client := r.reader(a.Installation, a.Repository)
	repo, err := repository(work, client, a.Repository)
	if err != nil {
		return err
	}
	comment, err := client.Comment(work, repo, a.Comment)
	if err != nil {
		return err
	}
	questions, dropped := command.Questions(comment.Body)
	if comment.Bot || len(questions)+dropped == 0 {
		return nil
	}
	pull, err := client.Pull(work, repo, a.Pull)
	if err != nil {
		return err
	}
	var body string
	key := fmt.Sprintf("comment %d/%d", a.Repository, a.Comment)
	err = r.inSlices(work, key, client, repo, func(from *source) error {
		body, err = r.answerFrom(work, from, a, pull, comment, questions, dropped)
		return err
	})
	if stopped(ctx) || err != nil && retried(err, last) {
		return errors.Join(err, ctx.Err())
	}
	if err != nil {
		r.complain(ctx, slog.LevelError, "could not answer", err, "repository", a.Repository, "pull", a.Pull)
		r.cfg.Meter.Answer("failed")
		body = "Could not answer. " + why(err) + "\n\nEdit the question to ask again."
	}
	if body == "" {
		return nil
	}
	return r.post(ctx, repo, a, body)
}

// answerFrom is the reply's text, or none for who may not ask.
func (r *Runner) answerFrom(ctx context.Context, from *source, a answerArgs, pull github.Pull, comment github.Comment, questions []command.Command, dropped int) (string, error) {
	base, err := basePolicy(ctx, from, pull)
	if err != nil {
		return "", err
	}
	allowed, err := r.mayAsk(ctx, from, pull, base, comment.Author)
	if err != nil || !allowed {
		return "", err
	}
	if err := r.replier(a.Installation, a.Repository).React(ctx, from.repo, a.Comment, "eyes"); err != nil && retried(err, false) {
		return "", err
	}
	return r.reply(ctx, from, base, a.Installation, pull.Head.SHA, questions, dropped)
}

// basePolicy reads from the base who may ask, what no answer may hold, and what
// of the findings it may. A base whose configuration has faults has said nothing
// of the first; one that cannot be read lets nobody in.
func basePolicy(ctx context.Context, from *source, pull github.Pull) (config.Config, error) {
	tip, err := baseTip(ctx, from, pull)
	if err != nil {
		return config.Config{}, err
	}
	base, err := take(ctx, from, tip)
	if err != nil {
		return config.Config{}, err
	}
	cfg, _, err := base.policy(ctx)
	return cfg, err
}

// mayAsk says who may ask: by default people with triage or more, and the pull
// request's author.
func (r *Runner) mayAsk(ctx context.Context, from *source, pull github.Pull, base config.Config, login string) (bool, error) {
	if strings.EqualFold(login, pull.Author) {
		return true, nil
	}
	role, err := from.client.Permission(ctx, from.repo, login)
	return rank(role) >= rank(base.Ask), err
}

// rank orders GitHub's roles. An unknown one may nothing.
func rank(role string) int {
	for i, r := range []string{"read", "triage", "write", "maintain", "admin"} {
		if r == role {
			return i + 1
		}
	}
	return 0
}

// post writes the effect's key, brings our reply to the body and records it.
func (r *Runner) post(ctx context.Context, repo github.Repo, a answerArgs, body string) error {
	key := store.AnswerKey(a.Repository, a.Comment)
	unlock, err := r.alone(ctx, key)
	if err != nil {
		return err
	}
	defer unlock()
	if err := r.begin(ctx, key, a.Installation, a.Repository); err != nil {
		return err
	}
	id, err := r.replier(a.Installation, a.Repository).PublishComment(ctx, repo, a.Pull, key, body)
	if err != nil {
		return err
	}
	return r.done(ctx, key, id)
}
