package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/webhooks/command"
)

// olderReplies is how many replies to the same questions are brought up: each costs
// two requests, one of which writes, and who asks more often reads the last one.
const olderReplies = 5

// bringUp gives the earlier replies in the conversation, whose comments ask the same in the
// same words, the answer that was given now. So a question that is asked again after a push
// has one answer, wherever it is read (2A-51). What was asked is read from the comments
// themselves; nothing is kept of it. It fails with errMoved where the head is another one by
// now: the next attempt answers from that, and no older answer takes the place of a newer one.
// A reply that GitHub does not let us change keeps no other from being changed.
func (r *Runner) bringUp(ctx context.Context, repo github.Repo, a answerArgs, head string, asked []command.Command, body string) error {
	client := r.replier(a.Installation, a.Repository)
	list, err := client.Comments(ctx, repo, a.Pull)
	if err != nil {
		return err
	}
	older, err := r.older(ctx, client, a, list, asked, body)
	if err != nil || len(older) == 0 {
		return err
	}
	pull, err := client.Pull(ctx, repo, a.Pull)
	if err != nil {
		return err
	}
	if pull.Head.SHA != head {
		return errMoved
	}
	for _, o := range older {
		err := r.bringUpOne(ctx, repo, a, o, asked, body)
		gone := errors.Is(err, github.ErrNotFound)
		if err != nil && !gone && (retried(err, false) || stopped(ctx)) {
			return err
		}
		if err != nil {
			r.complain(ctx, slog.LevelInfo, "an earlier reply was not brought up", err, "repository", a.Repository, "pull", a.Pull)
		}
	}
	return nil
}

// An olderReply is one of our replies and the comment that it is for.
type olderReply struct {
	to    int64
	reply github.Comment
}

// older finds the replies to earlier comments that ask the same and say something else,
// the latest first.
func (r *Runner) older(ctx context.Context, client *github.Client, a answerArgs, list []github.Comment, asked []command.Command, body string) (out []olderReply, err error) {
	for _, reply := range slices.Backward(list) {
		id, ok := repliesTo(a.Repository, reply)
		if !ok || id >= a.Comment || len(out) == olderReplies || strings.HasSuffix(reply.Body, "\n"+body) {
			continue
		}
		i := slices.IndexFunc(list, func(m github.Comment) bool { return m.ID == id })
		if i < 0 || !asksSame(list[i], asked) {
			continue
		}
		own, err := client.Own(ctx, reply) // anybody can write a marker
		if err != nil {
			return nil, err
		}
		if own {
			out = append(out, olderReply{id, reply})
		}
	}
	return out, nil
}

// bringUpOne changes one reply, unless its comment asks for something else by now: then its
// own delivery says what is written there.
func (r *Runner) bringUpOne(ctx context.Context, repo github.Repo, a answerArgs, o olderReply, asked []command.Command, body string) error {
	unlock, err := r.alone(ctx, store.AnswerKey(a.Repository, o.to))
	if err != nil {
		return err
	}
	defer unlock()
	client := r.replier(a.Installation, a.Repository)
	comment, err := client.Comment(ctx, repo, o.to)
	if err != nil || !asksSame(comment, asked) {
		return err
	}
	return client.AmendComment(ctx, repo, o.reply, body)
}

// repliesTo is the comment that a reply is for, by its marker.
func repliesTo(repository int64, m github.Comment) (int64, bool) {
	every := strings.TrimSuffix(store.AnswerKey(repository, 0), "0")
	of, ok := strings.CutPrefix(m.Key(), every)
	id, err := strconv.ParseInt(of, 10, 64)
	return id, ok && err == nil && id > 0
}

// asksSame reports whether a comment asks the same questions, all of them, in this order. They
// are compared by their words as written: "not", "where" and a capital may make another answer.
func asksSame(m github.Comment, asked []command.Command) bool {
	list, dropped := command.Questions(m.Body)
	return !m.Bot && dropped == 0 && slices.EqualFunc(list, asked, func(a, b command.Command) bool {
		return plainWords(a.Question) == plainWords(b.Question)
	})
}

// plainWords is a question without what is around its words.
func plainWords(question string) string {
	return strings.TrimRight(strings.Join(strings.Fields(question), " "), " ?!.")
}
