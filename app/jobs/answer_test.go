package jobs

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker"
)

const question = "/ask What does mailrules apply refuse?"

// permalink is a place in a reply: commit, file, first line and, maybe, the last.
var permalink = regexp.MustCompile(`\]\(https://github\.example/ada/skills/blob/([0-9a-f]{40})/([^?#)]+)(?:\?plain=1)?#L(\d+)(?:-L(\d+))?\)`)

// Law 1: what a reply quotes stands, at that commit, on the lines that it names.
func TestAnAnswerQuotesTheLinesThatItLinksTo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", docs("x"))
	moved := w.text(mail, "# Mail\n", "# Mail\n\nA line more.\n")
	head := w.commit("topic", map[string]fakehub.File{mail: fakehub.Text(moved)})
	id := must(w.repo.Comment(number, "mallory", question))(t)
	guid := w.settled()
	got := w.replies(number)
	if len(got) != 1 {
		t.Fatalf("replies: %q", got)
	}
	m := permalink.FindStringSubmatch(got[0])
	if m == nil || m[1] != head || m[2] != mail {
		t.Fatalf("no permalink at the head: %q", got[0])
	}
	line := must(strconv.Atoi(m[3]))(t)
	text := strings.Split(git(w, "show", m[1]+":"+m[2]), "\n")[line-1]
	quoted := strings.TrimPrefix(strings.TrimSpace(text), "- ")
	if !strings.Contains(quoted, "refuses") || !strings.Contains(got[0], quoted) {
		t.Errorf("line %d is %q, the reply says %q", line, text, got[0])
	}
	if r := w.hub.Reactions(id); len(r) != 1 {
		t.Errorf("reactions: %+v", r)
	}
	w.wantState(guid, store.Done)
	check(t, w.hub.Repeat(guid))
	w.settled()
	if n := len(w.replies(number)); n != 1 {
		t.Errorf("%d replies after a redelivery", n)
	}
}

func TestReplies(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3)
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, "/ask Where is item %d?\n", i)
	}
	tests := []struct {
		sentence, login, body string
		want                  []string // pieces of the one reply; none is silence
	}{
		{"a question without an answer is refused", "mallory", "/ask How many people may share one mailbox?", []string{"Not documented", "Looked through"}},
		{"bare /ask gets help", "mallory", "/ask", []string{"Write `/ask` and a question"}},
		{"several questions get one reply", "mallory", question + "\n/ask Which PostgreSQL is needed?", []string{"**Question 1**", "refuses every other", "**Question 2**", "PostgreSQL 15"}},
		{"a question with a secret is not answered", "mallory", "/ask is " + token + " the key?", []string{"looks like a secret"}},
		{"too many questions are counted", "mallory", many.String(), []string{"were left out"}},
		{"a stranger gets silence", "stranger", question, nil},
		{"a reader gets silence", "reader", question, nil},
		{"one with triage is answered (2A-48)", "triager", question, []string{"refuses every other"}},
		{"a quoted question is none (2A-46)", "mallory", "> " + question, nil},
		{"one in code is none (2A-46)", "mallory", "```\n" + question + "\n```", nil},
	}
	w := newWorld(t, options{})
	number, _ := w.open("topic", docs("x"))
	check(t, w.repo.SetPermission("reader", "read"))
	check(t, w.repo.SetPermission("triager", "triage"))
	w.settled()
	said := 0
	for _, tc := range tests {
		must(w.repo.Comment(number, tc.login, tc.body))(t)
		w.settled()
		all := w.replies(number)
		if tc.want == nil {
			if len(all) != said {
				t.Errorf("%s: %q", tc.sentence, all[len(all)-1])
			}
			continue
		}
		if said++; len(all) != said {
			t.Fatalf("%s: %d replies, want %d; the log:\n%s", tc.sentence, len(all), said, w.log)
		}
		for _, piece := range tc.want {
			if !strings.Contains(all[said-1], piece) {
				t.Errorf("%s: %q is not in %q", tc.sentence, piece, all[said-1])
			}
		}
		if strings.Contains(all[said-1], token[4:12]) {
			t.Errorf("%s: the reply holds a piece of the token", tc.sentence)
		}
	}
}

// 2A-45: bots, our own among them, get no answer whatever they say.
func TestABotsCommentIsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", docs("x"))
	for i := range 10 {
		must(w.repo.Comment(number, "evil-helper[bot]", fmt.Sprint(question, i)))(t)
	}
	w.settled()
	if n := len(w.hub.Comments(w.repo, number)); n != 10 {
		t.Errorf("%d comments, want the ten of the bot", n)
	}
}

// 2A-47: a question that was taken back before it was read is not answered.
func TestATakenBackQuestionIsNotAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	number, _ := w.open("topic", docs("x"))
	deleted := must(w.repo.Comment(number, "mallory", question))(t)
	edited := must(w.repo.Comment(number, "mallory", question))(t)
	w.deliver()
	check(t, w.repo.DeleteComment(deleted, "mallory"))
	check(t, w.repo.EditComment(edited, "mallory", "never mind"))
	w.start()
	w.settled()
	if got := w.replies(number); len(got) != 0 {
		t.Errorf("replies: %q", got)
	}
	if n := w.count("deliveries WHERE state <> 'done'"); n != 0 {
		t.Errorf("%d deliveries are not done", n)
	}
}

func TestTheBaseSaysWhoMayAsk(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.main = w.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("ask:\n  who: admin\n")})
	number, _ := w.open("topic", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("ask:\n  who: read\n")})
	check(t, w.repo.SetPermission("writer", "write"))
	must(w.repo.Comment(number, "writer", question))(t)
	w.settled()
	if got := w.replies(number); len(got) != 0 {
		t.Errorf("the head let somebody ask: %q", got)
	}
	must(w.repo.Comment(number, "ada", question))(t)
	w.settled()
	if got := w.replies(number); len(got) != 1 {
		t.Errorf("an admin got %d replies", len(got))
	}
}

// A write that GitHub refuses is refused the next time too.
func TestALockedConversationIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	number, _ := w.open("topic", docs("x"))
	must(w.repo.Comment(number, "mallory", question))(t)
	guid := w.deliver()
	check(t, w.repo.Lock(number))
	w.start()
	w.settled()
	if got := w.replies(number); len(got) != 0 {
		t.Errorf("replies: %q", got)
	}
	w.wantState(guid, store.Failed)
	if n := w.count("river_job WHERE kind = 'answer' AND attempt > 1"); n != 0 {
		t.Error("it was tried again")
	}
}

// 2A-16 for replies: the comment was written and nobody heard of it.
func TestAReplyWhoseAnswerWasLostIsAdopted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", docs("x"))
	must(w.repo.Comment(number, "mallory", question))(t)
	w.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/issues/1/comments", Drop: true})
	w.settled()
	if got := w.replies(number); len(got) != 1 {
		t.Errorf("replies: %q", got)
	}
}

func TestFaultsOfTheHeadAreSaidInTheReply(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("nonsense: [\n")})
	must(w.repo.Comment(number, "mallory", question))(t)
	w.settled()
	if got := w.replies(number); len(got) != 1 || got[0] != faultyHead {
		t.Errorf("replies: %q", got)
	}
}
