package extractor

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

// A ReferenceKind says what a [Reference] names.
type ReferenceKind string

// The kinds of references.
const (
	LinkReference   ReferenceKind = "link"   // a link or image to a file or folder
	AnchorReference ReferenceKind = "anchor" // a link to a heading of the skill's Markdown
	FileReference   ReferenceKind = "file"   // a path of the skill in a code span or command
	FlagReference   ReferenceKind = "flag"   // a flag of one of the skill's scripts
)

// A Reference is something that a skill's Markdown names. Target is text of the
// repository: whoever shows it has to scan it first.
type Reference struct {
	Kind   ReferenceKind
	File   string // the Markdown file
	Line   int
	Target string // as written; of a flag the script and the flag
	OptOut bool   // the line, or the one above, asks not to report it
}

// Key tells two references apart whatever their lines are.
func (r Reference) Key() string {
	return strings.Join([]string{string(r.Kind), r.File, r.Target}, "\x00")
}

// optOut is the comment that asks not to report the references of a line.
var optOut = regexp.MustCompile(`<!--[ \t]*cardkeeper:[ \t]*ignore-reference[ \t]*-->`)

// A page is a Markdown file as far as references go.
type page struct {
	file    string
	trace   markdown.Trace
	lines   []string
	shell   []markdown.Block       // its shell fences
	links   map[markdown.Mark]bool // its links' targets, without a "./" before them
	optOuts map[int]bool           // the lines that hold an opt-out
	slugs   map[string]bool        // made when the first link leads here
}

// page keeps what a file points at until all files are read.
func (r *reader) page(file string, src []byte, doc markdown.Document) {
	p := &page{file: file, trace: doc.Trace, lines: strings.Split(string(src), "\n"), links: map[markdown.Mark]bool{}, optOuts: map[int]bool{}}
	for _, m := range doc.Links {
		p.links[markdown.Mark{Text: strings.TrimPrefix(m.Text, "./"), Line: m.Line}] = true
	}
	if optOut.Match(src) {
		for i, text := range p.lines {
			p.optOuts[i+1] = optOut.MatchString(text)
		}
	}
	for _, b := range doc.Blocks {
		if kindOf(b) == card.Command {
			p.shell = append(p.shell, b)
		}
	}
	r.pages = append(r.pages, p)
}

// A judge tells dead references from live ones, for one skill.
type judge struct {
	*reader
	names   *names
	pages   map[string]*page
	dead    []Reference
	optOuts []Reference // those with an opt-out, dead or not
	seen    map[Reference]bool
	stems   map[string][]string // the scripts by their names without an ending
	named   map[string][]string // by script, the other scripts that it names
}

// references judges all that the skill's Markdown names. It reads names alone.
func (r *reader) references(fsys fs.FS) (dead, optOuts []Reference, err error) {
	j := &judge{reader: r, names: newNames(fsys, r.files), pages: map[string]*page{}, seen: map[Reference]bool{}, named: map[string][]string{}}
	for _, p := range r.pages {
		j.pages[p.file] = p
	}
	for _, p := range r.pages {
		for _, m := range p.trace.Links {
			if err := j.link(p, m); err != nil {
				return nil, nil, err
			}
		}
		if err := j.mentions(p); err != nil {
			return nil, nil, err
		}
	}
	sortReferences(j.dead)
	sortReferences(j.optOuts)
	return j.dead, j.optOuts, nil
}

// tell notes a judged reference, the same at one line once.
func (j *judge) tell(p *page, kind ReferenceKind, line int, target string, dead bool) {
	ref := Reference{kind, p.file, line, markdown.Visible(target), p.optOuts[line] || p.optOuts[line-1]}
	if j.seen[ref] {
		return
	}
	j.seen[ref] = true
	if ref.OptOut {
		j.optOuts = append(j.optOuts, ref)
	}
	if dead {
		j.dead = append(j.dead, ref)
	}
}

func sortReferences(all []Reference) {
	slices.SortFunc(all, func(a, b Reference) int {
		return cmp.Or(card.Natural(a.File, b.File), strings.Compare(a.File, b.File), a.Line-b.Line,
			strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Target, b.Target))
	})
}

// template reports a text with a part that someone is to fill in.
func template(s string) bool {
	return strings.ContainsAny(s, "<>{}$*?[]|%…\\") || strings.Contains(s, "...")
}

// folder is where a page's relative names start.
func (p *page) folder() string { return path.Dir(p.file) }
