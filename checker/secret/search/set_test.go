package search

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// slow is what a set must find: each expression over the whole text.
func slow(patterns []Pattern, q Query) (out []Match) {
	lower := strings.ToLower(q.Text)
	for i, p := range patterns {
		if len(p.Keywords) > 0 && !slices.ContainsFunc(p.Keywords, func(k string) bool { return strings.Contains(lower, k) }) {
			continue
		}
		for _, at := range p.Expression.FindAllStringIndex(q.Text, -1) {
			s := Span{at[0], at[1]}
			if q.Touching == nil || slices.ContainsFunc(q.Touching, s.touches) {
				out = append(out, Match{i, s})
			}
		}
	}
	return out
}

// expressions have each form that is read, and the edges of each.
func expressions() []Pattern {
	var out []Pattern
	for _, re := range []string{
		`ab[0-9]{3}`, `\bab[0-9]{3}\b`, `(?i)kiss[a-z]{2,4}`, `(?i)(?:key|token)[ =]{1,3}([a-z0-9]{4,8})(?:[ ;]|$)`,
		`x[0-9]{2,}\.x[0-9]{2,}(?:[ ;]|$)`, `begin[\s\S]{3,}?end`, `(?s)ab.{0,5}ba`, `a.*b.*9`, `(?m)^key.*$`, `^ab`, `ab$`, `\Bab\B`,
		`[0-9]{4}-(?:ab|ba|key)?-[0-9]`, `(?:[a-z]{2,4}[_.:-]{1,2}){1,3}[a-z0-9]{6,9}={0,2}(?:[^a-z0-9]|$)`, `[0-9a-f]{8}`, `é+ab`, `пароль: \S{4}`, `(?i)ПАРОЛЬ=[a-z]+`,
		`(?:^|[^a-z])(ab{2,3}a)`, `[kK]ey=(?:(?:a|b){2})+`, `ab(?:xx|[0-9]{9,})ba`, `a[^b\n]{0,200}b(?:;|$)`, `(?:ab)+x{65,}`, `[^\x00-\x7F]{2}key`, `(?:"[^"]{3,90}"|'[^']{3,90}')key`, `key(?:\n|$)`,
	} {
		out = append(out, Pattern{regexp.MustCompile(re), nil})
	}
	return append(out,
		Pattern{regexp.MustCompile(`[0-9]{3}x`), []string{"key", "пароль"}},
		Pattern{regexp.MustCompile(`(?i)kiss`), []string{"kiss"}},
		Pattern{regexp.MustCompile(`b{3}`), []string{"api"}})
}

// pieces draws what texts are made of, so that matches are many, and touch, and
// nearly are.
func pieces() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"ab", "ab123", "ba", "key", "KEY", "Key=", "token ", "to\u212aen", "\u212aey = ", "ki\u017fs", "KISS", "api", "AP\u0130", "begin", "end", "x12.", "x34", ";", " ", "\n", "\r\n", "=", "-", "_", ".", ":",
			"é", "пароль: ", "ПАРОЛЬ=", "\u1c80", "\xff", "\xe2\x84", "\"", "'", "1234-", "0a1b2c3d", "\x00",
		}),
		rapid.StringOfN(rapid.SampledFrom([]rune("ab019xkKsS .-_=\n\"")), 0, 12, -1),
		rapid.Custom(func(t *rapid.T) string {
			return strings.Repeat(rapid.SampledFrom([]string{"a", "7", "x", "ab", " ", "é", "x1.", "key "}).Draw(t, "again"), rapid.IntRange(0, 150).Draw(t, "times"))
		}),
	)
}

func TestASetFindsWhatItsExpressionsFind(t *testing.T) {
	t.Parallel()
	patterns := expressions()
	set, err := New(patterns)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		q := Query{Text: strings.Join(rapid.SliceOfN(pieces(), 0, 40).Draw(t, "pieces"), "")}
		if rapid.Bool().Draw(t, "touching") {
			q.Touching = []Span{}
			for at := 0; ; {
				at += rapid.IntRange(0, 90).Draw(t, "gap")
				end := at + rapid.IntRange(1, 9).Draw(t, "size")
				if end > len(q.Text) {
					break
				}
				q.Touching = append(q.Touching, Span{at, end})
				at = end
			}
		}
		got, err := set.Find(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(slow(patterns, q), got); diff != "" {
			t.Fatalf("matches in %q (-expressions +set):\n%s", q.Text, diff)
		}
	})
}

