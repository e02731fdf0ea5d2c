package fakehub

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// PullOptions describe a pull request. An empty title is the head's name.
type PullOptions struct {
	Title, Body string
	Draft       bool
}

type pull struct {
	id                          int64
	number                      int
	title, body                 string
	author                      *user
	headBranch, baseBranch      string // the head may be "login:branch"
	head, base                  string // commits
	open, draft, merged, locked bool
	mergedBy                    *user
	mergeCommit                 string
	created, updated, closed    time.Time

	lag     int    // how many readers still get the old head
	oldHead string // from before the last push
	unsure  int    // how many readers are told that it is not known whether it can be merged
}

// fork is the login that owns the head's repository where that is a fork.
func (p *pull) fork() (owner, branch string, fork bool) { return strings.Cut(p.headBranch, ":") }

// headRef is the head's branch without its owner.
func (p *pull) headRef() string {
	if _, branch, fork := p.fork(); fork {
		return branch
	}
	return p.headBranch
}

// OpenPull opens a pull request and returns its number. A head "login:branch"
// makes it one from login's fork. The event is pull_request.opened.
func (r *Repo) OpenPull(head, base, author string, opts PullOptions) (int, error) {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	return r.openPull(head, base, author, opts)
}

// openPull is OpenPull under the lock.
func (r *Repo) openPull(head, base, author string, opts PullOptions) (int, error) {
	if !validBranch(head) || !validRef(base) || !validLogin(author) {
		return 0, errors.New("fakehub: open a pull request: bad branch or login")
	}
	headSHA, _, _, err1 := r.git.object(branchRef(head) + "^{commit}")
	baseSHA, _, _, err2 := r.git.object(branchRef(base) + "^{commit}")
	if err := errors.Join(err1, err2); err != nil {
		return 0, fmt.Errorf("fakehub: open a pull request: commit to both branches first: %w", err)
	}
	r.issues++
	p := &pull{
		id: r.hub.id("pull", 1_900_000_000), number: r.issues, title: opts.Title, body: opts.Body, draft: opts.Draft,
		author: r.hub.user(author), headBranch: head, baseBranch: base, head: headSHA, base: baseSHA, open: true,
		created: r.hub.now(), updated: r.hub.now(),
	}
	if p.title == "" {
		p.title = head
	}
	r.pulls = append(r.pulls, p)
	r.emitPull(p, "opened", p.author, nil)
	return p.number, r.git.setRef(fmt.Sprintf("refs/pull/%d/head", p.number), headSHA)
}

// pushed tells the world of a branch that moved.
func (r *Repo) pushed(branch, before, after string, by *user) error {
	if before == after {
		return nil
	}
	if !strings.Contains(branch, ":") {
		if err := r.emitPush(branch, before, after, by); err != nil {
			return err
		}
	}
	for _, p := range r.pulls {
		if !p.open || p.headBranch != branch {
			continue
		}
		p.oldHead, p.head, p.updated = p.head, after, r.hub.now()
		if tip, _, _, err := r.git.object(branchRef(p.baseBranch) + "^{commit}"); err == nil {
			p.base = tip // GitHub looks at the base again when the head moves, not before
		}
		if err := r.git.setRef(fmt.Sprintf("refs/pull/%d/head", p.number), after); err != nil {
			return err
		}
		r.emitPull(p, "synchronize", by, object{"before": p.oldHead, "after": after})
	}
	return nil
}

func (r *Repo) pull(number int) *pull {
	for _, p := range r.pulls {
		if p.number == number {
			return p
		}
	}
	return nil
}

// withPull runs a change on a pull request under the lock.
func (r *Repo) withPull(number int, change func(*pull) error) error {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	p := r.pull(number)
	if p == nil {
		return fmt.Errorf("fakehub: no pull request %d", number)
	}
	p.updated = r.hub.now()
	return change(p)
}

// Close closes a pull request without merging it.
func (r *Repo) Close(number int) error {
	return r.withPull(number, func(p *pull) error {
		p.open, p.closed = false, r.hub.now()
		r.emitPull(p, "closed", p.author, nil)
		return nil
	})
}

// Reopen opens a closed pull request again, at the head's present commit.
func (r *Repo) Reopen(number int) error {
	return r.withPull(number, func(p *pull) error {
		if p.merged {
			return errors.New("fakehub: a merged pull request stays closed")
		}
		p.open, p.closed = true, time.Time{}
		if tip, _, _, err := r.git.object(branchRef(p.headBranch) + "^{commit}"); err == nil {
			p.head = tip
		}
		r.emitPull(p, "reopened", p.author, nil)
		return nil
	})
}

// Ready ends a draft, or makes one. The head stays.
func (r *Repo) Ready(number int, ready bool) error {
	return r.withPull(number, func(p *pull) error {
		p.draft = !ready
		r.emitPull(p, map[bool]string{true: "ready_for_review", false: "converted_to_draft"}[ready], p.author, nil)
		return nil
	})
}

// Retarget gives a pull request another base branch. The head stays.
func (r *Repo) Retarget(number int, base string) error {
	return r.withPull(number, func(p *pull) error {
		tip, _, _, err := r.git.object(branchRef(base) + "^{commit}")
		if err != nil || !validRef(base) {
			return errors.New("fakehub: retarget: no such branch")
		}
		old := object{"ref": object{"from": p.baseBranch}, "sha": object{"from": p.base}}
		p.baseBranch, p.base = base, tip
		r.emitPull(p, "edited", p.author, object{"changes": object{"base": old}})
		return nil
	})
}

// Retitle changes the title alone, which nothing but the event shows.
func (r *Repo) Retitle(number int, title string) error {
	return r.withPull(number, func(p *pull) error {
		old := p.title
		p.title = title
		r.emitPull(p, "edited", p.author, object{"changes": object{"title": object{"from": old}}})
		return nil
	})
}

// Lock refuses new comments on a pull request from then on.
func (r *Repo) Lock(number int) error {
	return r.withPull(number, func(p *pull) error { p.locked = true; return nil })
}

// LagPull lets the next n readers of the pull request get its head from before
// the last push, as happens when an event is faster than the API.
func (r *Repo) LagPull(number, n int) error {
	return r.withPull(number, func(p *pull) error { p.lag = n; return nil })
}

// Pulls lists the pull requests, oldest first, as "open BASE<-HEAD" or "closed ...".
func (h *Hub) Pulls(r *Repo) (list []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range r.pulls {
		list = append(list, p.state()+" "+p.baseBranch+"<-"+p.headBranch)
	}
	return list
}
