package card

import (
	"path"
	"slices"
	"strings"
)

// Edition is the edition of the cards that this build writes. It is raised
// whenever any input could give other bytes than before: a new block kind, a
// changed rule of the fold, another order. A golden test fails until it is.
const Edition = 1

// RootName is the file name of the card of a SKILL.md at the repository's root.
const RootName = "_root.md"

// A Card is the set of entries of one skill.
type Card struct {
	Path        string // the skill's folder, from the repository's root; "." is the root itself
	Title       string // the skill's name, or its folder's where it has none
	Description string // one line; empty where the skill has none
	Entries     []Entry
}

// New makes a card of any entries: equal ones become one, all are put in
// canonical order. The argument is not changed.
func New(folder, title, description string, entries []Entry) Card {
	c := Card{Path: folder, Title: title, Description: description}
	seen := make(map[Sum]bool, len(entries))
	for _, e := range entries {
		if id := e.Sum(); !seen[id] {
			seen[id] = true
			c.Entries = append(c.Entries, e)
		}
	}
	slices.SortFunc(c.Entries, Compare)
	return c
}

// In returns the entries of one section, in canonical order.
func (c Card) In(s Section) []Entry {
	var out []Entry
	for _, e := range c.Entries {
		if e.Section == s {
			out = append(out, e)
		}
	}
	return out
}

// Empty returns the sections that hold nothing, in the fixed order.
func (c Card) Empty() []Section {
	var out []Section
	for _, s := range Sections() {
		if !slices.ContainsFunc(c.Entries, func(e Entry) bool { return e.Section == s }) {
			out = append(out, s)
		}
	}
	return out
}

// File returns where the card of the skill in folder stands: below cards, at
// the skill's own path. Both are slash separated and relative to the root. A
// folder whose card would take the root's place gets one more underscore.
func File(cards, folder string) string {
	if folder == "." || folder == "" {
		return path.Join(cards, RootName)
	}
	if likeRoot(folder) {
		folder = "_" + folder
	}
	return path.Join(cards, folder) + ".md"
}

// Folder is the inverse of [File]: the skill folder whose card stands at file,
// and whether file is a card's place at all.
func Folder(cards, file string) (string, bool) {
	rest, ok := strings.CutPrefix(file, cards+"/")
	if !ok || !strings.HasSuffix(rest, ".md") {
		return "", false
	}
	if rest == RootName {
		return ".", true
	}
	folder := strings.TrimSuffix(rest, ".md")
	if likeRoot(folder) {
		folder = folder[1:]
	}
	return folder, true
}

// likeRoot reports whether a folder is named like the root's card, but for the number of underscores.
func likeRoot(folder string) bool {
	return strings.HasPrefix(folder, "_") && strings.TrimLeft(folder, "_") == "root"
}
