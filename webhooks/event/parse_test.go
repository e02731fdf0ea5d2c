package event

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	published = "../../testdata/webhooks"
	headSHA   = "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
	baseSHA   = "f95f852bd8fca8fcc58a9a2d6c842781e32a215e"
	firstSHA  = "6113728f27ae82c7b1a177c8d03f9e96e0adf246"
	zeroSHA   = "0000000000000000000000000000000000000000"
)

func example(t testing.TB, file string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(published, file+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// spliced is a published example with members replaced; a nil value removes one. The path is dotted.
func spliced(t testing.TB, file string, members map[string]any) []byte {
	t.Helper()
	var top map[string]any
	if err := json.Unmarshal(example(t, file), &top); err != nil {
		t.Fatal(err)
	}
	for path, value := range members {
		at, keys := top, strings.Split(path, ".")
		for _, k := range keys[:len(keys)-1] {
			next, ok := at[k].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[k] = next
			}
			at = next
		}
		if last := keys[len(keys)-1]; value == nil {
			delete(at, last)
		} else {
			at[last] = value
		}
	}
	body, err := json.Marshal(top)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

var (
	coder   = User{ID: 21031067, Login: "Codertocat", Type: "User"}
	octocat = User{ID: 1, Login: "octocat", Type: "User"}
	server  = User{ID: 4, Login: "Codertocat", Type: "User"} // the same login on an Enterprise Server
)

func pullEvent(action string, draft bool) Event {
	return Event{Name: "pull_request", Action: action, Installation: 1, Repository: 186853002, RepositoryDefaultBranch: "master",
		Pull: 2, PullState: PullState{Head: headSHA, Base: baseSHA, BaseRef: "master", Draft: draft}, Sender: coder}
}

func TestPublishedExamplesGiveTheRightIDs(t *testing.T) {
	t.Parallel()
	on := func(name, action string, inst, repo int64) Event {
		return Event{Name: name, Action: action, Installation: inst, Repository: repo, RepositoryDefaultBranch: "master", Sender: coder}
	}
	with := func(e Event, change func(*Event)) Event { change(&e); return e }
	tests := map[string]Event{
		"pull_request.opened":             pullEvent("opened", false),
		"pull_request.synchronize":        pullEvent("synchronize", false),
		"pull_request.reopened":           pullEvent("reopened", false),
		"pull_request.ready_for_review":   pullEvent("ready_for_review", false),
		"pull_request.converted_to_draft": pullEvent("converted_to_draft", true),
		"pull_request.closed":             pullEvent("closed", false),
		"pull_request.labeled":            pullEvent("labeled", false),
		"issue_comment.created": with(on("issue_comment", "created", 1, 186853002), func(e *Event) {
			e.Pull = 1
			e.Comment = Comment{ID: 492700400, Body: "You are totally right! I'll get this fixed right away.", Author: coder}
		}),
		"check_run.requested_action": with(on("check_run", "requested_action", 690857, 9384267), func(e *Event) {
			e.Sender = User{ID: 2036040, Login: "codebytere", Type: "User"}
			e.CheckRun = CheckRun{ID: 1494503112, Head: "5bd5f196a46b8222fb7484f05faba41a73cf34bd", App: 25811, Requested: "lgtm|26764"}
		}),
		"check_run.rerequested": with(on("check_run", "rerequested", 1, 526), func(e *Event) {
			e.Sender = User{ID: 5346, Login: "octocat", Type: "User"}
			e.CheckRun = CheckRun{ID: 4, Head: "d6fde92930d4715a2b49857d24b940956b26d2d3", App: 2}
		}),
		"check_suite.requested": with(on("check_suite", "requested", 957387, 186853002), func(e *Event) {
			e.CheckSuite = CheckSuite{ID: 118578174, Head: baseSHA, App: 29310}
		}),
		"check_suite.rerequested": with(on("check_suite", "rerequested", 957387, 186853002), func(e *Event) {
			e.Sender = User{ID: 49795351, Login: "octocoders-linter[bot]", Type: "Bot"}
			e.CheckSuite = CheckSuite{ID: 118578147, Head: headSHA, App: 29310}
		}),
		"merge_group.checks_requested": with(on("merge_group", "checks_requested", 1, 17273051), func(e *Event) {
			e.RepositoryDefaultBranch = "main"
			e.MergeGroup = MergeGroup{Head: "2ffea6db159f6b6c47a24e778fb9ef40cf6b1c7d", Base: "380387fbc80638b734a49e1be1c4dfec1c01b33c"}
		}),
		"push.branch_created": with(on("push", "", 1, 186853002), func(e *Event) {
			e.Push = Push{Ref: "refs/heads/master", Before: zeroSHA, After: firstSHA}
		}),
		"push.tag_deleted": with(on("push", "", 1, 186853002), func(e *Event) {
			e.Push = Push{Ref: "refs/tags/simple-tag", Before: firstSHA, After: zeroSHA, Deleted: true}
		}),
		"issue_comment.edited": with(on("issue_comment", "edited", 5, 118), func(e *Event) {
			e.Pull, e.Sender = 1, server
			e.Comment = Comment{ID: 2, Body: "You are totally right! I'll get this fixed today.", Author: server,
				Edited: true, Previous: "You are totally right! I'll get this fixed right away."}
		}),
		"issue_comment.deleted": with(on("issue_comment", "deleted", 5, 118), func(e *Event) {
			e.Pull, e.Sender = 1, server
			e.Comment = Comment{ID: 2, Body: "You are totally right! I'll get this fixed today.", Author: server}
		}),
		"installation.created":              {Name: "installation", Action: "created", Installation: 957387, Sender: coder},
		"installation.deleted":              {Name: "installation", Action: "deleted", Installation: 2, Sender: octocat},
		"installation.suspend":              {Name: "installation", Action: "suspend", Installation: 16598467, Sender: coder},
		"installation_repositories.added":   {Name: "installation_repositories", Action: "added", Installation: 957387, Sender: coder},
		"installation_repositories.removed": {Name: "installation_repositories", Action: "removed", Installation: 2, Sender: octocat},
		"repository.renamed":                on("repository", "renamed", 1, 186853261),
		"repository.transferred":            on("repository", "transferred", 1, 186853261),
		"ping":                              {Name: "ping", Sender: coder},
	}
	for file, want := range tests {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			got, err := Parse(want.Name, example(t, file))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// 2A-25: only the base's own change counts, and 1.8: a comment is a pull request's only if the issue says so.
func TestMembersThatComeAndGo(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		name, file string
		members    map[string]any
		holds      func(Event) bool
	}{
		"an edit with changes.base moved the base": {"pull_request", "pull_request.opened",
			map[string]any{"action": "edited", "changes.base.ref.from": "old", "changes.base.sha.from": zeroSHA},
			func(e Event) bool { return e.BaseChanged }},
		"an edit of the title did not": {"pull_request", "pull_request.opened",
			map[string]any{"action": "edited", "changes.title.from": "old"}, func(e Event) bool { return !e.BaseChanged }},
		"changes.base beside another action did not": {"pull_request", "pull_request.opened",
			map[string]any{"changes.base.ref.from": "old"}, func(e Event) bool { return !e.BaseChanged }},
		"a merged pull request says so": {"pull_request", "pull_request.closed",
			map[string]any{"pull_request.merged": true}, func(e Event) bool { return e.PullState.Merged }},
		"the number is found inside too": {"pull_request", "pull_request.opened",
			map[string]any{"number": nil}, func(e Event) bool { return e.Pull == 2 }},
		"issue.pull_request makes it a pull request's comment": {"issue_comment", "issue_comment.created",
			map[string]any{"issue.pull_request.url": "u"}, func(e Event) bool { return e.Comment.IsPull }},
		"issue.pull_request of null does not": {"issue_comment", "issue_comment.created",
			map[string]any{"issue.pull_request": json.RawMessage("null")}, func(e Event) bool { return !e.Comment.IsPull }},
		"a comment whose author is gone parses": {"issue_comment", "issue_comment.created",
			map[string]any{"comment.user": json.RawMessage("null")}, func(e Event) bool { return e.Comment.Author == User{} }},
		"an App that wrote for a person is known": {"issue_comment", "issue_comment.created",
			map[string]any{"comment.performed_via_github_app.id": 77}, func(e Event) bool { return e.Comment.App == 77 }},
		"an edit without a body change is none": {"issue_comment", "issue_comment.edited",
			map[string]any{"changes.body": nil}, func(e Event) bool { return !e.Comment.Edited && e.Comment.Previous == "" }},
		"an edit of an empty body is one": {"issue_comment", "issue_comment.edited",
			map[string]any{"changes.body.from": ""}, func(e Event) bool { return e.Comment.Edited }},
		"a destroyed merge group has its head": {"merge_group", "merge_group.checks_requested",
			map[string]any{"action": "destroyed", "reason": "dequeued"},
			func(e Event) bool { return e.MergeGroup.Head != "" && e.Action == "destroyed" }},
		"a check run without an App parses": {"check_run", "check_run.rerequested",
			map[string]any{"check_run.app": json.RawMessage("null")}, func(e Event) bool { return e.CheckRun.App == 0 }},
		"an archived repository has its id": {"repository", "repository.renamed",
			map[string]any{"action": "archived", "changes": nil}, func(e Event) bool { return e.Repository == 186853261 }},
		"a moved default branch is seen": {"repository", "repository.edited",
			map[string]any{"installation.id": 1}, func(e Event) bool { return e.DefaultBranchChanged }},
		"an edited description is not one": {"repository", "repository.renamed",
			map[string]any{"action": "edited", "changes.description.from": "old"}, func(e Event) bool { return !e.DefaultBranchChanged }},
		"a renamed account has its installation": {"installation_target", "installation.suspend",
			map[string]any{"action": "renamed"}, func(e Event) bool { return e.Installation == 16598467 }},
		"a commit id of 64 digits is one": {"push", "push.branch_created",
			map[string]any{"after": strings.Repeat("ab", 32)}, func(e Event) bool { return len(e.Push.After) == 64 }},
		"an action that nobody knows parses": {"pull_request", "pull_request.opened",
			map[string]any{"action": "sprinkled"}, func(e Event) bool { return e.Action == "sprinkled" }},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := Parse(tc.name, spliced(t, tc.file, tc.members))
			if err != nil {
				t.Fatal(err)
			}
			if !tc.holds(e) {
				t.Errorf("not so in %s", e)
			}
		})
	}
}

// sound is what must hold of Parse on any body: no panic, one of the two errors or whole ids, and no echo.
func sound(t *testing.T, name string, body []byte) {
	t.Helper()
	e, err := Parse(name, body)
	switch {
	case errors.Is(err, ErrUnknown), errors.Is(err, ErrMalformed):
		if len(err.Error()) > 200 {
			t.Errorf("an error of %d bytes", len(err.Error()))
		}
	case err != nil:
		t.Errorf("another error: %v", err)
	case e.Name != name, name != "ping" && e.Installation <= 0, e.Pull < 0 && name == "pull_request":
		t.Errorf("half an event: %s", e)
	}
}

// Examples cut, with bytes flipped and with pieces of others put in. The seed is fixed, so a failure comes again.
func TestMutatedExamplesNeverPanic(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(published, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	bodies := make([][]byte, len(files))
	for i, f := range files {
		bodies[i] = example(t, strings.TrimSuffix(filepath.Base(f), ".json"))
	}
	for i, f := range files {
		name, _, _ := strings.Cut(filepath.Base(f), ".")
		for range 60 {
			sound(t, name, mutated(random, bodies[i], bodies[random.IntN(len(bodies))]))
		}
	}
}

func mutated(random *rand.Rand, body, other []byte) []byte {
	out := append([]byte(nil), body...)
	for range 1 + random.IntN(4) {
		if len(out) == 0 {
			break
		}
		at := random.IntN(len(out))
		switch random.IntN(4) {
		case 0:
			out[at] = byte(random.IntN(256))
		case 1:
			out = out[:at]
		case 2:
			out = append(out[:at:at], other[random.IntN(len(other)):]...)
		case 3:
			out = append(out[:at:at], append([]byte(`-9e999`), out[at:]...)...)
		}
	}
	return out
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{"issue_comment.edited", "pull_request.opened", "merge_group.checks_requested", "push.tag_deleted"} {
		name, _, _ := strings.Cut(file, ".")
		f.Add(name, example(f, file))
	}
	f.Fuzz(sound)
}
