package secret

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/report"
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
	if len(s.detector.Config.Rules) < s.rules {
		return nil, fmt.Errorf("%w: %w", ErrNotScanned, ErrFewRules)
	}
	if s.only {
		return s.withheld(ctx, text, nil)
	}
	hits, err := s.run(ctx, s.detector, text)
	if err != nil {
		return nil, err
	}
	for _, l := range s.looks(text) {
		more, err := s.look(ctx, l.rules, l.view, text)
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

// run looks for the rules of one detector in a text or a view.
func (s *Scanner) run(ctx context.Context, d *detect.Detector, text string) ([]hit, error) {
	// A last line without its end would get a wrong place from the library.
	raw := text
	if !strings.HasSuffix(raw, "\n") {
		raw += "\n"
	}
	matches, err := match(ctx, d, raw)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil { // the library then returns what it has so far, and no error
		return nil, s.unscanned(ctx)
	}
	return s.place(d, raw, len(text), matches)
}

// match calls the library and turns its panics into an error. What it panicked
// with may quote the text and is dropped.
func match(ctx context.Context, d *detect.Detector, raw string) (found []report.Finding, err error) {
	defer func() {
		if recover() != nil {
			found, err = nil, fmt.Errorf("%w: gitleaks panicked", ErrNotScanned)
		}
	}()
	//lint:ignore SA1019 the method takes no other type in this version
	return d.DetectContext(ctx, detect.Fragment{Raw: raw, StartLine: 1}), nil
}

func (s *Scanner) unscanned(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), errLate) {
		return fmt.Errorf("%w: not done within %v; split the file", ErrNotScanned, s.opts.Deadline)
	}
	return fmt.Errorf("%w: %w", ErrNotScanned, ctx.Err())
}

// place finds each value's bytes. Decoding passes see matches again that touch
// decoded text; those come out equal and are dropped later.
func (s *Scanner) place(d *detect.Detector, raw string, size int, matches []report.Finding) ([]hit, error) {
	if len(matches) == 0 {
		return nil, nil
	}
	breaks := lineBreaks(raw)
	hits := make([]hit, 0, len(matches))
	for _, m := range matches {
		if m.RuleID == genericAlias {
			m.RuleID = genericRule
		}
		h, ok := locate(raw, breaks, m, d.Config.Rules[m.RuleID])
		if !ok {
			return nil, fmt.Errorf("%w: rule %s matched at no place of the text", ErrNotScanned, m.RuleID)
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

// before orders hits so that nothing depends on the library's order, which is
// that of a Go map.
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

// offset undoes the library's line and column: a column counts from the line
// break before it, which makes it one too high after the first line.
func offset(breaks []int, line, column int) (int, bool) {
	if line < 1 || line > len(breaks)+1 {
		return 0, false
	}
	if line == 1 {
		return column, true
	}
	return breaks[line-2] + column, true
}

func locate(raw string, breaks []int, m report.Finding, rule config.Rule) (hit, bool) {
	h := hit{rule: m.RuleID, value: m.Secret, decoded: len(m.Tags) > 0}
	from, to := valueSpan(m, rule)
	h.label = m.Match[:from]
	start, ok := offset(breaks, m.StartLine, m.StartColumn-1)
	if !ok || start < 0 || start > len(raw) {
		return hit{}, false
	}
	if h.decoded {
		end, ok := offset(breaks, m.EndLine, m.EndColumn)
		if !ok || end <= start || end > len(raw) { // mapped back past the text: take the line
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
	for start < len(raw) && raw[start] == '\n' { // the library trims these off the match alone
		start++
	}
	if !strings.HasPrefix(raw[start:], m.Match) {
		return hit{}, false
	}
	h.start, h.end = start+from, start+to
	return h, true
}

// valueSpan says where in the match the value stands.
func valueSpan(m report.Finding, rule config.Rule) (from, to int) {
	if rule.Regex != nil {
		at := rule.Regex.FindStringSubmatchIndex(m.Match)
		for i := 2; i+1 < len(at); i += 2 {
			if at[i] >= 0 && m.Match[at[i]:at[i+1]] == m.Secret {
				return at[i], at[i+1]
			}
		}
	}
	if i := strings.Index(m.Match, m.Secret); i >= 0 {
		return i, i + len(m.Secret)
	}
	return 0, len(m.Match)
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
