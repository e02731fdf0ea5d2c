package search

import (
	"regexp/syntax"
	"slices"
)

// A literal is a text that a match holds, as it is or in any case.
type literal struct {
	text   string
	folded bool
}

const (
	maxLiterals = 64 // an alternative for each would be no help
	maxClass    = 8  // characters that one place of a word may have
)

// literalRun joins as many parts as are words, and says how many.
func literalRun(parts []*syntax.Regexp) (run []literal, n int) {
	run = []literal{{}}
	for n < len(parts) {
		more := cross(run, literals(parts[n]))
		if more == nil {
			break
		}
		run = more
		n++
	}
	return run, n
}

// usable reports words that a text can be looked through for.
func usable(all []literal) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(l literal) bool { return l.text == "" })
}

// literals are all texts that an expression matches, if they are few; nil if not.
// What only looks at the place is the empty text.
func literals(re *syntax.Regexp) []literal {
	if placed(re) {
		return []literal{{}}
	}
	switch re.Op {
	case syntax.OpLiteral:
		l := literal{string(re.Rune), re.Flags&syntax.FoldCase != 0}
		if l.folded {
			l.text = fold(l.text)
		}
		return []literal{l}
	case syntax.OpCharClass:
		return classLiterals(re.Rune)
	case syntax.OpCapture:
		return literals(re.Sub[0])
	case syntax.OpQuest:
		if sub := literals(re.Sub[0]); sub != nil {
			return union([]literal{{}}, sub)
		}
	case syntax.OpConcat:
		run, n := literalRun(re.Sub)
		if n == len(re.Sub) {
			return run
		}
	case syntax.OpAlternate:
		var out []literal
		for _, sub := range re.Sub {
			more := literals(sub)
			if more == nil {
				return nil
			}
			out = union(out, more)
		}
		if len(out) <= maxLiterals {
			return out
		}
	}
	return nil
}

// placed reports expressions that only look at where they stand.
func placed(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return false
}

// classLiterals are the characters of a small class, in any case.
func classLiterals(ranges []rune) (out []literal) {
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			l := literal{string(foldRune(r)), true}
			switch {
			case slices.Contains(out, l):
			case len(out) == maxClass:
				return nil
			default:
				out = append(out, l)
			}
		}
	}
	return out
}

// union adds the texts of b that a lacks.
func union(a, b []literal) []literal {
	out := slices.Clone(a)
	for _, l := range b {
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// cross joins each text of a with each of b.
func cross(a, b []literal) []literal {
	if len(b) == 0 || len(a)*len(b) > maxLiterals {
		return nil
	}
	var out []literal
	for _, x := range a {
		for _, y := range b {
			l := literal{x.text + y.text, x.folded || y.folded}
			if x.folded != y.folded {
				l.text = fold(l.text)
			}
			out = union(out, []literal{l})
		}
	}
	return out
}
