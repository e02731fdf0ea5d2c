package search

import (
	"regexp/syntax"
	"slices"
	"strings"
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

// A literal is a text that a match holds, as it is or in any case.
type literal struct {
	text   string
	folded bool
}

const (
	maxLiterals = 64  // an alternative for each would be no help
	maxClass    = 8   // characters that one place of a word may have
	maxReach    = 512 // bytes; a longer tail is not tried
)

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

// cost estimates what anchors take, per byte of a text: how often their words
// stand in one, and how much is looked at then.
func cost(anchors []anchor) (sum float64) {
	for _, a := range anchors {
		look := 10.0
		for _, r := range a.rest {
			if placed(r) {
				continue
			}
			n := wideRun(r)
			look += float64(n)
			if n == 0 {
				break
			}
		}
		for _, l := range a.literals {
			sum += look * frequency(l)
		}
	}
	return sum
}

// frequency estimates how often a word stands in Markdown, per byte. A frequent
// letter is one byte in fourteen, another one in forty, all else one in a hundred;
// an address is where one does not expect it.
func frequency(l literal) float64 {
	if strings.HasPrefix(l.text, "http") {
		return 1.0 / 500
	}
	f := 1.0
	for _, c := range l.text {
		switch {
		case c == ' ':
			f /= 6
		case slices.Contains([]rune("etaoinsr"), c):
			f /= 14
		case slices.Contains([]rune("hldcumpgy-._/`"), c):
			f /= 40
		default:
			f /= 100
		}
	}
	return f
}

// wideRun is how many characters an expression lets pass that most texts are
// made of; 0 for one that lets few pass.
func wideRun(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpCapture:
		return wideRun(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus:
		if wide(re.Sub[0]) {
			return maxReach
		}
	case syntax.OpRepeat:
		if wide(re.Sub[0]) && re.Max < 0 {
			return maxReach
		} else if wide(re.Sub[0]) {
			return re.Max
		}
	case syntax.OpAlternate:
		most := 0
		for _, sub := range re.Sub {
			most = max(most, wideRun(sub))
		}
		return most
	case syntax.OpConcat:
		if len(re.Sub) > 0 {
			return wideRun(re.Sub[0])
		}
	}
	return 0
}

// wide reports classes with the small letters.
func wide(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i] <= 'a' && re.Rune[i+1] >= 'z' {
				return true
			}
		}
	}
	return false
}
