package secret

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
)

// knownOf are the findings of a text as values that may pass.
func knownOf(found []Finding) []Known {
	var out []Known
	for _, f := range found {
		out = append(out, Known{f.Rule, f.Fingerprint})
	}
	return out
}

// A known value passes wherever documentation puts it, and one round of looking
// names all that there is to know of it.
func TestAKnownValuePasses(t *testing.T) {
	t.Parallel()
	s, m := newScanner(t, Options{}), newMint(70)
	pat, jwt, hex := m.pat(), m.jwt(), m.pick(hexes, 40)
	for name, text := range map[string]string{
		"in a sentence":             "- The docs use " + pat + ", which is none.\n",
		"in an assignment":          "export GITHUB_TOKEN=" + pat + "\n",
		"in a header":               "curl -H \"Authorization: Bearer " + pat + "\" https://api.example.com\n",
		"in a header, a JWT":        "curl -H \"Authorization: Bearer " + jwt + "\" https://api.example.com\n",
		"in an address":             "git clone https://" + pat + "@github.com/acme/x.git\n",
		"as the password of one":    "git clone https://bot:" + pat + "@git.acme.dev/x.git\n",
		"in a query":                "GET https://api.acme.dev/x?access_token=" + pat + "\n",
		"in JSON":                   "{\"token\": \"" + pat + "\"}\n",
		"in a table":                "| token | " + pat + " |\n",
		"in a comment":              "<!-- " + pat + " -->\n",
		"in base64":                 "blob: " + base64.StdEncoding.EncodeToString([]byte("x "+pat+" y")) + "\n",
		"a key block":               m.pem(6) + "\n",
		"after a label":             "client_secret: \"" + m.pick(alnum, 32) + "\"\n",
		"hex digits after a label":  "api key: " + hex + "\n",
		"with an underscore's slip": "- `" + strings.Replace(pat, "_", `\_`, 1) + "`\n",
		"twice":                     "- " + pat + "\n- again " + pat + "\n",
	} {
		found := mustScan(t, s, text)
		if len(found) == 0 {
			t.Errorf("%s: nothing is found to begin with", name)
			continue
		}
		other := s.Except(knownOf(found)...)
		if left := mustScan(t, other, text); len(left) > 0 {
			t.Errorf("%s: still found: %v", name, rulesOf(left))
		}
		if out, err := other.Withhold(t.Context(), text, nil); err != nil || out != text {
			t.Errorf("%s: withheld all the same: %v", name, err)
		}
		if again := mustScan(t, s, text); len(again) != len(found) {
			t.Errorf("%s: the first scanner has changed", name)
		}
	}
}

// What passes is one value under one rule. All else is found as before.
func TestOnlyTheKnownValuePasses(t *testing.T) {
	t.Parallel()
	s, m := newScanner(t, Options{}), newMint(71)
	pat, other := m.pat(), m.pat()
	known := knownOf(mustScan(t, s, pat))[0]
	for name, c := range map[string]struct {
		known Known
		text  string
		want  string
	}{
		"the value":                         {known, "use " + pat, ""},
		"another value of the kind":         {known, "use " + other, "github-pat block"},
		"another value beside it":           {known, "use " + pat + " or " + other, "github-pat block"},
		"another rule's name":               {Known{"jwt", known.Fingerprint}, "use " + pat, "github-pat block"},
		"another fingerprint":               {Known{known.Rule, strings.Repeat("0", 32)}, "use " + pat, "github-pat block"},
		"no fingerprint":                    {Known{Rule: known.Rule}, "use " + pat, "github-pat block"},
		"a password behind it, as a user's": {known, "curl -u " + pat + ":" + m.password(14) + " https://x.acme.dev\n", "curl-user block"},
		"a password behind it, in an address": {known, "https://" + pat + ":" + m.password(14) + "@x.acme.dev/\n",
			"url-password block"},
	} {
		got := strings.Join(rulesOf(mustScan(t, s.Except(c.known), c.text)), "; ")
		if got != c.want {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
		out, err := s.Except(c.known).Withhold(t.Context(), c.text, nil)
		if err != nil || (out != c.text) != (c.want != "") {
			t.Errorf("%s: withheld %v, want %v: %v", name, out != c.text, c.want != "", err)
		}
		if c.want != "" && strings.Contains(c.text, other) && strings.Contains(out, other[4:12]) {
			t.Errorf("%s: the other value is shown", name)
		}
	}
	if len(mustScan(t, s.WithSalt([]byte("another salt of the tests")).Except(known), pat)) != 1 {
		t.Error("a fingerprint holds under another salt")
	}
	if len(mustScan(t, s.Except(known).Except(Known{"jwt", "x"}), pat)) != 0 {
		t.Error("a second exception undoes the first")
	}
}

// A scan that did not finish is no clean one, exceptions or not (law 13).
func TestExceptionsDoNotOutliveTheContext(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	text := newMint(72).pat()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Except(knownOf(mustScan(t, s, text))...).Scan(ctx, text); !errors.Is(err, ErrNotScanned) {
		t.Errorf("got %v", err)
	}
}

func TestKnowsItsRules(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"github-pat", "jwt", "private-key", "labelled-password", "url-password", "shaped-token", "cli-password"} {
		if !Knows(rule) {
			t.Errorf("%s is not known", rule)
		}
	}
	for _, rule := range []string{"", "github", "GITHUB-PAT", "generic-api-key", "github-pat "} {
		if Knows(rule) {
			t.Errorf("%q is known", rule)
		}
	}
}

// Over pages of all kinds, what is known passes in a few rounds, and no round
// finds again what was let through.
func TestKnownValuesOfAllKinds(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	second, pages := 0, 0
	for i, c := range generated(t, 5) {
		if i%3 != 0 { // a part will do: each page is scanned two or three times
			continue
		}
		var known []Known
		found := mustScan(t, s, c.Markdown)
		if len(found) == 0 {
			continue
		}
		pages++
		rounds := 0
		for ; len(found) > 0 && rounds < 5; rounds++ {
			known = append(known, knownOf(found)...)
			found = mustScan(t, s.Except(known...), c.Markdown)
		}
		if len(found) > 0 {
			t.Errorf("%s (%s): still found after %d rounds: %v", c.ID, c.Where, rounds, rulesOf(found))
		}
		if rounds > 1 {
			second++
			t.Logf("%s (%s, %s): %d rounds", c.ID, c.Kind, c.Where, rounds)
		}
	}
	t.Logf("%d of %d pages need a second round", second, pages)
	if pages == 0 || second*10 > pages {
		t.Errorf("%d of %d pages need a second round", second, pages)
	}
}
