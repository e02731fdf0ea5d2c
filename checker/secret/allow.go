package secret

import (
	"strings"

	"github.com/zricethezav/gitleaks/v8/config"
)

// lines is a layer that remembers what was asked last: a list may want to look at
// the line of each match, and a line may be long and hold many.
type lines struct {
	*layer
	last   span // the line that was asked for
	single bool // it is one line, not several
	said   map[*config.Allowlist]bool
}

// allowed reports whether a list excuses a match, which stands at a place of the
// layer.
func (l *lines) allowed(lists []*config.Allowlist, m match, at span) bool {
	value := m.text[m.from:m.to]
	for _, a := range lists {
		var byRegex bool
		switch a.RegexTarget {
		case "line":
			byRegex = l.allows(a, at)
		case "match":
			byRegex = a.RegexAllowed(m.text)
		default:
			byRegex = a.RegexAllowed(value)
		}
		byWord, _ := a.ContainsStopWord(value)
		ok := byRegex || byWord
		if a.MatchCondition == config.AllowlistMatchAnd { // a text has neither commit nor path
			ok = len(a.Commits) == 0 && len(a.Paths) == 0 && (byRegex || len(a.Regexes) == 0) && (byWord || len(a.StopWords) == 0)
		}
		if ok {
			return true
		}
	}
	return false
}

// allows asks a list for the line of a match.
func (l *lines) allows(a *config.Allowlist, at span) bool {
	line := l.of(at)
	if line != l.last || l.said == nil {
		l.single = !strings.Contains(l.text[min(line.start+1, line.end):line.end], "\n")
		l.last, l.said = line, map[*config.Allowlist]bool{}
	}
	ok, known := l.said[a]
	if !known {
		ok = a.RegexAllowed(l.text[line.start:line.end])
		l.said[a] = ok
	}
	return ok
}

// of is the line of a match, or its lines, from the line break before to the one
// behind; in a decoded layer, of the decoded runs that the match touches.
func (l *lines) of(at span) span {
	if touched := l.touched(at); len(touched) > 0 {
		at = span{touched[0].decoded.start, touched[len(touched)-1].decoded.end}
	}
	if l.single && l.last.start <= at.start && at.start < at.end && at.end <= l.last.end {
		return l.last
	}
	from := max(0, strings.LastIndexByte(l.text[:min(len(l.text), at.start+1)], '\n'))
	return span{from, lineEnd(l.text, at.end)}
}
