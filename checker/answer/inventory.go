package answer

import (
	"path"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// mostInventory is how many names an inventory cites: more are no answer to read.
const mostInventory = 60

// An inventory is a question for all that scripts declare of one kind.
type inventory struct {
	kinds []card.Kind
	nouns map[string]bool // the terms that say the kind, and those that say nothing beside it
	each  bool            // one fact stands for each script
}

// inventory returns what scripts declare of one kind, where the question asks for just
// that: which flags, environment variables, subcommands or scripts a script, a skill or
// the whole repository has. The kind is what such a fact is, so that the question's noun is
// covered by the fact itself; the name of its script or skill is by its context (law 9).
func (x *Index) inventory(r *reading) (members []int, sure int, many bool) {
	v, ok := inventoryOf(r.q.words)
	how := make([]int, len(r.q.terms))
	for i, t := range r.q.terms {
		switch {
		case v.nouns[t.norm]:
			how[i] = full
		case x.namesHome(t, &r.q):
			how[i] = nearly
		default:
			ok = ok && t.minor
		}
	}
	if !ok {
		return nil, 0, false
	}
	seen := map[string]bool{}
	for id := range x.facts {
		if !x.declares(id, v.kinds, &r.q.demand) {
			continue
		}
		if file := x.texts.at(id).File; !v.each || !seen[file] {
			seen[file] = true
			members = append(members, id)
		}
		if len(members) > mostInventory {
			return nil, 0, true
		}
	}
	return members, r.q.part(how), false
}

// declares reports whether a fact is of one of the kinds, and of the skills and scripts
// that the question names.
func (x *Index) declares(id int, kinds []card.Kind, d *demand) bool {
	if !slices.Contains(kinds, x.texts.kind(id)) || len(d.skills) > 0 && !slices.Contains(d.skills, uint32(x.skillOf(id))) {
		return false
	}
	return len(d.files) == 0 || slices.Contains(d.files, strings.ToLower(path.Base(x.texts.at(id).File)))
}

// namesHome reports whether a term is the name of a script or skill that the question is about.
func (x *Index) namesHome(t queryTerm, q *query) bool {
	if t.part {
		return true
	}
	if slices.Contains(q.demand.files, t.surface[strings.LastIndexByte(t.surface, '/')+1:]) {
		return true
	}
	return slices.ContainsFunc(q.demand.skills, func(n uint32) bool {
		return int(x.skills[n].norm) == t.variants[0].id || strings.HasSuffix(t.surface, x.skills[n].path)
	})
}

// inventoryOf reads the kind that a question's words ask for.
func inventoryOf(words []word) (inventory, bool) {
	v := inventory{nouns: map[string]bool{}}
	for _, w := range []string{"take", "accept", "support", "declar", "read", "defin", "offer", "exist", "provid", "understand", "script", "file", "list", "avail"} {
		v.nouns[w] = true
	}
	for i, w := range words[:min(4, len(words))] {
		switch before := words[max(0, i-1)].surface; {
		case w.surface == "flags" || w.surface == "options" || w.surface == "switches":
			v.kinds = []card.Kind{card.Flag}
		case w.surface == "subcommands" || w.surface == "commands":
			v.kinds = []card.Kind{card.Subcommand}
		case (w.surface == "variables" || w.surface == "vars") && (before == "environment" || before == "env"):
			v.kinds = []card.Kind{card.Env}
			v.nouns[words[i-1].norm] = true
		case w.surface == "scripts":
			v.kinds, v.each = []card.Kind{card.Subcommand, card.Flag, card.Env, card.Function}, true
		default:
			continue
		}
		v.nouns[w.norm] = true
		return v, true
	}
	return v, false
}
