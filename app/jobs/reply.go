package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/webhooks/command"
)

// What is said without looking anything up.
const (
	help             = "Write `/ask` and a question about the skills of this repository in one line, for instance: `/ask how do I install it`"
	withheldQuestion = "This names something that the policy says must not be indexed. The question was not answered and is not kept."
	leaked           = "This looks like a secret: rotate it. The question was not answered and is not kept."
	faultyHead       = "The configuration in this pull request has faults; mend it and ask again."
)

// reply answers each question from the head's skills, as far as the base's policy lets it.
func (r *Runner) reply(ctx context.Context, from *source, base config.Config, installation int64, sha string, questions []command.Command, dropped int) (_ string, err error) {
	defer r.caught(ctx, &err)
	ctx = from.memory.Under(ctx)
	scanner, blind := r.remembering(from, base)
	if blind != "" {
		return "Cannot answer: an answer could hold a value that the policy withholds. " + blind, nil
	}
	library, err := r.library(ctx, from, base, scanner, installation, sha)
	var faults config.Faults
	if errors.As(err, &faults) {
		return faultyHead, nil
	}
	if err != nil {
		return "", err
	}
	var parts []string
	for i, q := range questions {
		text, err := r.answerOne(ctx, library, q, r.links(from.repo, sha))
		if err != nil {
			return "", hush(err)
		}
		if len(questions) > 1 {
			text = fmt.Sprintf("**Question %d**\n\n%s", i+1, text)
		}
		parts = append(parts, text)
	}
	if dropped > 0 {
		parts = append(parts, fmt.Sprintf("%d more questions were left out: a comment may ask %d, each of at most %d characters.", dropped, command.MaxCommands, command.MaxQuestion))
	}
	body, err := library.Withhold(ctx, strings.Join(parts, "\n\n"), func(int) string { return "an answer" })
	return body, hush(err)
}

// answerOne answers a question, or says what kind of text it is instead. The
// question itself is never part of what is returned.
func (r *Runner) answerOne(ctx context.Context, library *ask.Library, q command.Command, link func(card.Place) string) (string, error) {
	if q.Help() {
		r.cfg.Meter.Answer("help")
		return help, nil
	}
	got, err := library.Ask(ctx, q.Question)
	switch {
	case errors.Is(err, ask.ErrSecret):
		r.cfg.Meter.Answer("secret")
		return leaked, nil
	case errors.Is(err, ask.ErrWithheld):
		r.cfg.Meter.Answer("withheld")
		return withheldQuestion, nil
	case err != nil:
		return "", err
	case got.Answered:
		r.cfg.Meter.Answer("answered")
	default:
		r.cfg.Meter.Answer("refused")
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
