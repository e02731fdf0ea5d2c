package secret

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/report"
)

// A reference is gitleaks' own detector with our rules.
type reference struct {
	detector *detect.Detector
	names    map[string]string // by the name that the rule has there
}

func newReference(cfg config.Config) reference {
	// The detector drops a match of a rule with "generic" in its name where another
	// rule matched beside it, before anybody judged that other match.
	const alias = "labelled-api-key"
	cfg.Rules = maps.Clone(cfg.Rules)
	if rule, ok := cfg.Rules[genericRule]; ok {
		rule.RuleID = alias
		cfg.Rules[genericRule] = rule
	}
	d := detect.NewDetector(cfg)
	d.IgnoreGitleaksAllow = true
	d.MaxDecodeDepth = decodeDepth
	return reference{d, map[string]string{alias: genericRule}}
}

// hits are what the detector finds, at our places.
func (r reference) hits(t *testing.T, raw string) []hit {
	t.Helper()
	breaks := lineBreaks(raw)
	var out []hit
	//lint:ignore SA1019 the method takes no other type in this version
	for _, f := range r.detector.DetectContext(t.Context(), detect.Fragment{Raw: raw, StartLine: 1}) {
		if name, ok := r.names[f.RuleID]; ok {
			f.RuleID = name
		}
		h, ok := located(raw, breaks, f, r.detector.Config.Rules[f.RuleID])
		if !ok {
			t.Fatalf("rule %s matched at no place of the text", f.RuleID)
		}
		out = append(out, h)
	}
	sortHits(out)
	return out
}

// located undoes the detector's lines and columns: a column counts from the line
// break before it, which makes it one too high after the first line.
func located(raw string, breaks []int, f report.Finding, rule config.Rule) (hit, bool) {
	offset := func(line, column int) int {
		if line > 1 {
			return breaks[line-2] + column
		}
		return column
	}
	m := match{rule: f.RuleID, text: f.Match, decoded: len(f.Tags) > 0, start: offset(f.StartLine, f.StartColumn-1), end: offset(f.EndLine, f.EndColumn)}
	m.from, m.to = secretSpan(f, rule)
	if !m.decoded {
		for m.start < len(raw) && raw[m.start] == '\n' { // trimmed off the match alone
			m.start++
		}
		if !strings.HasPrefix(raw[m.start:], m.text) {
			return hit{}, false
		}
	}
	return locate(raw, m)
}

func secretSpan(f report.Finding, rule config.Rule) (from, to int) {
	at := rule.Regex.FindStringSubmatchIndex(f.Match)
	for i := 2; i+1 < len(at); i += 2 {
		if at[i] >= 0 && f.Match[at[i]:at[i+1]] == f.Secret {
			return at[i], at[i+1]
		}
	}
	i := strings.Index(f.Match, f.Secret)
	return i, i + len(f.Secret)
}

func sortHits(all []hit) {
	slices.SortFunc(all, func(a, b hit) int {
		return cmp.Or(a.start-b.start, a.end-b.end, strings.Compare(a.rule, b.rule), strings.Compare(a.value, b.value),
			strings.Compare(a.label, b.label), strings.Compare(fmt.Sprint(a.decoded), fmt.Sprint(b.decoded)))
	})
}

// sieved are what the sieve finds in the same text.
func sieved(t *testing.T, s *sieve, raw string) []hit {
	t.Helper()
	found, err := s.find(t.Context(), raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []hit
	for _, m := range found {
		h, ok := locate(raw, m)
		if !ok {
			t.Fatalf("rule %s matched at no place of the text", m.rule)
		}
		out = append(out, h)
	}
	sortHits(out)
	return out
}

// A forge makes texts that rules match, almost match, and share.
type forge struct {
	*rand.Rand
	rules []*syntax.Regexp
	words []string
}

func newForge(t testing.TB, seed uint64, cfgs ...config.Config) *forge {
	t.Helper()
	f := &forge{Rand: rand.New(rand.NewPCG(seed, 77))}
	for _, cfg := range cfgs {
		for _, id := range sortedRules(cfg) {
			re, err := syntax.Parse(cfg.Rules[id].Regex.String(), syntax.Perl)
			if err != nil {
				t.Fatal(err)
			}
			f.rules = append(f.rules, re)
			f.words = append(f.words, cfg.Rules[id].Keywords...)
		}
	}
	return f
}

// match writes a text that an expression matches, but for what looks around.
func (f *forge) match(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 && f.IntN(3) == 0 {
			return f.bend(strings.ToLower(string(re.Rune)))
		}
		return string(re.Rune)
	case syntax.OpCharClass:
		i := 2 * f.IntN(len(re.Rune)/2)
		from, to := re.Rune[i], re.Rune[i+1]
		if f.IntN(50) > 0 {
			to = min(to, max(from, 0x7e))
		}
		if to >= 0x20 && from < 0x20 {
			from = 0x20
		}
		return string(from + rune(f.IntN(int(to-from)+1)))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return string(rune(' ' + f.IntN(95)))
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		least, most := re.Min, re.Max
		switch re.Op {
		case syntax.OpStar:
			least, most = 0, -1
		case syntax.OpPlus:
			least, most = 1, -1
		case syntax.OpQuest:
			least, most = 0, 1
		}
		if most < 0 {
			most = least + []int{2, 20, 90}[f.IntN(3)]
		}
		n := least + f.IntN(most-least+1)
		if f.IntN(2) == 0 {
			n = min(n, least+f.IntN(3))
		}
		var b strings.Builder
		for range min(n, 400) {
			b.WriteString(f.match(re.Sub[0]))
		}
		return b.String()
	case syntax.OpAlternate:
		return f.match(re.Sub[f.IntN(len(re.Sub))])
	}
	var b strings.Builder
	for _, sub := range re.Sub {
		b.WriteString(f.match(sub))
	}
	return b.String()
}

