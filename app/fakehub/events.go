package fakehub

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An event is a delivery that has not been sent.
type event struct {
	guid         string
	name, action string
	install      *installation
	repo         *Repo // nil for events of an installation
	sender       *user
	body         object // what the payload holds besides the usual four fields

	payload    []byte // as it was when it happened
	redelivery bool
}

// emit keeps an event for delivery, if the App would get it: it is subscribed,
// it has the permission behind the event, and it is not suspended.
func (h *Hub) emit(e *event) {
	about := strings.HasPrefix(e.name, "installation")
	if e.install.gone && !about || e.install.suspended && !about || !h.subscribed(e) {
		return
	}
	body := maps.Clone(e.body)
	body["sender"] = h.userShape(e.sender)
	if e.action != "" {
		body["action"] = e.action
	}
	if body["installation"] == nil {
		body["installation"] = object{"id": e.install.id, "node_id": nodeID("INST", e.install.id)}
	}
	if e.repo != nil {
		body["repository"] = h.repoShape(e.repo)
	}
	e.payload, _ = json.Marshal(body) // made of our own shapes
	e.guid = newGUID()
	h.queue(e)
}

// queue never blocks: one token in the channel stands for any number of
// events.
func (h *Hub) queue(e *event) {
	h.pending = append(h.pending, e)
	select {
	case h.stirred <- struct{}{}:
	default: // somebody has been told already
	}
}

// subscribed: check events come with checks:write, installation events always,
// merge_group only with a permission of its own, all others by choice.
func (h *Hub) subscribed(e *event) bool {
	switch e.name {
	case "installation", "installation_repositories", "installation_target":
		return true
	case "check_run", "check_suite":
		return e.install.permissions["checks"] == "write"
	case "merge_group":
		return slices.Contains(h.opts.Events, e.name) && e.install.permissions["merge_queues"] != ""
	}
	return slices.Contains(h.opts.Events, e.name)
}

func newGUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (r *Repo) emit(name, action string, by *user, body object) {
	r.hub.emit(&event{name: name, action: action, install: r.install, repo: r, sender: by, body: body})
}

func (r *Repo) emitPull(p *pull, action string, by *user, more object) {
	body := object{"number": p.number, "pull_request": r.hub.pullShape(r, p, p.head, true)}
	maps.Copy(body, more)
	r.emit("pull_request", action, by, body)
}

// emitComment names the pull request as an issue does: by an address and
// without its head.
func (r *Repo) emitComment(c *Comment, action string, by *user, more object) {
	p := r.pull(c.Number)
	issue := object{
		"id": p.id + 1, "node_id": nodeID("I", p.id+1), "number": p.number, "title": p.title, "body": orNull(p.body),
		"state": p.state(), "locked": p.locked, "draft": p.draft, "user": r.hub.userShape(p.author),
		"labels": []object{}, "assignees": []object{}, "assignee": nil, "milestone": nil, "comments": len(r.comments),
		"author_association": r.association(p.author), "created_at": stamp(p.created), "updated_at": stamp(p.updated),
		"closed_at": maybe(p.closed), "url": fmt.Sprintf("%s/issues/%d", r.api(), p.number),
		"html_url": fmt.Sprintf("%s/pull/%d", r.html(), p.number),
		"pull_request": object{
			"url": fmt.Sprintf("%s/pulls/%d", r.api(), p.number), "html_url": fmt.Sprintf("%s/pull/%d", r.html(), p.number),
		},
	}
	body := object{"issue": issue, "comment": r.hub.commentShape(r, c)}
	maps.Copy(body, more)
	r.emit("issue_comment", action, by, body)
}

const zeroSHA = "0000000000000000000000000000000000000000"

// emitPush carries the last commit only. Its lists of files are empty: a push
// event's are cut off at some number, so nothing may depend on them.
func (r *Repo) emitPush(branch, before, after string, by *user) error {
	head, err := r.git.commit(after)
	if err != nil {
		return err
	}
	made, forced, old := before == "", false, before
	if made {
		before = zeroSHA
	} else {
		forced = !r.git.isAncestor(old, after)
	}
	last := r.pushCommit(head)
	r.emit("push", "", by, object{
		"ref": "refs/heads/" + branch, "before": before, "after": after, "base_ref": nil,
		"created": made, "deleted": false, "forced": forced, "compare": r.html() + "/compare/" + before + "..." + after,
		"commits": []object{last}, "head_commit": last,
		"pusher": object{"name": by.Login, "email": nil},
	})
	return nil
}

func (r *Repo) pushCommit(c commit) object {
	who := object{"name": c.Author.Name, "email": c.Author.Email, "date": stamp(c.Author.Date)}
	return object{
		"id": c.SHA, "tree_id": c.Tree, "distinct": true, "message": c.Message, "timestamp": stamp(c.Committer.Date),
		"url": r.html() + "/commit/" + c.SHA, "author": who, "committer": who,
		"added": []string{}, "removed": []string{}, "modified": []string{},
	}
}

// emitRun has the whole suite where the API's answer has its number.
func (r *Repo) emitRun(run *CheckRun, action string, by *user, more object) {
	shape := r.hub.runShape(r, run)
	suite := r.suiteShape(run.suite, run.HeadSHA)
	shape["check_suite"] = suite
	body := object{"check_run": shape}
	maps.Copy(body, more)
	r.emit("check_run", action, by, body)
}

// suiteShape has no branch for a head that only a fork's branch holds.
func (r *Repo) suiteShape(id int64, sha string) object {
	pulls := r.runPulls(sha)
	var branch any
	if len(pulls) > 0 {
		branch = pulls[0]["head"].(object)["ref"]
	}
	return object{
		"id": id, "node_id": nodeID("CS", id), "head_sha": sha, "head_branch": branch, "status": "completed",
		"conclusion": nil, "before": nil, "after": sha, "pull_requests": pulls, "app": r.hub.appShape(),
		"url": fmt.Sprintf("%s/check-suites/%d", r.api(), id), "created_at": r.hub.stamp(), "updated_at": r.hub.stamp(),
	}
}

// emitGroup names no pull request, and the commit is no pull request's head:
// whoever checks a group has base_sha and head_sha to go by.
func (r *Repo) emitGroup(p *pull, branch, sha, action string) {
	head, err := r.git.commit(sha)
	if err != nil {
		return
	}
	body := object{"merge_group": object{
		"head_sha": sha, "head_ref": "refs/heads/" + branch, "base_sha": head.Parents[0],
		"base_ref": "refs/heads/" + p.baseBranch, "head_commit": r.pushCommit(head),
	}}
	if action == "destroyed" {
		body["reason"] = "dequeued"
	}
	r.emit("merge_group", action, r.hub.user(r.owner), body)
}
