package search

import (
	"regexp/syntax"
	"slices"
	"strings"
)

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
