package fakehub

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A pullFull is what a single pull request says and a list does not.
type pullFull struct {
	Merged                                         bool
	MergedBy                                       json.RawMessage
	Mergeable                                      *bool
	MergeState                                     string
	Comments, Commits, Additions, Deletions, Files int
	Modify                                         bool
}

// pullShape is a pull request with the given head; full adds the counts.
func (h *Hub) pullShape(r *Repo, p *pull, head string, full bool) json.RawMessage {
	headOwner := r.owner
	if owner, _, fork := p.fork(); fork {
		headOwner = owner
	}
	data := map[string]any{
		"ID": p.id, "Node": nodeID("PR", p.id), "Number": p.number, "State": p.state(), "Locked": p.locked,
		"Title": p.title, "Body": orNull(p.body), "User": h.userShape(p.author), "Draft": p.draft,
		"Association": r.association(p.author), "Created": stamp(p.created), "Updated": stamp(p.updated),
		"Closed": nil, "Merged": nil, "MergeSHA": orNull(p.mergeCommit), "API": r.api(), "HTML": r.html(), "Full": nil,
		"Head": h.sideShape(r, headOwner, p.headRef(), head), "Base": h.sideShape(r, r.owner, p.baseBranch, p.base),
	}
	if !p.open {
		data["Closed"] = stamp(p.closed)
	}
	if p.merged {
		data["Merged"] = stamp(p.closed)
	}
	if full {
		data["Full"] = h.pullCounts(r, p, head)
	}
	return h.shape("pull", data)
}

