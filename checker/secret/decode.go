package secret

import (
	"encoding/base64"
	"encoding/hex"
	"sort"
	"strings"

	"github.com/zricethezav/gitleaks/v8/detect/codec"

	"github.com/cardkeeper/cardkeeper/checker/secret/search"
)

// A layer is a text, or what it reads as once its encoded runs are decoded. The
// runs and what they decode to are those of gitleaks' decoder, which goes over
// the whole text with one expression and looks through all segments for each
// match; here both cost what there is to decode.
type layer struct {
	text     string
	segments []segment // in order; none in the text itself
	below    *layer    // what was decoded; nil for the text itself
}

// A segment is one decoded run.
type segment struct {
	decoded span // in the layer
	encoded span // in the layer below
	origin  span // in the text itself
}

// decode returns the next layer, or nil where nothing is encoded.
func (l *layer) decode() *layer {
	next := &layer{below: l}
	var out strings.Builder
	at := 0
	for _, run := range encodedRuns(l.text) {
		value := run.decode(l.text[run.start:run.end])
		if value == "" {
			continue
		}
		out.WriteString(l.text[at:run.start])
		start := out.Len()
		out.WriteString(value)
		at = run.end
		next.segments = append(next.segments, segment{span{start, out.Len()}, run.span, l.origin(run.span)})
	}
	if len(next.segments) == 0 {
		return nil
	}
	out.WriteString(l.text[at:])
	next.text = out.String()
	return next
}

// touched are the segments that share a byte with a span, or meet it.
func (l *layer) touched(s span) []segment {
	from := sort.Search(len(l.segments), func(i int) bool { return l.segments[i].decoded.end >= s.start })
	to := from
	for to < len(l.segments) && l.segments[to].decoded.start <= s.end {
		to++
	}
	return l.segments[from:to]
}

// spans are the decoded runs; nil in the text itself.
func (l *layer) spans() []search.Span {
	if l.below == nil {
		return nil
	}
	out := make([]search.Span, len(l.segments))
	for i, s := range l.segments {
		out[i] = search.Span{Start: s.decoded.start, End: s.decoded.end}
	}
	return out
}

// origin moves a span of the layer to the text itself. One inside a segment is
// where the encoded run stands; one that goes over its edge keeps what is outside.
func (l *layer) origin(s span) span {
	if l.below == nil {
		return s
	}
	var moved span
	for _, seg := range l.touched(s) {
		if seg.decoded.start <= s.start && s.end <= seg.decoded.end {
			return seg.origin
		}
		part := span{
			seg.encoded.start + min(s.start-seg.decoded.start, 0),
			seg.encoded.end + max(s.end-seg.decoded.end, 0),
		}
		if moved.end == 0 {
			moved = part
		} else {
			moved = span{min(moved.start, part.start), max(moved.end, part.end)}
		}
	}
	if moved.end == 0 {
		return s
	}
	return l.below.origin(moved)
}

// An encoding is a way to write text in other characters. Where two runs meet,
// the one of the greater encoding is decoded and the other waits.
type encoding int

const (
	inBase64 encoding = iota + 1
	inHex
	inEscapes // \u0041 and U+0041
	inPercent
)

type encodedRun struct {
	span
	encoding
}

// decode returns the text of a run, or nothing where it is no printable ASCII.
func (e encoding) decode(run string) string {
	switch e {
	case inBase64:
		return decodeBase64(run)
	case inHex:
		if len(run)%2 != 0 || !strings.ContainsAny(run, "0123456789") {
			return ""
		}
		value, err := hex.DecodeString(run)
		if err != nil || !printable(value) {
			return ""
		}
		return string(value)
	}
	value, segments := codec.NewDecoder().Decode(run, nil)
	if len(segments) == 0 {
		return ""
	}
	return value
}

func decodeBase64(run string) string {
	if !strings.ContainsAny(run, "0123456789+/-_") || !likelyBase64(run) {
		return ""
	}
	for _, form := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
		if value, err := form.DecodeString(run); err == nil && printable(value) {
			return string(value)
		}
	}
	return ""
}

// likelyBase64 decodes the first three bytes alone: most runs are no base64, and
// show it there.
func likelyBase64(run string) bool {
	var bits uint32
	for i := range 4 {
		var v uint32
		switch c := run[i]; {
		case c >= 'A' && c <= 'Z':
			v = uint32(c - 'A')
		case c >= 'a' && c <= 'z':
			v = uint32(c-'a') + 26
		case c >= '0' && c <= '9':
			v = uint32(c-'0') + 52
		case c == '+' || c == '-':
			v = 62
		case c == '/' || c == '_':
			v = 63
		}
		bits = bits<<6 | v
	}
	return printable([]byte{byte(bits >> 16), byte(bits >> 8), byte(bits)})
}

// printable reports ASCII text, tabs and line breaks included.
func printable(value []byte) bool {
	for _, c := range value {
		if c < '\t' || c > '~' {
			return false
		}
	}
	return true
}
