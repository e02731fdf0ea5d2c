package fakehub

import (
	"strconv"
	"strings"
)

// A fileDiff is one changed file between two commits.
type fileDiff struct {
	Path, Previous, SHA, Status, Patch string
	Additions, Deletions               int
}

// patchLimit is the size above which a file's patch is left out. GitHub leaves
// out patches that are too large without publishing a number; this one stands
// in for it.
const patchLimit = 100_000

// diff compares the trees of two commits, with renames found.
func (g *gitStore) diff(from, to string) ([]fileDiff, error) {
	if list, ok := g.diffs[from+to]; ok {
		return list, nil
	}
	stats, err := g.run(nil, "diff-tree", "-r", "-M", "-z", "--no-abbrev", "--raw", "--numstat", from, to)
	if err != nil {
		return nil, err
	}
	list := parseRaw(strings.Split(string(stats), "\x00"))
	text, err := g.run(nil, "diff-tree", "-r", "-M", "-p", "--no-color", "--no-ext-diff", from, to)
	if err != nil {
		return nil, err
	}
	addPatches(list, string(text))
	g.diffs[from+to] = list
	return list, nil
}

// parseRaw reads what --raw --numstat -z print: first a record for each file,
// then its numbers, both in the same order.
func parseRaw(f []string) []fileDiff {
	var list []fileDiff
	next := 0
	for i := 0; i+1 < len(f); {
		if strings.HasPrefix(f[i], ":") {
			d, used := rawRecord(f[i:])
			list = append(list, d)
			i += used
			continue
		}
		numbers := strings.SplitN(f[i], "\t", 3)
		i++
		if len(numbers) < 3 || next == len(list) {
			continue
		}
		if numbers[2] == "" {
			i += 2 // a rename's two names
		}
		list[next].Additions, _ = strconv.Atoi(numbers[0]) // "-" for a binary file
		list[next].Deletions, _ = strconv.Atoi(numbers[1])
		next++
	}
	return list
}

// rawRecord reads ":mode mode id id S" and one name, or two after R and C.
func rawRecord(f []string) (fileDiff, int) {
	head := strings.Fields(f[0])
	if len(head) != 5 || len(f) < 3 {
		return fileDiff{}, len(f)
	}
	d := fileDiff{Path: f[1], SHA: head[3]}
	switch head[4][0] {
	case 'A':
		d.Status = "added"
	case 'D':
		d.Status, d.SHA = "removed", head[2]
	case 'R', 'C':
		d.Status, d.Previous, d.Path = "renamed", f[1], f[2]
		return d, 3
	case 'T':
		d.Status = "changed"
	default:
		d.Status = "modified"
	}
	return d, 2
}

// addPatches hands each file its hunks. A file whose type changed is printed as
// a removal and an addition: two parts for one record.
func addPatches(list []fileDiff, text string) {
	parts := strings.Split("\n"+text, "\ndiff --git ")[1:]
	for i := range list {
		count := 1
		if list[i].Status == "changed" {
			count = 2
		}
		for range min(count, len(parts)) {
			if at := strings.Index(parts[0], "\n@@ "); at >= 0 {
				list[i].Patch += strings.TrimSuffix(parts[0][at+1:], "\n")
			}
			parts = parts[1:]
		}
		if len(list[i].Patch) > patchLimit {
			list[i].Patch = ""
		}
	}
}
