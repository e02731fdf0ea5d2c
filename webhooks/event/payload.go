package event

// The structs below name, as GitHub spells them, the fields that are read. Pointers stand where null or absence must be
// told from zero. The source of each is GitHub's published webhook schema.

type payload struct {
	Action          string           `json:"action"`
	Number          int              `json:"number"`
	HookID          int64            `json:"hook_id"` // ping
	Installation    identified       `json:"installation"`
	Repository      repository       `json:"repository"`
	Sender          account          `json:"sender"`
	Changes         changes          `json:"changes"`
	PullRequest     pullRequest      `json:"pull_request"`
	Issue           issue            `json:"issue"`
	Comment         comment          `json:"comment"`
	CheckRun        check            `json:"check_run"`
	CheckSuite      check            `json:"check_suite"`
	RequestedAction *requestedAction `json:"requested_action"`
	MergeGroup      mergeGroup       `json:"merge_group"`

	// A push has its fields at the top.
	Ref     string `json:"ref"`
	Before  string `json:"before"`
	After   string `json:"after"`
	Deleted bool   `json:"deleted"`
}

// identified is an object of which only the id is read.
type identified struct {
	ID int64 `json:"id"`
}

type account struct {
	ID    int64  `json:"id"`
	Login string `json:"login"`
	Type  string `json:"type"`
}

type repository struct {
	ID            int64  `json:"id"`
	DefaultBranch string `json:"default_branch"`
}

// changes is what an "edited" action says was there before. Each member is present only if it changed.
type changes struct {
	Base          *struct{} `json:"base"`
	DefaultBranch *struct{} `json:"default_branch"`
	Body          *struct {
		From string `json:"from"`
	} `json:"body"`
}

type pullRequest struct {
	Number int    `json:"number"`
	Merged bool   `json:"merged"`
	Draft  bool   `json:"draft"`
	Head   commit `json:"head"`
	Base   commit `json:"base"`
}

type commit struct {
	Ref string `json:"ref"`
	SHA string `json:"sha"`
}

type issue struct {
	Number      int       `json:"number"`
	PullRequest *struct{} `json:"pull_request"`
}

// comment has a null user where the account was deleted, and a null App where nothing wrote it in the user's name.
type comment struct {
	ID   int64      `json:"id"`
	Body string     `json:"body"`
	User account    `json:"user"`
	App  identified `json:"performed_via_github_app"`
}

// check is a check run or a check suite; the fields that are read have the same names in both. The pull requests that both
// list are not read: the list is empty for every fork.
type check struct {
	ID      int64      `json:"id"`
	HeadSHA string     `json:"head_sha"`
	App     identified `json:"app"`
}

type requestedAction struct {
	Identifier string `json:"identifier"`
}

type mergeGroup struct {
	HeadSHA string `json:"head_sha"`
	BaseSHA string `json:"base_sha"`
}

func (a account) user() User { return User(a) }

// event copies what was read, without looking at whether it is enough.
func (p payload) event(name string) Event {
	e := Event{
		Name: name, Action: p.Action, Installation: p.Installation.ID, Sender: p.Sender.user(),
		Repository: p.Repository.ID, RepositoryDefaultBranch: p.Repository.DefaultBranch,
	}
	switch name {
	case "pull_request":
		e.Pull, e.PullState = p.pull(), p.PullRequest.state()
		e.BaseChanged = p.Action == "edited" && p.Changes.Base != nil
	case "issue_comment":
		e.Pull, e.Comment = p.Issue.Number, p.comment()
	case "check_run":
		e.CheckRun = CheckRun{ID: p.CheckRun.ID, Head: p.CheckRun.HeadSHA, App: p.CheckRun.App.ID}
		if p.RequestedAction != nil {
			e.CheckRun.Requested = p.RequestedAction.Identifier
		}
	case "check_suite":
		e.CheckSuite = CheckSuite{ID: p.CheckSuite.ID, Head: p.CheckSuite.HeadSHA, App: p.CheckSuite.App.ID}
	case "merge_group":
		e.MergeGroup = MergeGroup{Head: p.MergeGroup.HeadSHA, Base: p.MergeGroup.BaseSHA}
	case "push":
		e.Push = Push{Ref: p.Ref, Before: p.Before, After: p.After, Deleted: p.Deleted}
	case "repository":
		e.DefaultBranchChanged = p.Action == "edited" && p.Changes.DefaultBranch != nil
	}
	return e
}

// pull is the number of the pull request; the schema has it twice.
func (p payload) pull() int {
	if p.Number != 0 {
		return p.Number
	}
	return p.PullRequest.Number
}

func (p pullRequest) state() PullState {
	return PullState{Head: p.Head.SHA, Base: p.Base.SHA, BaseRef: p.Base.Ref, Merged: p.Merged, Draft: p.Draft}
}

// comment tells a pull request's comment from an issue's by the issue's member alone; both come as the same event.
func (p payload) comment() Comment {
	c := Comment{
		ID: p.Comment.ID, Body: p.Comment.Body, Author: p.Comment.User.user(), App: p.Comment.App.ID,
		IsPull: p.Issue.PullRequest != nil,
	}
	if p.Action == "edited" && p.Changes.Body != nil {
		c.Edited, c.Previous = true, p.Changes.Body.From
	}
	return c
}
