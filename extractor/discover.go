package extractor

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// ErrCollision is returned where two skills would share one card file.
var ErrCollision = errors.New("two skills would share one card file")

// A SkillFiles is a skill as far as names tell: its folder and its files.
type SkillFiles struct {
	Path  string   // the folder from the root; "." for the root itself
	Main  string   // the full path of SKILL.md
	Files []string // full paths of all its files, Main included, sorted
}

// A Layout is what [Discover] found.
type Layout struct {
	Skills []SkillFiles // sorted by path
	Notes  []Note       // what was named and not followed
	Asked  []string     // the files that had to be read to know; see [Doubtful]
}

// Discover lists the skills of a tree, by names alone but for [Doubtful] ones.
// Every folder with a SKILL.md counts unless the shape excludes it, and a file
// belongs to the nearest skill above it. Symbolic links and submodules are
// noted, never followed. It fails where a folder cannot be listed or a doubtful
// file not be read, and with [ErrCollision] where two cards would be one file
// on a system that ignores case.
func Discover(fsys fs.FS, shape Shape) (Layout, error) {
	var out Layout
	var files []string
	mains := map[string]string{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("list %s: %w", name, err)
		case name != "." && shape.Excluded(name):
			return skip(d)
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			out.Notes = append(out.Notes, Note{Kind: Skipped, File: safeName(name), Text: notFollowed(d.Type())})
			return nil
		case !plainName(name):
			out.Notes = append(out.Notes, Note{Kind: Skipped, File: safeName(name), Text: "a path with control or invisible characters is not indexed; rename it"})
			return nil
		}
		files = append(files, name)
		if path.Base(name) == "SKILL.md" {
			mains[path.Dir(name)] = name
		}
		return nil
	})
	if err == nil {
		err = out.ask(fsys, mains, files)
	}
	if err != nil {
		return Layout{}, err
	}
	out.assign(mains, files)
	out.Notes = slices.DeleteFunc(out.Notes, func(n Note) bool { return !concerns(n.File, mains) })
	out.noteMisspelt(mains)
	slices.SortFunc(out.Notes, func(a, b Note) int { return strings.Compare(a.File, b.File) })
	return out, out.collision(shape)
}

// Doubtful reports whether a file is named like SKILL.md but for the case of its
// letters. Such a file makes a skill only if it says so itself, with a name and
// a description: prompts, and pages about skills, have the name too.
func Doubtful(file string) bool {
	base := path.Base(file)
	return base != "SKILL.md" && strings.EqualFold(base, "SKILL.md")
}

// ask reads the doubtful files that belong to no skill and takes those that are one.
func (l *Layout) ask(fsys fs.FS, mains map[string]string, files []string) error {
	for _, name := range files {
		if _, owned := ownerOf(name, mains); owned || !Doubtful(name) {
			continue
		}
		l.Asked = append(l.Asked, name)
	}
	for _, name := range l.Asked {
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		doc, err := markdown.Parse(src)
		if _, taken := mains[path.Dir(name)]; err == nil && !taken && doc.Name != "" && doc.Description != "" {
			mains[path.Dir(name)] = name
		}
	}
	return nil
}

// noteMisspelt tells of the doubtful files, whichever way they were decided.
func (l *Layout) noteMisspelt(mains map[string]string) {
	for _, name := range l.Asked {
		text := "only a file named SKILL.md, in capitals, makes a skill without saying its name and description; rename it if it is one"
		if mains[path.Dir(name)] == name {
			text = "taken for a skill's SKILL.md; other tools look for the capitals, so rename it"
		}
		l.Notes = append(l.Notes, Note{Kind: Skipped, File: name, Text: text})
	}
}

func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// plainName reports whether a name can stand on one line of a card.
func plainName(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsAny(name, "\t\r\n") && markdown.Visible(name) == name
}

// safeName is a name as a note may show it.
func safeName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return utf8.RuneError
		}
		return r
	}, markdown.Visible(strings.ToValidUTF8(name, "\ufffd")))
}

func notFollowed(mode fs.FileMode) string {
	if mode&fs.ModeSymlink != 0 {
		return "a symbolic link is not indexed; commit the file itself"
	}
	return "a submodule or special file is not indexed"
}

// assign gives each file to the nearest skill above it.
func (l *Layout) assign(mains map[string]string, files []string) {
	owned := map[string][]string{}
	for _, file := range files {
		if owner, ok := ownerOf(file, mains); ok {
			owned[owner] = append(owned[owner], file)
		}
	}
	for folder, main := range mains {
		slices.Sort(owned[folder])
		l.Skills = append(l.Skills, SkillFiles{Path: folder, Main: main, Files: owned[folder]})
	}
	slices.SortFunc(l.Skills, func(a, b SkillFiles) int { return strings.Compare(a.Path, b.Path) })
}

// ownerOf returns the folder of the skill that owns a file. A SKILL.md at the
// root owns the root's own files and three folders, or it would swallow the repository.
func ownerOf(file string, mains map[string]string) (string, bool) {
	return Owner(file, func(folder string) bool { return mains[folder] != "" })
}

// Owner is the folder of the skill that owns a file, for any notion of which
// folders are skills.
func Owner(file string, isSkill func(folder string) bool) (string, bool) {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if (dir != "." || ownedByRoot(file)) && isSkill(dir) {
			return dir, true
		}
		if dir == "." {
			return "", false
		}
	}
}

func ownedByRoot(file string) bool {
	top, _, below := strings.Cut(file, "/")
	return !below || top == "references" || top == "scripts" || top == "assets"
}

// concerns reports whether a path lies in a skill or could have been one.
func concerns(file string, mains map[string]string) bool {
	if path.Base(file) == "SKILL.md" {
		return true
	}
	_, ok := ownerOf(file, mains)
	return ok
}

// collision finds two card files that a file system may take for one (equal
// after composing accents and folding case), and a card file that stands where
// another card needs a folder.
func (l *Layout) collision(shape Shape) error {
	seen := make(map[string]string, len(l.Skills))
	for _, s := range l.Skills {
		file := foldName(card.File(shape.Cards, s.Path))
		if other, taken := seen[file]; taken {
			return collide(other, s.Path)
		}
		seen[file] = s.Path
	}
	for _, s := range l.Skills {
		for dir := path.Dir(foldName(card.File(shape.Cards, s.Path))); dir != "." && dir != "/"; dir = path.Dir(dir) {
			if other, taken := seen[dir]; taken {
				return collide(other, s.Path)
			}
		}
	}
	return nil
}

func collide(a, b string) error {
	return fmt.Errorf("%w: %s and %s; rename one of the folders", ErrCollision, a, b)
}

func foldName(s string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(s)))
}
