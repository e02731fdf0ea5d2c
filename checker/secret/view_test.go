package secret

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// veils are ways to write a token that a reader does not see, or sees through.
func veils(token string) map[string]string {
	var percent, entities strings.Builder
	for i := range len(token) {
		fmt.Fprintf(&percent, "%%%02X", token[i])
		if i%5 == 0 {
			fmt.Fprintf(&entities, "&#%d;", token[i])
		} else {
			entities.WriteByte(token[i])
		}
	}
	long := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("some text before ", 5) + token + " and after"))
	return map[string]string{
		"zero-width characters":    token[:9] + "\u200b" + token[9:20] + "\u200d" + token[20:],
		"a soft hyphen":            token[:15] + "\u00ad" + token[15:],
		"entities":                 entities.String(),
		"an escaped underscore":    strings.ReplaceAll(token, "_", `\_`),
		"places to break a line":   token[:12] + "<wbr>" + token[12:],
		"an empty comment":         token[:12] + "<!-- -->" + token[12:],
		"percent encoding":         percent.String(),
		"percent beside no text":   "%FF" + percent.String(),
		"wide letters":             "\uff47\uff48\uff50" + token[3:],
		"a hard wrap":              token[:22] + "\n  " + token[22:],
		"a hard wrap in a quote":   token[:22] + "\n> " + token[22:],
		"base64 in lines of 76":    long[:76] + "\n" + long[76:],
		"base64 in a list, CRLF":   long[:76] + "\r\n  " + long[76:],
		"a wrap over three lines":  token[:12] + "\n" + token[12:26] + "\n" + token[26:],
		"a wrap in a shell string": token[:22] + "\" \\\n  \"" + token[22:],
	}
}

// Each of them is found at the lines where it stands, and cut out whole.
func TestVeiledTokensAreFoundAndWithheld(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	token := newMint(70).pat()
	for name, form := range veils(token) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "# Notes\n\n- The bot reads with " + form + " and no more.\n"
			found := mustScan(t, s, text)
			want := []string{"github-pat block"}
			if diff := cmp.Diff(want, rulesOf(found)); diff != "" {
				t.Fatalf("findings (-want +got):\n%s", diff)
			}
			if last := 3 + strings.Count(form, "\n"); found[0].First != 3 || found[0].Last != last {
				t.Errorf("lines %d to %d, want 3 to %d", found[0].First, found[0].Last, last)
			}
			out, err := s.Withhold(t.Context(), text, nil)
			if err != nil {
				t.Fatal(err)
			}
			if leaked(out, append(strings.Fields(form), token)...) != "" || strings.Count(out, "\n") != strings.Count(text, "\n") {
				t.Errorf("a piece survived, or the lines changed")
			}
			if !strings.HasPrefix(out, "# Notes\n\n- The bot reads with ") || !strings.Contains(out, "[withheld: line 3]") {
				t.Errorf("more was cut than the value")
			}
		})
	}
}

// No piece of a veiled value survives beside others of its kind.
func TestNothingOfAVeiledValueSurvives(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	rapid.Check(t, func(rt *rapid.T) {
		m := newMint(rapid.Uint64().Draw(rt, "seed"))
		var b strings.Builder
		var values []string
		for range rapid.IntRange(1, 4).Draw(rt, "lines") {
			token := m.pat()
			forms := veils(token)
			names := rapid.SampledFrom([]string{"entities", "zero-width characters", "a hard wrap", "percent encoding", "an escaped underscore", "base64 in lines of 76"})
			form := forms[names.Draw(rt, "form")]
			fmt.Fprintf(&b, "- use %s here\n%s\n", form, rapid.SampledFrom([]string{"", "plain words", "| a | b |"}).Draw(rt, "between"))
			values = append(append(values, token), strings.Fields(form)...)
		}
		out, err := s.Withhold(rt.Context(), b.String(), at("a/SKILL.md"))
		if err != nil {
			rt.Fatal(err)
		}
		if leaked(out, values...) != "" || strings.Count(out, "\n") != strings.Count(b.String(), "\n") {
			rt.Fatalf("a piece survived, or the lines changed, in %d bytes", len(out))
		}
	})
}

// Every rule's value is cut out, whatever rule it is.
func TestValuesOfOwnRulesAreWithheld(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	for rule, tc := range examples(newMint(71)) {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			for i, text := range tc.hits {
				hits, err := s.detect(t.Context(), text)
				if err != nil {
					t.Fatal(err)
				}
				out, err := s.Withhold(t.Context(), text, at("a/SKILL.md"))
				if err != nil {
					t.Fatal(err)
				}
				for _, h := range hits {
					value := strings.TrimPrefix(h.value, publicHead.FindString(h.value))
					if leaked(out, value) != "" {
						t.Errorf("example %d: a piece of what %s found survived", i+1, h.rule)
					}
				}
			}
		})
	}
}

// A text without anything to undo costs no second look.
func TestPlainLinesAreInNoView(t *testing.T) {
	t.Parallel()
	text := "# A\n\n- plain words, 100 %, R&D and a_b\n- next line here\n"
	if v := normalised(text); len(v.text) > 0 {
		t.Errorf("normalised: %q", v.text)
	}
	if v := joinedLines(text); len(v.text) > 0 {
		t.Errorf("joined: %q", v.text)
	}
}