// A word at each place, also where a window begins and ends within a character.
func TestAMatchIsFoundAtEveryOffset(t *testing.T) {
	t.Parallel()
	patterns := expressions()
	set, err := New(patterns)
	if err != nil {
		t.Fatal(err)
	}
	for _, filler := range []string{" ", "x", "é", "7", "\n", "日", "-", "\u017f"} {
		for n := range 70 {
			q := Query{Text: strings.Repeat(filler, n) + "key = ab12" + strings.Repeat(filler, n) + "ab123" + strings.Repeat(filler, 70-n)}
			got, err := set.Find(t.Context(), q)
			if diff := cmp.Diff(slow(patterns, q), got); err != nil || diff != "" {
				t.Fatalf("%v in %q (-expressions +set):\n%s", err, q.Text, diff)
			}
		}
	}
}

// Each guard of a window has a text that needs it.
func TestWindowsThatWouldBeTooSmall(t *testing.T) {
	t.Parallel()
	digits, cut := strings.Repeat("1", 30), "ab;     ab"+strings.Repeat("1", 30)
	tests := map[string]struct{ re, text string }{
		"letters of three bytes each":           {`(?i)[ks]{60}ey;`, strings.Repeat("\u212a", 60) + "ey;"},
		"a tail with letters of three bytes":    {`(?i)ab[ks]{60};`, "ab" + strings.Repeat("\u212a", 60) + ";"},
		"a word cut by another word's window":   {`ab[0-9]{0,20}(?:;|$)`, cut},
		"an unbounded part in a long run":       {`ab[0-9]{2,};`, "ab" + strings.Repeat(digits, 9) + ";"},
		"an unbounded part in a short run":      {`ab[0-9]{2,}x{0,20};`, "ab" + digits[:20] + strings.Repeat("x", 20) + ";"},
		"the same before the word":              {`;[0-9]{2,}x{0,20}ab`, ";" + digits[:20] + strings.Repeat("x", 20) + "ab"},
		"a long run before the word":            {`;[0-9]{2,}ab`, ";" + strings.Repeat(digits, 9) + "ab"},
		"what looks behind the end of the tail": {`ab[0-9]{2}\B`, "ab123"},
		"what looks before the start":           {`\B[0-9]{2}ab`, "x12ab 12ab"},
	}
	for n := range 300 { // a window that grows into one before it
		name := fmt.Sprintf("a window that grows back by %d", n)
		tests[name] = struct{ re, text string }{`ab[0-9]{0,20}(?:;|$)`, "ab;" + strings.Repeat(" ", 850+n) + cut}
	}
	for name, tc := range tests {
		patterns := []Pattern{{regexp.MustCompile(tc.re), nil}}
		set, err := New(patterns)
		if err != nil {
			t.Fatal(err)
		}
		q := Query{Text: tc.text + " " + strings.Repeat(".", 3000)}
		got, err := set.Find(t.Context(), q)
		if diff := cmp.Diff(slow(patterns, q), got); err != nil || diff != "" || len(got) == 0 {
			t.Errorf("%s: %v, %v (-expressions +set):\n%s", name, err, got, diff)
		}
	}
}

