package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A malformed field, in three words.
const (
	missing   = "missing or not above zero"
	badSHA    = "no commit id"
	badAction = "no action name"
)

// Parse reads the body of a delivery whose X-GitHub-Event header is name. The caller has bounded and verified the body.
//
// It fails with [ErrUnknown] for a name that is not read here, without looking at the body, and with [ErrMalformed]. An
// action that nobody knows is no error: it parses like its siblings. Every event but ping must name its installation:
// GitHub always puts it into an App's deliveries, and a hook made by hand on a repository leaves it out.
func Parse(name string, body []byte) (Event, error) {
	needs := requirements(name)
	if needs == nil {
		return Event{}, ErrUnknown
	}
	var p payload
	if err := json.Unmarshal(body, &p); err != nil {
		return Event{}, malformed(name, "body", JSONFault(err))
	}
	if name == "ping" && p.HookID <= 0 {
		return Event{}, malformed(name, "hook_id", missing)
	}
	e := p.event(name)
	for _, n := range needs(e) {
		if n.fault != "" {
			return Event{}, malformed(name, n.field, n.fault)
		}
	}
	return e, nil
}

// malformed names the event, the field and the fault. All three are words of ours.
func malformed(name, field, fault string) error {
	return fmt.Errorf("%w: %s: %s: %s", ErrMalformed, name, field, fault)
}

// JSONFault says what kind of fault encoding/json met and where. Its own texts quote the input, so only the offset goes on,
// or the field's name, which is one of ours.
func JSONFault(err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Sprintf("no JSON at byte %d", syntax.Offset)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Sprintf("wrong type at %s", kind.Field)
	case errors.As(err, &kind):
		return "no JSON object"
	}
	return "no JSON" // unreachable: Unmarshal has no third kind of error for these structs
}

// need is one field that an event must have; an empty fault means that it is there.
type need struct{ field, fault string }

// requirements is the one list of the events that are read, with what each must have. It is nil for every other name.
func requirements(name string) func(Event) []need {
	switch name {
	case "ping":
		return func(Event) []need { return nil }
	case "installation", "installation_repositories", "installation_target":
		return func(e Event) []need { return []need{action(e), installation(e)} }
	case "repository":
		return func(e Event) []need { return onRepository(e) }
	case "pull_request":
		return func(e Event) []need {
			return onRepository(e, id("number", int64(e.Pull)),
				sha("pull_request.head.sha", e.PullState.Head), sha("pull_request.base.sha", e.PullState.Base))
		}
	case "issue_comment":
		return func(e Event) []need {
			return onRepository(e, id("issue.number", int64(e.Pull)), id("comment.id", e.Comment.ID))
		}
	case "check_run":
		return func(e Event) []need {
			return onRepository(e, id("check_run.id", e.CheckRun.ID), sha("check_run.head_sha", e.CheckRun.Head))
		}
	case "check_suite":
		return func(e Event) []need {
			return onRepository(e, id("check_suite.id", e.CheckSuite.ID), sha("check_suite.head_sha", e.CheckSuite.Head))
		}
	case "merge_group":
		return func(e Event) []need {
			return onRepository(e, sha("merge_group.head_sha", e.MergeGroup.Head), sha("merge_group.base_sha", e.MergeGroup.Base))
		}
	case "push":
		return func(e Event) []need {
			return []need{installation(e), id("repository.id", e.Repository), text("ref", e.Push.Ref),
				text("repository.default_branch", e.RepositoryDefaultBranch), sha("before", e.Push.Before), sha("after", e.Push.After)}
		}
	}
	return nil
}

// onRepository is what every event has that happens in a repository, and then its own.
func onRepository(e Event, more ...need) []need {
	return append([]need{action(e), installation(e), id("repository.id", e.Repository)}, more...)
}

// installation is what an App needs for a token. Without it nothing can be done, so its absence is said loudly.
func installation(e Event) need { return id("installation.id", e.Installation) }

// id demands a database id or a number; GitHub's begin at one, so zero is what an absent field decodes to.
func id(field string, n int64) need {
	if n <= 0 {
		return need{field, missing}
	}
	return need{field: field}
}

func text(field, s string) need {
	if s == "" {
		return need{field, missing}
	}
	return need{field: field}
}

// sha demands a commit id of either of git's two hashes, since it is stored with the delivery, where no free text may go.
func sha(field, s string) need {
	if (len(s) != 40 && len(s) != 64) || strings.Trim(s, "0123456789abcdef") != "" {
		return need{field, badSHA}
	}
	return need{field: field}
}

// action demands a word for the same reason. The longest of GitHub's has 30 letters or so; 64 leaves room. None has a digit,
// and most tokens have one.
func action(e Event) need {
	if e.Action == "" || len(e.Action) > 64 || strings.Trim(e.Action, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return need{"action", badAction}
	}
	return need{field: "action"}
}