// bend writes letters as others that differ from them only in case.
func (f *forge) bend(text string) string {
	switch f.IntN(12) {
	case 0:
		return strings.ReplaceAll(text, "s", "\u017f")
	case 1:
		return strings.ReplaceAll(text, "k", "\u212a")
	case 2:
		return strings.ReplaceAll(text, "i", "\u0130")
	case 3, 4, 5:
		return strings.ToUpper(text)
	}
	return text
}

func (f *forge) encode(text string) string {
	all := encoders()
	return all[f.IntN(len(all))](text)
}

// encoders write a text in each encoding that is undone.
func encoders() []func(string) string {
	each := func(format string) func(string) string {
		return func(text string) string {
			var b strings.Builder
			for _, c := range []byte(text) {
				fmt.Fprintf(&b, format, c)
			}
			return b.String()
		}
	}
	return []func(string) string{
		func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) },
		func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) },
		func(text string) string { return hex.EncodeToString([]byte(text)) },
		url.QueryEscape, each(`\u%04x`), each("U+%04X "), each("%%%02x"),
	}
}

// piece is one of what a text is made of.
func (f *forge) piece() string {
	switch f.IntN(14) {
	case 0, 1, 2:
		return f.match(f.rules[f.IntN(len(f.rules))])
	case 3: // cut short or with something inside
		text := f.match(f.rules[f.IntN(len(f.rules))])
		if text == "" {
			return "?"
		}
		at := f.IntN(len(text))
		return text[:at] + []string{"", "é", "\xff", " ", "\n", text[at:]}[f.IntN(6)]
	case 4, 5:
		return f.bend(f.words[f.IntN(len(f.words))])
	case 6:
		text := f.match(f.rules[f.IntN(len(f.rules))])
		for range 1 + f.IntN(3) {
			text = f.encode(f.joint() + text + f.joint())
		}
		return text
	case 7:
		return f.encode(f.words[f.IntN(len(f.words))] + " " + strings.Repeat("x1", f.IntN(30)))
	case 8:
		return strings.Repeat([]string{"a", "0F", "zZ9", "key=", "-", "é", "\\", "%4", "  "}[f.IntN(9)], f.IntN(60))
	case 9:
		return []string{"--mount=type=secret,", "import { a } from 'b'", "key_id", "author", "EXAMPLE", "abcdefghijklmnopqrstuvwxyz", "curl -H ", "-u "}[f.IntN(8)]
	}
	return f.joint()
}

func (f *forge) joint() string {
	return []string{" ", "\n", "=", ": ", " = \"", "\"", "'", "`", ",", ".", "|", "\n\n", "\r\n", "\t", "%", "\\n", "/", "-", "_", "", "", "é", "\u200b", "\xc3", "$", "#"}[f.IntN(26)]
}

func (f *forge) text(pieces int) string {
	var b strings.Builder
	for range pieces {
		b.WriteString(f.piece())
	}
	return b.String() + "\n"
}

// The sieve finds what gitleaks' own detector finds with the same rules, and
// where.
func TestTheSieveFindsWhatTheDetectorFinds(t *testing.T) {
	t.Parallel()
	cfg, err := loadRules()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]config.Config{"rules": cfg.Config, "labels": cfg.labels} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ref := newReference(c)
			s, err := newSieve(c)
			if err != nil {
				t.Fatal(err)
			}
			f := newForge(t, 1, cfg.Config, cfg.labels)
			found, texts := 0, 60
			if os.Getenv("CARDKEEPER_LONG") != "" {
				texts = 6000
			}
			for i := range texts {
				text := f.text(1 + f.IntN(40))
				want, got := ref.hits(t, text), sieved(t, s, text)
				found += len(want)
				if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(hit{})); diff != "" {
					t.Fatalf("text %d, %q (-detector +sieve):\n%s", i, text, diff)
				}
			}
			t.Logf("%d matches", found)
		})
	}
}
