package github

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/app/tree"
)

// A TreeMerge is what the changes of one side come to upon the other.
type TreeMerge struct {
	Changes []Change // to the tree of the side that is merged onto: what goes first, each by path
	Clashes []Clash  // paths that need a decision; nothing is changed there
	Unnamed int      // changes at names that are no UTF-8, which no request can spell
}

// A Clash is a path at which the sides do not go together. An entry without an id
// is nothing at that path.
type Clash struct {
	Path             string
	Base, Onto, From tree.Entry
}

// MergeTrees merges three trees by mode and id, path by path: what from changed
// since base is what is to be done to onto. All three are commits or trees; only
// folders that differ are read. Nothing is merged within a file.
//
// It is stricter than git, which looks into files for renames: a path that both
// sides removed, and one that was added to a folder which the other side removed,
// are clashes, since either may be half of a rename.
func (c *Client) MergeTrees(ctx context.Context, repo Repo, base, onto, from string) (TreeMerge, error) {
	w := &mergeWalk{client: c, repo: repo, whole: map[string]Change{}}
	next := []trio{{ids: [3]string{base, onto, from}}}
	for steps := 0; len(next) > 0; {
		if steps += len(next); steps > maxEntries {
			return TreeMerge{}, &failure{method: http.MethodGet, route: repoRoute + treeRoute, kinds: []error{ErrTooLarge}}
		}
		levels, err := w.read(ctx, next)
		if err != nil {
			return TreeMerge{}, err
		}
		w.next = nil
		for _, t := range next {
			w.folder(t, levels)
		}
		next = w.next
	}
	return w.result(), nil
}

// The three sides, as a trio has them.
const (
	atBase = iota
	atOnto
	atFrom
)

// A trio is one folder on the three sides; "" stands for none.
type trio struct {
	prefix string
	ids    [3]string
	gone   bool    // one side removed the folder, and the other changed it
	top    *Change // the highest folder above that can be taken over as a whole
}

// A mergeWalk goes through three trees, one depth at a time.
type mergeWalk struct {
	client *Client
	repo   Repo
	out    TreeMerge
	whole  map[string]Change // folders that are taken over by their id, since a name in them cannot be spelled
	next   []trio
	odd    int // folders that were asked for to the byte
}

// maxOdd bounds those: each costs a query of its own, and a hostile head could have
// thousands.
const maxOdd = 20

