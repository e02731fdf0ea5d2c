package fakehub

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
)

// A File is what a commit does to one path. The zero Mode is an ordinary file.
type File struct {
	Data []byte
	Mode string // "100644", "100755", "120000" with Data the target, "160000" with Data the commit's id
	Gone bool   // removes the path and all below it
}

// Text is an ordinary file.
func Text(s string) File { return File{Data: []byte(s)} }

// Exec is an executable file.
func Exec(s string) File { return File{Data: []byte(s), Mode: "100755"} }

// Link is a symbolic link. Nothing checks where it leads.
func Link(target string) File { return File{Data: []byte(target), Mode: "120000"} }

// Submodule is a link to a commit of another repository.
func Submodule(sha string) File { return File{Data: []byte(sha), Mode: "160000"} }

// Removed removes a file or a folder.
func Removed() File { return File{Gone: true} }

// Commit makes a commit from the first parent's tree and the given edits, moves
// the branch to it and returns its id. Without parents the branch's tip is the
// one parent, and a new branch starts from nothing. A branch "login:name" is the
// branch of login's fork.
//
// Author and dates are fixed by the parents, so that equal calls give equal ids:
// a first commit is of 1 January 2026, each other one a minute after its latest
// parent.
//
// The push becomes events: push for a branch of the repository itself, and
// pull_request.synchronize for open pull requests from the branch.
func (r *Repo) Commit(branch string, edits map[string]File, message string, parents ...string) (string, error) {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	sha, err := r.commit(branch, edits, message, parents)
	if err != nil {
		return "", fmt.Errorf("fakehub: commit to %s: %w", branch, err)
	}
	return sha, nil
}

// CommitTxtar commits the files of a txtar archive as edits of the branch's tip,
// with the archive's comment as message. A file named "link -> target" is a
// symbolic link.
func (r *Repo) CommitTxtar(branch string, archive []byte) (string, error) {
	a := txtar.Parse(archive)
	edits := map[string]File{}
	for _, f := range a.Files {
		if name, target, link := strings.Cut(f.Name, " -> "); link {
			edits[name] = Link(target)
			continue
		}
		edits[f.Name] = File{Data: f.Data}
	}
	message := strings.TrimSpace(string(a.Comment))
	if message == "" {
		message = "Commit"
	}
	return r.Commit(branch, edits, message)
}

// commit does the work of Commit and Merge under the lock.
func (r *Repo) commit(branch string, edits map[string]File, message string, parents []string) (string, error) {
	if !validBranch(branch) {
		return "", errors.New("bad branch name")
	}
	ref := branchRef(branch)
	tip, _, _, err := r.git.object(ref + "^{commit}")
	if err != nil && !errors.Is(err, errNoObject) {
		return "", err
	}
	if len(parents) == 0 && tip != "" {
		parents = []string{tip}
	}
	base, when, err := r.git.parentage(parents)
	if err != nil {
		return "", err
	}
	tree, err := r.git.edit(base, edits)
	if err != nil {
		return "", err
	}
	author := person{"Ada Author", "ada@example.com", when}
	sha, err := r.git.writeCommit(commit{Tree: tree, Message: message, Parents: parents, Author: author, Committer: author})
	if err != nil {
		return "", err
	}
	if err := r.git.setRef(ref, sha); err != nil {
		return "", err
	}
	return sha, r.pushed(branch, tip, sha, r.pusher(branch))
}

// pusher is who pushed: the fork's owner, or the repository's.
func (r *Repo) pusher(branch string) *user {
	if owner, _, fork := strings.Cut(branch, ":"); fork {
		return r.hub.user(owner)
	}
	return r.hub.user(r.owner)
}

// parentage gives the first parent's tree and the date of a commit on them.
func (g *gitStore) parentage(parents []string) (tree string, when time.Time, err error) {
	when = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, p := range parents {
		c, err := g.commit(p)
		if err != nil || !shaRE.MatchString(p) {
			return "", when, errors.New("a parent is no commit of this repository")
		}
		if i == 0 {
			tree = c.Tree
		}
		if next := c.Committer.Date.Add(time.Minute); next.After(when) {
			when = next
		}
	}
	return tree, when, nil
}

// edit writes the edits' blobs in one go and applies them in order of path.
func (g *gitStore) edit(base string, edits map[string]File) (string, error) {
	paths := slices.Sorted(maps.Keys(edits))
	var contents [][]byte
	for _, p := range paths {
		if f := edits[p]; !f.Gone && f.Mode != "160000" {
			contents = append(contents, f.Data)
		}
	}
	ids, err := g.blobs(contents)
	if err != nil {
		return "", err
	}
	var entries []treeEntry
	for _, p := range paths {
		f := edits[p]
		e := treeEntry{Path: p, Mode: f.Mode}
		switch {
		case !validPath(p):
			return "", errors.New("bad path")
		case f.Gone:
			e.Mode = "0"
		case f.Mode == "160000":
			e.SHA = string(f.Data)
		default:
			if e.Mode == "" {
				e.Mode = "100644"
			}
			e.SHA, ids = ids[0], ids[1:]
		}
		entries = append(entries, e)
	}
	return g.writeTree(base, entries)
}
