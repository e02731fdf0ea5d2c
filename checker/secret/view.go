package secret

import (
	"context"
	"sort"
	"strings"
	"unicode/utf8"
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
	at       int32 // the first byte of the view
	from, to int32 // where it comes from
	kept     bool
	whole    bool // each byte of a kept part comes from its whole character
}

// add appends bytes that all come from one place.
func (v *view) add(text string, from, to int) {
	v.parts = append(v.parts, part{at: int32(len(v.text)), from: int32(from), to: int32(to)})
	v.text = append(v.text, text...)
}

// keep appends a stretch of the text as it is.
func (v *view) keep(raw string, from, to int, whole bool) {
	if from == to {
		return
	}
	if last := v.last(); last != nil && last.kept && last.whole == whole && int(last.to) == from {
		last.to = int32(to)
	} else {
		v.parts = append(v.parts, part{int32(len(v.text)), int32(from), int32(to), true, whole})
	}
	v.text = append(v.text, raw[from:to]...)
}

func (v *view) last() *part {
	if len(v.parts) == 0 {
		return nil
	}
	return &v.parts[len(v.parts)-1]
}

// cut drops all from a byte of the view on.
func (v *view) cut(at int) {
	v.text = v.text[:at]
	for last := v.last(); last != nil && int(last.at) >= at; last = v.last() {
		v.parts = v.parts[:len(v.parts)-1]
	}
	if last := v.last(); last != nil && last.kept {
		last.to = min(last.to, last.from+int32(at)-last.at)
	}
}

// origin is where a byte of the view comes from.
func (v *view) origin(at int) span {
	p := v.parts[sort.Search(len(v.parts), func(i int) bool { return int(v.parts[i].at) > at })-1]
	if !p.kept {
		return span{int(p.from), int(p.to)}
	}
	start, end := at, at+1
	if p.whole {
		for start > int(p.at) && at-start < utf8.UTFMax-1 && !utf8.RuneStart(v.text[start]) {
			start--
		}
		if _, n := utf8.DecodeRune(v.text[start:]); start+n > at {
			end = start + n
		} else {
			start = at
		}
	}
	moved := int(p.from) - int(p.at)
	return span{start + moved, end + moved}
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
