package secret

import (
	"strings"
	"testing"
)

// A token is found wherever Markdown puts it, as well as in code.
func TestPlacementsInMarkdown(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(80)
	tokens := map[string]string{
		"GitHub":       m.pat(),
		"Stripe":       "sk" + "_live_" + m.pick(alnum, 24),
		"Google":       "AI" + "za" + m.pick(alnum, 35),
		"Hugging Face": "hf" + "_" + m.pick("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 34),
		"SendGrid":     "SG" + "." + m.pick(alnum, 22) + "." + m.pick(alnum, 43),
		"Azure AD":     m.pick(alnum, 3) + "8Q" + "~" + m.pick(alnum, 34),
		"JWT":          m.jwt(),
		"npm":          "np" + "m_" + m.pick("abcdefghijklmnopqrstuvwxyz0123456789", 36),
		"New Relic":    "NR" + "AK-" + m.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 27),
	}
	places := []string{
		"`%`", "**%**", "**%**, and", "*%*", "~~%~~", "(%)", "(see %).", "## Key %", "## Billing (%)", "|a|%|b|", "| % |", "%, then", "%. Then", "%; x", "%: x", "%! x", "%? x",
		"<%>", "<code>%</code>", "<b>%</b>", "[x](https://e.dev/?a=b&t=%&c=d)", "[x](https://e.dev/?t=%)", "[x](/y \"%\")", "\"%\"", "'%'", "“%”", "- %", "> %", "{%}", "[%]", "%\u3002", "<!-- % -->", "KEY=%", "key: %",
	}
	for name, token := range tokens {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, place := range places {
				text := "# Notes\n\n" + strings.ReplaceAll(place, "%", token) + "\n\nMore.\n"
				found := mustScan(t, s, text)
				if len(found) != 1 || found[0].Tier != Block {
					t.Errorf("in %q: %v", place, rulesOf(found))
				}
			}
		})
	}
}
