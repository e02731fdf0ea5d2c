package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/webhooks/command"
)

// olderReplies is how many replies to the same questions are brought up: each costs
// two requests, one of which writes, and who asks more often reads the last one.
const olderReplies = 5

// bringUp gives the earlier replies in the conversation, whose comments ask the same
// as this one, the answer that was given now. So a question that is asked again after a push
// has one answer, wherever it is read (2A-51). What was asked is read from the comments
// themselves; nothing is kept of it.
func (r *Runner) bringUp(ctx context.Context, repo github.Repo, a answerArgs, asked []command.Command, body string) error {
	list, err := r.replier(a.Installation, a.Repository).Comments(ctx, repo, a.Pull)
	if err != nil {
		return err
	}
	same := sameQuestions(asked)
	left := olderReplies
	for _, reply := range slices.Backward(list) {
		id, ok := repliesTo(a.Repository, reply)
		if !ok || id >= a.Comment || left == 0 { // a late attempt must not put its older head into a newer reply
			continue
		}
		i := slices.IndexFunc(list, func(m github.Comment) bool { return m.ID == id })
		if i < 0 || !same(list[i]) || strings.HasSuffix(reply.Body, "\n"+body) {
			continue
		}
		left--
		if err := r.bringUpOne(ctx, repo, a, id, same, reply, body); err != nil {
			return err
		}
	}
	return nil
}

// bringUpOne does it for the reply to one comment, unless the comment asks for something else
// by now: then its own delivery says what is written there.
func (r *Runner) bringUpOne(ctx context.Context, repo github.Repo, a answerArgs, id int64, same func(github.Comment) bool, reply github.Comment, body string) error {
	unlock, err := r.alone(ctx, store.AnswerKey(a.Repository, id))
	if err != nil {
		return err
	}
	defer unlock()
	client := r.replier(a.Installation, a.Repository)
	comment, err := client.Comment(ctx, repo, id)
	if errors.Is(err, github.ErrNotFound) {
		return nil
	}
	if err != nil || !same(comment) {
		return err
	}
	return client.AmendComment(ctx, repo, reply, body)
}

// repliesTo is the comment that one of our replies is for. Who else wrote the marker is
// told apart where it counts, when the reply is changed.
func repliesTo(repository int64, m github.Comment) (int64, bool) {
	every := strings.TrimSuffix(store.AnswerKey(repository, 0), "0")
	of, ok := strings.CutPrefix(m.Key(), every)
	id, err := strconv.ParseInt(of, 10, 64)
	return id, ok && err == nil && id > 0
}

// sameQuestions reports of other comments whether they ask the same, all of it, in this order.
func sameQuestions(asked []command.Command) func(github.Comment) bool {
	var alike answer.Alikeness
	keys := func(list []command.Command) (keys []string) {
		for _, c := range list {
			keys = append(keys, fmt.Sprint(c.Help(), alike.Key(c.Question)))
		}
		return keys
	}
	want := keys(asked)
	return func(m github.Comment) bool {
		list, dropped := command.Questions(m.Body)
		return !m.Bot && dropped == 0 && slices.Equal(keys(list), want)
	}
}
