package secret

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func at(path string) func(int) string {
	return func(line int) string { return fmt.Sprintf("%s:%d", path, line) }
}

// leaked returns the first run of eight bytes of a value that stands in a text.
func leaked(out string, values ...string) string {
	for _, v := range values {
		for i := 0; i+8 <= len(v); i++ {
			if strings.Contains(out, v[i:i+8]) {
				return v[i : i+8]
			}
		}
	}
	return ""
}

func TestWithholdWrites(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(20)
	pat, pem := m.pat(), m.pem(3)
	encoded := base64.StdEncoding.EncodeToString([]byte("x " + pat))
	generic := m.pick(alnum, 30)
	hook := "https://hooks.slack" + ".com/services/T" + m.pick(alnum, 9) + "/B" + m.pick(alnum, 9) + "/" + m.pick(alnum, 24)
	legacy := "bedrock-api-key-" + "YmVkcm9jay5hbWF6b25hd3MuY29t" + m.pick(alnum, 60)
	tests := map[string]struct{ text, want string }{
		"a clean text as it is":           {"# A\n\n- b\n", "# A\n\n- b\n"},
		"one token":                       {"- use `" + pat + "` now\n", "- use `[withheld: a/SKILL.md:1]` now\n"},
		"the last line without its end":   {"a\n" + pat, "a\n[withheld: a/SKILL.md:2]"},
		"lines kept under a key block":    {"a\n" + pem + "\nb\n", "a\n[withheld: a/SKILL.md:2]\n\n\n\n\nb\n"},
		"an encoded run whole":            {"blob: " + encoded + ", ok\n", "blob: [withheld: a/SKILL.md:1], ok\n"},
		"a repeat where no rule matches":  {"api_key: " + generic + "\nsee (" + generic + ")!\n", "api_key: [withheld: a/SKILL.md:1]\nsee ([withheld: a/SKILL.md:2])!\n"},
		"half of it in another place":     {"api_key: " + generic + "\nstarts " + generic[:12] + "..\n", "api_key: [withheld: a/SKILL.md:1]\nstarts [withheld: a/SKILL.md:2]..\n"},
		"a repeat glued to a word":        {pat + "\nabc" + pat + "def\n", "[withheld: a/SKILL.md:1]\nabc[withheld: a/SKILL.md:2]\n"},
		"other links beside a webhook":    {"<" + hook + ">\n<https://example.com/x>\n", "<[withheld: a/SKILL.md:1]>\n<https://example.com/x>\n"},
		"a token whose rule knows a head": {"k " + legacy + " end\n", "k [withheld: a/SKILL.md:1] end\n"},
		"a wide character on both sides":  {"日" + pat + "本\n", "日[withheld: a/SKILL.md:1]本\n"},
		"two tokens of one line":          {pat + " " + m.pat() + "\n", "[withheld: a/SKILL.md:1] [withheld: a/SKILL.md:1]\n"},
		"a key block as JSON, with \\n":   {`{"k": "` + strings.ReplaceAll(pem, "\n", `\n`) + `"}` + "\n", `{"k": "[withheld: a/SKILL.md:1]"}` + "\n"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := s.Withhold(t.Context(), tc.text, at("a/SKILL.md"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

// A file may be named after the token that stands in it.
func TestAPlaceThatShowsTheValueIsNotPrinted(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(21)
	pat, other := m.pat(), m.pat()
	for name, tc := range map[string]struct {
		place func(int) string
		want  string
	}{
		"the value itself":    {at("skills/" + pat + ".md"), "x\n`[withheld: line 2]`\n"},
		"a part of the value": {at("skills/" + pat[10:20]), "x\n`[withheld: line 2]`\n"},
		"another token":       {at("skills/" + other + ".md"), "x\n[withheld: line 2]\n"},
		"a line break":        {at("a\nb"), "x\n`[withheld: line 2]`\n"},
		"no place":            {nil, "x\n`[withheld: line 2]`\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := s.Withhold(t.Context(), "x\n`"+pat+"`\n", tc.place)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

// Fault: the library's own redaction shows the other secret of a line, the
// encoded form of a decoded one, and first characters.
func TestNothingOfAValueSurvives(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	rapid.Check(t, func(rt *rapid.T) {
		m := newMint(rapid.Uint64().Draw(rt, "seed"))
		var b strings.Builder
		var values []string
		for range rapid.IntRange(1, 6).Draw(rt, "blocks") {
			text, raw := block(rt, s, m)
			b.WriteString(text)
			values = append(values, raw...)
			for _, v := range raw { // again, where the rule may not see it
				if rapid.Bool().Draw(rt, "again") {
					fmt.Fprintf(&b, "Also %s%s%s.\n", rapid.SampledFrom([]string{"*", "x", "", "=", "日"}).Draw(rt, "left"), v[len(v)/3:], "*")
				}
			}
		}
		out, err := s.Withhold(context.Background(), b.String(), at("skills/a/SKILL.md"))
		if err != nil {
			rt.Fatal(err)
		}
		if piece := leaked(out, values...); piece != "" {
			rt.Fatalf("a piece survived in a text of %d bytes", len(out))
		}
		if found, err := s.Scan(context.Background(), out); err != nil || len(found) > 0 {
			rt.Fatalf("the output is not clean: %v, %v", found, err)
		}
		if strings.Count(out, "\n") != strings.Count(b.String(), "\n") {
			rt.Fatal("the number of lines changed")
		}
	})
}

// block draws a piece of Markdown with secrets that the rules find, and their
// values without what is public of them.
func block(rt *rapid.T, s *Scanner, m mint) (text string, values []string) {
	pat := m.pat()
	switch rapid.IntRange(0, 7).Draw(rt, "kind") {
	case 0:
		return "- run `" + pat + "` today\n", []string{pat}
	case 1:
		other := m.pat()
		return pat + " " + other + "\n", []string{pat, other}
	case 2:
		enc := base64.StdEncoding.EncodeToString([]byte("the token " + pat + " is old"))
		return "data: " + enc + "\n", []string{pat, enc}
	case 3:
		enc := url.QueryEscape("a=b c&t=" + pat + "&d=e f")
		return "<https://example.com/?" + enc + ">\n", []string{pat}
	case 4:
		pem := m.pem(4)
		return "> " + pem + "\n", strings.Split(pem, "\n")[1:5]
	case 5:
		jwt := m.jwt()
		return "```sh\ncurl -H \"Authorization: Bearer " + jwt + "\" \\\n  https://example.com\n```\n", []string{jwt}
	case 6:
		key := m.pick(alnum, 40)
		return "service_api_key = \"" + key + "\"\n", named(key)
	}
	return "plain words, no secret: " + m.pick(hexes, 6) + "\n", nil
}

// named drops a key of letters alone, which is no key by its looks.
func named(key string) []string {
	if !strings.ContainsAny(key, "0123456789") {
		return nil
	}
	return []string{key}
}

func TestPiecesLeaveWhatIsPublic(t *testing.T) {
	t.Parallel()
	m := newMint(22)
	tests := map[string]struct {
		value, text string
		want        int
	}{
		"an indent is no piece":      {"        " + m.pick(alnum, 30), "-         -", 0},
		"the armour of a key block":  {m.pem(2), "-----BEGIN " + "PRIVATE KEY-----", 0},
		"our own marker":             {"[withheld: " + m.pick(alnum, 20), "[withheld: line 1]", 0},
		"a short value everywhere":   {"ab:c1", "x ab:c1 y ab:c1", 2},
		"a very short value nowhere": {"a:b", "a:b", 0},
		"a long word of the value":   {"mysqldatabase9", "the database", 1}, // eight are eight
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPieces()
			p.add(tc.value)
			if got := len(p.spans(tc.text)); got != tc.want {
				t.Errorf("%d spans, want %d", got, tc.want)
			}
		})
	}
}

// What cannot be made clean gives no text.
func TestWithholdGivesUpWithoutText(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	pat := newMint(23).pat()
	v := newVeil("x "+pat+"\n", nil)
	if v.clean(v.text, []hit{{rule: "r", value: pat, start: 2, end: 42}}) {
		t.Fatal("a text with a hit is called clean")
	}
	if got := v.render(); got != "[withheld: line 1]\n" {
		t.Errorf("the line was not withheld whole: %d bytes", len(got))
	}
	out, err := s.Withhold(t.Context(), strings.Repeat("x", DefaultMaxBytes+1), nil)
	if out != "" || !errors.Is(err, ErrNotScanned) {
		t.Errorf("got %d bytes, %v", len(out), err)
	}
}
