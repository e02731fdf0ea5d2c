package checker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// ConfigFile is where a repository keeps its configuration.
const ConfigFile = ".github/cardkeeper/config.yml"

// A Scanner finds secrets in a text and takes them out of one, or does both but
// for known values. *[secret.Scanner] is one.
type Scanner interface {
	Scan(ctx context.Context, text string) ([]secret.Finding, error)
	Withhold(ctx context.Context, text string, place func(line int) string) (string, error)
	Except(known ...secret.Known) *secret.Scanner
}

var _ Scanner = (*secret.Scanner)(nil)

// A Policy is the part of the configuration that decides what blocks. It is
// read from the base alone, so that no change can weaken its own check.
type Policy struct {
	AllowStale   bool // a stale card is told and does not block
	AllowSecrets bool // a secret is told and does not block

	BlockReferences bool // a dead reference blocks; it warns otherwise
	BlockQuestions  bool // an answer that is lost blocks; it warns otherwise
	NoQuestions     bool // no question is asked

	Allow []Allow // findings that are no secrets
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
	Scanner Scanner // fingerprints with the salt that belongs to the policy

	Today     Date    // the zero Date is after the end of every allow rule
	HeadAllow []Allow // the allow rules that the head holds: they count for nothing, and the check says so
	Unsalted  bool    // no configuration gives a salt, so that no rule can be made from a fingerprint

	// Blind says why the scanner does not look for the values that the policy
	// withholds, and what to do about it; "" where it does, or where there are none.
	// A check that had to look then fails, whatever else it says (law 13).
	Blind string

	// Read reads a skill; nil is [extractor.SkillFiles.Read]. It is for who keeps what
	// was read between two checks of the same trees.
	Read func(of extractor.SkillFiles, files fs.FS, shape extractor.Shape) (extractor.Skill, error)

	// Mend asks for the cards that would mend what the report complains of. With
	// MendRest those of clean skills are made also where a finding stands, and a note
	// names the others.
	Mend, MendRest bool

	NoReferences bool // dead references are not told, such as where the skills' scripts are not checked out

	// Suite is the tree whose questions say which answers are lost; nil is the base, or
	// the head where there is none. Facts gives all facts of a side, for who keeps them;
	// nil reads the files. Outcomes keeps what came of each question, for who makes one
	// check in several attempts; nil keeps nothing. NoQuestions leaves the questions out.
	Suite       fs.FS
	Facts       func(ctx context.Context, of Side) (Stock, error)
	Outcomes    map[string]suite.Outcome
	NoQuestions bool

	// Rules are what the policy says about answers. RulesUnread says that there may be names
	// which no answer may hold and that nobody could read, so that no question is shown.
	Rules       answer.Rules
	RulesUnread bool

	// RulesAfter are the rules as they will be once the change is merged; nil is as they are.
	// HeadPolicy is the policy that the change brings, nil where it brings none. Both
	// count for nothing yet: the check says what they will do.
	RulesAfter *answer.Rules
	HeadPolicy *Policy

	edition int // of the cards that this build writes; 0 is card.Edition. Tests look ahead with it
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
	clash  error // two skills would share one card file
	skills map[string]extractor.SkillFiles
	cards  []string // all files that could be cards
	isCard map[string]bool
	config bool
}

func look(s Side) (*view, error) {
	layout, err := extractor.Discover(s.Files, s.Shape)
	v := &view{Side: s, layout: layout, isCard: map[string]bool{}}
	if errors.Is(err, extractor.ErrCollision) {
		v.clash = err // a person's to mend; a base that has it must not stop the change that mends it
	} else if err != nil {
		return nil, err
	}
	v.skills = byPath(layout)
	if v.cards, err = CardFiles(s.Files, s.Shape.Cards); err != nil {
		return nil, err
	}
	for _, file := range v.cards {
		v.isCard[file] = true
	}
	v.config, err = exists(s.Files, ConfigFile)
	return v, err
}

func byPath(l extractor.Layout) map[string]extractor.SkillFiles {
	out := make(map[string]extractor.SkillFiles, len(l.Skills))
	for _, skill := range l.Skills {
		out[skill.Path] = skill
	}
	return out
}

// enabled reports whether the side has a configuration or the card of a skill.
// Other Markdown in a folder that happens to be called cards switches nothing on.
func (v *view) enabled() bool { return v.config || len(v.strays()) < len(v.cards) }

// strays lists the files among the cards that belong to no skill.
func (v *view) strays() []string {
	var out []string
	for _, file := range v.cards {
		if folder, _ := card.Folder(v.Shape.Cards, file); v.skills[folder].Main == "" {
			out = append(out, file)
		}
	}
	return out
}

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
