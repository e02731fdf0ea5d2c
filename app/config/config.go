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
	"strings"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"go.yaml.in/yaml/v3"
)

// A Config is a repository's configuration.
type Config struct {
	Policy checker.Policy
	Shape  extractor.Shape
	Salt   []byte // for fingerprints of findings; nil where the file gives none
	Ask    string // the least role that may ask: read, triage, write or admin
}

// Default is the configuration of a repository without a file.
func Default() Config {
	return Config{Shape: extractor.DefaultShape(), Ask: "triage"}
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
// is wrong in the file comes back as [Faults]; any other error is a failed read.
func Load(files fs.FS) (Config, error) {
	b, err := fs.ReadFile(files, checker.ConfigFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Config{}, fmt.Errorf("read %s: %w", checker.ConfigFile, err)
	}
	return Parse(b)
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
	r.keys(n, map[string]func(*yaml.Node){
		"block": func(n *yaml.Node) {
			c.Policy = checker.Policy{AllowStale: true, AllowSecrets: true}
			for _, word := range r.list(n) {
				switch word.Value {
				case "stale":
					c.Policy.AllowStale = false
				case "secrets":
					c.Policy.AllowSecrets = false
				default:
					r.fault(word, "block knows: stale, secrets")
				}
			}
		},
		"salt": func(n *yaml.Node) {
			salt, err := hex.DecodeString(r.text(n))
			if err != nil || len(salt) < minSalt {
				r.fault(n, "salt must be at least 32 hex digits; cardkeeper init writes one")
			}
			c.Salt = salt
		},
	})
}

// minSalt is 128 bits: as many as a fingerprint has.
const minSalt = 16

func (r *reader) shape(n *yaml.Node, s *extractor.Shape) {
	r.keys(n, map[string]func(*yaml.Node){
		"cards": func(n *yaml.Node) {
			s.Cards = r.text(n)
			if !fs.ValidPath(s.Cards) || s.Cards == "." || strings.HasPrefix(s.Cards, ".git/") || s.Cards == ".git" {
				r.fault(n, "cards must name a folder below the root, such as: cards")
			}
		},
		"exclude": func(n *yaml.Node) {
			s.Exclude = nil
			for _, item := range r.list(n) {
				if _, err := path.Match(item.Value, ""); err != nil || item.Value == "" {
					r.fault(item, "exclude takes patterns with *, ? and [a-z]; this one is malformed")
				}
				s.Exclude = append(s.Exclude, item.Value)
			}
		},
		"vocabulary":           func(n *yaml.Node) { r.vocabulary(n, s) },
		"max_entries_per_file": func(n *yaml.Node) { s.MaxEntriesPerFile = r.number(n, 1, 10_000) },
	})
}

func (r *reader) vocabulary(n *yaml.Node, s *extractor.Shape) {
	s.Vocabulary = map[string]card.Section{}
	for heading, section := range r.pairs(n) {
		known := false
		for _, name := range card.Sections() {
			known = known || section.Value == string(name)
		}
		if !known {
			r.fault(section, "a heading maps to: setup, commands, architecture, refusals or troubleshooting")
		}
		s.Vocabulary[extractor.NormalHeading(heading.Value)] = card.Section(section.Value)
	}
}

func (r *reader) ask(n *yaml.Node, c *Config) {
	r.keys(n, map[string]func(*yaml.Node){
		"who": func(n *yaml.Node) {
			c.Ask = r.text(n)
			switch c.Ask {
			case "read", "triage", "write", "admin":
			default:
				r.fault(n, "who must be one of: read, triage, write, admin")
			}
		},
	})
}
