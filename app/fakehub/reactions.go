package fakehub

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// A Reaction is one person's mark on a comment.
type Reaction struct {
	ID            int64
	User, Content string
	Created       time.Time
}

// Reactions returns the marks on a comment, oldest first.
func (h *Hub) Reactions(commentID int64) []Reaction {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.repos {
		if c := r.comment(commentID); c != nil {
			return slices.Clone(c.reactions)
		}
	}
	return nil
}

func (h *Hub) reactionShape(r Reaction) object {
	return object{
		"id": r.ID, "node_id": nodeID("REA", r.ID), "content": r.Content,
		"user": h.userShape(h.user(r.User)), "created_at": stamp(r.Created),
	}
}

func (h *Hub) listReactions(c *call) (reply, error) {
	comment, err := h.commentOf(c)
	if err != nil {
		return reply{}, err
	}
	list := []object{}
	for _, r := range comment.reactions {
		if fits(c.query("content"), r.Content) {
			list = append(list, h.reactionShape(r))
		}
	}
	return paged(h, c, list, nil), nil
}

// postReaction answers 201 for a new mark and 200 for one that we had put
// already.
func (h *Hub) postReaction(c *call) (reply, error) {
	comment, err := h.commentOf(c)
	if err != nil {
		return reply{}, err
	}
	var in struct{ Content string }
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	if !slices.Contains([]string{"+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"}, in.Content) {
		return reply{}, invalid("Reaction", "invalid", "content", "")
	}
	for _, r := range comment.reactions {
		if r.User == h.bot().Login && r.Content == in.Content {
			return reply{body: h.reactionShape(r)}, nil
		}
	}
	r := Reaction{h.id("reaction", 250_000_000), h.bot().Login, in.Content, h.now()}
	comment.reactions = append(comment.reactions, r)
	return created(h.reactionShape(r)), nil
}

// deleteReaction removes our own marks only.
func (h *Hub) deleteReaction(c *call) (reply, error) {
	comment, err := h.commentOf(c)
	if err != nil {
		return reply{}, err
	}
	id, _ := strconv.ParseInt(c.path("reaction"), 10, 64)
	at := slices.IndexFunc(comment.reactions, func(r Reaction) bool { return r.ID == id && r.User == h.bot().Login })
	if at < 0 {
		return reply{}, notFound()
	}
	comment.reactions = slices.Delete(comment.reactions, at, at+1)
	return reply{status: http.StatusNoContent}, nil
}
