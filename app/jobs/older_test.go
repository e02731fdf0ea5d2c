package jobs

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
)

// What is asked again after a push is answered at the newest head, and the earlier replies to
// the same questions are brought up to that, whoever asked; others stay, and so does what
// somebody else wrote under a marker of ours (2A-51).
func TestAskingAgainBringsEarlierRepliesUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, first := w.open("topic", docs("x"))
	other := must(w.repo.Comment(number, "mallory", "/ask How long to wait when the quota is exceeded?"))(t)
	w.settled()
	same := must(w.repo.Comment(number, "ada", question))(t)
	w.settled()
	forged := map[string]bool{}
	for _, id := range []int64{other, same, same, same, same, same} {
		body := github.Marker(store.AnswerKey(w.repo.ID(), id)) + "\nmine"
		must(w.repo.Comment(number, "mallory", body))(t)
		forged[body] = true
	}
	second := w.commit("topic", w.stale())
	must(w.repo.Comment(number, "mallory", "Once more.\n\n"+strings.ReplaceAll(question, " ", "  ")))(t)
	w.settled()
	got := w.replies(number)
	if len(got) != 3 || got[1] != got[2] || !strings.Contains(got[1], second[:12]) || strings.Contains(got[1], first) {
		t.Errorf("the same questions: %q", got)
	}
	if !strings.Contains(got[0], "wait one minute") || !strings.Contains(got[0], first[:12]) {
		t.Errorf("another question: %q", got[0])
	}
	for _, c := range w.hub.Comments(w.repo, number) {
		delete(forged, c.Body)
	}
	if len(forged) > 0 {
		t.Errorf("somebody else's comment was changed: %v", forged)
	}
}

// Questions with the same telling words may have other answers: what is not the same in its
// words, or says more, is not the same.
func TestOtherQuestionsAreNotBroughtUp(t *testing.T) {
	t.Parallel()
	const files = "\n## Cleanup\n\nThese files are deleted in a cleanup:\n\n- expired cookies\n- old caches\n- rendered thumbnails\n\n" +
		"## Keep\n\nThese files are never deleted in a cleanup:\n\n- signed receipts\n- payroll sheets\n- tax letters\n\n"
	const first = "/ask Which files are not deleted in a cleanup?"
	for name, second := range map[string]string{
		"without not":      "/ask Which files are deleted in a cleanup?",
		"one more":         first + "\n\n" + question,
		"one was left out": first + "\n\n/ask " + strings.Repeat("x ", 600),
	} {
		w := newWorld(t, options{})
		number, _ := w.open("topic", map[string]fakehub.File{mail: fakehub.Text(w.text(mail, "## Troubleshooting", files+"## Troubleshooting"))})
		must(w.repo.Comment(number, "mallory", first))(t)
		w.settled()
		before := w.replies(number)[0]
		must(w.repo.Comment(number, "ada", second))(t)
		w.settled()
		if got := w.replies(number); len(got) != 2 || got[0] != before || !strings.Contains(before, "payroll") {
			t.Errorf("%s: was %q, is %q", name, before, got)
		}
	}
}

// A late attempt that read an older head answers once more, and does not put what it
// read in the place of what is newer.
func TestALateAnswerBringsNothingDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, first := w.open("topic", docs("x"))
	must(w.repo.Comment(number, "mallory", question))(t)
	w.settled()
	gate := make(chan struct{})
	w.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/reactions", Hold: gate})
	must(w.repo.Comment(number, "ada", question))(t)
	w.deliver()
	w.await("the second to begin", func() bool { return w.count("askings") == 2 })
	second := w.commit("topic", w.stale())
	must(w.repo.Comment(number, "ada", question))(t)
	w.deliver()
	w.await("the third to stand", func() bool {
		r := w.replies(number)
		return len(r) == 2 && strings.Contains(r[0], second[:12])
	})
	close(gate)
	w.await("the end of all jobs", func() bool { return w.count("river_job WHERE finalized_at IS NULL") == 0 })
	for i, r := range w.replies(number) {
		if strings.Contains(r, first[:12]) || !strings.Contains(r, second[:12]) {
			t.Errorf("reply %d of an older head: %q", i, r)
		}
	}
}

// A reply that cannot be changed keeps no other from being brought up, and a delivery whose own
// reply stands has not failed.
func TestAReplyThatCannotBeChangedIsPassedOver(t *testing.T) {
	t.Parallel()
	for _, status := range []int{403, 404, 422} {
		w := newWorld(t, options{loose: true})
		number, _ := w.open("topic", docs("x"))
		for _, text := range []string{"", "Me too.\n\n"} {
			must(w.repo.Comment(number, "ada", text+question))(t)
			w.settled()
		}
		second := w.commit("topic", w.stale())
		w.settled()
		w.hub.Fail(fakehub.Fault{Method: http.MethodPatch, Path: "*/issues/comments/*", Status: status, Times: 1})
		must(w.repo.Comment(number, "ada", "Again.\n\n"+question))(t)
		w.wantState(w.settled(), store.Done)
		got := w.replies(number)
		if !strings.Contains(got[0], second[:12]) || strings.Contains(got[1], second[:12]) || !strings.Contains(got[2], second[:12]) {
			t.Errorf("%d: %q", status, got)
		}
	}
}
