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
	namedQuestion    = "This names something that the policy says no answer may name. The question was not answered and is not kept."
	leaked           = "This looks like a secret: rotate it. The question was not answered and is not kept."
	faultyHead       = "The configuration in this pull request has faults; mend it and ask again."
	unreadNames      = "Cannot answer: the configuration at the base has faults, so that the names which no answer may hold cannot be read. Mend it there first."
	unposted         = "GitHub did not take the answer as a comment. Ask for one thing at a time."
)

// A reply is what is written below a question, and what is to be remembered of it.
type reply struct {
	body    string
	refused []string // questions that were scanned and are not documented
	covered []string // questions that the base branch answers
	asked   bool     // something was looked up
}

// A replying answers the questions of one comment.
type replying struct {
	r       *Runner
	library *ask.Library
	since   *novelty
	link    func(card.Place) string
	reply
}

// reply answers each question from the head's skills, as far as the base's policy
// lets it, and with what the base's suite teaches (law 7).
func (r *Runner) reply(ctx context.Context, from *source, tip *snapshot, base config.Config, installation int64, sha string, questions []command.Command, dropped int) (_ reply, err error) {
	defer r.caught(ctx, &err)
	ctx = from.memory.Under(ctx)
	scanner, blind := r.remembering(from, base)
	switch {
	case blind != "":
		return reply{body: "Cannot answer: an answer could hold a value that the policy withholds. " + blind}, nil
	case base.Answers.Unread:
		return reply{body: unreadNames}, nil
	}
	library, index, err := r.library(ctx, from, base, scanner, installation, sha)
	var faults config.Faults
	if errors.As(err, &faults) {
		return reply{body: faultyHead}, nil
	}
	if err != nil {
		return reply{}, err
	}
	lessons, err := tip.lessons(ctx)
	if err != nil {
		return reply{}, err
	}
	if _, err := library.Teach(ctx, lessons); err != nil {
		return reply{}, err
	}
	w := replying{r: r, library: library, since: &novelty{binder: index, tip: tip}, link: r.links(from.repo, sha)}
	var parts []string
	for i, q := range questions {
		text, err := w.answer(ctx, q)
		if err != nil {
			return reply{}, hush(err)
		}
		if len(questions) > 1 {
			text = fmt.Sprintf("**Question %d**\n\n%s", i+1, text)
		}
		parts = append(parts, text)
	}
	if dropped > 0 {
		parts = append(parts, fmt.Sprintf("%d more questions were left out: a comment may ask %d, each of at most %d characters.", dropped, command.MaxCommands, command.MaxQuestion))
	}
	if w.asked { // a code span: the bare id would become a link, and a mark at the commit
		parts = append(parts, "Read at commit `"+sha[:min(shortID, len(sha))]+"`.")
	}
	w.body, err = library.Withhold(ctx, strings.Join(parts, "\n\n"), func(int) string { return "an answer" })
	return w.reply, hush(err)
}

// shortID is as much of a commit's id as tells it in any repository.
const shortID = 12

// answer answers a question, or says what kind of text it is instead. The question
// itself is never part of what is returned.
func (w *replying) answer(ctx context.Context, q command.Command) (string, error) {
	if q.Help() {
		w.r.cfg.Meter.Answer("help")
		return help, nil
	}
	got, err := w.library.Ask(ctx, q.Question)
	w.r.tellMeaning(ctx, got)
	if ask.Silent(err) {
		return w.silent(err), nil
	}
	if err != nil {
		return "", err
	}
	w.asked = true
	stands, err := w.since.mark(ctx, got.Hits)
	if err != nil {
		return "", err
	}
	switch {
	case got.Withheld:
		w.r.cfg.Meter.Answer("withheld")
	case got.Answered:
		w.r.cfg.Meter.Answer("answered")
	default:
		w.r.cfg.Meter.Answer("refused")
	}
	switch {
	case got.Gap():
		w.refused = append(w.refused, q.Question)
	case got.Answered && stands:
		w.covered = append(w.covered, q.Question)
	}
	return strings.TrimRight(answer.Markdown(got, w.link), "\n"), nil
}

// silent is what is said of a question that must not be shown.
func (w *replying) silent(err error) string {
	outcome, text := "withheld", withheldQuestion
	switch {
	case errors.Is(err, ask.ErrSecret):
		outcome, text = "secret", leaked
	case errors.Is(err, ask.ErrNever):
		text = namedQuestion
	}
	w.r.cfg.Meter.Answer(outcome)
	return text
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