// read lists the folders of one depth, with their names to the byte.
func (w *mergeWalk) read(ctx context.Context, folders []trio) (map[string]level, error) {
	var ids []string
	for _, t := range folders {
		for _, id := range t.ids {
			if id != "" {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	got, err := w.client.Levels(ctx, w.repo, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	out := make(map[string]level, len(got))
	for id, l := range got {
		if out[id] = l; slices.ContainsFunc(l, func(e tree.Entry) bool { return strings.ContainsRune(e.Path, utf8.RuneError) }) {
			if w.odd++; w.odd > maxOdd {
				return nil, &failure{method: http.MethodPost, route: graphRoute, kinds: []error{ErrTooLarge}}
			}
			if out[id], err = w.client.spelled(ctx, w.repo, id, l); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// folder merges one folder, name by name.
func (w *mergeWalk) folder(t trio, levels map[string]level) {
	at := map[string]*[3]tree.Entry{}
	var names []string
	for side, id := range t.ids {
		for _, e := range levels[id] {
			if at[e.Path] == nil {
				at[e.Path] = &[3]tree.Entry{}
				names = append(names, e.Path)
			}
			at[e.Path][side] = e
		}
	}
	slices.Sort(names)
	for _, name := range names {
		w.name(t, name, *at[name])
	}
}

// name merges what stands at one name.
func (w *mergeWalk) name(t trio, name string, e [3]tree.Entry) {
	path := t.prefix + name
	base, onto, from := e[atBase], e[atOnto], e[atFrom]
	switch {
	case same(base, onto) && same(base, from):
	case same(onto, from):
		if base.ID != "" {
			w.both(t, path, e)
		}
	case t.gone && base.ID == "":
		w.clash(path, e)
	case same(base, from): // onto alone changed it, and keeps what it has
	case same(base, onto):
		w.take(t, path, e)
	case folders(onto, from) && (base.ID == "" || folders(base)):
		w.below(t, path, e)
	case folders(base) && (folders(onto) && from.ID == "" || folders(from) && onto.ID == ""):
		t.gone = true
		w.below(t, path, e)
	default:
		w.clash(path, e)
	}
}

// both looks for what both sides removed, in what is else alike on both.
func (w *mergeWalk) both(t trio, path string, e [3]tree.Entry) {
	switch {
	case folders(e[atBase]) && (folders(e[atOnto]) || e[atOnto].ID == ""):
		w.below(t, path, e)
	case e[atOnto].ID == "" || folders(e[atBase]) || folders(e[atOnto]):
		w.clash(path, e)
	}
}

// take does to onto, which did not touch the path, what from did. Files are named
// one by one: a request that names a folder and something below it is a riddle.
func (w *mergeWalk) take(t trio, path string, e [3]tree.Entry) {
	onto, from := e[atOnto], e[atFrom]
	if t.top == nil && folders(from) && utf8.ValidString(path) {
		t.top = &Change{Path: path, Mode: tree.Directory, ID: from.ID}
	}
	if folders(onto) || folders(from) {
		w.below(t, path, e)
	}
	switch {
	case onto.ID != "" && !folders(onto) && (from.ID == "" || folders(from)):
		w.change(t, Change{Path: path})
	case from.ID != "" && !folders(from):
		w.change(t, Change{Path: path, Mode: from.Mode, ID: from.ID, Size: from.Size})
	}
}

// below goes on in a folder of any side.
func (w *mergeWalk) below(t trio, path string, e [3]tree.Entry) {
	next := trio{prefix: path + "/", gone: t.gone, top: t.top}
	for side := range e {
		if folders(e[side]) {
			next.ids[side] = e[side].ID
		}
	}
	w.next = append(w.next, next)
}

func (w *mergeWalk) change(t trio, c Change) {
	switch {
	case utf8.ValidString(c.Path):
		w.out.Changes = append(w.out.Changes, c)
	case t.top != nil:
		w.whole[t.top.Path] = *t.top
	default:
		w.out.Unnamed++
	}
}

func (w *mergeWalk) clash(path string, e [3]tree.Entry) {
	w.out.Clashes = append(w.out.Clashes, Clash{path, e[atBase], e[atOnto], e[atFrom]})
}

// result puts whole folders in the place of what was to be done within them. What
// goes comes first, so that a folder may take the place of a file.
func (w *mergeWalk) result() TreeMerge {
	out := w.out
	out.Changes = slices.DeleteFunc(out.Changes, func(c Change) bool {
		for i, r := range c.Path {
			if _, whole := w.whole[c.Path[:i]]; r == '/' && whole {
				return true
			}
		}
		return false
	})
	for _, c := range w.whole {
		out.Changes = append(out.Changes, c)
	}
	slices.SortFunc(out.Changes, func(a, b Change) int {
		if a.removes() != b.removes() {
			return cmp.Compare(a.ID, b.ID) // "" is what goes
		}
		return strings.Compare(a.Path, b.Path)
	})
	slices.SortFunc(out.Clashes, func(a, b Clash) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// same compares by mode and id; two that are not there are the same.
func same(a, b tree.Entry) bool { return a.ID == b.ID && (a.ID == "" || a.Mode == b.Mode) }

// folders reports whether all are.
func folders(all ...tree.Entry) bool {
	return !slices.ContainsFunc(all, func(e tree.Entry) bool { return e.ID == "" || e.Mode != tree.Directory })
}
