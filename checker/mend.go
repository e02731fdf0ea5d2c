package checker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/drift"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A Mend is what rebuilding does to the file of one card that a report complains of.
type Mend struct {
	Card string
	Data []byte // the card as it should be; nil where the card goes

	Endings bool // only the line endings differ

	patch string // for git apply; "" where the change cannot be shown as one
}

// A Remedy is the way in which people are offered the rebuilt cards, beside the
// command, which always works.
type Remedy string

// The remedies.
const (
	ByCommand Remedy = ""
	ByButton  Remedy = "button" // on the check run, which commits the cards
	ByPatch   Remedy = "patch"  // in the report's text, to be applied by hand
)

// mend makes the cards that would mend what the report complains of, by the rule
// of the command build: no card is written of a skill with a finding that blocks.
// Nothing is made while a finding of a change stands, unless the rest was asked
// for, or where two skills would share a card, or while nobody can look for
// withheld values (law 13).
func (c *check) mend(ctx context.Context) error {
	r := &c.report
	found := c.in.Base != nil && !c.in.MendRest && r.Leaky()
	if !c.in.Mend || found || c.head.clash != nil || c.blind() != "" {
		return nil
	}
	by := map[string]touched{}
	for _, t := range c.touched {
		by[card.File(c.head.Shape.Cards, t.path)] = t
	}
	for _, cr := range r.Cards {
		m, ok, err := c.rebuilt(ctx, cr, by[cr.Card])
		if err != nil {
			return err
		}
		if ok {
			r.Mends = append(r.Mends, m)
		}
	}
	return nil
}

// rebuilt is one card as it should be; ok is false where it stays as it is.
func (c *check) rebuilt(ctx context.Context, cr CardReport, t touched) (m Mend, ok bool, err error) {
	m = Mend{Card: cr.Card}
	before, free, err := c.place(cr.Card)
	if err != nil || !free {
		return m, false, err
	}
	var old []byte
	if before != nil {
		if old, err = fs.ReadFile(c.head.Files, cr.Card); err != nil {
			return m, false, fmt.Errorf("read %s: %w", cr.Card, err)
		}
	}
	switch cr.State {
	case drift.Orphan:
		if !Marked(old) {
			return m, false, nil
		}
	case drift.Stale, drift.Missing, drift.Older:
		leaks, err := SkillLeaks(ctx, c.gate, c.head.Files, c.head.skills[t.path], *t.head)
		if err == nil && len(leaks) > 0 && c.in.MendRest {
			c.note("%s is not rebuilt, since its skill holds what must not be in the index", cr.Card)
		}
		if err != nil || len(leaks) > 0 {
			return m, false, err
		}
		m.Data = t.wanted
		m.Endings = bytes.Equal(m.Data, bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")))
	default:
		return m, false, nil
	}
	m.patch, err = c.showable(ctx, m, old)
	return m, true, err
}

// place reports whether a card can stand at its path without another file's
// leaving: no folder is in its place, and no file where it needs a folder. mode is
// that of the plain file that is there already, if there is one.
func (c *check) place(file string) (before *fs.FileMode, ok bool, err error) {
	for i, r := range file {
		if r != '/' {
			continue
		}
		if mode, err := c.kind(file[:i]); err != nil || mode == nil || !mode.IsDir() {
			return nil, mode == nil, err // what is not there can be made
		}
	}
	mode, err := c.kind(file)
	if err != nil || mode == nil {
		return nil, err == nil, err
	}
	if *mode&fs.ModeSymlink != 0 {
		return nil, true, nil // replaced, as by build
	}
	return mode, mode.IsRegular(), nil
}

// kind is the type of what stands at a path of the head, nil for nothing.
func (c *check) kind(name string) (*fs.FileMode, error) {
	entries, err := fs.ReadDir(c.head.Files, path.Dir(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", path.Dir(name), err)
	}
	i, found := slices.BinarySearchFunc(entries, path.Base(name), func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
	if !found {
		return nil, nil
	}
	mode := entries[i].Type()
	return &mode, nil
}

// showable is the patch of one card, or "" where it may not be shown or would not
// survive being copied: where the scanner finds anything in it, allowed or not.
func (c *check) showable(ctx context.Context, m Mend, old []byte) (string, error) {
	if mode, err := c.kind(m.Card); err != nil || mode != nil && !mode.IsRegular() {
		return "", err // a link, which the command replaces
	}
	text := patch(m.Card, old, m.Data)
	if !copyable(text) {
		return "", nil
	}
	for _, part := range []string{string(old), string(m.Data), text} {
		found, err := c.in.Scanner.Scan(ctx, part)
		if err != nil || len(found) > 0 {
			return "", err
		}
	}
	return text, nil
}

// patchRoom is what the patch takes of a text at most, in bytes: the differences
// between the statements come first.
const patchRoom = MaxField / 2

// patchText is the patch of all cards, in whole files, and how many are not in it;
// "" where no patch is offered.
func (r Report) patchText() string {
	if r.Remedy != ByPatch || len(r.Mends) == 0 {
		return ""
	}
	const foot = 200 // for the sentence about what is left out, and the heading
	var lines []string
	size, left := foot, 0
	for _, m := range r.Mends {
		if m.patch == "" || size+len(m.patch) > patchRoom {
			left++
			continue
		}
		size += len(m.patch)
		lines = append(lines, strings.Split(strings.TrimSuffix(m.patch, "\n"), "\n")...)
	}
	out := "### Patch\n\n"
	if len(lines) > 0 {
		out += "Save it to a file and run `git apply FILE`, or pipe it into `git apply`.\n\n" + fenced("diff", lines)
	}
	if left > 0 {
		out += "\n" + count(left, "card") + " left out of the patch; the command does them: `cardkeeper build`\n"
	}
	return out + "\n"
}

// ButtonName is what the button on a check run is called, at most 20 characters.
const ButtonName = "Update cards"

// remedy is the sentence above the command.
func (r Report) remedy() string {
	const rebuild = "ebuild the cards and commit them with the change"
	if len(r.Mends) > 0 {
		switch r.Remedy {
		case ByButton:
			return "Press **" + ButtonName + "**, which commits the rebuilt cards to this branch, or r" + rebuild + ":\n\n"
		case ByPatch:
			return "R" + rebuild + ", or apply the patch at the end:\n\n"
		}
	}
	return "R" + rebuild + ":\n\n"
}
