package fakehub

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// maxCommentRunes is the limit that the API's error states; the reference has
// none.
const maxCommentRunes = 65_536

// A Comment is one comment of a pull request's conversation.
type Comment struct {
	ID               int64 // above 2^31
	Number           int   // the pull request
	User, Body       string
	Created, Updated time.Time
	Edits            int  // how often the text was changed
	byApp            bool // answers name the App as its author
	reactions        []Reaction
}

// Comment writes one as a person does: issue_comment.created.
func (r *Repo) Comment(number int, login, body string) (id int64, err error) {
	if !validLogin(login) {
		return 0, errors.New("fakehub: bad login")
	}
	err = r.withPull(number, func(p *pull) error {
		c := r.newComment(p.number, login, body)
		id = c.ID
		r.emitComment(c, "created", r.hub.user(login), nil)
		return nil
	})
	return id, err
}

// EditComment changes a comment's text: issue_comment.edited. The editor need
// not be the author.
func (r *Repo) EditComment(id int64, login, body string) error {
	return r.withComment(id, func(c *Comment) {
		old := c.Body
		c.edit(body, r.hub.now())
		r.emitComment(c, "edited", r.hub.user(login), object{"changes": object{"body": object{"from": old}}})
	})
}

// DeleteComment removes a comment: issue_comment.deleted.
func (r *Repo) DeleteComment(id int64, login string) error {
	return r.withComment(id, func(c *Comment) { r.dropComment(c, r.hub.user(login)) })
}

// dropComment removes first, so that the event counts the comments that are
// left.
func (r *Repo) dropComment(c *Comment, by *user) {
	r.comments = slices.DeleteFunc(r.comments, func(o *Comment) bool { return o == c })
	r.emitComment(c, "deleted", by, nil)
}

func (r *Repo) withComment(id int64, do func(*Comment)) error {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	c := r.comment(id)
	if c == nil {
		return fmt.Errorf("fakehub: no comment %d", id)
	}
	do(c)
	return nil
}

func (r *Repo) newComment(number int, login, body string) *Comment {
	c := &Comment{
		ID: r.hub.id("comment", 1<<31), Number: number, User: r.hub.user(login).Login, Body: body,
		Created: r.hub.now(), Updated: r.hub.now(),
	}
	r.comments = append(r.comments, c)
	return c
}

func (r *Repo) comment(id int64) *Comment {
	for _, c := range r.comments {
		if c.ID == id {
			return c
		}
	}
	return nil
}

func (c *Comment) edit(body string, now time.Time) {
	c.Body, c.Updated = body, now
	c.Edits++
}

// Comments returns a pull request's comments, oldest first.
func (h *Hub) Comments(r *Repo, number int) []Comment {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []Comment
	for _, c := range r.comments {
		if c.Number == number {
			list = append(list, *c)
		}
	}
	return list
}

func (h *Hub) commentShape(r *Repo, c *Comment) object {
	app := json.RawMessage("null")
	if c.byApp {
		app = h.appShape()
	}
	return object{
		"id": c.ID, "node_id": nodeID("IC", c.ID), "body": c.Body, "user": h.userShape(h.user(c.User)),
		"url":       fmt.Sprintf("%s/issues/comments/%d", r.api(), c.ID),
		"html_url":  fmt.Sprintf("%s/pull/%d#issuecomment-%d", r.html(), c.Number, c.ID),
		"issue_url": fmt.Sprintf("%s/issues/%d", r.api(), c.Number), "author_association": r.association(h.user(c.User)),
		"created_at": stamp(c.Created), "updated_at": stamp(c.Updated), "performed_via_github_app": app,
	}
}

func (h *Hub) commentOf(c *call) (*Comment, error) {
	id, _ := strconv.ParseInt(c.path("id"), 10, 64)
	if comment := c.repo.comment(id); comment != nil {
		return comment, nil
	}
	return nil, notFound()
}

func (h *Hub) oneComment(c *call) (reply, error) {
	comment, err := h.commentOf(c)
	if err != nil {
		return reply{}, err
	}
	return reply{body: h.commentShape(c.repo, comment)}, nil
}

// listComments lists a conversation, oldest first, or what changed since a time.
func (h *Hub) listComments(c *call) (reply, error) {
	p, err := h.pullOf(c)
	if err != nil {
		return reply{}, err
	}
	since, _ := time.Parse(time.RFC3339, c.query("since"))
	list := []object{}
	for _, comment := range c.repo.comments {
		if comment.Number == p.number && !comment.Updated.Before(since) {
			list = append(list, h.commentShape(c.repo, comment))
		}
	}
	return paged(h, c, list, nil), nil
}

// commentBody reads and checks the one field of a comment.
func commentBody(c *call) (string, error) {
	var in struct{ Body *string }
	if err := c.decode(&in); err != nil {
		return "", err
	}
	if value(in.Body) == "" {
		return "", invalid("IssueComment", "missing_field", "body", "")
	}
	if utf8.RuneCountInString(*in.Body) > maxCommentRunes {
		return "", invalid("IssueComment", "unprocessable", "data", fmt.Sprintf("Body is too long (maximum is %d characters)", maxCommentRunes))
	}
	return *in.Body, nil
}

// postComment is the App's answer. A locked conversation refuses it, and
// trying again does not help.
func (h *Hub) postComment(c *call) (reply, error) {
	p, err := h.pullOf(c)
	if err != nil {
		return reply{}, err
	}
	body, err := commentBody(c)
	if err != nil {
		return reply{}, err
	}
	if p.locked {
		return reply{}, problem(http.StatusForbidden, "Unable to create comment because issue is locked.")
	}
	comment := c.repo.newComment(p.number, h.bot().Login, body)
	comment.byApp = true
	c.repo.emitComment(comment, "created", h.bot(), nil)
	return created(h.commentShape(c.repo, comment)), nil
}

// patchComment edits a comment in place, which sends nobody a mail.
func (h *Hub) patchComment(c *call) (reply, error) {
	comment, err := h.commentOf(c)
	if err != nil {
		return reply{}, err
	}
	body, err := commentBody(c)
	if err != nil {
		return reply{}, err
	}
	old := comment.Body
	comment.edit(body, h.now())
	c.repo.emitComment(comment, "edited", h.bot(), object{"changes": object{"body": object{"from": old}}})
	return reply{body: h.commentShape(c.repo, comment)}, nil
}

// deleteComment answers 204 once and 404 after that.
func (h *Hub) deleteComment(c *call) (reply, error) {
	comment, err := h.commentOf(c)
	if err != nil {
		return reply{}, err
	}
	c.repo.dropComment(comment, h.bot())
	return reply{status: http.StatusNoContent}, nil
}
