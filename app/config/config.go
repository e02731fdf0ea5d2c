// Package config reads the configuration files and tells all faults at once.
//
// A repository's file has two parts: policy, what blocks, which counts only from
// the base, and shape, what the cards are, which comes with the head. The
// service has a file of its own; see [Settings].
package config

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"go.yaml.in/yaml/v3"
)

// A Config is a repository's configuration.
type Config struct {
	Policy  checker.Policy
	Shape   extractor.Shape
	Salt    []byte // for fingerprints of findings; nil where the file gives none
	Refresh string // what is done about stale cards on the default branch: one of the three below
	Ask     string // the least role that may ask: read, triage, write or admin

	Withheld Withheld // what must never be indexed
	Answers  Answers
}

// What is done about cards that are stale on the default branch.
const (
	RefreshOff    = "off"
	RefreshCommit = "commit"       // the App commits them there
	RefreshPull   = "pull_request" // the App opens one pull request, and keeps it up
)

// Default is the configuration of a repository without a file.
func Default() Config {
	return Config{
		Shape: extractor.DefaultShape(), Ask: "triage", Refresh: RefreshOff,
		Answers: Answers{Rules: answer.Rules{Markers: answer.DefaultMarkers()}},
	}
}

// Salted is the configuration of a base with the salt of its head where it gives
// none itself. So the change that brings the first configuration is told
// fingerprints that hold once it is merged, and none is published without a salt.
// Where anything hangs on there being no salt, it stays so (law 7).
func (c Config) Salted(head Config) Config {
	if c.Salt == nil && !c.Withheld.Any() {
		c.Salt = head.Salt
	}
	return c
}

// A Fault is one thing wrong with a file. It quotes nothing of it.
type Fault struct {
	File string
	Line int
	Text string
}

func (f Fault) Error() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text) }

// Faults are all things wrong with a file.
type Faults []Fault

