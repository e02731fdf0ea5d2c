package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Comment is a comment in the conversation of an issue or pull request.
type Comment struct {
	ID       int64
	Number   int    // of the issue or pull request, 0 if GitHub did not say
	Body     string // a person's text: scan it before it goes anywhere (law 8)
	Author   string // login
	AuthorID int64  // of the account, which stays when the login changes; 0 where it is gone
	Bot      bool
	AppID    int64 // of the App that wrote it, 0 if none or not said
}

// wireComment has the field that the library's type lacks: the writing App.
type wireComment struct {
	ID       int64  `json:"id"`
	Body     string `json:"body"`
	IssueURL string `json:"issue_url"`
	User     struct {
		ID    int64  `json:"id"`
		Login string `json:"login"`
		Type  string `json:"type"`
	} `json:"user"`
	App struct {
		ID int64 `json:"id"`
	} `json:"performed_via_github_app"`
}

// comment takes the number from the end of the issue's address.
func (w wireComment) comment() Comment {
	n, _ := strconv.Atoi(path.Base(w.IssueURL)) // 0 where it is no number
	return Comment{ID: w.ID, Number: n, Body: w.Body, Author: w.User.Login, AuthorID: w.User.ID, Bot: w.User.Type == "Bot", AppID: w.App.ID}
}

const (
	commentRoute  = "/issues/comments/{comment_id}"
	commentsRoute = "/issues/{issue_number}/comments"
)

// Comment reads one comment as it stands now.
func (c *Client) Comment(ctx context.Context, repo Repo, id int64) (Comment, error) {
	var w wireComment
	if _, err := c.in(ctx, repo, call{route: commentRoute, args: []any{id}, out: &w}); err != nil {
		return Comment{}, err
	}
	if w.ID != id {
		return Comment{}, odd(http.MethodGet, repoRoute+commentRoute)
	}
	return w.comment(), nil
}

// Comments lists all comments of an issue or pull request, oldest first.
func (c *Client) Comments(ctx context.Context, repo Repo, number int) ([]Comment, error) {
	k := call{route: commentsRoute, args: []any{number}}
	list, err := texts(ctx, c, repo, k, func(page *[]wireComment) (list []Comment, _ error) {
		for _, w := range *page {
			list = append(list, w.comment())
		}
		return list, nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b Comment) int { return cmp.Compare(a.ID, b.ID) })
	return list, nil
}

// markerKey is what a marker may hold, so that it ends where it should.
var markerKey = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/]*(-[A-Za-z0-9._:/]+)*$`)

// Marker is the hidden first line of a comment that carries an outside effect's
// key. A key is of letters, digits and . _ : / with single hyphens between.
func Marker(key string) string { return "<!-- cardkeeper:" + key + " -->" }

// Key is the key of the marker that the comment begins with, "" where there is none.
// Anyone can write a marker.
func (m Comment) Key() string {
	first, _, _ := strings.Cut(m.Body, "\n")
	before, after, _ := strings.Cut(Marker("\n"), "\n")
	key, ok := strings.CutPrefix(first, before)
	key, closed := strings.CutSuffix(key, after)
	if !ok || !closed || !markerKey.MatchString(key) {
		return ""
	}
	return key
}

// PublishComment brings the App's comment with that key to the given body and
// returns its id: the App's own comment that begins with the marker is edited, or
// a new one is made, and copies of it are removed (2A-53). It may be repeated after any failure. A marker that
// anyone else wrote, or that stands further down in a text, is not looked at.
// The body is cut to what GitHub takes with the marker, 65,536 characters.
func (c *Client) PublishComment(ctx context.Context, repo Repo, number int, key, body string) (int64, error) {
	if !markerKey.MatchString(key) {
		return 0, fmt.Errorf("github.PublishComment: %w: the key has characters that a marker cannot hold", ErrInvalid)
	}
	in := commentBody{marked(key, body)}
	found, err := c.ownComments(ctx, repo, number, Marker(key))
	if err != nil {
		return 0, err
	}
	if len(found) > 0 {
		return found[0].ID, c.amend(ctx, repo, found, in.Body)
	}
	var made wireComment
	if _, err := c.in(ctx, repo, call{method: http.MethodPost, route: commentsRoute, args: []any{number}, in: in, out: &made}); err != nil {
		return 0, err
	}
	if made.ID == 0 {
		return 0, odd(http.MethodPost, repoRoute+commentsRoute)
	}
	return made.ID, nil
}

// AmendComment brings a comment of this App to the given body below the marker that it has,
// as PublishComment would. It fails with [ErrInvalid] for one without a marker, or that
// another wrote.
func (c *Client) AmendComment(ctx context.Context, repo Repo, m Comment, body string) error {
	key := m.Key()
	own, err := c.Own(ctx, m)
	if err != nil {
		return err
	}
	if !own || key == "" {
		return fmt.Errorf("github.AmendComment: %w: the comment is not the App's", ErrInvalid)
	}
	return c.amend(ctx, repo, []Comment{m}, marked(key, body))
}

// commentBody is what is sent of a comment.
type commentBody struct {
	Body string `json:"body"`
}

// marked is the body under its marker, cut to what GitHub takes.
func marked(key, body string) string {
	first := Marker(key) + "\n"
	return first + fitUnits(body, maxComment-units(first), cutNote)
}

// amend gives the oldest of our comments the body and takes the others away.
// There is more than one after two publications at once.
func (c *Client) amend(ctx context.Context, repo Repo, found []Comment, body string) error {
	if found[0].Body != body {
		in := commentBody{body}
		if _, err := c.in(ctx, repo, call{method: http.MethodPatch, route: commentRoute, args: []any{found[0].ID}, in: in}); err != nil {
			return err
		}
	}
	for _, m := range found[1:] {
		_, err := c.in(ctx, repo, call{method: http.MethodDelete, route: commentRoute, args: []any{m.ID}})
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return nil
}

// ownComments are the comments of this App that begin with the marker, oldest first.
func (c *Client) ownComments(ctx context.Context, repo Repo, number int, marker string) ([]Comment, error) {
	list, err := c.Comments(ctx, repo, number)
	if err != nil {
		return nil, err
	}
	var found []Comment
	for _, m := range list {
		if !strings.HasPrefix(m.Body, marker) {
			continue
		}
		own, err := c.Own(ctx, m)
		if err != nil {
			return nil, err
		}
		if own {
			found = append(found, m)
		}
	}
	return found, nil
}

// Own reports whether this App wrote a comment. Where GitHub does not name the
// App, its bot user tells: nobody else can have that login.
func (c *Client) Own(ctx context.Context, m Comment) (bool, error) {
	if m.AppID != 0 || !m.Bot {
		return m.AppID == c.app.id, nil
	}
	login, err := c.app.bot(ctx)
	return err == nil && m.Author == login, err
}

// React puts a reaction such as "eyes" on a comment. Repeating it changes
// nothing, and nobody is notified.
func (c *Client) React(ctx context.Context, repo Repo, commentID int64, content string) error {
	in := struct {
		Content string `json:"content"`
	}{content}
	_, err := c.in(ctx, repo, call{method: http.MethodPost, route: commentRoute + "/reactions", args: []any{commentID}, in: in})
	return err
}
