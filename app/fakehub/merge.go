package fakehub

import (
	"errors"
	"fmt"
	"strconv"
)

// Merge merges a pull request into its base with a merge commit and returns
// that commit. The head's files win where both sides changed one.
func (r *Repo) Merge(number int, by string) (sha string, err error) {
	err = r.withPull(number, func(p *pull) error {
		if !p.open {
			return errors.New("fakehub: merge: the pull request is closed")
		}
		if sha, err = r.mergeCommit(p, p.baseBranch); err != nil {
			return err
		}
		p.open, p.merged, p.mergedBy, p.mergeCommit, p.closed = false, true, r.hub.user(by), sha, r.hub.now()
		r.emitPull(p, "closed", p.mergedBy, nil)
		return nil
	})
	return sha, err
}

// mergeCommit commits the pull's changes on top of its base's tip, to a branch.
func (r *Repo) mergeCommit(p *pull, branch string) (string, error) {
	tip, _, _, err := r.git.object(branchRef(p.baseBranch) + "^{commit}")
	if err != nil {
		return "", err
	}
	merge, err := r.git.mergeBase(tip, p.head)
	if err != nil {
		return "", err
	}
	edits, err := r.git.edits(merge, p.head)
	if err != nil {
		return "", err
	}
	return r.commit(branch, edits, "Merge pull request #"+strconv.Itoa(p.number), []string{tip, p.head})
}

// edits are the changes between two commits as edits.
func (g *gitStore) edits(from, to string) (map[string]File, error) {
	diff, err := g.diff(from, to)
	if err != nil {
		return nil, err
	}
	list, err := g.tree(to, true)
	if err != nil {
		return nil, err
	}
	at := map[string]treeEntry{}
	for _, e := range list {
		at[e.Path] = e
	}
	edits := map[string]File{}
	for _, d := range diff {
		if d.Previous != "" {
			edits[d.Previous] = Removed()
		}
		if d.Status == "removed" {
			edits[d.Path] = Removed()
			continue
		}
		e := at[d.Path]
		f := File{Mode: e.Mode, Data: []byte(e.SHA)}
		if e.Type == "blob" {
			if _, _, f.Data, err = g.object(e.SHA); err != nil {
				return nil, err
			}
		}
		edits[d.Path] = f
	}
	return edits, nil
}

// MergeGroup queues a pull request: it makes the queue's branch with the merge
// and sends merge_group.checks_requested for its commit, which is no pull
// request's head.
func (r *Repo) MergeGroup(number int) (sha string, err error) {
	err = r.withPull(number, func(p *pull) error {
		branch := fmt.Sprintf("gh-readonly-queue/%s/pr-%d-%s", p.baseBranch, p.number, p.head[:7])
		if sha, err = r.mergeCommit(p, branch); err != nil {
			return err
		}
		r.emitGroup(p, branch, sha, "checks_requested")
		return nil
	})
	return sha, err
}

// LeaveGroup takes the pull request out of the queue: merge_group.destroyed.
func (r *Repo) LeaveGroup(number int, sha string) error {
	return r.withPull(number, func(p *pull) error {
		branch := fmt.Sprintf("gh-readonly-queue/%s/pr-%d-%s", p.baseBranch, p.number, p.head[:7])
		r.emitGroup(p, branch, sha, "destroyed")
		return r.git.setRef(branchRef(branch), "")
	})
}

// mergeable is what GitHub says of the merge with the base branch as it is now: yes
// and "clean", no and "dirty", or nothing and "unknown" while it is still looking.
func (r *Repo) mergeable(p *pull, head string) (*bool, string) {
	tip, _, _, err := r.git.object(branchRef(p.baseBranch) + "^{commit}")
	if p.unsure > 0 || err != nil {
		p.unsure = max(p.unsure-1, 0)
		return nil, "unknown"
	}
	key := tip + " " + head
	clean, known := r.git.merges[key]
	if !known {
		_, err := r.git.run(nil, "merge-tree", "--write-tree", tip, head) // exit status 1 is a conflict
		clean = err == nil
		r.git.merges[key] = clean
	}
	return &clean, map[bool]string{true: "clean", false: "dirty"}[clean]
}

// DoubtMerge lets the next n readers of the pull request find that GitHub does not
// know yet whether it can be merged, as it is for seconds after each push.
func (r *Repo) DoubtMerge(number, n int) error {
	return r.withPull(number, func(p *pull) error { p.unsure = n; return nil })
}

// Mergeable is what the next reader of the pull request is told: "clean", "dirty"
// or "unknown".
func (r *Repo) Mergeable(number int) (state string, err error) {
	err = r.withPull(number, func(p *pull) error {
		_, state = r.mergeable(p, p.head)
		return nil
	})
	return state, err
}
