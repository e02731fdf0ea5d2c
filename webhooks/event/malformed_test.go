package event

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// canary stands for whatever a person could put into a payload. Law 8: no error repeats it.
const canary = "CanaryCanaryCanary"

func TestMalformedBodiesNameTheFieldAndQuoteNothing(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		name string
		body func(testing.TB) []byte
		want string
	}{
		"nothing":                 {"push", raw(""), "push: body: no JSON at byte 0"},
		"a word":                  {"push", raw(canary), "push: body: no JSON at byte 1"},
		"a cut body":              {"push", raw(`{"ref": "` + canary), "push: body: no JSON at byte 27"},
		"two values":              {"push", raw(`{} "` + canary + `"`), "push: body: no JSON at byte 4"},
		"a list":                  {"push", raw(`["` + canary + `"]`), "push: body: no JSON object"},
		"null":                    {"push", raw("null"), "push: installation.id: missing"},
		"null for a ping":         {"ping", raw("null"), "ping: hook_id: missing"},
		"a string for a number":   {"pull_request", raw(`{"number": "` + canary + `"}`), "pull_request: body: wrong type at number"},
		"a number beyond 64 bits": {"pull_request", raw(`{"repository": {"id": 99999999999999999999}}`), "pull_request: body: wrong type at repository.id"},
		"a fraction":              {"pull_request", raw(`{"repository": {"id": 31415.92653}}`), "pull_request: body: wrong type at repository.id"},
		"a deep nest":             {"push", raw(strings.Repeat("[", 200_000)), "push: body: no JSON at byte"},
		"no action":               {"pull_request", without("pull_request.opened", "action"), "pull_request: action: no action name"},
		"an action that is prose": {"pull_request", having("pull_request.opened", "action", canary+" x"), "pull_request: action: no action name"},
		"an action with digits":   {"pull_request", having("pull_request.opened", "action", "dapi0f0f"), "pull_request: action: no action name"},
		"a very long action":      {"pull_request", having("pull_request.opened", "action", strings.Repeat("a", 65)), "pull_request: action: no action name"},
		"no installation":         {"pull_request", without("pull_request.opened", "installation"), "pull_request: installation.id: missing"},
		"a repository hook's check run": {"check_run", func(t testing.TB) []byte { return example(t, "check_run.created") },
			"check_run: installation.id: missing"},
		"a repository hook's edit": {"repository", func(t testing.TB) []byte { return example(t, "repository.edited") },
			"repository: installation.id: missing"},
		"no repository":             {"issue_comment", without("issue_comment.created", "repository"), "issue_comment: repository.id: missing"},
		"a negative id":             {"issue_comment", having("issue_comment.created", "comment.id", -1), "issue_comment: comment.id: missing"},
		"no issue number":           {"issue_comment", without("issue_comment.created", "issue.number"), "issue_comment: issue.number: missing"},
		"no comment":                {"issue_comment", without("issue_comment.created", "comment"), "issue_comment: comment.id: missing"},
		"no pull request":           {"pull_request", without("pull_request.opened", "pull_request"), "pull_request: pull_request.head.sha: no commit id"},
		"no number anywhere":        {"pull_request", raw(`{"action":"opened","installation":{"id":1},"repository":{"id":1}}`), "pull_request: number: missing"},
		"no base":                   {"pull_request", without("pull_request.opened", "pull_request.base"), "pull_request: pull_request.base.sha: no commit id"},
		"a head that is prose":      {"pull_request", having("pull_request.opened", "pull_request.head.sha", canary), "pull_request: pull_request.head.sha: no commit id"},
		"a head in upper case":      {"pull_request", having("pull_request.opened", "pull_request.head.sha", strings.ToUpper(headSHA)), "pull_request.head.sha: no commit id"},
		"a head with a stray sign":  {"pull_request", having("pull_request.opened", "pull_request.head.sha", headSHA[:20]+"/"+headSHA[21:]), "pull_request.head.sha: no commit id"},
		"no check run":              {"check_run", without("check_run.rerequested", "check_run"), "check_run: check_run.id: missing"},
		"a check run with no head":  {"check_run", without("check_run.rerequested", "check_run.head_sha"), "check_run: check_run.head_sha: no commit id"},
		"no check suite":            {"check_suite", without("check_suite.requested", "check_suite"), "check_suite: check_suite.id: missing"},
		"no merge group":            {"merge_group", without("merge_group.checks_requested", "merge_group"), "merge_group: merge_group.head_sha: no commit id"},
		"a merge group on no base":  {"merge_group", without("merge_group.checks_requested", "merge_group.base_sha"), "merge_group: merge_group.base_sha: no commit id"},
		"a push of nothing":         {"push", without("push.branch_created", "after"), "push: after: no commit id"},
		"a push to no ref":          {"push", without("push.branch_created", "ref"), "push: ref: missing"},
		"a push to no known branch": {"push", without("push.branch_created", "repository.default_branch"), "push: repository.default_branch: missing"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := Parse(tc.name, tc.body(t))
			if !errors.Is(err, ErrMalformed) {
				t.Fatalf("err = %v", err)
			}
			if !strings.Contains(err.Error(), tc.want) {
				t.Errorf("err = %v, want it to hold %q", err, tc.want)
			}
			for _, text := range []string{canary, "999", "31415"} {
				if strings.Contains(err.Error(), text) {
					t.Errorf("the error quotes the body: %v", err)
				}
			}
			if e != (Event{}) {
				t.Error("an event beside the error")
			}
		})
	}
}

func raw(body string) func(testing.TB) []byte {
	return func(testing.TB) []byte { return []byte(body) }
}

func without(file, path string) func(testing.TB) []byte { return having(file, path, nil) }

func having(file, path string, value any) func(testing.TB) []byte {
	return func(t testing.TB) []byte { return spliced(t, file, map[string]any{path: value}) }
}

func TestAnUnknownEventIsToldBeforeItsBodyIsRead(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "star", "workflow_run", "Pull_Request", "pull_request ", canary} {
		_, err := Parse(name, []byte("{"))
		if !errors.Is(err, ErrUnknown) {
			t.Errorf("Parse(%q): %v", name, err)
		} else if strings.Contains(err.Error(), canary) {
			t.Errorf("the error quotes the name: %v", err)
		}
	}
}

// Law 8: whoever prints or logs an event gets its name and no word of a person.
func TestAnEventPrintsNoText(t *testing.T) {
	t.Parallel()
	e := Event{Name: "issue_comment", Action: "created", Comment: Comment{Body: canary, Previous: canary, Author: User{Login: canary}}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		for _, value := range []any{e, &e, e.Comment, []Event{e}} {
			if got := fmt.Sprintf(verb, value); strings.Contains(got, canary) {
				t.Errorf("%s of %T: %s", verb, value, got)
			}
		}
	}
	if got := e.LogValue().String() + e.Comment.LogValue().String(); strings.Contains(got, canary) {
		t.Error(got)
	}
	if got := (Event{Name: "push"}).String(); got != "push" {
		t.Errorf("String() = %q", got)
	}
}
