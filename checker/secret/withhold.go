package secret

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// withholdRounds bounds how often an output is looked through again. One look
// is usual; a second follows where taking one value out laid another bare.
const withholdRounds = 5

// A span is a run of bytes of a text, end not included.
type span struct{ start, end int }

// Withhold returns the text with every found value replaced by
// "[withheld: place]", where place(line) names the line, counted from 1; a nil
// place, or one that is not fit to print, gives "line N". It is meant for every
// text that goes out.
//
// Scanning the result finds nothing, and no run of eight bytes of a found value
// is left in it, wherever else in the text it stood, but for what everybody
// knows: the host of a web address and the armour of a PEM block. The number of
// lines stays the same. Where a value cannot be cut out of its line, the line
// is withheld whole. Under a context of [Remember], values that were found in
// other texts count like those of this one.
//
// On any error the text returned is empty: [ErrNotScanned] as for Scan, or
// [ErrNotWithheld].
func (s *Scanner) Withhold(ctx context.Context, text string, place func(line int) string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.opts.Deadline, errLate)
	defer cancel()
	hits, err := s.detect(ctx, text)
	if err != nil {
		return "", fmt.Errorf("secret.Withhold: %w", err)
	}
	known, err := s.recalled(ctx)
	if err != nil {
		return "", fmt.Errorf("secret.Withhold: %w", err)
	}
	if len(hits) == 0 && len(known.spans(text)) == 0 {
		return text, nil
	}
	v := newVeil(text, place)
	v.pieces = known
	v.cover(hits)
	for range withholdRounds {
		out := v.render()
		again, err := s.detect(ctx, out)
		if err != nil {
			return "", fmt.Errorf("secret.Withhold: %w", err)
		}
		if v.clean(out, again) {
			return out, nil
		}
	}
	return "", fmt.Errorf("secret.Withhold: %w; leave the text out", ErrNotWithheld)
}

// A veil is what must not be seen of one text.
type veil struct {
	text   string
	breaks []int
	place  func(line int) string
	found  []span
	pieces *pieces
	whole  map[int]bool // lines that are withheld whole
}

func newVeil(text string, place func(line int) string) *veil {
	return &veil{text: text, breaks: lineBreaks(text), place: place, pieces: newPieces(), whole: map[int]bool{}}
}

// cover adds the values of hits in the text itself. What follows a value without
// a gap goes with it: some rules know only the first bytes of a token.
func (v *veil) cover(hits []hit) {
	for _, h := range hits {
		if h.sealed() {
			v.found = append(v.found, span{h.start, h.end})
			continue
		}
		v.pieces.take(v.text, h)
		_, end := wholeRun(v.text, h.start, h.end)
		v.found = append(v.found, span{h.start, end})
	}
}

// clean reports whether an output shows nothing. Lines that do are withheld
// whole in the next output; an output has the lines of the text.
func (v *veil) clean(out string, hits []hit) bool {
	var left []span
	for _, h := range hits {
		if !h.sealed() {
			v.pieces.add(h.value)
		}
		left = append(left, span{h.start, h.end})
	}
	left = append(left, v.pieces.spans(out)...)
	breaks := lineBreaks(out)
	for _, l := range left {
		first, _ := position(breaks, l.start)
		last, _ := position(breaks, max(l.start, l.end-1))
		for line := first; line <= last; line++ {
			v.whole[line] = true
		}
	}
	return len(left) == 0
}

// render writes the text with all that is covered replaced.
func (v *veil) render() string {
	spans := append(slices.Clone(v.found), v.pieces.spans(v.text)...)
	for line := range v.whole {
		spans = append(spans, v.line(line))
	}
	var out strings.Builder
	at := 0
	for _, sp := range joinSpans(spans) {
		sp = v.wholeRunes(sp)
		out.WriteString(v.text[at:max(at, sp.start)])
		line, _ := position(v.breaks, sp.start)
		out.WriteString(v.mark(line))
		out.WriteString(strings.Repeat("\n", strings.Count(v.text[sp.start:sp.end], "\n")))
		at = max(at, sp.end)
	}
	out.WriteString(v.text[at:])
	return out.String()
}

// mark is what stands for a value. A place that would show a piece of one, or
// that breaks the line, is not printed.
func (v *veil) mark(line int) string {
	plain := fmt.Sprintf("%sline %d]", marker, line)
	if v.place == nil || v.whole[line] {
		return plain
	}
	p := v.place(line)
	if strings.ContainsFunc(p, unicode.IsControl) || len(v.pieces.spans(p)) > 0 {
		return plain
	}
	return marker + p + "]"
}

// line is the span of a line without its end.
func (v *veil) line(n int) span {
	var sp span
	if n > 1 {
		sp.start = v.breaks[n-2] + 1
	}
	sp.end = len(v.text)
	if n <= len(v.breaks) {
		sp.end = v.breaks[n-1]
	}
	return sp
}

// wholeRunes widens a span that cuts a character.
func (v *veil) wholeRunes(sp span) span {
	for i := 0; i < utf8.UTFMax-1 && sp.start > 0 && !utf8.RuneStart(v.text[sp.start]); i++ {
		sp.start--
	}
	for i := 0; i < utf8.UTFMax-1 && sp.end < len(v.text) && !utf8.RuneStart(v.text[sp.end]); i++ {
		sp.end++
	}
	return sp
}

// appendSpan adds a span that starts no earlier than the last one.
func appendSpan(spans []span, s span) []span {
	if n := len(spans); n > 0 && s.start <= spans[n-1].end {
		spans[n-1].end = max(spans[n-1].end, s.end)
		return spans
	}
	return append(spans, s)
}

// joinSpans sorts spans and joins those that meet.
func joinSpans(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(a.start-b.start, a.end-b.end) })
	var out []span
	for _, s := range spans {
		out = appendSpan(out, s)
	}
	return out
}
