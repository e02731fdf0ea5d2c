// Package event reads the few fields of a GitHub webhook payload that Cardkeeper acts on.
//
// [Parse] turns a verified body into an [Event], a plain value. A payload is a hint and never the state: deliveries may be
// late and out of order, so who acts on an Event reads the pull request, the comment or the repository again.
//
// Some fields are a person's text (a comment's body, a login, a ref). They stay in memory for as long as the delivery is
// looked at. An Event prints and logs as its name and action alone, so that no text leaves by accident.
package event

import (
	"errors"
	"log/slog"
)

var (
	// ErrUnknown means an event name that Cardkeeper does not read. GitHub adds names without notice, so this is an
	// answer of the kind "nothing to do", never a failure.
	ErrUnknown = errors.New("no event that is read here")

	// ErrMalformed means a body that is no JSON, or lacks what its event must have. The error names the event, the
	// field and what is wrong with it, and quotes nothing of the body.
	ErrMalformed = errors.New("malformed payload")
)

// Event is what one delivery says. Fields that the event does not have are zero.
//
// Ids are GitHub's database ids, above zero where present. Commit ids are 40 or 64 lower-case hex digits.
type Event struct {
	Name   string // the X-GitHub-Event header, one of the names that Parse knows
	Action string // lower-case letters and "_", at most 64; empty for push and ping

	Installation            int64
	Repository              int64
	RepositoryDefaultBranch string
	DefaultBranchChanged    bool // repository.edited that moved the default branch

	Pull        int // number of the pull request, or of the issue that a comment stands on
	PullState   PullState
	BaseChanged bool // pull_request.edited that moved the pull request to another base branch

	Comment    Comment
	Sender     User
	CheckRun   CheckRun
	CheckSuite CheckSuite
	MergeGroup MergeGroup
	Push       Push
}

// User is an account. Type is "User", "Bot", "Organization" or "Mannequin". The ending "[bot]" of a login proves nothing,
// since anybody can register an App under such a name; Type is GitHub's word.
type User struct {
	ID    int64
	Login string
	Type  string
}

// PullState is the pull request as it was when the delivery was made.
type PullState struct {
	Head    string
	Base    string // tip of the base branch at some time, not the merge base; it can lag behind
	BaseRef string
	Merged  bool
	Draft   bool
}

// Comment is a comment in the conversation of an issue or a pull request.
type Comment struct {
	ID       int64
	Body     string
	Previous string // the body before an edit
	Edited   bool   // the edit changed the body, and Previous holds it
	IsPull   bool   // it stands on a pull request, not on an issue
	Author   User   // zero where the account is gone
	App      int64  // the App that wrote it in the author's name, or 0
}

// CheckRun is a check run on a commit. Requested is the identifier of the button that a person pressed.
type CheckRun struct {
	ID        int64
	Head      string
	App       int64 // the App that made the run
	Requested string
}

// CheckSuite is the set of one App's check runs on a commit.
type CheckSuite struct {
	ID   int64
	Head string
	App  int64
}

// MergeGroup is an entry of a merge queue. Its head is no pull request's head.
type MergeGroup struct {
	Head string
	Base string
}

// Push is an update of one ref. After is all zeros where the ref was deleted, Before where it was created.
type Push struct {
	Ref     string
	Before  string
	After   string
	Deleted bool
}

// String is the name and the action, for instance "pull_request.opened", and nothing else.
func (e Event) String() string {
	if e.Action == "" {
		return e.Name
	}
	return e.Name + "." + e.Action
}

// GoString keeps %#v from printing a comment.
func (e Event) GoString() string { return "event.Event(" + e.String() + ")" }

// LogValue keeps a logger from writing a comment.
func (e Event) LogValue() slog.Value { return slog.StringValue(e.String()) }

// String keeps a comment's text out of whatever prints the comment alone.
func (Comment) String() string { return "comment" }

// GoString does the same for %#v.
func (Comment) GoString() string { return "event.Comment" }

// LogValue does the same for a logger.
func (Comment) LogValue() slog.Value { return slog.StringValue("comment") }
