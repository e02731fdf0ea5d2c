package fakehub

import (
	"net/http"
	"net/url"
	"strings"
)

// escape spells a path for an address: each segment on its own.
func escape(path string) string {
	parts := strings.Split(path, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

func (p person) shape() object {
	return object{"name": p.Name, "email": p.Email, "date": stamp(p.Date)}
}

// unsigned is the verification of a commit without a signature. No commit of
// the hub has one.
func unsigned() object {
	return object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
}

// commitShape is a commit as /commits and /compare show it. The accounts are
// null: no address in this hub belongs to one.
func (h *Hub) commitShape(r *Repo, c commit) object {
	parents := []object{}
	for _, p := range c.Parents {
		parents = append(parents, object{"sha": p, "url": r.api() + "/commits/" + p, "html_url": r.html() + "/commit/" + p})
	}
	self := r.api() + "/commits/" + c.SHA
	return object{
		"sha": c.SHA, "node_id": "C_" + c.SHA, "url": self, "html_url": r.html() + "/commit/" + c.SHA,
		"comments_url": self + "/comments", "author": nil, "committer": nil, "parents": parents,
		"commit": object{
			"url": r.api() + "/git/commits/" + c.SHA, "message": c.Message, "comment_count": 0,
			"author": c.Author.shape(), "committer": c.Committer.shape(), "verification": unsigned(),
			"tree": object{"sha": c.Tree, "url": r.api() + "/git/trees/" + c.Tree},
		},
	}
}

// commitShapes keeps the order of the ids.
func (h *Hub) commitShapes(r *Repo, shas []string) ([]object, error) {
	list := []object{}
	for _, sha := range shas {
		c, err := r.git.commit(sha)
		if err != nil {
			return nil, err
		}
		list = append(list, h.commitShape(r, c))
	}
	return list, nil
}

// gitCommitShape is the same commit as /git/commits shows it.
func gitCommitShape(r *Repo, c commit) object {
	parents := []object{}
	for _, p := range c.Parents {
		parents = append(parents, object{"sha": p, "url": r.api() + "/git/commits/" + p, "html_url": r.html() + "/commit/" + p})
	}
	return object{
		"sha": c.SHA, "node_id": "C_" + c.SHA, "url": r.api() + "/git/commits/" + c.SHA,
		"html_url": r.html() + "/commit/" + c.SHA, "message": c.Message, "parents": parents,
		"author": c.Author.shape(), "committer": c.Committer.shape(), "verification": unsigned(),
		"tree": object{"sha": c.Tree, "url": r.api() + "/git/trees/" + c.Tree},
	}
}

func (d fileDiff) shape(r *Repo, commit string) object {
	path := escape(d.Path)
	out := object{
		"filename": d.Path, "sha": d.SHA, "status": d.Status, "additions": d.Additions, "deletions": d.Deletions,
		"changes": d.Additions + d.Deletions, "blob_url": r.html() + "/blob/" + commit + "/" + path,
		"raw_url": r.html() + "/raw/" + commit + "/" + path, "contents_url": r.api() + "/contents/" + path + "?ref=" + commit,
	}
	if d.Patch != "" {
		out["patch"] = d.Patch
	}
	if d.Previous != "" {
		out["previous_filename"] = d.Previous
	}
	return out
}

func diffShapes(r *Repo, list []fileDiff, commit string) []object {
	out := []object{}
	for _, d := range list {
		out = append(out, d.shape(r, commit))
	}
	return out
}

// emptyTree is git's id of a tree without entries.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// oneCommit takes an id, a branch or a tag. With the media type "sha" it
// answers the bare id, the cheapest way to ask where a branch is. Its list of
// files ends at 300, as compare's does.
func (h *Hub) oneCommit(c *call) (reply, error) {
	r := c.repo
	sha, err := r.git.resolve(c.path("ref"))
	if err != nil {
		return reply{}, problem(http.StatusUnprocessableEntity, "No commit found for SHA: "+c.path("ref"))
	}
	if strings.Contains(c.r.Header.Get("Accept"), "vnd.github.sha") {
		return reply{raw: []byte(sha), header: http.Header{"Content-Type": {"application/vnd.github.v3.sha"}}}, nil
	}
	commit, err := r.git.commit(sha)
	if err != nil {
		return reply{}, err
	}
	from := emptyTree
	if len(commit.Parents) > 0 {
		from = commit.Parents[0]
	} else if _, err := r.git.run(nil, "hash-object", "-t", "tree", "-w", "--stdin"); err != nil {
		return reply{}, err
	}
	files, err := r.git.diff(from, sha)
	if err != nil {
		return reply{}, err
	}
	body := h.commitShape(r, commit)
	body["files"], body["stats"] = diffShapes(r, files[:min(len(files), 300)], sha), stats(files)
	return reply{body: body}, nil
}

func stats(files []fileDiff) object {
	var added, deleted int
	for _, d := range files {
		added, deleted = added+d.Additions, deleted+d.Deletions
	}
	return object{"additions": added, "deletions": deleted, "total": added + deleted}
}

// compare is the three-dot comparison against the merge base, the only one
// that the API has. At most 250 commits unless paged, and at most 300 files,
// all of them on the first page.
func (h *Hub) compare(c *call) (reply, error) {
	r := c.repo
	left, right, ok := strings.Cut(c.path("basehead"), "...")
	base, err1 := r.git.resolve(left)
	head, err2 := r.git.resolve(right)
	if !ok || err1 != nil || err2 != nil {
		return reply{}, notFound()
	}
	merge, err := r.git.mergeBase(base, head)
	if err != nil {
		return reply{}, problem(http.StatusNotFound, "No common ancestor between these commits.")
	}
	ahead, err1 := r.git.between(base, head)
	behind, err2 := r.git.between(head, base)
	if err1 != nil || err2 != nil {
		return reply{}, err1
	}
	body, err := h.comparison(r, base, merge)
	if err != nil {
		return reply{}, err
	}
	body["status"], body["ahead_by"], body["behind_by"] = status(len(ahead), len(behind)), len(ahead), len(behind)
	body["total_commits"] = len(ahead)
	span := "/compare/" + escape(left) + "..." + escape(right)
	body["url"], body["html_url"], body["permalink_url"] = r.api()+span, r.html()+span, r.html()+span
	body["diff_url"], body["patch_url"] = r.html()+span+".diff", r.html()+span+".patch"
	return h.comparePage(c, body, ahead, merge, head)
}

// comparison starts the body with the two commits that do not depend on a
// page.
func (h *Hub) comparison(r *Repo, base, merge string) (object, error) {
	two, err := h.commitShapes(r, []string{base, merge})
	if err != nil {
		return nil, err
	}
	return object{"base_commit": two[0], "merge_base_commit": two[1]}, nil
}

// status is how the head stands to the base.
func status(ahead, behind int) string {
	switch {
	case ahead > 0 && behind > 0:
		return "diverged"
	case ahead > 0:
		return "ahead"
	case behind > 0:
		return "behind"
	}
	return "identical"
}

// comparePage adds one page of commits, and the files to the first page only:
// a reader that walks the pages must not look for more files on the next one.
func (h *Hub) comparePage(c *call, body object, ahead []string, merge, head string) (reply, error) {
	var out reply
	if c.query("page") == "" && c.query("per_page") == "" {
		ahead = ahead[:min(len(ahead), 250)]
	} else {
		out = paged(h, c, ahead, nil)
		ahead = out.body.([]string)
	}
	commits, err := h.commitShapes(c.repo, ahead)
	if err != nil {
		return reply{}, err
	}
	body["commits"] = commits
	if bounded(c.query("page"), 1, 1<<30) == 1 {
		files, err := c.repo.git.diff(merge, head)
		if err != nil {
			return reply{}, err
		}
		body["files"] = diffShapes(c.repo, files[:min(len(files), 300)], head)
	}
	out.body = body
	return out, nil
}
