package checker

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

//go:embed marks.tsv
var markTable string

// A markTool is one way to tell another scanner to look away.
type markTool struct {
	name string
	line *regexp.Regexp // or nil
	file string         // a pattern for names, or with a slash for paths
}

var markTools = sync.OnceValue(func() []markTool {
	var out []markTool
	for row := range strings.SplitSeq(strings.TrimSpace(markTable), "\n") {
		cells := strings.Split(row, "\t")
		switch {
		case len(cells) < 3 || strings.HasPrefix(row, "#"):
		case cells[0] == "line":
			out = append(out, markTool{name: cells[2], line: regexp.MustCompile("(?i)" + cells[1])})
		default:
			out = append(out, markTool{name: cells[2], file: cells[1]})
		}
	}
	return out
})

// maxMarks bounds the notes on marks: one who is shown so many knows.
const maxMarks = 20

// marks notes what a change adds to make other scanners look away: comments in
// the Markdown that was scanned, and settings anywhere in the tree. Nothing of it
// is obeyed (law 7, 2A-37). Without a base only marks beside a finding are told:
// nothing is new there, but somebody may wonder why the mark does not help.
func (c *check) marks() error {
	if err := errors.Join(c.markedLines(), c.markedFiles()); err != nil {
		return err
	}
	if c.marked > maxMarks {
		c.note("%d more marks for other scanners, none of them obeyed", c.marked-maxMarks)
	}
	return nil
}

// mark notes one mark.
func (c *check) mark(file string, line int, tool string) {
	if c.marked++; c.marked <= maxMarks {
		c.note("%s:%d: a mark for %s, not obeyed; ask for an allow rule in the policy of the base branch", file, line, tool)
	}
}

// markedLines looks through the changed Markdown.
func (c *check) markedLines() error {
	files, err := c.changedMarkdown()
	if err != nil {
		return err
	}
	for _, file := range files {
		found, err := linesMarked(c.head, file)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		old, err := c.before(file)
		if err != nil {
			return err
		}
		for _, m := range found {
			if old[m.text] > 0 {
				old[m.text]--
			} else if c.in.Base != nil || c.besideFinding(file, m.line) {
				c.mark(file, m.line, m.tool)
			}
		}
	}
	return nil
}

// before counts the marked lines of a file at the base by their text: a line that
// only moved is not new.
func (c *check) before(file string) (map[string]int, error) {
	out := map[string]int{}
	if c.in.Base == nil {
		return out, nil
	}
	base := c.base
	if base == nil { // the change that switches the check on
		base = &view{Side: *c.in.Base}
	}
	there, err := exists(base.Files, file)
	if err != nil || !there {
		return out, err
	}
	found, err := linesMarked(base, file)
	for _, m := range found {
		out[m.text]++
	}
	return out, err
}

// A marked line is a line of Markdown that holds a mark.
type marked struct {
	line int
	text string // without the blanks around it
	tool string
}

// linesMarked lists the marked lines of a file as far as it is indexed.
func linesMarked(v *view, file string) (out []marked, err error) {
	info, err := fs.Stat(v.Files, file)
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", file, err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil // at the base: what stands there is named and not read
	}
	b, err := readIf(v.Files, file)
	if err != nil || len(b) > markdown.MaxBytes {
		return nil, err
	}
	n := 0
	for line := range strings.Lines(string(b)) {
		n++
		for _, tool := range markTools() {
			if tool.line != nil && tool.line.MatchString(line) {
				out = append(out, marked{n, strings.TrimSpace(line), tool.name})
				break
			}
		}
	}
	return out, nil
}

// besideFinding reports whether a finding stands on a line or on the one below.
func (c *check) besideFinding(file string, line int) bool {
	for _, f := range c.report.Secrets {
		if f.File == file && f.Line-1 <= line && line <= f.End {
			return true
		}
	}
	return false
}

// markedFiles looks for settings of other scanners that the head adds or changes.
func (c *check) markedFiles() error {
	if c.in.Base == nil {
		return nil
	}
	base := &view{Side: *c.in.Base}
	return fs.WalkDir(c.head.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		tool := settingsOf(name)
		if d.IsDir() || tool == "" {
			return nil
		}
		same, err := sameContent(base, c.head, name, d)
		if err == nil && !same {
			c.mark(name, 1, tool)
		}
		return err
	})
}

// sameContent compares a file of both sides; a link counts by its own content.
func sameContent(base, head *view, name string, d fs.DirEntry) (bool, error) {
	there, err := exists(base.Files, name)
	if err != nil || !there {
		return false, err
	}
	if !d.Type().IsRegular() {
		if _, ok := head.Files.(identifier); !ok {
			return false, nil // it cannot be read, and where it leads does not matter
		}
	}
	before, err := base.id(name)
	if err != nil {
		return false, err
	}
	after, err := head.id(name)
	return before == after, err
}

// settingsOf names the scanner whose settings a file holds, or is "".
func settingsOf(name string) string {
	for _, tool := range markTools() {
		subject := path.Base(name)
		if strings.Contains(tool.file, "/") {
			subject = name
		}
		if ok, _ := path.Match(tool.file, strings.ToLower(subject)); ok && tool.file != "" { // patterns are ours
			return tool.name
		}
	}
	return ""
}
