package webhooks

import (
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/webhooks/command"
	"github.com/cardkeeper/cardkeeper/webhooks/event"
)

// Kind says what is to be done.
type Kind string

// The kinds of work. The ids in brackets are set beside Installation, Repository and Sender.
const (
	Check       Kind = "check"        // look at a pull request at its current head [Pull, Head]
	CheckCommit Kind = "check_commit" // look at a commit: a merge group [Head, Base], or the default branch, whole [Head]
	Recheck     Kind = "recheck"      // a person asked to run again what runs on a commit [Head, CheckRun unless all]
	Answer      Kind = "answer"       // answer the questions of a comment [Pull, Comment, Edited]
	Drop        Kind = "drop"         // stop what waits or runs for [Comment], else [Pull, Head], else [Head]
	Act         Kind = "act"          // a person pressed a button on our check run [Head, CheckRun, Identifier]
	Account     Kind = "account"      // an installation or repository changed [What]; Repository is 0 for the former
)

// Work is one thing that a delivery wants done. It names and carries nothing that must be believed: who does it reads
// GitHub's present state first, and checks what the sender may do where a person asked.
type Work struct {
	Kind         Kind
	Installation int64
	Repository   int64
	Pull         int
	Comment      int64
	CheckRun     int64
	Sender       int64
	Head         string // as the delivery said; the newer one counts
	Base         string // only of a merge group
	Edited       bool   // an Answer to a question that was changed after it was asked
	Identifier   string // of an Act: lower-case letters, digits, "-" and "_", at most 20
	What         string // of an Account: event and action, for instance "repository.renamed"
}

// Plan says what an event wants done, in no more than one piece of work today. It is a function of its arguments.
//
// An action that is not listed wants nothing. Nor does a comment that is written, edited or signed by anybody but a person:
// bots answer each other without end (2A-45), and a login proves nothing (2A-49). Pull requests, pushes and re-runs by bots
// count like a person's, because a required check that is not posted blocks for ever.
func Plan(e event.Event, self App) []Work {
	w := Work{Installation: e.Installation, Repository: e.Repository, Sender: e.Sender.ID, Head: head(e)}
	switch e.Name {
	case "pull_request":
		w.Pull, w.Kind = e.Pull, onPull(e)
	case "issue_comment":
		w.Pull, w.Comment, w.Kind = e.Pull, e.Comment.ID, onComment(e, self)
		w.Edited = w.Kind == Answer && e.Action == "edited"
	case "push":
		w.Kind = onPush(e)
	case "merge_group":
		w.Base, w.Kind = e.MergeGroup.Base, onMergeGroup(e)
	case "check_run":
		w.CheckRun, w.Kind = e.CheckRun.ID, onCheckRun(e, self)
		if w.Kind == Act {
			w.Identifier = e.CheckRun.Requested
		}
	case "check_suite":
		if e.Action == "rerequested" && e.CheckSuite.App == self.ID {
			w.Kind = Recheck
		}
	default:
		if accountChanged(e) {
			w.Kind, w.What = Account, e.String()
		}
	}
	if w.Kind == "" {
		return nil
	}
	return []Work{w}
}

// onPull plans by the action alone. Which head and base to look at is asked of GitHub when the work is done.
func onPull(e event.Event) Kind {
	switch e.Action {
	case "opened", "synchronize", "reopened", "ready_for_review", "converted_to_draft":
		return Check // drafts too: a draft gets the same check (2A-24)
	case "edited":
		if e.BaseChanged { // another base on the same head is another question (2A-25)
			return Check
		}
	case "closed":
		return Drop
	}
	return ""
}

// onComment plans by the comment's text, which stays in memory. Deleting drops whatever the text was and whoever did it:
// a question may have been edited away before.
func onComment(e event.Event, self App) Kind {
	if !e.Comment.IsPull || !person(e.Comment.Author) || e.Comment.App == self.ID {
		return ""
	}
	switch {
	case e.Action == "deleted":
		return Drop
	case !person(e.Sender):
		return ""
	case e.Action == "created" && asks(e.Comment.Body):
		return Answer
	case e.Action == "edited" && e.Comment.Edited && e.Sender.ID == e.Comment.Author.ID:
		return onEdit(e.Comment)
	}
	return ""
}

// onEdit looks at what the edit changed in the questions, so that mending a word elsewhere asks nothing again (2A-47).
func onEdit(c event.Comment) Kind {
	before, droppedBefore := command.Questions(c.Previous)
	after, dropped := command.Questions(c.Body)
	switch {
	case slices.Equal(before, after) && droppedBefore == dropped:
		return ""
	case len(after)+dropped == 0:
		return Drop
	}
	return Answer
}

// asks counts questions that are too long as well: the person is told so.
func asks(body string) bool {
	commands, dropped := command.Questions(body)
	return len(commands)+dropped > 0
}

// person is an account that a human being writes from. The type is GitHub's word, unlike the login.
func person(u event.User) bool { return u.Type == "User" && u.ID > 0 }

// onPush wants the default branch only. A tag or another branch of the same name has another ref.
func onPush(e event.Event) Kind {
	if e.Push.Ref != "refs/heads/"+e.RepositoryDefaultBranch || e.Push.Deleted || strings.Trim(e.Push.After, "0") == "" {
		return ""
	}
	return CheckCommit
}

// onMergeGroup needs no pull request: the payload names none, and the group's head is none's head.
func onMergeGroup(e event.Event) Kind {
	switch e.Action {
	case "checks_requested":
		return CheckCommit
	case "destroyed":
		return Drop
	}
	return ""
}

// onCheckRun leaves other Apps' runs alone, and the echoes of our own: "created" and "completed".
func onCheckRun(e event.Event, self App) Kind {
	switch {
	case e.CheckRun.App != self.ID:
	case e.Action == "rerequested":
		return Recheck
	case e.Action == "requested_action" && person(e.Sender) && identifier(e.CheckRun.Requested):
		return Act
	}
	return ""
}

// identifier admits what our own buttons are called. GitHub's limit for them is 20 characters.
func identifier(s string) bool { return word(s, 20, "-_") }

// accountChanged lists what changes where we may work or under which name. Which repositories an installation gained or lost
// is not taken from the payload: deliveries get lost and overtake each other, so the list is read from GitHub.
func accountChanged(e event.Event) bool {
	switch e.String() {
	case "installation.created", "installation.deleted", "installation.suspend", "installation.unsuspend",
		"installation.new_permissions_accepted", "installation_repositories.added", "installation_repositories.removed",
		"installation_target.renamed",
		"repository.created", "repository.renamed", "repository.transferred", "repository.archived", "repository.unarchived",
		"repository.deleted", "repository.privatized", "repository.publicized":
		return true
	case "repository.edited":
		return e.DefaultBranchChanged
	}
	return false
}
