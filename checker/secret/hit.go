package secret

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
)

// errLate is the cause of a scan's own deadline, to tell it from the caller's.
var errLate = errors.New("the deadline for one text has passed")

// A hit is one match with its value. It stays inside the package.
type hit struct {
	rule       string
	value      string // as the rule sees it: decoded, where it stood encoded
	label      string // what the rule matched before the value
	start, end int    // the bytes of the text where the value stands, encoded or not
	decoded    bool
	veiled     bool // the text holds the value in another form, which a view undid
}

// detect runs the rules over the whole text. It returns all hits or an error.
func (s *Scanner) detect(ctx context.Context, text string) ([]hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, s.unscanned(ctx)
	}
	if len(text) > s.opts.MaxBytes {
		return nil, fmt.Errorf("%w: longer than %d bytes; split the file", ErrNotScanned, s.opts.MaxBytes)
	}
	if len(s.rules.rules)+len(s.labels.rules) < s.least {
		return nil, fmt.Errorf("%w: %w", ErrNotScanned, ErrFewRules)
	}
	if s.only {
		return s.withheld(ctx, text, nil)
	}
	hits, err := s.run(ctx, look{rules: s.rules}, text)
	if err != nil {
		return nil, err
	}
	named, err := s.named(ctx, text)
	if err != nil {
		return nil, err
	}
	hits = append(hits, named...)
	for _, l := range s.looks(text) {
		more, err := s.look(ctx, l, text)
		if err != nil {
			return nil, err
		}
		hits = append(hits, more...)
	}
	if hits, err = s.withheld(ctx, text, hits); err != nil {
		return nil, err
	}
	sort.Slice(hits, func(i, j int) bool { return hits[i].before(hits[j]) })
	return s.except(ctx, hits)
}

// run looks for the rules of one look in a text or a view.
func (s *Scanner) run(ctx context.Context, l look, text string) ([]hit, error) {
	// An expression may want a line to end, not the text.
	raw := text
	if !strings.HasSuffix(raw, "\n") {
		raw += "\n"
	}
	matches, err := find(ctx, l, raw)
	if ctx.Err() != nil {
		return nil, s.unscanned(ctx)
	}
	if err != nil {
		return nil, err
	}
	return s.place(ctx, raw, len(text), matches)
}

// find turns a panic inside a library into an error. What it panicked with may
// quote the text and is dropped.
func find(ctx context.Context, l look, raw string) (found []match, err error) {
	defer func() {
		if recover() != nil {
			found, err = nil, fmt.Errorf("%w: the search panicked", ErrNotScanned)
		}
	}()
	return l.rules.find(ctx, raw, l.skip)
}

func (s *Scanner) unscanned(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), errLate) {
		return fmt.Errorf("%w: not done within %v; split the file", ErrNotScanned, s.opts.Deadline)
	}
	return fmt.Errorf("%w: %w", ErrNotScanned, ctx.Err())
}

// place gives each match its place and drops what stands for a secret. Decoded
// layers show matches again that touch decoded text; those come out equal and are
// dropped later.
func (s *Scanner) place(ctx context.Context, raw string, size int, matches []match) ([]hit, error) {
	hits := make([]hit, 0, len(matches))
	for _, m := range matches {
		if ctx.Err() != nil {
			return nil, s.unscanned(ctx)
		}
		h, ok := locate(raw, m)
		if !ok {
			return nil, fmt.Errorf("%w: rule %s matched at no place of the text", ErrNotScanned, m.rule)
		}
		if s.judge.excused(h, follows(raw, h)) {
			continue
		}
		h.end = min(h.end, size)
		hits = append(hits, h)
	}
	return hits, nil
}

// hostRoom is how much of the text after a value is looked at: enough for the
// names of hosts that are nobody's.
const hostRoom = 24

// follows is the text right after a value that stands as it is.
func follows(raw string, h hit) string {
	if h.decoded {
		return ""
	}
	return raw[h.end:min(len(raw), h.end+hostRoom)]
}

// before orders hits so that nothing depends on the order of rules and views.
func (h hit) before(o hit) bool {
	switch {
	case h.start != o.start:
		return h.start < o.start
	case h.end != o.end:
		return h.end < o.end
	case h.rule != o.rule:
		return h.rule < o.rule
	case h.value != o.value:
		return h.value < o.value
	}
	return h.label < o.label
}

func lineBreaks(raw string) []int {
	var at []int
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\n' {
			at = append(at, i)
		}
	}
	return at
}

// locate finds the bytes of a match's value. Of a decoded one that is the encoded
// run, whole.
func locate(raw string, m match) (hit, bool) {
	h := hit{rule: m.rule, value: m.text[m.from:m.to], label: m.text[:m.from], decoded: m.decoded}
	if !m.decoded {
		h.start, h.end = m.start+m.from, m.start+m.to
		return h, true
	}
	start, end := m.start, m.end
	if start < 0 || start > len(raw) {
		return hit{}, false
	}
	if end <= start || end >= len(raw) { // mapped back past the text: take the line
		end = lineEnd(raw, start)
	}
	for start < end && !encoded(raw[start]) { // what stands around the run
		start++
	}
	for start < end && !encoded(raw[end-1]) {
		end--
	}
	h.start, h.end = wholeRun(raw, start, end)
	return h, h.start < h.end
}

// wholeRun widens a span to the encoded run that it stands in: half a base64
// run is still a piece of the secret.
func wholeRun(raw string, start, end int) (int, int) {
	for start > 0 && encoded(raw[start-1]) {
		start--
	}
	for end < len(raw) && encoded(raw[end]) {
		end++
	}
	return start, end
}

// encoded reports the bytes that base64, hex, percent and \u runs are made of.
func encoded(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.IndexByte("+/_-=%\\", c) >= 0
}
