package secret

import (
	"regexp"
	"strings"
)

// pieceSize is the longest run of a value, in bytes, of which nothing may remain
// in a text. Eight bytes are never more than eight characters.
const pieceSize = 8

// marker opens what stands in place of a value.
const marker = "[withheld: "

// publicHead is the start of values that everybody knows: a web address up to
// its path, and the first line of a PEM block. It is taken out where the value
// stands, but "https://" elsewhere in the text is no piece of a secret.
var publicHead = regexp.MustCompile(`^(?:[a-z][a-z0-9+.-]*://[A-Za-z0-9.-]+(?::\d+)?/|-----BEGIN [A-Z0-9 ]+-----)`)

// pieces are all runs of pieceSize bytes of the values of one text, and the
// values too short to have one. They never leave the package.
type pieces struct {
	runs  map[string]struct{}
	short map[string]struct{}
}

func newPieces() *pieces {
	return &pieces{runs: map[string]struct{}{}, short: map[string]struct{}{}}
}

// add takes the pieces of one value. Values under four bytes are left to the
// span they were found at: every text is full of them.
func (p *pieces) add(value string) {
	value = value[len(publicHead.FindString(value)):]
	if strings.HasPrefix(value, "\n") || strings.HasPrefix(value, "\r") {
		value = strings.TrimSuffix(value, pemTail(value))
	}
	if len(value) < pieceSize {
		if len(value) >= 4 && !constant(value) {
			p.short[value] = struct{}{}
		}
		return
	}
	for i := 0; i+pieceSize <= len(value); i++ {
		if run := value[i : i+pieceSize]; !constant(run) {
			p.runs[run] = struct{}{}
		}
	}
}

// pemTail is the closing line of a PEM block, as public as the first.
func pemTail(value string) string {
	if i := strings.LastIndex(value, "-----END "); i >= 0 {
		return value[i:]
	}
	return ""
}

// constant reports runs that tell nothing of a value: those without a letter or
// digit, such as an indent, and those that our own marker holds.
func constant(run string) bool {
	if strings.Contains(marker+"line ", run) {
		return true
	}
	return !strings.ContainsFunc(run, func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= 0x80
	})
}

// spans returns where pieces stand in a text, in order, joined where they meet.
func (p *pieces) spans(text string) []span {
	var out []span
	for i := 0; i+pieceSize <= len(text) && len(p.runs) > 0; i++ {
		if _, ok := p.runs[text[i:i+pieceSize]]; ok {
			out = appendSpan(out, span{i, i + pieceSize})
		}
	}
	for value := range p.short {
		for at := 0; ; {
			i := strings.Index(text[at:], value)
			if i < 0 {
				break
			}
			out = append(out, span{at + i, at + i + len(value)})
			at += i + len(value)
		}
	}
	return joinSpans(out)
}
