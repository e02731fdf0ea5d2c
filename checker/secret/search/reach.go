package search

import (
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// A reach bounds what an expression can match. Its bytes are those of all parts
// that repeat a few times. Each part that repeats without a bound, or so often
// that the bound is far, takes one run of bytes of the class, of any length.
type reach struct {
	bytes int
	runs  int
	class byteClass
}

type byteClass [256 / 64]uint64

func (c *byteClass) has(b byte) bool { return c[b/64]&(1<<(b%64)) != 0 }

func (c *byteClass) add(b byte) { c[b/64] |= 1 << (b % 64) }

func (c byteClass) with(o byteClass) byteClass {
	for i := range c {
		c[i] |= o[i]
	}
	return c
}

// plus is the reach of one expression after another.
func (r reach) plus(o reach) reach {
	return reach{r.bytes + o.bytes, r.runs + o.runs, r.class.with(o.class)}
}

// or is the reach of one expression or another.
func (r reach) or(o reach) reach {
	return reach{max(r.bytes, o.bytes), max(r.runs, o.runs), r.class.with(o.class)}
}

const (
	// farBound is how many bytes of one part are rather taken for a run: texts have
	// few long runs, so a window gets smaller.
	farBound = 64
	noBound  = 1 << 30 // no part but an unbounded one is a run
)

// reachOf reads an expression. Parts of far bytes and more are runs. It takes the long s and the Kelvin sign, which
// every case-insensitive class holds, for one byte like the letters that they
// stand for; where a text has them, see the hunt.
func reachOf(re *syntax.Regexp, far int) reach {
	switch re.Op {
	case syntax.OpLiteral:
		n := 0
		for _, r := range re.Rune {
			n += width(r, r, re.Flags&syntax.FoldCase != 0)
		}
		return reach{bytes: n}
	case syntax.OpCharClass:
		n := 0
		for i := 0; i+1 < len(re.Rune); i += 2 {
			n = max(n, width(re.Rune[i], re.Rune[i+1], false))
		}
		return reach{bytes: n}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return reach{bytes: utf8.UTFMax}
	case syntax.OpCapture, syntax.OpQuest:
		return reachOf(re.Sub[0], far)
	case syntax.OpStar, syntax.OpPlus:
		return reach{runs: 1, class: bytesOf(re.Sub[0])}
	case syntax.OpRepeat:
		one := reachOf(re.Sub[0], far)
		if re.Max < 0 || one.bytes*re.Max >= far {
			return reach{runs: 1, class: bytesOf(re.Sub[0])}
		}
		return reach{one.bytes * re.Max, one.runs * re.Max, one.class}
	case syntax.OpConcat:
		var sum reach
		for _, sub := range re.Sub {
			sum = sum.plus(reachOf(sub, far))
		}
		return sum
	case syntax.OpAlternate:
		var most reach
		for _, sub := range re.Sub {
			most = most.or(reachOf(sub, far))
		}
		return most
	}
	return reach{}
}

// width is the most bytes of one character of a range.
func width(from, to rune, folded bool) int {
	if from == to && (from == '\u017f' || from == '\u212a') {
		return 1
	}
	most := utf8.RuneLen(min(to, unicode.MaxRune))
	for f := unicode.SimpleFold(from); folded && f != from; f = unicode.SimpleFold(f) {
		most = max(most, width(f, f, false))
	}
	return most
}

// bytesOf are all bytes that an expression can match.
func bytesOf(re *syntax.Regexp) (c byteClass) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			c.addRange(r, r)
			for f := unicode.SimpleFold(r); re.Flags&syntax.FoldCase != 0 && f != r; f = unicode.SimpleFold(f) {
				c.addRange(f, f)
			}
		}
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			c.addRange(re.Rune[i], re.Rune[i+1])
		}
	case syntax.OpAnyChar:
		c.addRange(0, unicode.MaxRune)
	case syntax.OpAnyCharNotNL:
		c.addRange(0, '\n'-1)
		c.addRange('\n'+1, unicode.MaxRune)
	default:
		for _, sub := range re.Sub {
			c = c.with(bytesOf(sub))
		}
	}
	return c
}

// addRange adds all bytes of the characters of a range; outside ASCII that is
// taken for every byte there.
func (c *byteClass) addRange(from, to rune) {
	for r := from; r <= min(to, utf8.RuneSelf-1); r++ {
		c.add(byte(r))
	}
	for b := utf8.RuneSelf; to >= utf8.RuneSelf && b <= 0xFF; b++ {
		c.add(byte(b))
	}
}

// A walk is one look along a text, to one side. It remembers the last long run,
// since many words may stand in one.
type walk struct{ run Span }

// forward is the byte before which every match ends that goes on from a byte.
//
// A run longer than all bounded bytes can only be passed by an unbounded part, so
// as many of those are passed as there are such parts. All else is counted.
func (w *walk) forward(r *reach, text string, at, scale int) int {
	if r.runs == 0 {
		return min(len(text), at+r.bytes*scale)
	}
	bounded := r.bytes * scale
	left, longs := bounded+r.runs*(bounded+1), r.runs
	for at < len(text) && left > 0 {
		if !r.class.has(text[at]) {
			at++
			left--
			continue
		}
		end := w.runEnd(r, text, at)
		if end-at > bounded && longs > 0 {
			longs--
			at = end
			continue
		}
		n := min(end-at, left)
		at += n
		left -= n
	}
	return at
}

func (w *walk) runEnd(r *reach, text string, at int) int {
	if w.run.Start <= at && at < w.run.End {
		return w.run.End
	}
	end := at
	for end < len(text) && r.class.has(text[end]) {
		end++
	}
	w.run = Span{at, end}
	return end
}

// backward is forward to the other side: the byte that no match starts before.
func (w *walk) backward(r *reach, text string, at, scale int) int {
	if r.runs == 0 {
		return max(0, at-r.bytes*scale)
	}
	bounded := r.bytes * scale
	left, longs := bounded+r.runs*(bounded+1), r.runs
	for at > 0 && left > 0 {
		if !r.class.has(text[at-1]) {
			at--
			left--
			continue
		}
		start := w.runStart(r, text, at)
		if at-start > bounded && longs > 0 {
			longs--
			at = start
			continue
		}
		n := min(at-start, left)
		at -= n
		left -= n
	}
	return at
}

func (w *walk) runStart(r *reach, text string, at int) int {
	start := at
	for start > 0 && r.class.has(text[start-1]) {
		if start <= w.run.End && start > w.run.Start { // the rest is known
			start = w.run.Start
			break
		}
		start--
	}
	w.run = Span{start, at}
	return start
}
