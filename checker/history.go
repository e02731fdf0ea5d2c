package checker

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

// MaxCommits is how many commits of a change are looked at, the newest ones: each
// may bring other versions of its files to scan. Fifty versions of a page of 18 KB
// take half a second.
const MaxCommits = 50

// A Commit is one commit of a change. Its trees must know blob ids (a method ID,
// as for [Needs]) and may leave out the folders that are the same in a parent.
type Commit struct {
	ID      string
	Files   fs.FS
	Parents []fs.FS // none for a root
}

// A Past is what [Trace] looks at: the commits of a change between its two
// sides, which are whole trees.
type Past struct {
	Base, Head Side
	Commits    []Commit // each after its parents
	Total      int      // of the change, those that are not in Commits among them
	Scanner    Scanner
	Allow      []Allow // of the policy that counts: what they cover is not told
	Today      Date

	looked *scope // what the sides hold, once that was asked
}

// A History is what the commits of a change held. It decides nothing: a secret
// that is out of the tip cannot be mended by another commit, and a merge that
// squashes does not carry it on.
type History struct {
	Commits  int           `json:"commits"` // of the change
	Looked   int           `json:"looked"`  // how many were looked at
	Findings []PastFinding `json:"findings"`
	// Missed are sentences on what could not be looked at.
	Missed []string `json:"missed,omitempty"`

	// Brought names the commit that brought each value that the tip still holds,
	// by fingerprint.
	Brought map[string]string `json:"brought,omitempty"`
}

// A PastFinding is a secret that a commit brought and the tip does not hold.
type PastFinding struct {
	Commit      string      `json:"commit"`
	Rule        string      `json:"rule"`
	Tier        secret.Tier `json:"tier"`
	File        string      `json:"file"`
	Line        int         `json:"line"` // in the file as the commit has it
	Fingerprint string      `json:"fingerprint"`
}

// Unread is the history of a change whose commits could not be looked at, for a
// reason that quotes nothing.
func Unread(commits int, reason string) History {
	return History{Commits: commits, Findings: []PastFinding{}, Missed: []string{reason}}
}

// A scope says which files of a commit are looked at.
type scope struct {
	shapes []extractor.Shape
	skills map[string]bool // the folders of both sides' skills
}

// scope lists both sides, once.
func (p *Past) scope() (*scope, error) {
	if p.looked != nil {
		return p.looked, nil
	}
	s := &scope{shapes: []extractor.Shape{p.Base.Shape, p.Head.Shape}, skills: map[string]bool{}}
	for _, side := range []Side{p.Base, p.Head, {Files: p.Head.Files, Shape: p.Base.Shape}} {
		v, err := look(side)
		if err != nil {
			return nil, err
		}
		for folder := range v.skills {
			s.skills[folder] = true
		}
	}
	p.looked = s
	return s, nil
}

// Near reports whether a skill or card of either side, or the file of questions, lies in a
// folder, above it or below it: where commits are likely to hold one.
func (p *Past) Near() (func(folder string) bool, error) {
	s, err := p.scope()
	if err != nil {
		return nil, err
	}
	roots := []string{s.shapes[0].Cards, s.shapes[1].Cards, path.Dir(suite.File)}
	for folder := range s.skills {
		roots = append(roots, folder)
	}
	within, above := map[string]bool{}, map[string]bool{}
	for _, root := range roots {
		within[root] = root != "."
		for i := range root {
			if root[i] == '/' {
				above[root[:i]] = true
			}
		}
	}
	return func(folder string) bool {
		if above[folder] || within[folder] {
			return true
		}
		for i := range folder {
			if folder[i] == '/' && within[folder[:i]] {
				return true
			}
		}
		return s.skills["."] && (folder == "references" || folder == "scripts" || folder == "assets")
	}, nil
}

// holds reports whether a file of a tree is looked at: Markdown among the cards,
// in a folder that is a skill on either side or in this tree, or named like a
// skill's; and the file of questions. What both shapes exclude is not.
func (s *scope) holds(files fs.FS, file string) (bool, error) {
	if file == suite.File {
		return true, nil
	}
	if !extractor.IsMarkdown(file) {
		return false, nil
	}
	if s.card(file) {
		return true, nil
	}
	if s.excluded(file) {
		return false, nil
	}
	if extractor.Doubtful(file) {
		return true, nil
	}
	var failed error
	_, owned := extractor.Owner(file, func(folder string) bool {
		there, err := exists(files, strings.TrimPrefix(folder+"/SKILL.md", "./"))
		if err != nil && failed == nil {
			failed = err
		}
		return there || s.skills[folder]
	})
	return owned, failed
}

// card reports whether a file lies among the cards of either side.
func (s *scope) card(file string) bool {
	return slices.ContainsFunc(s.shapes, func(shape extractor.Shape) bool { return strings.HasPrefix(file, shape.Cards+"/") })
}

func (s *scope) excluded(name string) bool {
	return s.shapes[0].Excluded(name) && s.shapes[1].Excluded(name)
}

// A change is a file of a commit that differs from every parent.
type change struct {
	file, id string
}

// changes lists the files of a commit that are looked at and differ from every
// parent, sorted, those of skills before cards: a value that a card repeats is
// told at its source.
func (s *scope) changes(c Commit) (out []change, err error) {
	err = fs.WalkDir(c.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		id := idOf(c.Files, name)
		if id == "" || slices.ContainsFunc(c.Parents, func(p fs.FS) bool { return idOf(p, name) == id }) {
			return nil
		}
		held, err := s.holds(c.Files, name)
		if held {
			out = append(out, change{name, id})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list a commit: %w", err)
	}
	slices.SortStableFunc(out, func(a, b change) int {
		rank := map[bool]int{true: 1}
		return rank[s.card(a.file)] - rank[s.card(b.file)]
	})
	return out, nil
}

// idOf is the blob id of a file, "" where there is none.
func idOf(files fs.FS, name string) string {
	ids, ok := files.(identifier)
	if !ok {
		return ""
	}
	id, _ := ids.ID(name)
	return id
}

// Needs lists the ids of the blobs that [Trace] reads in any case. Few others are
// read, and only where there are findings: the trees must be able to read any.
func (p *Past) Needs() ([]string, error) {
	s, err := p.scope()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, c := range p.Commits {
		all, err := s.changes(c)
		if err != nil {
			return nil, err
		}
		for _, ch := range all {
			if info, err := fs.Stat(c.Files, ch.file); err == nil && info.Size() <= markdown.MaxBytes {
				ids = append(ids, ch.id)
			}
		}
	}
	return unique(ids), nil
}

// withhold takes found values out of the texts of a history.
func (h *History) withhold(ctx context.Context, s Scanner) error {
	var slots []slot
	for i := range h.Findings {
		slots = append(slots, slot{&h.Findings[i].File, "file name", ""})
	}
	for i := range h.Missed {
		slots = append(slots, slot{&h.Missed[i], "note", ""})
	}
	return withholdAll(ctx, s, slots)
}
