package tree

import "slices"

// A Delta lists what a commit changed: it goes down its tree and those of its
// parents side by side, and only where the commit's folder is no parent's. What
// it reads is what [Delta.Wants] asks for, so that the cost follows the change;
// where trees come from is the caller's affair.
type Delta struct {
	steps   []step
	own     []Entry
	parents [][]Entry
}

// step is a folder that is still to be listed: the tree of each side, "" where a
// side has no such folder.
type step struct {
	path    string // "" is the root, else it ends in a slash
	tree    string
	parents []string
}

// NewDelta begins at the roots: ids of trees, or of commits, whose root they
// mean. A commit without parents has changed everything.
func NewDelta(root string, parents []string) *Delta {
	d := &Delta{parents: make([][]Entry, len(parents))}
	d.push(step{tree: root, parents: parents})
	return d
}

// push keeps a folder for later, unless a parent has the same one.
func (d *Delta) push(s step) {
	if s.tree != "" && !slices.Contains(s.parents, s.tree) {
		d.steps = append(d.steps, s)
	}
}

// Wants lists the ids to list next, sorted; none at the end.
func (d *Delta) Wants() []string {
	var ids []string
	for _, s := range d.steps {
		for _, id := range append([]string{s.tree}, s.parents...) {
			if id != "" {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Prune leaves out the folders that keep refuses, by their paths, and reports
// whether there were any. What lies in them counts as unchanged.
func (d *Delta) Prune(keep func(folder string) bool) bool {
	before := len(d.steps)
	d.steps = slices.DeleteFunc(d.steps, func(s step) bool { return s.path != "" && !keep(s.path[:len(s.path)-1]) })
	return len(d.steps) < before
}

// Take goes on with the levels that were asked for: all entries of each tree,
// folders among them, under their own names.
func (d *Delta) Take(levels map[string][]Entry) {
	steps := d.steps
	d.steps = nil
	for _, s := range steps {
		folders := make([]map[string]string, len(s.parents))
		for i, id := range s.parents {
			folders[i] = d.side(&d.parents[i], s.path, levels[id])
		}
		for name, id := range d.side(&d.own, s.path, levels[s.tree]) {
			below := step{path: s.path + name + "/", tree: id, parents: make([]string, len(s.parents))}
			for i := range folders {
				below.parents[i] = folders[i][name]
			}
			d.push(below)
		}
	}
}

// side takes over the files of one side's level and returns its folders.
func (d *Delta) side(files *[]Entry, path string, level []Entry) map[string]string {
	folders := map[string]string{}
	for _, e := range level {
		if e.Mode == Directory {
			folders[e.Path] = e.ID
			continue
		}
		e.Path = path + e.Path
		*files = append(*files, e)
	}
	return folders
}

// Entries are the files of the commit and of each parent in the folders that
// were listed: all of them, changed or not, so that what differs from every
// parent is told by comparing ids.
func (d *Delta) Entries() (own []Entry, parents [][]Entry) { return d.own, d.parents }