func TestSkippedPatternsAreNotLookedFor(t *testing.T) {
	t.Parallel()
	patterns := []Pattern{{regexp.MustCompile(`ab\d`), nil}, {regexp.MustCompile(`[0-9]`), nil}}
	set, err := New(patterns)
	if err != nil {
		t.Fatal(err)
	}
	got, err := set.Find(t.Context(), Query{Text: "ab1", Skip: func(p int) bool { return p == 1 }})
	if diff := cmp.Diff([]Match{{0, Span{0, 3}}}, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

func TestAnEndedContextIsAnErrorAndNoMatches(t *testing.T) {
	t.Parallel()
	set, err := New(expressions())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, text := range []string{"", "ab123", strings.Repeat("key ", 5000)} {
		if got, err := set.Find(ctx, Query{Text: text}); !errors.Is(err, context.Canceled) || got != nil {
			t.Errorf("%d bytes: %v, %v", len(text), got, err)
		}
	}
}

type broken struct{ Expression }

func (broken) String() string { return "(zq" }

func TestAnUnreadableExpressionIsNotQuoted(t *testing.T) {
	t.Parallel()
	if _, err := New([]Pattern{{broken{}, nil}}); !errors.Is(err, ErrExpression) || strings.Contains(err.Error(), "zq") {
		t.Errorf("got %v", err)
	}
}

func TestTooManyPatternsAreRefused(t *testing.T) {
	t.Parallel()
	var patterns []Pattern
	for i := range 700 {
		patterns = append(patterns, Pattern{regexp.MustCompile(fmt.Sprintf("%04d%s", i, strings.Repeat("x", 100))), nil})
	}
	if _, err := New(patterns); !errors.Is(err, ErrTooMany) {
		t.Errorf("got %v", err)
	}
}

// What one word in a text costs must not depend on how long its run is, nor how
// many words stand in one: each text here took minutes where it did.
func TestLongRunsAreWalkedOnce(t *testing.T) {
	t.Parallel()
	set, err := New([]Pattern{
		{regexp.MustCompile(`[a-z]+key[a-z]+;`), nil},
		{regexp.MustCompile(`[a-z.]{0,70}\.key[a-z.]{0,70};`), nil},
		{regexp.MustCompile(`(?:[a-z0-9.]+)key(?:[a-z0-9.]+){3};`), nil},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"one run":    strings.Repeat("key", 200_000),
		"many words": strings.Repeat(".key", 150_000),
		"words far":  strings.Repeat(strings.Repeat("x", 500)+"key", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // seconds, and the race detector is slow
			defer cancel()
			if got, err := set.Find(ctx, Query{Text: text}); err != nil || len(got) > 0 {
				t.Errorf("%v, %d matches", err, len(got))
			}
		})
	}
}

func TestAnchors(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		re   string
		want []string // word, reach before and after, tail
	}{
		"a head of its own":            {`\bghp_[0-9a-zA-Z]{36}`, []string{`ghp_ 0+0 36+0 (?:[\x{30}-\x{39}\x{41}-\x{5a}\x{61}-\x{7a}]){36,36}`}},
		"the rarer of two words":       {`ey[a-z]{17,}\.ey[a-z]{17,};`, []string{`.ey 2+1 1+1 (?:[\x{61}-\x{7a}]){17,17}`}},
		"words that share a tail":      {`(?:foo|bar)=\d`, []string{`bar= 0+0 1+0 [\x{30}-\x{39}]`, `foo= 0+0 1+0 [\x{30}-\x{39}]`}},
		"a word in the first of many":  {`(?:a_\d){1,3}`, []string{`a_ 0+0 7+0 [\x{30}-\x{39}](?:a_[\x{30}-\x{39}]){0,2}`}},
		"in any case":                  {`(?i)key\d`, []string{`key~ 0+0 1+0 [\x{30}-\x{39}]`}},
		"an alternative without words": {`key\d|\d{5}`, nil},
		"nothing but a class":          {`[a-z]{20}`, nil},
		"a word that may be missing":   {`(?:key)?\d+`, nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			anchors, err := anchorsOf(tc.re, map[string]*tail{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range anchors {
				for _, l := range a.literals {
					tilde := ""
					if l.folded {
						tilde = "~"
					}
					source := ""
					if a.tail != nil {
						source = strings.TrimPrefix(a.tail.compile().String(), `\A(?s:.)`)
					}
					got = append(got, fmt.Sprintf("%s%s %d+%d %d+%d %s", l.text, tilde, a.before.bytes, a.before.runs, a.after.bytes, a.after.runs, source))
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("anchors (-want +got):\n%s", diff)
			}
		})
	}
}
