package extractor

import (
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/extractor/ident"
)

// A script is a source file of the skill, to be mined once all Markdown is known.
type script struct {
	file string
	src  []byte
}

// scripts mines identifiers. Functions count only where the skill's Markdown
// names them: 9 in 100 are named, and the others are noise. The function behind
// a subcommand of the same name says nothing more.
func (r *reader) scripts() {
	for _, s := range r.scripted {
		result, err := ident.Mine(s.file, s.src)
		if err != nil {
			r.note(Damaged, s.file, 0, "the script was mined as far as it could be read: "+err.Error())
		}
		r.mined[s.file] = newMined(result, s.src, err)
		commands := map[string]bool{}
		for _, id := range result.Idents {
			commands[id.Name] = commands[id.Name] || id.Kind == ident.Subcommand
		}
		for _, id := range result.Idents {
			kind, section := scriptKind(id.Kind)
			if kind == card.Function && (!r.words[id.Name] || commands[id.Name]) {
				continue
			}
			e := card.Entry{Section: section, File: r.relative(s.file), Kind: kind, Text: id.Name}
			r.ground(&r.facts, e, card.ByKind, card.Place{File: s.file, First: id.First, Last: id.Last})
		}
	}
}

func scriptKind(k ident.Kind) (card.Kind, card.Section) {
	switch k {
	case ident.Subcommand:
		return card.Subcommand, card.Commands
	case ident.Flag:
		return card.Flag, card.Commands
	case ident.Env:
		return card.Env, card.Setup
	}
	return card.Function, card.Architecture
}
