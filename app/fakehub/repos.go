package fakehub

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// RepoOptions describe a repository. The default branch is main.
type RepoOptions struct {
	Private bool
}

// A Repo is one repository where the App is installed.
type Repo struct {
	hub      *Hub
	id       int64
	owner    string
	name     string
	former   []string // full names it had, which redirect
	private  bool
	archived bool
	install  *installation
	git      *gitStore
	roles    map[string]string
	created  time.Time

	issues   int // the last number given to a pull request
	pulls    []*pull
	comments []*Comment       // all pull requests', oldest first
	runs     []*CheckRun      // all commits', oldest first
	suites   map[string]int64 // by App and commit
	forks    map[string]int64 // ids of forks, by owner
	required []requirement
}

const defaultBranch = "main"

// AddRepo makes an empty repository and, at the owner's first one, installs the
// App on the owner's account.
func (h *Hub) AddRepo(owner, name string, opts RepoOptions) (*Repo, error) {
	if !validName(owner) || !validName(name) {
		return nil, errors.New("fakehub: names of owners and repositories are letters, digits, '.', '_' and '-'")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if r, _ := h.find(owner + "/" + name); r != nil {
		return nil, fmt.Errorf("fakehub: repository %s/%s exists or redirects", owner, name)
	}
	id := h.id("repository", 700_000_000)
	git, err := newGitStore(h.storeDir(id))
	if err != nil {
		return nil, fmt.Errorf("fakehub: make the repository (is git installed?): %w", err)
	}
	r := &Repo{
		hub: h, id: id, owner: owner, name: name, private: opts.Private, install: h.install(owner), git: git,
		roles: map[string]string{}, suites: map[string]int64{}, forks: map[string]int64{}, created: h.now(),
	}
	h.repos = append(h.repos, r)
	return r, nil
}

// find looks a full name up, as GitHub does without regard to case, and says
// whether the repository has another name now.
func (h *Hub) find(full string) (r *Repo, moved bool) {
	for _, r := range h.repos {
		if strings.EqualFold(r.fullName(), full) {
			return r, false
		}
	}
	for _, r := range h.repos {
		for _, old := range r.former {
			if strings.EqualFold(old, full) {
				return r, true
			}
		}
	}
	return nil, false
}

func (r *Repo) fullName() string { return r.owner + "/" + r.name }

// FullName is owner/name as it is now.
func (r *Repo) FullName() string {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	return r.fullName()
}

// ID is the repository's number, which a rename leaves alone.
func (r *Repo) ID() int64 { return r.id }

// GitDir is the folder of the bare repository, for reading with git itself.
func (r *Repo) GitDir() string { return r.git.dir }

// Rename gives the repository another name; the old one redirects.
func (r *Repo) Rename(name string) error {
	if !validName(name) {
		return errors.New("fakehub: bad repository name")
	}
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	old := r.name
	r.former = append(r.former, r.fullName())
	r.name = name
	r.emit("repository", "renamed", r.hub.user(r.owner), object{
		"changes": object{"repository": object{"name": object{"from": old}}},
	})
	return nil
}

// Archive makes the repository read-only.
func (r *Repo) Archive() {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	r.archived = true
	r.emit("repository", "archived", r.hub.user(r.owner), object{})
}

// Unarchive ends Archive.
func (r *Repo) Unarchive() {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	r.archived = false
	r.emit("repository", "unarchived", r.hub.user(r.owner), object{})
}

// Transfer gives the repository to another account, whose installation of the App
// it then belongs to: the old name redirects, the number stays, and old tokens do
// not open it any more. GitHub tells the new owner's installation alone.
func (r *Repo) Transfer(owner string) error {
	if !validLogin(owner) {
		return errors.New("fakehub: bad login")
	}
	h := r.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if other, _ := h.find(owner + "/" + r.name); other != nil {
		return errors.New("fakehub: transfer: the new owner has a repository of that name")
	}
	old := r.owner
	r.former = append(r.former, r.fullName())
	r.owner, r.install = owner, h.install(owner)
	r.emit("repository", "transferred", h.user(owner), object{
		"changes": object{"owner": object{"from": object{"user": h.userShape(h.user(old))}}},
	})
	return nil
}

// api and html are the repository's addresses.
func (r *Repo) api() string  { return r.hub.api() + "/repos/" + r.fullName() }
func (r *Repo) html() string { return r.hub.html() + "/" + r.fullName() }

func (h *Hub) repoShape(r *Repo) json.RawMessage {
	return h.forkShape(r, r.owner, r.id)
}

// forkShape is the repository, or a fork of it that another account owns.
func (h *Hub) forkShape(r *Repo, owner string, id int64) json.RawMessage {
	return h.shape("repository", map[string]any{
		"ID": id, "Node": nodeID("R", id), "Name": r.name, "Full": owner + "/" + r.name,
		"Owner": h.userShape(h.user(owner)), "Private": r.private, "Archived": r.archived, "Fork": id != r.id,
		"API": h.api() + "/repos/" + owner + "/" + r.name, "HTML": h.html() + "/" + owner + "/" + r.name,
		"Created": stamp(r.created), "Default": defaultBranch, "Open": r.openPulls(),
		"Visibility": map[bool]string{true: "private", false: "public"}[r.private],
	})
}

// forkID gives each fork a number of its own: a check that compares
// repositories by number must see the difference.
func (r *Repo) forkID(owner string) int64 {
	if strings.EqualFold(owner, r.owner) {
		return r.id
	}
	if r.forks[owner] == 0 {
		r.forks[owner] = r.hub.id("repository", 700_000_000)
	}
	return r.forks[owner]
}

func (r *Repo) openPulls() int {
	n := 0
	for _, p := range r.pulls {
		if p.open {
			n++
		}
	}
	return n
}

func (h *Hub) oneRepo(c *call) (reply, error) { return reply{body: h.repoShape(c.repo)}, nil }
