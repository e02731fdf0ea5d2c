package fakehub

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A treeEntry is one line of a tree listing. Size is set for blobs only.
type treeEntry struct {
	Mode, Type, SHA, Path string
	Size                  int
}

// tree lists a tree, its subtrees' entries after their own where it is
// recursive, in git's order.
func (g *gitStore) tree(sha string, recursive bool) ([]treeEntry, error) {
	key := fmt.Sprint(sha, recursive)
	if list, ok := g.trees[key]; ok {
		return list, nil
	}
	args := []string{"ls-tree", "-z", "-l", "--full-tree"}
	if recursive {
		args = append(args, "-r", "-t")
	}
	out, err := g.run(nil, append(args, sha)...)
	if err != nil {
		return nil, err
	}
	var list []treeEntry
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		meta, path, _ := strings.Cut(line, "\t")
		if f := strings.Fields(meta); len(f) == 4 {
			size, _ := strconv.Atoi(f[3]) // "-" for anything but a blob
			list = append(list, treeEntry{f[0], f[1], f[2], path, size})
		}
	}
	g.trees[key] = list
	return list, nil
}

// writeTree applies entries to a base tree ("" for none) and returns the new
// tree. An entry of mode "0" is removed with all that is below it.
func (g *gitStore) writeTree(base string, entries []treeEntry) (string, error) {
	dir, err := os.MkdirTemp(g.dir, "index-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	if base != "" {
		if _, err := g.runEnv(nil, env, "read-tree", base); err != nil {
			return "", err
		}
	}
	var info bytes.Buffer
	for _, e := range entries {
		lines, err := g.indexLines(base, e)
		if err != nil {
			return "", err
		}
		info.WriteString(lines)
	}
	if _, err := g.runEnv(info.Bytes(), env, "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err := g.runEnv(nil, env, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// indexLines spells one entry for update-index, which knows files only: a
// removed folder is the removal of each of its files, and a tree replaces what
// stood at its path by its own files.
func (g *gitStore) indexLines(base string, e treeEntry) (string, error) {
	const none = "0000000000000000000000000000000000000000"
	if e.Mode != "0" && e.Mode != "040000" {
		return fmt.Sprintf("%s %s\t%s\x00", e.Mode, e.SHA, e.Path), nil
	}
	old, err := g.files(base)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, f := range old {
		if f.Path == e.Path || strings.HasPrefix(f.Path, e.Path+"/") {
			fmt.Fprintf(&out, "0 %s\t%s\x00", none, f.Path)
		}
	}
	if e.Mode == "0" {
		return out.String(), nil
	}
	added, err := g.files(e.SHA)
	for _, f := range added {
		fmt.Fprintf(&out, "%s %s\t%s/%s\x00", f.Mode, f.SHA, e.Path, f.Path)
	}
	return out.String(), err
}

// files lists what a tree holds but its subtrees; "" holds nothing.
func (g *gitStore) files(tree string) ([]treeEntry, error) {
	if tree == "" {
		return nil, nil
	}
	all, err := g.tree(tree, true)
	var files []treeEntry
	for _, e := range all {
		if e.Type != "tree" {
			files = append(files, e)
		}
	}
	return files, err
}

// A person is an author or committer with the time of the deed.
type person struct {
	Name, Email string
	Date        time.Time
}

// environ is how git is told who and when. A date with @ is seconds since
// 1970, which no time zone of the machine can shift.
func (p person) environ(role string) []string {
	return []string{
		"GIT_" + role + "_NAME=" + p.Name, "GIT_" + role + "_EMAIL=" + p.Email,
		"GIT_" + role + "_DATE=" + fmt.Sprintf("@%d +0000", p.Date.Unix()),
	}
}

// A commit is a parsed commit object.
type commit struct {
	SHA, Tree, Message string
	Parents            []string
	Author, Committer  person
}

// writeCommit writes c and returns its id.
func (g *gitStore) writeCommit(c commit) (string, error) {
	args := []string{"commit-tree", c.Tree}
	for _, p := range c.Parents {
		args = append(args, "-p", p)
	}
	env := append(c.Author.environ("AUTHOR"), c.Committer.environ("COMMITTER")...)
	out, err := g.runEnv([]byte(c.Message), env, args...)
	return strings.TrimSpace(string(out)), err
}

// commit reads a commit by id or expression.
func (g *gitStore) commit(name string) (commit, error) {
	sha, kind, data, err := g.object(name)
	if err != nil || kind != "commit" {
		return commit{}, errNoObject
	}
	c := commit{SHA: sha}
	head, message, _ := strings.Cut(string(data), "\n\n")
	c.Message = strings.TrimSuffix(message, "\n")
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "tree":
			c.Tree = value
		case "parent":
			c.Parents = append(c.Parents, value)
		case "author":
			c.Author = parsePerson(value)
		case "committer":
			c.Committer = parsePerson(value)
		}
	}
	return c, nil
}

// parsePerson reads "Name <email> seconds zone".
func parsePerson(s string) person {
	name, rest, _ := strings.Cut(s, " <")
	email, when, _ := strings.Cut(rest, "> ")
	seconds, _, _ := strings.Cut(when, " ")
	n, _ := strconv.ParseInt(seconds, 10, 64)
	return person{name, email, time.Unix(n, 0).UTC()}
}
