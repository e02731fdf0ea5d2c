package jobs

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/webhooks/command"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// alive reads a reply as GitHub does and lists what is more in it than words, code,
// quotations, emphasis, folds of ours, and permalinks of the file that is quoted.
func alive(body string) (found []string) {
	source := []byte(body)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	_ = ast.Walk(doc, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		if !enter {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan, *ast.CodeBlock, *ast.FencedCodeBlock:
			return ast.WalkSkipChildren, nil
		case *ast.Link:
			if !permalink.MatchString("](" + string(n.Destination) + ")") {
				found = append(found, "a link to "+string(n.Destination))
			}
		case *ast.Text:
			plain := string(n.Value(source))
			for _, sign := range []string{"@", "#", "GH-", "://", "www.", "<", "&"} {
				if strings.Contains(plain, sign) {
					found = append(found, "text "+plain)
				}
			}
			for word := range strings.FieldsSeq(plain) {
				if len(word) >= 7 && strings.Trim(word, "0123456789abcdef") == "" {
					found = append(found, "a commit id "+word)
				}
			}
		case *ast.RawHTML:
			found = append(found, "HTML")
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				if l := strings.TrimSpace(string(line.Value(source))); l != "<details><summary>What was looked through</summary>" && l != "</details>" && l != "" {
					found = append(found, "HTML "+l)
				}
			}
		case *ast.Document, *ast.Paragraph, *ast.Blockquote, *ast.Emphasis, *ast.List, *ast.ListItem, *ast.TextBlock:
		default:
			found = append(found, n.Kind().String())
		}
		return ast.WalkContinue, nil
	})
	return found
}

// 2A-52, 2A-55: what a question or a skill holds is dead in the reply.
func TestNothingIsAliveInAReply(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"ask @octocat", "and @org/team-one", "closes #12", "GH-31", "ada/skills#7", "https://github.com/ada/skills/issues/3",
		"commit da39a3ee5e6b4b0d3255bfef95601890afd80709", "deadbee1", "![pixel](https://evil.example/p.png)", "[click](https://evil.example)",
		"<img src=x>", "</details>", "`code` @octocat", "www.evil.example", "me@evil.example", "$x$ :tada:", "a | b", "\u202ereversed", "&#64;octocat", "[^1]", "**bold**",
	}
	var skill strings.Builder
	skill.WriteString("---\nname: zebra @octocat\ndescription: Herds the zebra, closes #12.\n---\n\n# Zebra @octocat closes #12 <img src=x>\n\n## Setup GH-31 `deadbee1`\n\nBefore @org/team-one and #3:\n\n")
	for i, p := range pieces {
		fmt.Fprintf(&skill, "- zebra%d stands here: %s zebra\n", i, strings.ReplaceAll(p, "\n", " "))
	}
	w := newWorld(t, options{})
	number, _ := w.open("topic", map[string]fakehub.File{"skills/zebra @octocat #1/SKILL.md": fakehub.Text(skill.String())})
	w.settled()
	var asked []string
	for i, p := range pieces {
		asked = append(asked, fmt.Sprintf("Where does zebra%d stand?", i), "Who feeds the telescope, "+p+"?")
	}
	for part := range slices.Chunk(asked, command.MaxCommands) {
		before := len(w.replies(number))
		must(w.repo.Comment(number, "mallory", "/ask "+strings.Join(part, "\r\n/ask ")))(t)
		w.settled()
		got := w.replies(number)[before:]
		if len(got) != 1 {
			t.Fatalf("%q: %d replies", part, len(got))
		}
		if found := alive(got[0]); len(found) > 0 {
			t.Errorf("%q: %q in\n%s", part, found, got[0])
		}
		for _, q := range part {
			var n int
			if _, err := fmt.Sscanf(q, "Where does zebra%d stand?", &n); err == nil && !strings.Contains(got[0], fmt.Sprintf("zebra%d stands", n)) {
				t.Errorf("%s: %s", q, got[0])
			}
		}
	}
}

