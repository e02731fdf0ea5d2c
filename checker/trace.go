package checker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/drift"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

const (
	// maxMissed bounds the sentences on what could not be looked at.
	maxMissed = 20
	// maxMoved bounds how many files that the change moved or changed are read at
	// the base, beyond those that a commit changed in place. One more at worst
	// warns of a secret that the base holds.
	maxMoved = 100
	// maxPast bounds the findings of a history: who has more knows what to do.
	maxPast = 500
)

// A trace is one run of [Trace].
type trace struct {
	Past
	gate    *Gate
	scope   *scope
	changes [][]change // by commit
	scanned map[string]scanned

	known, tip map[string]bool // fingerprints that the base and the head hold; nil until they are needed
	brought    map[string]bool // fingerprints that were found in a commit
	found      []PastFinding
	missed     []string
}

// scanned is what came of a blob: its findings, or why there are none.
type scanned struct {
	found   []secret.Finding
	trouble string
}

// Trace looks at each commit of a change: at its file of questions and each Markdown file of skills and
// cards that no parent has the same, whole and raw, since a value may need its
// neighbours to be known, and each content once. It keeps findings on lines that
// no parent has, without those that the base holds already, each value at the
// commit that brought it first. All texts of the result are scanned.
//
// A file that is too large or no text, and what is left when the time of ctx is
// up, is named in Missed. What cannot be read is an error, as is a cancelled ctx.
func Trace(ctx context.Context, p Past) (History, error) {
	t := &trace{Past: p, gate: NewGate(p.Scanner, p.Allow, p.Today), scanned: map[string]scanned{}, brought: map[string]bool{}}
	var err error
	if t.scope, err = t.Past.scope(); err != nil {
		return History{}, err
	}
	for _, c := range p.Commits {
		all, err := t.scope.changes(c)
		if err != nil {
			return History{}, err
		}
		t.changes = append(t.changes, all)
	}
	h := History{Commits: p.Total, Findings: []PastFinding{}, Brought: map[string]string{}}
	for i := range p.Commits {
		err := t.commit(ctx, i)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.missed = append(t.missed, fmt.Sprintf("the time was up after %s; what follows was not looked at", count(h.Looked, "commit")))
			break
		}
		if err != nil {
			return History{}, err
		}
		h.Looked++
	}
	t.sum(&h)
	return h, h.withhold(context.WithoutCancel(ctx), p.Scanner)
}

// sum tells what the tip holds from what it does not.
func (t *trace) sum(h *History) {
	for _, f := range t.found {
		switch {
		case t.tip[f.Fingerprint]:
			h.Brought[f.Fingerprint] = f.Commit
		case f.Rule != secret.WithheldRule: // such a value must not be indexed, and history is not
			h.Findings = append(h.Findings, f)
		}
	}
	if n := len(h.Findings) - maxPast; n > 0 {
		h.Findings = h.Findings[:maxPast]
		t.missed = slices.Insert(t.missed, 0, count(n, "further secret")+" of these commits, which are not listed")
	}
	h.Missed = t.missed
	if n := len(t.missed) - maxMissed; n > 0 {
		h.Missed = append(t.missed[:maxMissed:maxMissed], fmt.Sprintf("and %d more", n))
	}
}

// commit keeps what one commit brought. On an error it keeps nothing of it.
func (t *trace) commit(ctx context.Context, i int) error {
	c := t.Commits[i]
	var found []PastFinding
	var missed []string
	for _, ch := range t.changes[i] {
		_, again := t.scanned[ch.id]
		s, err := t.scan(ctx, c.Files, ch.file, ch.id)
		if err != nil {
			return err
		}
		if s.trouble != "" && !again && !t.noted(ch) {
			missed = append(missed, fmt.Sprintf("%s at commit %s %s", ch.file, short(c.ID), s.trouble))
		}
		kept, err := t.kept(ctx, c, ch, s.found)
		if err != nil {
			return err
		}
		found = append(found, kept...)
	}
	for _, f := range found {
		if !t.brought[f.Fingerprint] {
			t.brought[f.Fingerprint] = true
			t.found = append(t.found, f)
		}
	}
	t.missed = append(t.missed, missed...)
	return nil
}

// noted reports whether the head has a file just so in a skill: then its own check
// says what is wrong with it.
func (t *trace) noted(ch change) bool {
	_, owned := extractor.Owner(ch.file, func(folder string) bool { return t.scope.skills[folder] })
	return owned && idOf(t.Head.Files, ch.file) == ch.id
}

// kept are the findings on lines that no parent has and whose value is not the base's.
func (t *trace) kept(ctx context.Context, c Commit, ch change, found []secret.Finding) (out []PastFinding, err error) {
	if len(found) == 0 {
		return nil, nil
	}
	if err := t.ends(ctx); err != nil {
		return nil, err
	}
	fresh, err := fresh(c, ch.file)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		allowed := t.gate.allows(finding(f, ch.file, f.First, f.Last)) != nil
		if meets(fresh, f.First, f.Last) && !t.known[f.Fingerprint] && !allowed {
			out = append(out, PastFinding{c.ID, f.Rule, f.Tier, ch.file, f.First, f.Fingerprint})
		}
	}
	return out, nil
}

