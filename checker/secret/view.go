package secret

import (
	"context"
	"strings"

	"github.com/zricethezav/gitleaks/v8/detect"
)

// A view is a text with the same secrets in a form that rules can read, and for
// each of its bytes the bytes of the text that it was made from. Lines of the
// text that read the same in both are left out of it.
type view struct {
	text     []byte
	from, to []int32 // by byte of the view: where its origin starts and ends
	verbatim bool    // nothing was changed: lines of the text as they are
	joined   bool    // lines were put together: only rules with a form of their own apply
}

// add appends bytes that all stem from one place.
func (v *view) add(text string, from, to int) {
	for i := 0; i < len(text); i++ {
		v.text = append(v.text, text[i])
		v.from = append(v.from, int32(from))
		v.to = append(v.to, int32(to))
	}
}

// keep appends a stretch of the text as it is.
func (v *view) keep(raw string, from, to int) {
	for i := from; i < to; i++ {
		v.add(raw[i:i+1], i, i+1)
	}
}

// cut drops all from a byte of the view on.
func (v *view) cut(at int) { v.text, v.from, v.to = v.text[:at], v.from[:at], v.to[:at] }

// back moves a hit from the view to the text. It reports false for what reads
// the same there, and for matches of rules that joined lines would mislead.
func (v *view) back(h hit, raw string) (hit, bool) {
	if v.joined && generality(h.rule) > 0 && h.rule != "jwt" {
		return h, false
	}
	if v.verbatim {
		h.start, h.end = int(v.from[h.start]), int(v.to[h.end-1])
		return h, h.start < h.end
	}
	head := max(0, h.start-len(h.label))
	start, end := int(v.from[h.start]), int(v.to[h.end-1])
	same := raw[int(v.from[head]):end] == string(v.text[head:h.end])
	if same || start >= end {
		return h, false
	}
	h.veiled = raw[start:end] != string(v.text[h.start:h.end])
	h.start, h.end = start, end
	return h, true
}

// A look is one view and the rules to run over it.
type look struct {
	rules *detect.Detector
	view  *view
}

// looks makes all views of a text.
func (s *Scanner) looks(text string) []look {
	plain := normalised(text)
	out := []look{{s.detector, plain}, {s.labels, plain}, {s.detector, joinedLines(text)}}
	for _, v := range candidates(text) {
		out = append(out, look{s.labels, v})
	}
	return out
}

// look runs the rules of one detector over one view and returns its hits at
// their places in the text.
func (s *Scanner) look(ctx context.Context, d *detect.Detector, v *view, raw string) ([]hit, error) {
	if len(v.text) == 0 {
		return nil, nil
	}
	found, err := s.run(ctx, d, string(v.text))
	if err != nil {
		return nil, err
	}
	var hits []hit
	for _, h := range found {
		if moved, ok := v.back(h, raw); ok {
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
