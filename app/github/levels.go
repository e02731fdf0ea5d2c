package github

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/cardkeeper/cardkeeper/app/tree"
)

const (
	// maxEntries bounds a tree, in entries: ten times what GitHub lists at once.
	maxEntries = 1_000_000
	// treeBody bounds one tree answer. GitHub cuts a recursive one at 7 MB; a
	// folder of 100,000 entries is some 22 MB.
	treeBody = 32 << 20
	// fewFolders are listed one by one, each with all below it; more than that lie
	// side by side in a folder that is too large to be listed with all below it, and
	// are asked for a hundred at a time.
	fewFolders = 64
)

const treeRoute = "/git/trees/{tree_sha}"

// A level is what one folder holds, by name, folders among it. It never changes
// and is shared.
type level []tree.Entry

func (l level) weight() int { return 1 + len(l) }

// A levelKey names a tree, or a commit for its root. Repositories may share
// objects and not their readers, so each has its own. In the list of what GitHub
// cut, the id is a path.
type levelKey struct {
	installation, repository int64
	id                       string
}

func (c *Client) level(repo Repo, id string) levelKey {
	return levelKey{c.key.installation, repo.ID, id}
}

// A folder is a tree at its place.
type folder struct{ id, prefix string }

// Tree lists all files, links and submodules of a commit or tree, sorted; paths
// are relative to it. Levels that were read before are not asked for again, since
// an id never stands for anything else: a commit of which only the root was not
// seen costs one request. Where GitHub truncates the list, the folders are listed
// one by one (2A-36), those alone that differ from what was read before: the
// result is whole, or an error.
func (c *Client) Tree(ctx context.Context, repo Repo, id string) ([]tree.Entry, error) {
	var all []tree.Entry
	above := 0 // folders that were gone through
	for folders := []folder{{id: id}}; len(folders) > 0; {
		levels, err := c.all(ctx, repo, folders)
		if err != nil {
			return nil, err
		}
		var below []folder
		above += len(folders)
		for _, f := range folders {
			// A tree may hold one folder a thousand times, and that one another.
			if above+len(below)+len(all)+len(levels[f.id]) > maxEntries {
				return nil, &failure{method: http.MethodGet, route: repoRoute + treeRoute, kinds: []error{ErrTooLarge}}
			}
			for _, e := range levels[f.id] {
				e.Path = f.prefix + e.Path
				if e.Mode == tree.Directory {
					below = append(below, folder{e.ID, e.Path + "/"})
				} else {
					all = append(all, e)
				}
			}
		}
		folders = below
	}
	slices.SortFunc(all, func(a, b tree.Entry) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// Level lists one folder, folders among it (mode [tree.Directory], ID that of
// their tree). id is a commit or a tree.
func (c *Client) Level(ctx context.Context, repo Repo, id string) ([]tree.Entry, error) {
	if l, ok := c.app.levels.get(c.level(repo, id)); ok {
		return slices.Clone(l), nil
	}
	l, err := c.single(ctx, repo, id)
	return slices.Clone(l), err
}

// Levels is [Client.Level] for many folders, by id: few by REST, eight at a time,
// more than that in batches. It gives all of them or an error.
func (c *Client) Levels(ctx context.Context, repo Repo, ids []string) (map[string][]tree.Entry, error) {
	got := make(map[string]level, len(ids))
	var unknown []folder
	for _, id := range ids {
		if l, ok := c.app.levels.get(c.level(repo, id)); ok {
			got[id] = l
		} else {
			unknown = append(unknown, folder{id: id})
		}
	}
	if len(unknown) >= graphFrom {
		var err error
		if unknown, err = c.graphLevels(ctx, repo, unknown, got); err != nil {
			return nil, err
		}
	}
	err := c.load(ctx, unknown, got, func(ctx context.Context, f folder) (level, error) { return c.single(ctx, repo, f.id) })
	if err != nil {
		return nil, err
	}
	out := make(map[string][]tree.Entry, len(got))
	for id, l := range got {
		out[id] = slices.Clone(l)
	}
	return out, nil
}

// all gives the levels of the folders, by id.
func (c *Client) all(ctx context.Context, repo Repo, folders []folder) (map[string]level, error) {
	got := make(map[string]level, len(folders))
	var unknown []folder
	for _, f := range folders {
		if _, twice := got[f.id]; twice {
			continue
		}
		l, ok := c.app.levels.get(c.level(repo, f.id))
		if !ok {
			unknown = append(unknown, f)
		}
		got[f.id] = l
	}
	if len(unknown) > fewFolders {
		var err error
		if unknown, err = c.graphLevels(ctx, repo, unknown, got); err != nil {
			return nil, err
		}
	}
	return got, c.load(ctx, unknown, got, func(ctx context.Context, f folder) (level, error) { return c.deep(ctx, repo, f) })
}

// load reads folders one by one, eight at a time.
func (c *Client) load(ctx context.Context, folders []folder, into map[string]level, read func(context.Context, folder) (level, error)) error {
	var mu sync.Mutex
	work, ctx := NewCrew(ctx, blobWorkers)
	for _, f := range folders {
		work.Go(func() error {
			if ctx.Err() != nil { // a sibling failed; do not ask for the rest
				return ctx.Err()
			}
			l, err := read(ctx, f)
			mu.Lock()
			defer mu.Unlock()
			into[f.id] = l
			return err
		})
	}
	return work.Wait()
}

// deep reads a folder with all below it where GitHub gives that, else the folder
// alone. What was cut once at a place is not asked for there again.
func (c *Client) deep(ctx context.Context, repo Repo, f folder) (level, error) {
	place := c.level(repo, f.prefix)
	if _, cut := c.app.cuts.get(place); cut {
		return c.single(ctx, repo, f.id)
	}
	list, whole, err := c.listing(ctx, repo, f.id, true)
	if err != nil {
		return nil, err
	}
	if !whole {
		c.app.cuts.put(place, true)
		return c.single(ctx, repo, f.id)
	}
	return c.split(repo, f.id, list)
}

// single reads one folder.
func (c *Client) single(ctx context.Context, repo Repo, id string) (level, error) {
	list, whole, err := c.listing(ctx, repo, id, false)
	if err == nil && !whole {
		err = &failure{method: http.MethodGet, route: repoRoute + treeRoute, kinds: []error{ErrTooLarge}}
	}
	if err != nil {
		return nil, err
	}
	c.keep(repo, id, list)
	return list, nil
}

// keep keeps a level under its id. A commit's is that of its tree as well, which
// says itself how it is named.
func (c *Client) keep(repo Repo, id string, l level) {
	c.app.levels.put(c.level(repo, id), l)
	if own := tree.ID(l); own != "" && own != id {
		c.app.levels.put(c.level(repo, own), l)
	}
}

// split takes a list of everything apart into levels and keeps each. It returns
// the root's.
func (c *Client) split(repo Repo, id string, list []tree.Entry) (level, error) {
	levels, ids := map[string]level{".": {}}, map[string]string{".": id}
	for _, e := range list {
		dir := path.Dir(e.Path)
		if e.Mode == tree.Directory {
			ids[e.Path] = e.ID
			if levels[e.Path] == nil {
				levels[e.Path] = level{} // empty, if nothing else comes
			}
		}
		e.Path = path.Base(e.Path)
		levels[dir] = append(levels[dir], e)
	}
	for dir, l := range levels {
		if ids[dir] == "" { // a file whose folder is not listed
			return nil, odd(http.MethodGet, repoRoute+treeRoute)
		}
		c.app.levels.put(c.level(repo, ids[dir]), l)
	}
	c.keep(repo, id, levels["."])
	return levels["."], nil
}

// A wireTree is GitHub's answer as far as it is read.
type wireTree struct {
	SHA       string `json:"sha"`
	Truncated bool   `json:"truncated"`
	Tree      []struct {
		Path string `json:"path"`
		Mode string `json:"mode"`
		SHA  string `json:"sha"`
		Size int64  `json:"size"`
	} `json:"tree"`
}

// listing asks for one tree; whole is false where GitHub truncated it.
func (c *Client) listing(ctx context.Context, repo Repo, id string, deep bool) (list level, whole bool, err error) {
	var t wireTree
	k := call{route: treeRoute, args: []any{id}, out: &t, limit: treeBody}
	if deep {
		k.query = url.Values{"recursive": {"1"}}
	}
	if _, err := c.in(ctx, repo, k); err != nil {
		return nil, false, err
	}
	if t.SHA == "" {
		return nil, false, odd(http.MethodGet, repoRoute+treeRoute)
	}
	if t.Truncated {
		return nil, false, nil
	}
	list = make(level, 0, len(t.Tree))
	for _, e := range t.Tree {
		mode, err := tree.ParseMode(e.Mode)
		if err != nil || e.Path == "" || !objectID(e.SHA) {
			return nil, false, odd(http.MethodGet, repoRoute+treeRoute)
		}
		list = append(list, tree.Entry{Path: e.Path, Mode: mode, ID: e.SHA, Size: e.Size})
	}
	return list, true, nil
}
