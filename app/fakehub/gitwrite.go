package fakehub

import (
	"encoding/base64"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
)

// postBlob writes one blob. The button needs it for cards that are no valid
// UTF-8, since a tree's content field is text.
func (h *Hub) postBlob(c *call) (reply, error) {
	var in struct {
		Content  *string `json:"content"`
		Encoding string  `json:"encoding"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	if in.Content == nil {
		return reply{}, problem(http.StatusUnprocessableEntity, "Invalid request.\n\n\"content\" wasn't supplied.")
	}
	data := []byte(*in.Content)
	switch in.Encoding {
	case "", "utf-8":
	case "base64":
		var err error
		if data, err = base64.StdEncoding.DecodeString(strings.ReplaceAll(*in.Content, "\n", "")); err != nil {
			return reply{}, problem(http.StatusUnprocessableEntity, "content is not valid Base64")
		}
	default:
		return reply{}, problem(http.StatusUnprocessableEntity, "Invalid request.\n\nencoding is utf-8 or base64.")
	}
	ids, err := c.repo.git.blobs([][]byte{data})
	if err != nil {
		return reply{}, err
	}
	return created(object{"sha": ids[0], "url": c.repo.api() + "/git/blobs/" + ids[0]}), nil
}

func created(body any) reply { return reply{status: http.StatusCreated, body: body} }

// A treeWrite is one entry of a new tree: content or the id of an object, and a
// null id for a path to remove.
type treeWrite struct {
	Path    string   `json:"path"`
	Mode    string   `json:"mode"`
	Type    string   `json:"type"`
	SHA     nullable `json:"sha"`
	Content *string  `json:"content"`
}

// A nullable string tells null from absent.
type nullable struct {
	set   bool
	value string
}

// UnmarshalJSON is called for null too, which is how null is told from absent.
func (n *nullable) UnmarshalJSON(data []byte) error {
	n.set = true
	n.value = strings.Trim(string(data), `"`)
	if n.value == "null" {
		n.value = ""
	}
	return nil
}

// postTree writes a tree from a base and entries. Without a base the new tree
// holds the entries alone: a caller that forgets base_tree removes every other
// file, here as at GitHub.
func (h *Hub) postTree(c *call) (reply, error) {
	var in struct {
		BaseTree string      `json:"base_tree"`
		Tree     []treeWrite `json:"tree"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	g := c.repo.git
	base := ""
	if in.BaseTree != "" {
		var err error
		if base, err = g.treeish(in.BaseTree); err != nil {
			return reply{}, problem(http.StatusUnprocessableEntity, "base_tree is not a valid tree oid")
		}
	}
	entries, err := g.treeEntries(in.Tree)
	if err != nil {
		return reply{}, err
	}
	sha, err := g.writeTree(base, entries)
	if err != nil {
		return reply{}, problem(http.StatusUnprocessableEntity, "tree contains an entry that git refuses")
	}
	list, err := g.tree(sha, false)
	return created(treeShape(c.repo, sha, list, false)), err
}

// treeEntries checks the entries and writes the contents they carry.
func (g *gitStore) treeEntries(in []treeWrite) ([]treeEntry, error) {
	refuse := func(words string) error { return problem(http.StatusUnprocessableEntity, words) }
	kinds := map[string]string{"100644": "blob", "100755": "blob", "120000": "blob", "040000": "tree", "160000": "commit"}
	var entries []treeEntry
	for _, w := range in {
		e := treeEntry{Mode: w.Mode, Type: kinds[w.Mode], SHA: w.SHA.value, Path: w.Path}
		switch {
		case !validPath(w.Path):
			return nil, refuse("tree.path contains a malformed path component")
		case w.SHA.set && w.SHA.value == "" && w.Content == nil:
			e.Mode = "0"
		case e.Type == "" || (w.Type != "" && w.Type != e.Type):
			return nil, refuse("Must supply a valid tree.mode")
		case w.Content != nil && w.SHA.value != "":
			return nil, refuse("Must supply tree.sha or tree.content, not both")
		case w.Content != nil:
			ids, err := g.blobs([][]byte{[]byte(*w.Content)})
			if err != nil {
				return nil, err
			}
			e.SHA = ids[0]
		case e.Type != "commit":
			if _, kind, _, err := g.object(w.SHA.value); err != nil || kind != e.Type {
				return nil, refuse("tree.sha is not a valid " + e.Type)
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// validPath keeps to what git itself would check out.
func validPath(p string) bool {
	return p != "" && p == path.Clean(p) && p[0] != '/' && !strings.Contains(p, "\x00") &&
		!slices.ContainsFunc(strings.Split(p, "/"), func(s string) bool { return s == ".." || s == "." || strings.EqualFold(s, ".git") })
}

// A signatureWrite is an author or committer as a caller gives it.
type signatureWrite struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	Date  string `json:"date"`
}

// postCommit writes a commit on no branch: a ref has to be moved to it.
// Without parents it is a root commit.
func (h *Hub) postCommit(c *call) (reply, error) {
	var in struct {
		Message   *string         `json:"message"`
		Tree      string          `json:"tree"`
		Parents   []string        `json:"parents"`
		Author    *signatureWrite `json:"author"`
		Committer *signatureWrite `json:"committer"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	g := c.repo.git
	if in.Message == nil {
		return reply{}, problem(http.StatusUnprocessableEntity, "Invalid request.\n\n\"message\" wasn't supplied.")
	}
	if _, kind, _, err := g.object(in.Tree); err != nil || kind != "tree" || !shaRE.MatchString(in.Tree) {
		return reply{}, problem(http.StatusUnprocessableEntity, "Tree SHA does not exist")
	}
	for _, p := range in.Parents {
		if _, err := g.commit(p); err != nil || !shaRE.MatchString(p) {
			return reply{}, problem(http.StatusUnprocessableEntity, "Parent SHA does not exist or is not a commit object")
		}
	}
	author, ok1 := h.signature(in.Author, h.botPerson())
	committer, ok2 := h.signature(in.Committer, author)
	if !ok1 || !ok2 {
		return reply{}, problem(http.StatusUnprocessableEntity, "author and committer need a name, an email and an ISO 8601 date")
	}
	sha, err := g.writeCommit(commit{Tree: in.Tree, Message: *in.Message, Parents: in.Parents, Author: author, Committer: committer})
	if err != nil {
		return reply{}, err
	}
	done, err := g.commit(sha)
	return created(gitCommitShape(c.repo, done)), err
}

// botPerson signs commits for which the caller names no author.
func (h *Hub) botPerson() person {
	return person{h.bot().Login, "bot@users.noreply.invalid", h.now().Truncate(time.Second)}
}

// signature fills in what a caller left out.
func (h *Hub) signature(in *signatureWrite, usual person) (person, bool) {
	if in == nil {
		return usual, true
	}
	p := person{in.Name, in.Email, usual.Date}
	if in.Date != "" {
		t, err := time.Parse(time.RFC3339, in.Date)
		if err != nil {
			return p, false
		}
		p.Date = t
	}
	return p, p.Name != "" && p.Email != "" && !strings.ContainsAny(p.Name+p.Email, "<>\n\x00")
}