// fresh marks the lines of a file that no parent of the commit has.
func fresh(c Commit, file string) ([]bool, error) {
	text, _, err := readText(c.Files, file)
	if err != nil {
		return nil, err
	}
	marks := slices.Repeat([]bool{true}, strings.Count(text, "\n")+1)
	for _, p := range c.Parents {
		before, trouble, err := readText(p, file)
		if err != nil {
			return nil, err
		}
		if trouble != "" {
			continue // nothing there to compare with: all lines are new to it
		}
		for i, isNew := range drift.Added(before, text) {
			marks[i] = marks[i] && isNew
		}
	}
	return marks, nil
}

// ends scans what both sides hold of the files that the commits changed, and
// what the change moved away from at the base: a value that was there is not new.
func (t *trace) ends(ctx context.Context) error {
	if t.known != nil {
		return nil
	}
	touched := map[string]bool{}
	for _, all := range t.changes {
		for _, ch := range all {
			touched[ch.file] = true
		}
	}
	files := sortedKeys(touched)
	tip, err := t.prints(ctx, t.Head.Files, files)
	if err != nil {
		return err
	}
	moved, err := t.moved(touched)
	if err != nil {
		return err
	}
	known, err := t.prints(ctx, t.Base.Files, append(files, moved...))
	if err != nil {
		return err
	}
	t.tip, t.known = tip, known
	return nil
}

// moved lists files of the base that the head has not, or has otherwise.
func (t *trace) moved(touched map[string]bool) (out []string, err error) {
	err = fs.WalkDir(t.Base.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || touched[name] || idOf(t.Base.Files, name) == idOf(t.Head.Files, name) {
			return err
		}
		held, err := t.scope.holds(t.Base.Files, name)
		if held {
			out = append(out, name)
		}
		if len(out) == maxMoved {
			return fs.SkipAll
		}
		return err
	})
	return out, err
}

// prints are the fingerprints in files of one side; those that it lacks, or that
// cannot be scanned, have none.
func (t *trace) prints(ctx context.Context, files fs.FS, names []string) (map[string]bool, error) {
	out := map[string]bool{}
	for _, name := range names {
		id := idOf(files, name)
		if id == "" {
			continue
		}
		s, err := t.scan(ctx, files, name, id)
		if err != nil {
			return nil, err
		}
		for _, f := range s.found {
			out[f.Fingerprint] = true
		}
	}
	return out, nil
}

// scan scans a content once, whatever its name.
func (t *trace) scan(ctx context.Context, files fs.FS, name, id string) (s scanned, err error) {
	if s, done := t.scanned[id]; done {
		return s, nil
	}
	text, trouble, err := readText(files, name)
	if err != nil {
		return s, err
	}
	if s.trouble = trouble; trouble == "" {
		s.found, err = t.findings(ctx, name, text)
		if ctx.Err() != nil {
			return s, ctx.Err()
		}
		if err != nil {
			s.found, s.trouble = nil, "could not be scanned to its end"
		}
	}
	t.scanned[id] = s
	return s, nil
}

// findings scans a text as it is, and the texts of questions also as they are read: JSON has
// other ways to write a letter.
func (t *trace) findings(ctx context.Context, name, text string) ([]secret.Finding, error) {
	found, err := t.Scanner.Scan(ctx, text)
	if err != nil || name != suite.File {
		return found, err
	}
	questions, _ := suite.Parse([]byte(text))
	texts, lines := suite.Texts(questions)
	for i, written := range texts {
		more, err := t.Scanner.Scan(ctx, written)
		if err != nil {
			return nil, err
		}
		for _, f := range more {
			f.First, f.Last = lines[i], lines[i]
			found = append(found, f)
		}
	}
	return found, nil
}

// readText reads a file that can be scanned; trouble says why it is none.
func readText(files fs.FS, name string) (text, trouble string, err error) {
	info, err := fs.Stat(files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "is not there", nil
	case err != nil:
		return "", "", fmt.Errorf("look for %s: %w", name, err)
	case !info.Mode().IsRegular():
		return "", "is no file", nil
	case info.Size() > markdown.MaxBytes:
		return "", fmt.Sprintf("is larger than %d MiB", markdown.MaxBytes>>20), nil
	}
	b, err := fs.ReadFile(files, name)
	if err != nil {
		return "", "", fmt.Errorf("read %s: %w", name, err)
	}
	if slices.Contains(b, 0) {
		return "", "is no text", nil
	}
	return string(b), "", nil
}

// short is how people write a commit's id.
func short(id string) string { return strings.ToValidUTF8(id[:min(len(id), 7)], "") }

// meets reports whether any of the lines from first to last, counted from 1, is among the marked ones.
func meets(marked []bool, first, last int) bool {
	first, last = max(first-1, 0), min(last, len(marked))
	return first < last && slices.Contains(marked[first:last], true)
}
