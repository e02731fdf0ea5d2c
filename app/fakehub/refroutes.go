package fakehub

import (
	"net/http"
	"strings"
)

func refShape(r *Repo, ref, sha string) object {
	return object{
		"ref": ref, "node_id": "REF_" + sha, "url": r.api() + "/git/" + escape(ref),
		"object": object{"type": "commit", "sha": sha, "url": r.api() + "/git/commits/" + sha},
	}
}

// namedRef is the full ref of a path that lacks "refs/". Only branches and tags
// have one: a fork's branches and the heads of pull requests are not for App's
// to move.
func namedRef(path string) (string, bool) {
	ok := validRef(path) && (strings.HasPrefix(path, "heads/") || strings.HasPrefix(path, "tags/"))
	return "refs/" + path, ok
}

// readRef finds an exact name only; the reference has another operation for
// prefixes.
func (h *Hub) readRef(c *call) (reply, error) {
	ref, ok := namedRef(c.path("ref"))
	sha, _, _, err := c.repo.git.object(ref + "^{commit}")
	if !ok || err != nil {
		return reply{}, notFound()
	}
	return reply{body: refShape(c.repo, ref, sha)}, nil
}

// postRef makes a branch or tag and refuses one that is there.
func (h *Hub) postRef(c *call) (reply, error) {
	var in struct{ Ref, SHA string }
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	ref, ok := namedRef(strings.TrimPrefix(in.Ref, "refs/"))
	if !ok || !strings.HasPrefix(in.Ref, "refs/") {
		return reply{}, problem(http.StatusUnprocessableEntity, "Reference name must start with 'refs/' and be well formed")
	}
	if _, _, _, err := c.repo.git.object(ref); err == nil {
		return reply{}, problem(http.StatusUnprocessableEntity, "Reference already exists")
	}
	if err := h.move(c.repo, ref, in.SHA); err != nil {
		return reply{}, err
	}
	return created(refShape(c.repo, ref, in.SHA)), nil
}

// move points a ref at a commit that exists, and lets the events happen.
func (h *Hub) move(r *Repo, ref, sha string) error {
	if _, err := r.git.commit(sha); err != nil || !shaRE.MatchString(sha) {
		return problem(http.StatusUnprocessableEntity, "Object does not exist")
	}
	old, _, _, _ := r.git.object(ref + "^{commit}")
	if err := r.git.setRef(ref, sha); err != nil {
		return err
	}
	if branch, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		return r.pushed(branch, old, sha, h.bot())
	}
	return nil
}

// patchRef moves a ref. Without force the old commit must be an ancestor of
// the new one: this is what tells the button that somebody pushed meanwhile.
func (h *Hub) patchRef(c *call) (reply, error) {
	var in struct {
		SHA   string
		Force bool
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	ref, ok := namedRef(c.path("ref"))
	old, _, _, err := c.repo.git.object(ref + "^{commit}")
	if !ok || err != nil {
		return reply{}, problem(http.StatusUnprocessableEntity, "Reference does not exist")
	}
	if !in.Force && shaRE.MatchString(in.SHA) && !c.repo.git.isAncestor(old, in.SHA) {
		return reply{}, problem(http.StatusUnprocessableEntity, "Update is not a fast forward")
	}
	if err := h.move(c.repo, ref, in.SHA); err != nil {
		return reply{}, err
	}
	return reply{body: refShape(c.repo, ref, in.SHA)}, nil
}

// deleteRef keeps the default branch.
func (h *Hub) deleteRef(c *call) (reply, error) {
	ref, ok := namedRef(c.path("ref"))
	if _, _, _, err := c.repo.git.object(ref); !ok || err != nil {
		return reply{}, problem(http.StatusUnprocessableEntity, "Reference does not exist")
	}
	if ref == "refs/heads/"+defaultBranch {
		return reply{}, problem(http.StatusUnprocessableEntity, "Cannot delete the default branch")
	}
	return reply{status: http.StatusNoContent}, c.repo.git.setRef(ref, "")
}
