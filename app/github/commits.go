package github

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// Commit is a commit with the ids that its tree is compared by.
type Commit struct {
	ID      string
	Tree    string
	Parents []string // commit ids
	Mark    string   // the key in the trailer of a commit of this App, "" for any other
}

// History is what head has and base has not.
type History struct {
	MergeBase string
	Total     int      // commits
	Commits   []Commit // the newest of them, oldest first
}

// Ahead is how a head stands to a base.
type Ahead struct {
	MergeBase string
	Total     int  // commits that the head has and the base has not
	Sole      bool // it is one, and its only parent is the merge base
}

// A mergeKey names two commits; how they stand to each other never changes.
type mergeKey struct {
	installation, repository int64
	base, head               string
}

// Compare compares two commits by their ids. [ErrNotFound] also means that the
// two have no common commit. The answer is kept.
func (c *Client) Compare(ctx context.Context, repo Repo, base, head string) (Ahead, error) {
	key := mergeKey{c.key.installation, repo.ID, base, head}
	if a, ok := c.app.merges.get(key); ok {
		return a, nil
	}
	got, err := c.comparison(ctx, repo, base, head, 1, 1)
	if err != nil {
		return Ahead{}, err
	}
	a := Ahead{MergeBase: got.MergeBase.SHA, Total: got.Total}
	if a.Total == 1 && len(got.Commits) == 1 {
		parents := got.Commits[0].Parents
		a.Sole = len(parents) == 1 && parents[0].SHA == a.MergeBase
	}
	if objectID(base) && objectID(head) && repo.ID != 0 {
		c.app.merges.put(key, a)
	}
	return a, nil
}

// History reads the newest most commits, at most 100, that head has and base has
// not; both are commit ids. It is the comparison, page by page: the list of a pull
// request's commits ends at 250, at the old end, and follows a head that moves.
// It takes one request for up to 100 commits, and three for any number.
// [ErrNotFound] also means that the two have no common commit.
func (c *Client) History(ctx context.Context, repo Repo, base, head string, most int) (History, error) {
	first, err := c.comparison(ctx, repo, base, head, 1, perPage)
	if err != nil {
		return History{}, err
	}
	h := History{MergeBase: first.MergeBase.SHA, Total: first.Total}
	most = min(most, perPage)
	last := (first.Total + perPage - 1) / perPage
	for page := max(last, 1); page > 0 && len(h.Commits) < min(most, first.Total); page-- {
		got := first
		if page > 1 {
			if got, err = c.comparison(ctx, repo, base, head, page, perPage); err != nil {
				return History{}, err
			}
		}
		list, err := got.commits()
		if err != nil {
			return History{}, err
		}
		if len(list) == 0 {
			return History{}, odd(http.MethodGet, repoRoute+compareRoute) // the total promised some
		}
		h.Commits = append(list, h.Commits...)
	}
	h.Commits = h.Commits[max(len(h.Commits)-most, 0):]
	return h, nil
}

const compareRoute = "/compare/{basehead}"

// comparison is the part of GitHub's answer that is read: messages and authors are
// a person's text and stay out (law 8), but for the trailer of a commit of our own.
type comparison struct {
	MergeBase struct {
		SHA string `json:"sha"`
	} `json:"merge_base_commit"`
	Total   int `json:"total_commits"`
	Commits []struct {
		SHA    string `json:"sha"`
		Commit struct {
			Message mark `json:"message"`
			Tree    struct {
				SHA string `json:"sha"`
			} `json:"tree"`
		} `json:"commit"`
		Parents []struct {
			SHA string `json:"sha"`
		} `json:"parents"`
	} `json:"commits"`
}

// compareBody bounds a comparison: GitHub sends up to 300 files with their
// patches beside the commits that are read.
const compareBody = 64 << 20

// comparison asks for one page. Only the first has a list of files, which stops at
// 300 and is not read.
func (c *Client) comparison(ctx context.Context, repo Repo, base, head string, page, size int) (out comparison, err error) {
	query := url.Values{"per_page": {strconv.Itoa(size)}, "page": {strconv.Itoa(page)}}
	_, err = c.in(ctx, repo, call{route: compareRoute, args: []any{base + "..." + head}, query: query, out: &out, limit: compareBody})
	if err != nil {
		return comparison{}, err
	}
	_, err = checked(http.MethodGet, compareRoute, out.MergeBase.SHA)
	return out, err
}

// commits are those of one page; every id is checked.
func (p comparison) commits() (list []Commit, err error) {
	for _, c := range p.Commits {
		one := Commit{ID: c.SHA, Tree: c.Commit.Tree.SHA, Mark: string(c.Commit.Message)}
		ids := []string{one.ID, one.Tree}
		for _, parent := range c.Parents {
			one.Parents = append(one.Parents, parent.SHA)
		}
		for _, id := range append(ids, one.Parents...) {
			if _, err := checked(http.MethodGet, compareRoute, id); err != nil {
				return nil, err
			}
		}
		list = append(list, one)
	}
	return list, nil
}
