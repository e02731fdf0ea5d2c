package fakehub

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
)

// treeish resolves what the trees API takes: a tree's id, a commit's id, a
// branch or a tag.
func (g *gitStore) treeish(name string) (string, error) {
	if shaRE.MatchString(name) {
		sha, _, _, err := g.object(name + "^{tree}")
		return sha, err
	}
	commit, err := g.resolve(name)
	if err != nil {
		return "", err
	}
	sha, _, _, err := g.object(commit + "^{tree}")
	return sha, err
}

// treeBytes is GitHub's limit for a recursive listing, of which the reference
// says "7 MB".
const treeBytes = 7_000_000

// readTree lists a tree. Any value of recursive recurses, as the reference
// says; even "0" does. Above a limit, of entries or of bytes, the recursive list
// is cut without a word but truncated.
func (h *Hub) readTree(c *call) (reply, error) {
	r := c.repo
	sha, err := r.git.treeish(c.path("sha"))
	if err != nil {
		return reply{}, notFound()
	}
	recursive := c.r.URL.Query().Has("recursive")
	list, err := r.git.tree(sha, recursive)
	if err != nil {
		return reply{}, err
	}
	fit := len(list)
	if recursive {
		fit = fitting(r, list[:min(len(list), h.treeLimit)])
	}
	return reply{body: treeShape(r, sha, list[:fit], fit < len(list))}, nil
}

// fitting is how many entries stay within the limit of bytes.
func fitting(r *Repo, list []treeEntry) int {
	room := treeBytes
	for i, e := range list {
		// The fixed part is what a line has beside its names: quotes, field names, the
		// id twice, and for a blob its size.
		fixed := 151
		if e.Type == "blob" {
			fixed += len(`"size":,`) + len(strconv.Itoa(e.Size))
		}
		if room -= fixed + len(e.Path) + len(r.api()); room < 0 {
			return i
		}
	}
	return len(list)
}

// A treeLine is one entry as the API shows it; a submodule has no address.
type treeLine struct {
	Path string `json:"path"`
	Mode string `json:"mode"`
	Type string `json:"type"`
	SHA  string `json:"sha"`
	Size *int   `json:"size,omitempty"`
	URL  string `json:"url,omitempty"`
}

// treeShape gives blobs a size and no other entry one.
func treeShape(r *Repo, sha string, list []treeEntry, truncated bool) object {
	lines := make([]treeLine, 0, len(list))
	for i, e := range list {
		line := treeLine{Path: e.Path, Mode: e.Mode, Type: e.Type, SHA: e.SHA}
		if e.Type == "blob" {
			line.Size = &list[i].Size
		}
		if e.Type != "commit" {
			line.URL = r.api() + "/git/" + e.Type + "s/" + e.SHA
		}
		lines = append(lines, line)
	}
	return object{"sha": sha, "url": r.api() + "/git/trees/" + sha, "tree": lines, "truncated": truncated}
}

// readBlob answers base64 in JSON, or the bytes alone for the media type raw.
// A blob is found by id whatever branch or fork it is on.
func (h *Hub) readBlob(c *call) (reply, error) {
	sha := c.path("sha")
	if !shaRE.MatchString(sha) {
		return reply{}, problem(http.StatusUnprocessableEntity, "The sha parameter must be exactly 40 characters and contain only [0-9a-f].")
	}
	_, kind, data, err := c.repo.git.object(sha)
	if err != nil || kind != "blob" {
		return reply{}, notFound()
	}
	if strings.Contains(c.r.Header.Get("Accept"), "raw") {
		return reply{raw: data, header: http.Header{"Content-Type": {"application/vnd.github.raw; charset=utf-8"}}}, nil
	}
	return reply{body: object{
		"sha": sha, "node_id": "B_" + sha, "size": len(data), "url": c.repo.api() + "/git/blobs/" + sha,
		"encoding": "base64", "content": wrapped(base64.StdEncoding.EncodeToString(data)),
	}}, nil
}

// wrapped breaks base64 into lines of 60 characters, each ended: a reader that
// does not skip line ends then fails here as it would at GitHub.
func wrapped(s string) string {
	var out strings.Builder
	for len(s) > 60 {
		out.WriteString(s[:60] + "\n")
		s = s[60:]
	}
	if s != "" {
		out.WriteString(s + "\n")
	}
	return out.String()
}

// readGitCommit takes a full id and nothing else.
func (h *Hub) readGitCommit(c *call) (reply, error) {
	if !shaRE.MatchString(c.path("sha")) {
		return reply{}, notFound()
	}
	commit, err := c.repo.git.commit(c.path("sha"))
	if err != nil {
		return reply{}, notFound()
	}
	return reply{body: gitCommitShape(c.repo, commit)}, nil
}
