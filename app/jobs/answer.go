package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/webhooks/command"
	"github.com/riverqueue/river"
)

type answerWorker struct {
	river.WorkerDefaults[answerArgs]
	r *Runner
}

// Work replies to the questions of one comment.
func (w *answerWorker) Work(ctx context.Context, job *river.Job[answerArgs]) error {
	err := w.r.answerComment(ctx, job.Args)
	if errors.Is(err, github.ErrNotFound) {
		err = nil // the comment or the pull request is gone, and nobody waits for a reply
	}
	return w.r.settle(ctx, job.Args.GUID, job.Attempt >= job.MaxAttempts, err)
}

func (r *Runner) answerComment(ctx context.Context, a answerArgs) error {
	client := r.cfg.GitHub.Installation(a.Installation)
	repo, err := client.Repository(ctx, a.Repository)
	if err != nil {
		return err
	}
	comment, err := client.Comment(ctx, repo, a.Comment)
	if err != nil {
		return err
	}
	questions, dropped := command.Questions(comment.Body)
	if comment.Bot || len(questions)+dropped == 0 {
		return nil
	}
	pull, err := client.Pull(ctx, repo, a.Pull)
	if err != nil {
		return err
	}
	head, err := take(ctx, client, repo, pull.Head.SHA)
	if err != nil {
		return err
	}
	allowed, err := r.mayAsk(ctx, client, repo, pull, comment.Author)
	if err != nil || !allowed {
		return err
	}
	if err := client.React(ctx, repo, a.Comment, "eyes"); err != nil {
		return err
	}
	body, err := r.reply(ctx, repo, head, pull.Head.SHA, questions, dropped)
	if err != nil {
		return err
	}
	return r.post(ctx, client, repo, a, body)
}

// mayAsk reads from the base who may ask: by default people with triage or
// more, and the pull request's author.
func (r *Runner) mayAsk(ctx context.Context, client *github.Client, repo github.Repo, pull github.Pull, login string) (bool, error) {
	if strings.EqualFold(login, pull.Author) {
		return true, nil
	}
	base, err := take(ctx, client, repo, pull.Base.SHA)
	if err != nil {
		return false, err
	}
	least := "triage"
	if cfg, err := base.config(ctx); err == nil {
		least = cfg.Ask
	} else if passing(err) {
		return false, err
	}
	role, err := client.Permission(ctx, repo, login)
	return rank(role) >= rank(least), err
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

// reply answers each question from the head's skills.
func (r *Runner) reply(ctx context.Context, repo github.Repo, head *snapshot, sha string, questions []command.Command, dropped int) (string, error) {
	cfg, err := head.config(ctx)
	if err != nil {
		if passing(err) {
			return "", err
		}
		return "The configuration in this pull request has faults; mend it and ask again.", nil
	}
	if err := head.fetchSkills(ctx, cfg.Shape); err != nil {
		return "", err
	}
	library, err := ask.Open(head, cfg.Shape, r.cfg.Scanner)
	if err != nil {
		return "", err
	}
	var parts []string
	for i, q := range questions {
		text, err := r.answerOne(ctx, library, q, r.links(repo, sha))
		if err != nil {
			return "", err
		}
		if len(questions) > 1 {
			text = fmt.Sprintf("**Question %d**\n\n%s", i+1, text)
		}
		parts = append(parts, text)
	}
	if dropped > 0 {
		parts = append(parts, fmt.Sprintf("%d more questions were left out: a comment may ask %d, each of at most %d characters.", dropped, command.MaxCommands, command.MaxQuestion))
	}
	return r.cfg.Scanner.Withhold(ctx, strings.Join(parts, "\n\n"), func(int) string { return "an answer" })
}

const help = "Write `/ask` and a question about the skills of this repository in one line, for instance: `/ask how do I install it`"

func (r *Runner) answerOne(ctx context.Context, library *ask.Library, q command.Command, link func(card.Place) string) (string, error) {
	if q.Help() {
		return help, nil
	}
	got, err := library.Ask(ctx, q.Question)
	if errors.Is(err, ask.ErrSecret) {
		return "This looks like a secret: rotate it. The question was not answered and is not kept.", nil
	}
	if err != nil {
		return "", err
	}
	return answer.Markdown(got, link), nil
}

// links makes permanent addresses of lines at a commit.
func (r *Runner) links(repo github.Repo, sha string) func(card.Place) string {
	return func(p card.Place) string {
		path := (&url.URL{Path: p.File}).EscapedPath()
		address := fmt.Sprintf("%s/%s/%s/blob/%s/%s", strings.TrimSuffix(r.cfg.Web, "/"), repo.Owner, repo.Name, sha, path)
		if extractor.IsMarkdown(p.File) {
			address += "?plain=1" // without it GitHub renders the page, which has no lines
		}
		address += "#L" + itoa(p.First)
		if p.Last > p.First {
			address += "-L" + itoa(p.Last)
		}
		return address
	}
}

// post writes the effect's key, brings our reply to the body and records it.
func (r *Runner) post(ctx context.Context, client *github.Client, repo github.Repo, a answerArgs, body string) error {
	key := store.AnswerKey(a.Repository, a.Comment)
	err := r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, _, err := r.cfg.Store.BeginEffectTx(ctx, tx, store.Effect{Key: key, Installation: a.Installation, Repository: a.Repository})
		return err
	})
	if err != nil {
		return err
	}
	id, err := client.PublishComment(ctx, repo, a.Pull, key, body)
	if err != nil {
		return err
	}
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return r.cfg.Store.FinishEffectTx(ctx, tx, key, strconv.FormatInt(id, 10))
	})
}