func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, one := range f {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Load reads [checker.ConfigFile] from a tree. No file gives the default. What
// is wrong in the file, or stands in its place and is none, comes back as
// [Faults]; any other error is a failed read.
func Load(files fs.FS) (Config, error) {
	b, err := fs.ReadFile(files, checker.ConfigFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err == nil {
		return Parse(b)
	}
	if info, failed := fs.Stat(files, checker.ConfigFile); failed == nil && !info.Mode().IsRegular() {
		return Config{}, Faults{{File: checker.ConfigFile, Line: 1, Text: "this is a link, a submodule or a folder; commit a plain file"}}
	}
	return Config{}, fmt.Errorf("read %s: %w", checker.ConfigFile, err)
}

// Parse reads a repository's configuration.
func Parse(b []byte) (Config, error) {
	c := Default()
	r := newReader(checker.ConfigFile)
	root := r.document(b)
	r.keys(root, map[string]func(*yaml.Node){
		"policy": func(n *yaml.Node) { r.policy(n, &c) },
		"shape":  func(n *yaml.Node) { r.shape(n, &c.Shape) },
		"ask":    func(n *yaml.Node) { r.ask(n, &c) },
	})
	if len(r.faults) > 0 {
		return Config{}, r.faults
	}
	return c, nil
}

func (r *reader) policy(n *yaml.Node, c *Config) {
	var list *yaml.Node
	checked := false
	r.keys(n, map[string]func(*yaml.Node){
		"block": func(n *yaml.Node) {
			c.Policy.AllowStale, c.Policy.AllowSecrets = true, true
			for item, word := range r.list(n) {
				switch word {
				case "stale":
					c.Policy.AllowStale = false
				case "secrets":
					c.Policy.AllowSecrets = false
				case "references":
					c.Policy.BlockReferences = true
				default:
					r.fault(item, "block knows: stale, secrets, references")
				}
			}
		},
		"salt": func(n *yaml.Node) {
			text, ok := r.text(n)
			salt, err := hex.DecodeString(text)
			if ok && (err != nil || len(salt) < minSalt) {
				r.fault(n, "salt must be at least 32 hex digits; cardkeeper init writes one")
			}
			c.Salt = salt
		},
		"refresh": func(n *yaml.Node) {
			var ok bool
			c.Refresh, ok = r.text(n)
			if ok && !slices.Contains([]string{RefreshOff, RefreshCommit, RefreshPull}, c.Refresh) {
				r.fault(n, "refresh must be one of: off, commit, pull_request")
			}
		},
		"questions": func(n *yaml.Node) {
			word, ok := r.text(n)
			if ok && !slices.Contains([]string{"block", "warn", "off"}, word) {
				r.fault(n, "questions must be one of: block, warn, off")
			}
			c.Policy.BlockQuestions, c.Policy.NoQuestions = word == "block", word == "off"
		},
		"allow":  func(n *yaml.Node) { r.allow(n, c) },
		listKey:  func(n *yaml.Node) { list = n; r.withheld(n, &c.Withheld) },
		checkKey: func(n *yaml.Node) { c.Withheld.Check, checked = r.hash(n) },
	})
	r.salted(n, c)
	if len(c.Withheld.Values) > 0 && !checked {
		r.fault(list, "withhold_check is missing beside this; cardkeeper withhold add writes it, and without it a wrong key could not be told")
	}
}

// minSalt is 128 bits: as many as a fingerprint has.
const minSalt = 16

func (r *reader) shape(n *yaml.Node, s *extractor.Shape) {
	r.keys(n, map[string]func(*yaml.Node){
		"cards": func(n *yaml.Node) {
			var ok bool
			if s.Cards, ok = r.text(n); ok && !isFolder(s.Cards) {
				r.fault(n, "cards must name a folder below the root without blanks or special marks, such as: cards")
			}
		},
		"exclude": func(n *yaml.Node) {
			s.Exclude = nil
			for item, pattern := range r.list(n) {
				if !isPattern(pattern) {
					r.fault(item, "exclude takes names and paths with *, ?, [a-z] and **; this one is malformed")
				}
				s.Exclude = append(s.Exclude, pattern)
			}
		},
		"vocabulary":           func(n *yaml.Node) { r.vocabulary(n, s) },
		"max_entries_per_file": func(n *yaml.Node) { s.MaxEntriesPerFile = r.number(n, 1, 10_000) },
	})
}

// isFolder reports whether a text can name the cards folder: below the root, not
// git's own, and plain enough for a line of .gitattributes and for a shell.
func isFolder(name string) bool {
	if !fs.ValidPath(name) || name == "." || strings.HasPrefix(name, "-") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return false
		}
	}
	return !strings.ContainsFunc(name, func(c rune) bool {
		return unicode.IsSpace(c) || !unicode.IsPrint(c) || strings.ContainsRune("*?[]!#\"'`\\$&|;<>(){}:", c)
	})
}

// isPattern reports whether every part of an exclude can match something: the
// parts between slashes are matched one by one.
func isPattern(pattern string) bool {
	parts := strings.Split(strings.Trim(pattern, "/"), "/")
	for _, part := range parts {
		if _, err := path.Match(part, ""); err != nil || part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

func (r *reader) vocabulary(n *yaml.Node, s *extractor.Shape) {
	s.Vocabulary = map[string]card.Section{}
	sections := card.Sections()
	for heading, value := range r.pairs(n) {
		section, ok := r.text(value)
		if ok && !slices.Contains(sections[:], card.Section(section)) {
			r.fault(value, "a heading maps to: setup, commands, architecture, refusals or troubleshooting")
		}
		name := extractor.NormalHeading(heading.Value)
		if _, twice := s.Vocabulary[name]; twice || name == "" {
			r.fault(heading, "the heading has no words, or stands twice in another spelling")
		}
		s.Vocabulary[name] = card.Section(section)
	}
}