// Law 1 over several hits and files, with names that want escaping: each quotes the
// lines at that commit that it links to.
func TestEachPermalinkHoldsWhatIsQuoted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	const odd = "skills/a b#c?d%e/SKILL.md"
	number, _ := w.open("topic", map[string]fakehub.File{odd: fakehub.Text("# Post\n\n## Setup\n\n1. Weigh the parcel\n   on the scale.\n2. Weigh the parcel again.\n")})
	head := w.commit("topic", map[string]fakehub.File{"skills/post/SKILL.md": fakehub.Text("# Post\r\n\r\n- Weigh the parcel twice, here.\r\n")})
	must(w.repo.Comment(number, "mallory", "Hello\r\n\r\n/ask How do I weigh the parcel?\r\n/ask Which PostgreSQL is needed?\r\n"))(t)
	w.settled()
	got := w.replies(number)
	if len(got) != 1 {
		t.Fatalf("replies: %q", got)
	}
	all := permalink.FindAllStringSubmatch(got[0], -1)
	if len(all) < 4 {
		t.Fatalf("%d links: %s", len(all), got[0])
	}
	for _, m := range all {
		name := must(url.PathUnescape(m[2]))(t)
		first := must(strconv.Atoi(m[3]))(t)
		last := first
		if m[4] != "" {
			last = must(strconv.Atoi(m[4]))(t)
		}
		lines := strings.Split(git(w, "show", m[1]+":"+name), "\n")[first-1 : last]
		stands := strings.Join(strings.Fields(strings.NewReplacer("- ", "", "1. ", "", "2. ", "").Replace(strings.Join(lines, " "))), " ")
		if m[1] != head || !strings.Contains(got[0], "> "+stands+"\n") && !strings.Contains(strings.ReplaceAll(got[0], "`", ""), stands) {
			t.Errorf("%s:%d-%d at %s is %q, the reply:\n%s", name, first, last, m[1], stands, got[0])
		}
	}
	if !strings.HasSuffix(got[0], "\n\nRead at commit `"+head[:12]+"`.") {
		t.Errorf("the commit is not said: %s", got[0])
	}
}

// An edit answers again in the same reply, from the head as it is then; the same
// questions again change nothing, and a new comment has a reply of its own (2A-47, 2A-51).
func TestOneReplyFollowsItsComment(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, first := w.open("topic", docs("x"))
	id := must(w.repo.Comment(number, "mallory", question))(t)
	w.settled()
	said := w.replies(number)
	second := w.commit("topic", w.stale())
	check(t, w.repo.EditComment(id, "mallory", "Thanks!\n\n"+question))
	w.settled()
	if got := w.replies(number); len(got) != 1 || got[0] != said[0] || !strings.Contains(got[0], first[:12]) {
		t.Errorf("the same question: %q", got)
	}
	check(t, w.repo.EditComment(id, "mallory", "/ask How long to wait when the quota is exceeded?"))
	w.settled()
	if got := w.replies(number); len(got) != 1 || !strings.Contains(got[0], "wait ten minutes") || !strings.Contains(got[0], second[:12]) || strings.Contains(got[0], first[:12]) {
		t.Errorf("another question: %q", got)
	}
	must(w.repo.Comment(number, "mallory", question))(t)
	w.settled()
	if got := w.replies(number); len(got) != 2 || !strings.Contains(got[1], "refuses every other") || !strings.Contains(got[1], second[:12]) {
		t.Errorf("a new comment: %q", got)
	}
	check(t, w.repo.EditComment(id, "ada", question)) // another person's edit
	w.settled()
	if got := w.replies(number); len(got) != 2 || !strings.Contains(got[0], "wait ten minutes") {
		t.Errorf("another's edit: %q", got)
	}
}

// The comment is changed while its first text is answered: that answer comes too
// late, and does not take the place of the newer one. Nor does it where the comment
// was deleted.
func TestAnOvertakenAnswerIsNotPosted(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(w *world, id int64) error{
		"edited": func(w *world, id int64) error {
			return w.repo.EditComment(id, "mallory", "/ask Which PostgreSQL is needed?")
		},
		"deleted": func(w *world, id int64) error { return w.repo.DeleteComment(id, "mallory") },
	} {
		w := newWorld(t, options{})
		number, _ := w.open("topic", docs("x"))
		w.settled()
		gate := make(chan struct{})
		w.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/reactions", Hold: gate})
		id := must(w.repo.Comment(number, "mallory", question))(t)
		guid := w.deliver()
		w.await("the first answer to begin", func() bool {
			return w.count("askings") == 1
		})
		check(t, change(w, id))
		w.deliver()
		if name == "edited" {
			w.await("the second answer", func() bool { return len(w.replies(number)) == 1 })
		}
		close(gate)
		w.await("the end of all jobs", func() bool { return w.count("river_job WHERE finalized_at IS NULL") == 0 })
		got := w.replies(number)
		if name == "deleted" && len(got) != 0 || name == "edited" && (len(got) != 1 || !strings.Contains(got[0], "PostgreSQL 15")) {
			t.Errorf("%s: %q", name, got)
		}
		w.wantState(guid, store.Done)
	}
}

