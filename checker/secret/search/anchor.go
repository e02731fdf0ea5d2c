package search

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// An anchor is a place in an expression where one of a few words stands in each
// match. An expression has as many anchors as it has ways around one of them.
type anchor struct {
	id       int
	literals []literal
	longest  int              // characters of the longest of them
	rest     []*syntax.Regexp // what must follow
	before   reach            // what a match can hold before the word
	after    reach            // and after it
	tail     *tail            // what is tried where the word stands; may be nil
}

// anchorsOf reads the anchors of an expression; none if it has none. Equal tails
// are shared through the map.
func anchorsOf(expression string, tails map[string]*tail) ([]*anchor, error) {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, ErrExpression
	}
	anchors := plan(re)
	for i := range anchors {
		a := &anchors[i]
		for _, l := range a.literals {
			a.longest = max(a.longest, utf8.RuneCountInString(l.text))
		}
		for _, r := range a.rest {
			a.after = a.after.plus(reachOf(r, farBound))
		}
		a.tail = tailOf(a.rest, tails)
		a.rest = nil
	}
	out := make([]*anchor, len(anchors))
	for i := range anchors {
		out[i] = &anchors[i]
	}
	return out, nil
}

// plan returns the cheapest anchors of an expression, of which each match has one.
func plan(re *syntax.Regexp) []anchor {
	if all := literals(re); usable(all) {
		return []anchor{{literals: all}}
	}
	switch re.Op {
	case syntax.OpCapture:
		return plan(re.Sub[0])
	case syntax.OpConcat:
		return planConcat(re.Sub)
	case syntax.OpAlternate:
		var out []anchor
		for _, sub := range re.Sub {
			p := plan(sub)
			if p == nil {
				return nil
			}
			out = append(out, p...)
		}
		return out
	case syntax.OpPlus:
		return follow(plan(re.Sub[0]), &syntax.Regexp{Op: syntax.OpStar, Flags: re.Flags, Sub: re.Sub})
	case syntax.OpRepeat:
		if re.Min == 0 {
			return nil
		}
		more := &syntax.Regexp{Op: syntax.OpRepeat, Flags: re.Flags, Sub: re.Sub, Min: re.Min - 1, Max: max(re.Max-1, -1)}
		if re.Max == 1 {
			return plan(re.Sub[0])
		}
		return follow(plan(re.Sub[0]), more)
	}
	return nil
}

// planConcat chooses among the parts of a sequence, and among runs of parts that
// are words.
func planConcat(parts []*syntax.Regexp) []anchor {
	var best []anchor
	before := reach{}
	for i, part := range parts {
		candidate := slices.Clone(plan(part))
		next := i + 1
		if run, n := literalRun(parts[i:]); usable(run) {
			for n > 1 && parts[i+n-1].Op == syntax.OpQuest { // says nothing
				n--
			}
			run, _ = literalRun(parts[i : i+n])
			candidate, next = []anchor{{literals: run}}, i+n
		}
		candidate = follow(candidate, parts[next:]...)
		for j := range candidate {
			candidate[j].before = before.plus(candidate[j].before)
		}
		if candidate != nil && (best == nil || cost(candidate) < cost(best)) {
			best = candidate
		}
		before = before.plus(reachOf(part, farBound))
	}
	return best
}

// follow appends what comes after anchors.
func follow(anchors []anchor, more ...*syntax.Regexp) []anchor {
	for i := range anchors {
		anchors[i].rest = append(slices.Clone(anchors[i].rest), more...)
	}
	return anchors
}
