package checker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// watching is the tests' scanner, which withholds a value too.
func watching(t *testing.T, value string) Scanner {
	t.Helper()
	raw := sha256.Sum256([]byte("a key of the tests"))
	key, err := secret.ParseKey(hex.EncodeToString(raw[:]))
	if err != nil {
		t.Fatal(err)
	}
	seal := key.Seal([]byte("salt of the tests"))
	hash, err := seal.Hash(value)
	if err != nil {
		t.Fatal(err)
	}
	s, err := testScanner().WithWithheld(secret.Withheld{Hashes: []secret.Hash{hash}, Check: seal.Check()}, key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// unnamed fails where a report shows the value in any form that a reader knows again.
func unnamed(t *testing.T, r Report) {
	t.Helper()
	plain := strings.Join(strings.FieldsFunc(strings.ToLower(everything(r)), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	}), " ")
	if i := strings.Index(plain, "quiet heron"); i >= 0 {
		t.Errorf("the value is shown after %q", plain[max(0, i-60):i])
	}
}

func TestWithheldValuesAreFoundWhereverTextComesIn(t *testing.T) {
	t.Parallel()
	s := watching(t, "Quiet Heron")
	for name, c := range map[string]struct {
		head  repo
		found string
	}{
		"in a statement":              {two().with(alphaMain, alpha+"- ask the **Quiet** Heron team\n").built(), alphaMain + ":20 block"},
		"over a wrap":                 {two().with(alphaMain, alpha+"- ask the quiet\n  heron team\n").built(), alphaMain + ":20 block"},
		"in a table":                  {two().with(alphaMain, alpha+"\n| a | b |\n|---|---|\n| quiet | heron |\n").built(), alphaMain + ":23 block"},
		"in a heading":                {two().with(alphaMain, alpha+"\n## Of QUIET-HERON\n\n- text\n").built(), alphaMain + ":21 block"},
		"in an HTML comment":          {two().with(alphaMain, alpha+"\n<!-- quiet_heron -->\n").built(), alphaMain + ":21 block"},
		"in a file's name":            {two().with("skills/alpha/quiet-heron.md", "- text\n").built(), "block"},
		"in a script's name":          {two().with("skills/alpha/quiet_heron.sh", "echo\n").built(), "block"},
		"in a skill's folder":         {two().with("skills/quiet-heron/SKILL.md", beta).built(), "block"},
		"in a card edited by hand":    {two().with(alphaCard, strings.Replace(two()[alphaCard], "install git", "install quiet heron", 1)), alphaCard + ":14 block"},
		"in the Markdown among cards": {two().with("cards/README.md", "see Quiet Heron\n"), "cards/README.md:1 block"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := Check(t.Context(), Input{Base: two().side(), Head: *c.head.side(), Scanner: s})
			if err != nil {
				t.Fatal(err)
			}
			if found := leaksOf(r); !strings.Contains(found, c.found) || found == "" || !r.Failed() {
				t.Errorf("%s, found %q, want %q", r.Conclusion, found, c.found)
			}
			if !strings.Contains(r.Title, "withheld value") || strings.Contains(r.Title, "secret") {
				t.Errorf("title: %s", r.Title)
			}
			if all := everything(r); !strings.Contains(all, TakeOut) || strings.Contains(strings.ToLower(all), "rotate") {
				t.Errorf("it does not say what to do, or says to rotate it:\n%s", all)
			}
			unnamed(t, r)
		})
	}
}

// What the base holds already is no fault of the change.
func TestAWithheldValueThatTheBaseHolds(t *testing.T) {
	t.Parallel()
	s := watching(t, "Quiet Heron")
	base := two().with(alphaMain, alpha+"- ask the Quiet Heron team\n").built()
	head := base.with(alphaMain, base[alphaMain]+"- more\n").built()
	r, err := Check(t.Context(), Input{Base: base.side(), Head: *head.side(), Scanner: s})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed() || len(r.Secrets) > 0 || !strings.Contains(strings.Join(r.Notes, "\n"), alphaMain+":20: a withheld value that the base holds already") {
		t.Errorf("%s %q, notes %q", r.Conclusion, leaksOf(r), r.Notes)
	}
	unnamed(t, r)
	whole, err := Check(t.Context(), Input{Head: *base.side(), Scanner: s})
	if err != nil || !whole.Failed() || whole.Title != "1 withheld value found" {
		t.Errorf("without a base: %v, %s", err, whole.Title)
	}
	unnamed(t, whole)
}

// Statements stand together only where they are scanned.
func TestTwoStatementsAreNoValue(t *testing.T) {
	t.Parallel()
	head := two().with(alphaMain, strings.Replace(alpha, "- install git\n- install the parcel tool", "- be quiet\n- heron eggs", 1)).built()
	facts, err := extractor.Extract(head.files(), extractor.DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	found, err := ScanFacts(t.Context(), watching(t, "Quiet Heron"), facts.Skills[0].Facts)
	if err != nil || len(found) > 0 {
		t.Errorf("%v, %+v", err, found)
	}
}

func TestWhatCouldNotBeLookedForIsNeverGreen(t *testing.T) {
	t.Parallel()
	const why = "There is no key. Give it."
	fresh := two().with(alphaMain, alpha+"- more\n").built()
	stale := two().with(alphaMain, alpha+"- more\n")
	for name, c := range map[string]struct {
		base  *Side
		head  repo
		title string
	}{
		"a fresh card":    {two().side(), fresh, "Could not look for withheld values"},
		"a stale card":    {two().side(), stale, "Could not look for withheld values, 1 card stale"},
		"all cards":       {nil, two(), "Could not look for withheld values"},
		"a removed skill": {two().side(), two().without(betaMain, betaCard), "Could not look for withheld values"},
		"a stray file":    {two().side(), two().with("cards/README.md", "text\n"), "Could not look for withheld values"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := Check(context.Background(), Input{Base: c.base, Head: *c.head.side(), Scanner: testScanner(), Blind: why, Policy: Policy{AllowSecrets: true}})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Failed() || r.Title != c.title || r.Unlooked != why {
				t.Errorf("%s: %s", r.Conclusion, r.Title)
			}
			o := r.Output()
			for _, text := range []string{o.Summary, r.Plain(), r.Markdown(), asJSON(r), o.Annotations[0].Message} {
				if !strings.Contains(text, why) {
					t.Errorf("it does not say why:\n%s", text)
				}
			}
			if o.Annotations[0].File != ConfigFile || o.Annotations[0].Level != Error {
				t.Errorf("annotation: %+v", o.Annotations[0])
			}
		})
	}
	r, err := Check(context.Background(), Input{Base: two().side(), Head: *two().with("README.md", "other\n").side(), Scanner: testScanner(), Blind: why})
	if err != nil || r.Failed() || strings.Contains(everything(r), "withheld") {
		t.Errorf("a change that touches no skill: %v, %s", err, r.Title)
	}
	bare, err := Check(context.Background(), Input{Base: two().without(ConfigFile).side(), Head: *fresh.without(ConfigFile).side(), Scanner: testScanner(), Blind: why})
	if err != nil || len(bare.Output().Annotations) > 0 || !bare.Failed() {
		t.Errorf("a file that is not there is annotated: %v, %+v", err, bare.Output().Annotations)
	}
}
