package jobs

import (
	"testing"

	"github.com/cardkeeper/cardkeeper/app/store"
)

// 2A-47: a question that is deleted while it waits gets no reply; a reply that stands stays, and none is added.
func TestADeletedQuestionIsNotAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	number, _ := w.open("topic", docs("x"))
	waiting := must(w.repo.Comment(number, "mallory", "/ask What does mailrules apply refuse?"))(t)
	asked := w.deliver()
	check(t, w.repo.DeleteComment(waiting, "mallory"))
	w.deliver()
	w.start()
	w.idleQueue()
	if got := w.replies(number); len(got) != 0 {
		t.Errorf("replies: %q", got)
	}
	w.wantState(asked, store.Done)
	answered := must(w.repo.Comment(number, "mallory", "/ask What does mailrules apply refuse?"))(t)
	w.settled()
	if got := w.replies(number); len(got) != 1 {
		t.Fatalf("replies: %q", got)
	}
	check(t, w.repo.DeleteComment(answered, "mallory"))
	w.wantState(w.settled(), store.Done)
	if got := w.replies(number); len(got) != 1 {
		t.Errorf("replies after the question was deleted: %q", got)
	}
}