// The reaction may fail; the reply comes all the same.
func TestAReplyWithoutAReaction(t *testing.T) {
	t.Parallel()
	for _, status := range []int{403, 404, 422, 500} {
		w := newWorld(t, options{loose: true})
		number, _ := w.open("topic", docs("x"))
		w.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/reactions", Status: status, Body: `{"message":"no"}`, Times: -1})
		must(w.repo.Comment(number, "mallory", question))(t)
		w.wantState(w.settled(), store.Done)
		if got := w.replies(number); len(got) != 1 || !strings.Contains(got[0], "refuses every other") {
			t.Errorf("%d: %q", status, got)
		}
	}
}

// 2A-54: what GitHub does not take is said, and not swallowed.
func TestAReplyThatGitHubDoesNotTake(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", docs("x"))
	must(w.repo.Comment(number, "mallory", question))(t)
	w.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/issues/1/comments", Status: 422, Body: `{"message":"Validation Failed","documentation_url":"https://docs.github.com/rest","status":"422"}`})
	w.wantState(w.settled(), store.Done)
	if got := w.replies(number); len(got) != 1 || got[0] != unposted || !strings.Contains(w.log.String(), "GitHub did not take a reply") {
		t.Errorf("replies: %q", got)
	}
}

// 2A-54: five questions with long answers fit one comment, whole.
func TestFiveLongAnswersFitOneComment(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	var skill, body strings.Builder
	skill.WriteString("# Long\n\n## Setup\n\n")
	for i := range 60 {
		fmt.Fprintf(&skill, "- step%d of the zebra: %s\n", i, strings.Repeat("ö word ", 140))
	}
	for i := range 5 {
		fmt.Fprintf(&body, "/ask list all setup steps of the zebra, %d\n", i)
	}
	number, head := w.open("topic", map[string]fakehub.File{"skills/long/SKILL.md": fakehub.Text(skill.String())})
	must(w.repo.Comment(number, "mallory", body.String()))(t)
	w.settled()
	got := w.replies(number)
	if len(got) != 1 || !strings.HasSuffix(got[0], "Read at commit `"+head[:12]+"`.") || strings.Count(got[0], "**Question ") != 5 || len(got[0]) > 65_000 {
		t.Fatalf("%d replies, the first of %d bytes", len(got), len(strings.Join(got, "")))
	}
	if found := alive(got[0]); len(found) > 0 {
		t.Errorf("%q", found)
	}
}

// The lists of the policy come from the base (law 7).
func TestTheBaseSaysWhatNoAnswerHolds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.main = w.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("ask:\n  never: [mailrules, Quiet Heron]\n  markers: ['(kept back)']\n")})
	w.hub.Lose()
	changes := w.fresh(map[string]string{backup: w.text(backup, "## Limits\n", "The vault's number is (kept back).\n\n## Limits\n")})
	changes[checker.ConfigFile] = fakehub.Text("ask:\n  never: []\n  markers: []\n")
	number, _ := w.open("topic", changes)
	must(w.repo.Comment(number, "mallory", "/ask Which threads are refused?\n/ask What is the vault's number?\n/ask Who is quiet-heron?\n/ask Which PostgreSQL is needed?"))(t)
	w.settled()
	got := w.replies(number)
	if len(got) != 1 {
		t.Fatalf("replies: %q", got)
	}
	part := strings.Split(got[0], "**Question ")
	if len(part) != 5 || strings.Contains(got[0], "mailrules") || !strings.Contains(part[1], "withheld") ||
		!strings.Contains(part[2], "**Withheld:** the documents keep this back.") || !strings.Contains(part[2], "(kept back)") ||
		!strings.Contains(part[3], namedQuestion) || !strings.Contains(part[4], "PostgreSQL 15") {
		t.Errorf("the reply: %s", got[0])
	}
	unnamed(t, got[0])
	if list := w.gaps(); list != nil {
		t.Errorf("kept: %q", list)
	}
	// Names in a file with faults are not none.
	w.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("ask:\n  never: [mailrules]\n  who: nobody\n")})
	w.settled()
	must(w.repo.Comment(number, "mallory", question))(t)
	w.settled()
	if got := w.replies(number); len(got) != 2 || got[1] != unreadNames {
		t.Errorf("replies: %q", got)
	}
}
