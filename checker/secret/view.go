package secret

import (
	"context"
	"sort"
	"strings"
)

// A view is a text with the same secrets in a form that rules can read, and where
// each of its bytes comes from. Lines of the text that read the same in both are
// left out of it.
type view struct {
	text     []byte
	parts    []part // in order
	verbatim bool   // nothing was changed: lines of the text as they are
}

// A part is a stretch of a view: bytes of the text as they stand there, or bytes
// that all come from one place.
type part struct {
	at       int // the first byte of the view
	from, to int // where it comes from
	kept     bool
}

// add appends bytes that all come from one place.
func (v *view) add(text string, from, to int) {
	v.parts = append(v.parts, part{len(v.text), from, to, false})
	v.text = append(v.text, text...)
}

// keep appends a stretch of the text as it is.
func (v *view) keep(raw string, from, to int) {
	if from == to {
		return
	}
	if n := len(v.parts); n > 0 && v.parts[n-1].kept && v.parts[n-1].to == from {
		v.parts[n-1].to = to
	} else {
		v.parts = append(v.parts, part{len(v.text), from, to, true})
	}
	v.text = append(v.text, raw[from:to]...)
}

// cut drops all from a byte of the view on.
func (v *view) cut(at int) {
	v.text = v.text[:at]
	n := len(v.parts)
	for n > 0 && v.parts[n-1].at >= at {
		n--
	}
	v.parts = v.parts[:n]
	if n > 0 && v.parts[n-1].kept {
		last := &v.parts[n-1]
		last.to = min(last.to, last.from+at-last.at)
	}
}

// origin is where a byte of the view comes from.
func (v *view) origin(at int) span {
	i := sort.Search(len(v.parts), func(i int) bool { return v.parts[i].at > at }) - 1
	p := v.parts[i]
	if p.kept {
		return span{p.from + at - p.at, p.from + at - p.at + 1}
	}
	return span{p.from, p.to}
}

// back moves a hit from the view to the text. It reports false for what reads
// the same there.
func (v *view) back(h hit, raw string) (hit, bool) {
	start, end := v.origin(h.start).start, v.origin(h.end-1).end
	if v.verbatim {
		h.start, h.end = start, end
		return h, start < end
	}
	head := max(0, h.start-len(h.label))
	from := v.origin(head).start
	if start >= end || raw[from:end] == string(v.text[head:h.end]) {
		return h, false
	}
	h.veiled = raw[start:end] != string(v.text[h.start:h.end])
	h.start, h.end = start, end
	return h, true
}

// A look is one view and the rules to run over it, but for those that skip names.
type look struct {
	rules *sieve
	view  *view
	skip  func(rule string) bool
}

// looks makes all views of a text.
func (s *Scanner) looks(text string) []look {
	plain := normalised(text)
	out := []look{{rules: s.rules, view: plain}, {rules: s.labels, view: plain}, {s.rules, joinedLines(text), misled}}
	for _, v := range candidates(text) {
		out = append(out, look{rules: s.labels, view: v})
	}
	return out
}

// misled reports rules that joined lines would mislead.
func misled(rule string) bool { return generality(rule) > 0 && rule != "jwt" }

// look runs one look and returns its hits at their places in the text.
func (s *Scanner) look(ctx context.Context, l look, raw string) ([]hit, error) {
	if len(l.view.text) == 0 {
		return nil, nil
	}
	found, err := s.run(ctx, l, string(l.view.text))
	if err != nil {
		return nil, err
	}
	var hits []hit
	for _, h := range found {
		if moved, ok := l.view.back(h, raw); ok {
			hits = append(hits, moved)
		}
	}
	return hits, nil
}

// lineEnd is where the line of a byte ends, its line break not included.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}
