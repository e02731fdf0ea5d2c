package secret

import (
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/detect/codec"
	"pgregory.net/rapid"
)

// encodedPieces are what encoded runs are made of and nearly are.
func encodedPieces() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"%41", "%7a", "%4", "%", "%FF", "%0A", `\u0041`, `\\u0042`, `\`, `\u00`, "U+0041 ", "U+0042\n", "U+0043", "U+", "\\U0044", "=", "==",
			" ", "\n", "\r\n", "é", "\xff", "+", "/", "-", "_", ".", "U+0041+", "4142434445464748494a4b4c4d4e4f50", "4142434445464748494A4B4C4D4E4F", "f",
		}),
		rapid.StringOfN(rapid.SampledFrom([]rune("AaZz09+/-_=U%\\u ")), 0, 40, -1),
		rapid.Custom(func(t *rapid.T) string {
			text := rapid.StringOfN(rapid.SampledFrom([]rune("abc %41\n=\\u0041")), 5, 40, -1).Draw(t, "inner")
			for range rapid.IntRange(1, 3).Draw(t, "times") {
				text = rapid.SampledFrom(encoders()).Draw(t, "encoder")(text)
			}
			return text
		}),
	)
}

// The layers of a text, and where their spans come from, are those of gitleaks'
// decoder.
func TestLayersAreThoseOfTheDecoder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(encodedPieces(), 0, 12).Draw(t, "pieces"), "")
		decoder := codec.NewDecoder()
		var segments []*codec.EncodedSegment
		want := text
		l := &layer{text: text}
		for depth := range decodeDepth + 1 {
			want, segments = decoder.Decode(want, segments)
			if l = l.decode(); l == nil || len(segments) == 0 {
				if l != nil || len(segments) > 0 {
					t.Fatalf("layer %d of %q: only one has segments", depth, text)
				}
				return
			}
			if l.text != want {
				t.Fatalf("layer %d of %q:\n%q, want\n%q", depth, text, l.text, want)
			}
			for range 10 {
				at := rapid.IntRange(0, len(want)).Draw(t, "start")
				s := span{at, rapid.IntRange(at, len(want)).Draw(t, "end")}
				touched := codec.SegmentsWithDecodedOverlap(segments, s.start, s.end)
				if len(touched) != len(l.touched(s)) {
					t.Fatalf("layer %d of %q: %v touches %d, want %d", depth, text, s, len(l.touched(s)), len(touched))
				}
				if len(touched) == 0 {
					continue // no match is taken from there
				}
				if moved := codec.AdjustMatchIndex(touched, []int{s.start, s.end}); l.origin(s) != (span{moved[0], moved[1]}) {
					t.Fatalf("layer %d of %q: %v comes from %v, want %v", depth, text, s, l.origin(s), moved)
				}
			}
		}
	})
}