func (p *pull) state() string {
	return map[bool]string{true: "open", false: "closed"}[p.open]
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// sideShape is the head or base: its repository is the fork where it is one.
func (h *Hub) sideShape(r *Repo, owner, ref, sha string) map[string]any {
	return map[string]any{
		"Label": owner + ":" + ref, "Ref": ref, "SHA": sha,
		"User": h.userShape(h.user(owner)), "Repo": h.forkShape(r, owner, r.forkID(owner)),
	}
}

// pullCounts compares with the merge base, as the page of the pull request
// does.
func (h *Hub) pullCounts(r *Repo, p *pull, head string) pullFull {
	full := pullFull{Merged: p.merged, MergedBy: h.userShape(p.mergedBy), MergeState: "unknown"}
	_, _, full.Modify = p.fork()
	if p.open {
		full.Mergeable, full.MergeState = r.mergeable(p, head)
	}
	for _, c := range r.comments {
		if c.Number == p.number {
			full.Comments++
		}
	}
	merge, err := r.git.mergeBase(p.base, head)
	if err != nil {
		return full
	}
	commits, _ := r.git.between(p.base, head)
	files, _ := r.git.diff(merge, head)
	full.Commits, full.Files = len(commits), len(files)
	for _, d := range files {
		full.Additions, full.Deletions = full.Additions+d.Additions, full.Deletions+d.Deletions
	}
	return full
}

// seen is the head that a reader gets, which may lag behind a push.
func (p *pull) seen() string {
	if p.lag > 0 && p.oldHead != "" {
		p.lag--
		return p.oldHead
	}
	return p.head
}

func (h *Hub) pullOf(c *call) (*pull, error) {
	n, _ := strconv.Atoi(c.path("number"))
	if p := c.repo.pull(n); p != nil {
		return p, nil
	}
	return nil, notFound()
}

// onePull answers JSON only. A diff of the whole is refused as GitHub refuses
// large ones: nothing should depend on it.
func (h *Hub) onePull(c *call) (reply, error) {
	p, err := h.pullOf(c)
	if err != nil {
		return reply{}, err
	}
	if a := c.r.Header.Get("Accept"); strings.Contains(a, ".diff") || strings.Contains(a, ".patch") {
		e := problem(http.StatusNotAcceptable, "Sorry, the diff exceeded the maximum number of files (300).")
		e.errors = []object{{"resource": "PullRequest", "field": "diff", "code": "too_large"}}
		return reply{}, e
	}
	return reply{body: h.pullShape(c.repo, p, p.seen(), true)}, nil
}

// listPulls filters by state, base and head ("owner:branch"), newest first
// unless asked otherwise.
func (h *Hub) listPulls(c *call) (reply, error) {
	state := c.query("state")
	if state == "" {
		state = "open"
	}
	if !slices.Contains([]string{"open", "closed", "all"}, state) {
		return reply{}, invalid("PullRequest", "invalid", "state", "")
	}
	var list []json.RawMessage
	for _, p := range c.repo.pulls {
		owner, _, fork := p.fork()
		if !fork {
			owner = c.repo.owner
		}
		if (state == "all" || state == p.state()) && fits(c.query("base"), p.baseBranch) &&
			fits(c.query("head"), owner+":"+p.headRef()) {
			list = append(list, h.pullShape(c.repo, p, p.head, false))
		}
	}
	if c.query("direction") != "asc" {
		slices.Reverse(list)
	}
	return paged(h, c, list, nil), nil
}

// postPull opens a pull request of the App's between two branches of the repository.
// A second one of the same branches is refused while the first is open, and so is one
// without a commit.
func (h *Hub) postPull(c *call) (reply, error) {
	var in struct{ Title, Head, Base, Body string }
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	r := c.repo
	head := strings.TrimPrefix(in.Head, r.owner+":")
	for _, p := range r.pulls {
		if p.open && p.headBranch == head && p.baseBranch == in.Base {
			return reply{}, invalid("PullRequest", "custom", "", "A pull request already exists for "+r.owner+":"+head+".")
		}
	}
	commits, err := r.git.between("refs/heads/"+in.Base, branchRef(head))
	if err != nil || len(commits) == 0 || in.Title == "" {
		return reply{}, invalid("PullRequest", "custom", "", "No commits between "+in.Base+" and "+head)
	}
	n, err := r.openPull(head, in.Base, h.bot().Login, PullOptions{Title: in.Title, Body: in.Body})
	if err != nil {
		return reply{}, invalid("PullRequest", "invalid", "head", "")
	}
	p := r.pull(n)
	return created(h.pullShape(r, p, p.head, true)), nil
}

// fits is a filter that was not given or is met.
func fits(want, have string) bool { return want == "" || want == have }

// commitPulls lists the pull requests of a commit. For a fork's commits and for
// a merge group's the list is empty, as it often is at GitHub.
func (h *Hub) commitPulls(c *call) (reply, error) {
	var list []json.RawMessage
	for _, p := range c.repo.pulls {
		if _, _, fork := p.fork(); !fork && p.head == c.path("sha") {
			list = append(list, h.pullShape(c.repo, p, p.head, false))
		}
	}
	return paged(h, c, list, nil), nil
}

// pullCommits lists at most 250 commits, oldest first.
func (h *Hub) pullCommits(c *call) (reply, error) {
	p, err := h.pullOf(c)
	if err != nil {
		return reply{}, err
	}
	shas, err := c.repo.git.between(p.base, p.head)
	if err != nil {
		return reply{}, err
	}
	list, err := h.commitShapes(c.repo, shas[:min(len(shas), 250)])
	return paged(h, c, list, nil), err
}

// pullFiles lists at most 3,000 files.
func (h *Hub) pullFiles(c *call) (reply, error) {
	p, err := h.pullOf(c)
	if err != nil {
		return reply{}, err
	}
	merge, err := c.repo.git.mergeBase(p.base, p.head)
	if err != nil {
		return reply{}, err
	}
	files, err := c.repo.git.diff(merge, p.head)
	return paged(h, c, diffShapes(c.repo, files[:min(len(files), 3000)], p.head), nil), err
}

// maybe is a time or null.
func maybe(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return stamp(t)
}
