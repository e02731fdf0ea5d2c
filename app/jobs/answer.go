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
	last = last || err != nil && !retried(err, false) && !errors.Is(err, errMoved) && !stopped(ctx)
	return w.r.settle(ctx, job.Args.GUID, last, err)
}

// unadmitted is an error that left open whether a person may ask. Nobody gets in by
// it, and nobody is told (2A-48).
type unadmitted struct{ error }

func (u unadmitted) Unwrap() error { return u.error }

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
	var got reply
	key := fmt.Sprintf("comment %d/%d", a.Repository, a.Comment)
	err = r.inSlices(work, key, client, repo, func(from *source) error {
		got, err = r.answerFrom(work, from, a, pull, comment, questions, dropped)
		return err
	})
	if stopped(ctx) || err != nil && retried(err, last) {
		return errors.Join(err, ctx.Err())
	}
	if err != nil {
		r.complain(ctx, slog.LevelError, "could not answer", err, "repository", a.Repository, "pull", a.Pull)
		r.cfg.Meter.Answer("failed")
		if errors.As(err, &unadmitted{}) {
			return errUnable
		}
		got = reply{body: "Could not answer. " + why(err) + "\n\nEdit the question to ask again."}
	}
	if got.body == "" {
		return nil
	}
	stands, err := r.post(ctx, repo, a, got.body)
	if err != nil || !stands {
		return err
	}
	if err := r.keepGaps(ctx, a, got); err != nil || !got.asked || dropped > 0 {
		return err
	}
	err = r.bringUp(ctx, repo, a, pull.Head.SHA, questions, got.body)
	if last && err != nil && !stopped(ctx) {
		r.complain(ctx, slog.LevelWarn, "earlier replies were not brought up", err, "repository", a.Repository, "pull", a.Pull)
		return nil // the reply itself stands
	}
	return err
}

// answerFrom is the reply, an empty one for who may not ask.
func (r *Runner) answerFrom(ctx context.Context, from *source, a answerArgs, pull github.Pull, comment github.Comment, questions []command.Command, dropped int) (reply, error) {
	tip, base, err := basePolicy(ctx, from, pull)
	allowed := isAuthor(pull, comment)
	if !allowed && err == nil {
		allowed, err = r.hasRole(ctx, from, base, comment.Author)
	}
	switch {
	case err != nil && !allowed:
		return reply{}, unadmitted{err}
	case err != nil || !allowed:
		return reply{}, err
	}
	admission, err := r.admit(ctx, a, comment, max(1, len(questions)), base)
	if err != nil || admission.Told {
		return reply{}, err
	}
	if !admission.Until.IsZero() {
		r.cfg.Meter.Answer("limited")
		return reply{body: tooMany(admission.Until)}, nil
	}
	if err := r.see(ctx, from.repo, a); err != nil {
		return reply{}, err
	}
	return r.reply(ctx, from, tip, base, a.Installation, pull.Head.SHA, questions, dropped)
}

// see shows that the question was seen. Where that fails for itself alone, the reply
// will show it as well.
func (r *Runner) see(ctx context.Context, repo github.Repo, a answerArgs) error {
	err := r.replier(a.Installation, a.Repository).React(ctx, repo, a.Comment, "eyes")
	if limit(err) != nil || over(err) || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	if err != nil {
		r.complain(ctx, slog.LevelDebug, "no reaction", err, "repository", a.Repository, "pull", a.Pull)
	}
	return nil
}

// basePolicy reads from the base who may ask, what no answer may hold, and what
// of the findings it may. A base whose configuration has faults has said nothing
// of the first; one that cannot be read lets nobody in.
func basePolicy(ctx context.Context, from *source, pull github.Pull) (*snapshot, config.Config, error) {
	tip, err := baseTip(ctx, from, pull)
	if err != nil {
		return nil, config.Config{}, err
	}
	base, err := take(ctx, from, tip)
	if err != nil {
		return nil, config.Config{}, err
	}
	cfg, _, err := base.policy(ctx)
	return base, cfg, err
}

// isAuthor reports whether the pull request's author asks, who may always. An account
// that is gone is nobody.
func isAuthor(pull github.Pull, comment github.Comment) bool {
	return comment.AuthorID != 0 && comment.Author != "" && strings.EqualFold(comment.Author, pull.Author)
}

// hasRole reports whether a person may ask by the role in the repository: by default
// with triage or more. GitHub says which role that is; the comment's own word for it
// is not looked at (2A-48).
func (r *Runner) hasRole(ctx context.Context, from *source, base config.Config, login string) (bool, error) {
	if login == "" {
		return false, nil
	}
	role, err := from.client.Permission(ctx, from.repo, login)
	return err == nil && rank(role) >= rank(base.Ask), err
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

// post writes the effect's key, brings our reply to the body and records it. It does
// not stand where the comment was changed or deleted meanwhile: its newer delivery
// says what is written there.
func (r *Runner) post(ctx context.Context, repo github.Repo, a answerArgs, body string) (stands bool, err error) {
	key := store.AnswerKey(a.Repository, a.Comment)
	unlock, err := r.alone(ctx, key)
	if err != nil {
		return false, err
	}
	defer unlock()
	if later, err := r.cfg.Store.Overtaken(ctx, a.GUID); err != nil || later {
		return false, err
	}
	if err := r.begin(ctx, key, a.Installation, a.Repository); err != nil {
		return false, err
	}
	client := r.replier(a.Installation, a.Repository)
	id, err := client.PublishComment(ctx, repo, a.Pull, key, body)
	if errors.Is(err, github.ErrInvalid) {
		r.complain(ctx, slog.LevelError, "GitHub did not take a reply", err, "repository", a.Repository, "pull", a.Pull)
		id, err = client.PublishComment(ctx, repo, a.Pull, key, unposted)
	}
	if err != nil {
		return false, err
	}
	return true, r.done(ctx, key, id)
}
