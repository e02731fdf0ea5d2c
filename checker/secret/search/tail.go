package search

import (
	"regexp"
	"regexp/syntax"
	"sync"
	"unicode/utf8"
)

// A tail is what must stand right after a word, in part: it is cut after the
// first thing that few texts have. It is tried at the word, where it mostly fails
// within a few characters.
type tail struct {
	id      int
	n       int // the most bytes that it looks at
	compile func() *regexp.Regexp
}

const (
	longRun = 8   // of so many characters of one class in a row the rest is needless
	farTail = 100 // a part that may go on for longer is not worth a try

	maxReach = 512 // bytes; a longer tail is not tried
)

// tailOf is what must follow; nil if nothing must that could be tried.
func tailOf(rest []*syntax.Regexp, tails map[string]*tail) *tail {
	cutRest, _ := shorten(rest)
	var all reach
	for _, r := range cutRest {
		all = all.plus(reachOf(r, noBound))
	}
	if len(cutRest) == 0 || all.runs > 0 || all.bytes > maxReach {
		return nil
	}
	text := sources(cutRest, "")
	if t, ok := tails[text]; ok {
		return t
	}
	// One more character, for what looks at the place behind.
	t := &tail{id: len(tails), n: all.bytes + utf8.UTFMax}
	// Most tails are never tried, and compiling all takes longer than a short scan.
	t.compile = sync.OnceValue(func() *regexp.Regexp {
		re, err := regexp.Compile(`\A(?s:.)` + text) // the word's last character first
		if err != nil || re.MatchString("x\x00") {   // nothing must follow
			return nil
		}
		return re
	})
	tails[text] = t
	return t
}

// fits tries the tail behind a word, given the span of the word's last character.
func (t *tail) fits(text string, last Span, scale int) bool {
	re := t.compile()
	return re == nil || re.MatchString(text[last.Start:min(len(text), last.End+t.n*scale)])
}

// shorten keeps the parts of a sequence up to the first long run or the first
// unbounded part, of which it keeps as much as must be there.
func shorten(parts []*syntax.Regexp) (kept []*syntax.Regexp, done bool) {
	for _, p := range parts {
		part, done := shortenOne(p)
		if part != nil {
			kept = append(kept, part)
		}
		if done {
			return kept, true
		}
	}
	return kept, false
}

func shortenOne(p *syntax.Regexp) (part *syntax.Regexp, done bool) {
	switch p.Op {
	case syntax.OpCapture:
		return shortenOne(p.Sub[0])
	case syntax.OpStar:
		return nil, true
	case syntax.OpPlus:
		part, _ = shortenOne(p.Sub[0])
		return part, true
	case syntax.OpRepeat:
		return shortenRepeat(p)
	case syntax.OpQuest:
		sub, done := shortenOne(p.Sub[0])
		switch {
		case !done:
			return p, false
		case sub == nil:
			return nil, true
		}
		return &syntax.Regexp{Op: syntax.OpQuest, Flags: p.Flags, Sub: []*syntax.Regexp{sub}}, true
	case syntax.OpConcat:
		kept, done := shorten(p.Sub)
		return sequence(kept), done
	case syntax.OpAlternate:
		alt := &syntax.Regexp{Op: syntax.OpAlternate, Flags: p.Flags}
		for _, sub := range p.Sub {
			kept, cut := shortenOne(sub)
			if kept == nil {
				kept = sequence(nil)
			}
			alt.Sub = append(alt.Sub, kept)
			done = done || cut
		}
		return alt, done
	}
	return p, false
}

// shortenRepeat keeps a short repetition as it is. Of a long one it keeps what
// must be there, and that is enough.
func shortenRepeat(p *syntax.Regexp) (part *syntax.Regexp, done bool) {
	far := p.Max < 0 || p.Max > farTail || p.Min > 0 && p.Max > farTail/4
	if !far && p.Min < longRun && reachOf(p.Sub[0], noBound).runs == 0 {
		return p, false
	}
	reps := p.Min
	if !single(p.Sub[0]) {
		reps = min(reps, 1)
	}
	sub, _ := shortenOne(p.Sub[0])
	if reps == 0 || sub == nil {
		return nil, true
	}
	return &syntax.Regexp{Op: syntax.OpRepeat, Flags: p.Flags, Sub: []*syntax.Regexp{sub}, Min: reps, Max: reps}, true
}

// single reports expressions of one character.
func single(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && len(re.Rune) == 1 || re.Op == syntax.OpCharClass || re.Op == syntax.OpAnyChar || re.Op == syntax.OpAnyCharNotNL
}

func sequence(parts []*syntax.Regexp) *syntax.Regexp {
	if len(parts) == 0 {
		return &syntax.Regexp{Op: syntax.OpEmptyMatch}
	}
	return &syntax.Regexp{Op: syntax.OpConcat, Sub: parts}
}
