package checker

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// ConfigFile is where a repository keeps its configuration.
const ConfigFile = ".github/cardkeeper/config.yml"

// A Scanner finds secrets in a text and takes them out of one. *[secret.Scanner] is one.
type Scanner interface {
	Scan(ctx context.Context, text string) ([]secret.Finding, error)
	Withhold(ctx context.Context, text string, place func(line int) string) (string, error)
}

var _ Scanner = (*secret.Scanner)(nil)

// A Policy is the part of the configuration that decides what blocks. It is
// read from the base alone, so that no change can weaken its own check.
type Policy struct {
	AllowStale   bool // a stale card is told and does not block
	AllowSecrets bool // a secret is told and does not block
}

// A Side is one of the two trees.
type Side struct {
	Files fs.FS
	Shape extractor.Shape
}

// An Input is what a check looks at. Without a base everything is answered for.
type Input struct {
	Base    *Side
	Head    Side
	Policy  Policy
	Scanner Scanner
}

// An identifier is a file system that knows a file's git blob id without
// reading the file.
type identifier interface {
	ID(name string) (string, bool)
}

// A view is a side with its layout.
type view struct {
	Side
	layout extractor.Layout
	skills map[string]extractor.SkillFiles
	cards  []string // all files that could be cards
	config bool
}

func look(s Side) (*view, error) {
	layout, err := extractor.Discover(s.Files, s.Shape)
	if err != nil {
		return nil, err
	}
	v := &view{Side: s, layout: layout, skills: map[string]extractor.SkillFiles{}}
	for _, skill := range layout.Skills {
		v.skills[skill.Path] = skill
	}
	if v.cards, err = CardFiles(s.Files, s.Shape.Cards); err != nil {
		return nil, err
	}
	v.config, err = exists(s.Files, ConfigFile)
	return v, err
}

// enabled reports whether the side has a configuration or a card.
func (v *view) enabled() bool { return v.config || len(v.cards) > 0 }

// CardFiles lists the Markdown files below a cards folder.
func CardFiles(files fs.FS, folder string) ([]string, error) {
	if ok, err := exists(files, folder); err != nil || !ok {
		return nil, err
	}
	var out []string
	err := fs.WalkDir(files, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("list %s: %w", name, err)
		}
		if _, ok := card.Folder(folder, name); ok && d.Type().IsRegular() {
			out = append(out, name)
		}
		return nil
	})
	return out, err
}
