package checker

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/google/go-cmp/cmp"
)

// mending is compare with the cards that would mend what it complains of.
func mending(t *testing.T, base, head *Side) Report {
	t.Helper()
	r, err := Check(context.Background(), Input{Base: base, Head: *head, Scanner: testScanner(), Mend: true})
	if err != nil {
		t.Fatalf("Check: %v", err)
	}
	return r
}

// mends writes what is mended as "+card" and "-card".
func mends(r Report) string {
	var out []string
	for _, m := range r.Mends {
		sign := "+"
		if m.Data == nil {
			sign = "-"
		}
		out = append(out, sign+m.Card)
	}
	return strings.Join(out, " ")
}

// mended is the repo after the mends.
func (r repo) mended(of Report) repo {
	out := maps.Clone(r)
	for _, m := range of.Mends {
		delete(out, m.Card)
		if m.Data != nil {
			out[m.Card] = string(m.Data)
		}
	}
	return out
}

func TestWhatRebuildingMends(t *testing.T) {
	t.Parallel()
	token := newMint(20).token()
	base := two().built()
	leaky := two().with(alphaMain, alpha+"- use "+token+"\n").built()
	other := extractor.DefaultShape()
	other.Exclude = append([]string{"alpha"}, other.Exclude...)
	for name, c := range map[string]struct {
		base, head repo
		shape      extractor.Shape
		want       string
	}{
		"a stale card":                       {head: base.with(alphaMain, alpha+"- new\n"), want: "+" + alphaCard},
		"a missing card":                     {head: base.without(alphaCard), want: "+" + alphaCard},
		"missing cards without their folder": {head: base.without(alphaCard, betaCard), want: "+" + alphaCard + " +" + betaCard},
		"a card of CRLF":                     {head: base.with(alphaCard, strings.ReplaceAll(base[alphaCard], "\n", "\r\n")), want: "+" + alphaCard},
		"the card of a skill that went":      {head: base.without(alphaMain), want: "-" + alphaCard},
		"the card of a skill that is hidden": {head: base, shape: other, want: "-" + alphaCard},
		"nothing where all is fresh":         {head: base},
		"no card of a newer edition":         {head: base.with(alphaMain, alpha+"- new\n", alphaCard, "<!-- cardkeeper edition 99 -->\n")},
		"no file that is no card":            {head: base.without(alphaMain).with(alphaCard, "# Notes\n")},
		"nothing beside a secret":            {head: base.with(alphaMain, alpha+"- use "+token+"\n", betaMain, beta+"- new\n")},
		"no card of a skill that held a secret before": {
			base: leaky, head: leaky.with(alphaMain, leaky[alphaMain]+"- new\n", betaMain, beta+"- new\n"), want: "+" + betaCard},
		"no card where a file is in the place of its folder": {
			base: base, head: base.without(alphaCard, betaCard).with("cards/skills", "x", alphaMain, alpha+"- new\n")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.base == nil {
				c.base = base
			}
			head := c.head.side()
			if c.shape.Cards != "" {
				head = c.head.side(c.shape)
			}
			r := mending(t, c.base.side(), head)
			if got := mends(r); got != c.want {
				t.Errorf("mends %q, want %q; the report: %s", got, c.want, r.Title)
			}
		})
	}
}

// What is mended is what a build of the head gives, and the patch says the same to git.
func TestThePatchAppliesAndMends(t *testing.T) {
	t.Parallel()
	base := two().built()
	for name, head := range map[string]repo{
		"changed, added and removed": base.without(betaMain).with(alphaMain, strings.Replace(alpha, "git", "git and make", 1)+"- ``` new\n- a\tb\n", "skills/gamma/SKILL.md", beta),
		"without an end of line":     base.with(alphaMain, alpha+"- new\n", alphaCard, strings.TrimSuffix(base[alphaCard], "\n")),
		"hand-edited":                base.with(alphaCard, base[alphaCard]+"- more\n"),
		"empty":                      base.with(alphaCard, ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mending(t, base.side(), head.side())
			r.Remedy = ByPatch
			want := head.built()
			if d := cmp.Diff(want, head.mended(r)); d != "" {
				t.Fatalf("mended (-want +got):\n%s", d)
			}
			if got := head.patched(t, r.Output().Text); !cmp.Equal(want, got) {
				t.Errorf("patched (-want +got):\n%s", cmp.Diff(want, got))
			}
		})
	}
}

// patched applies the patch of a report's text with git, as a person would who copies it.
func (r repo) patched(t *testing.T, text string) repo {
	t.Helper()
	dir := t.TempDir()
	for name, data := range r {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, text, _ = strings.Cut(text, "### Patch")
	_, text, found := strings.Cut(text, "diff\n")
	if !found {
		t.Fatal("no patch in the text")
	}
	text = text[:strings.LastIndex(text, "\n```")+1]
	text = strings.TrimRight(text, "`")
	cmd := exec.Command("git", "apply", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(text)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_GLOBAL=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v: %s\n%s", err, out, text)
	}
	got := repo{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		got[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A patch is cut between files, counts what it leaves out, and holds no value that
// was found: a card that was edited by hand is shown in no patch then.
func TestThePatchIsBoundedAndHoldsNoSecret(t *testing.T) {
	t.Parallel()
	token := newMint(21).token()
	old := two().built()
	old[alphaCard] += "- " + token + "\n" // the base has it: no finding of this change
	r := mending(t, old.side(), old.with(alphaMain, alpha+"- new\n", betaMain, beta+"- new\n").side())
	r.Remedy = ByPatch
	if text := r.Output().Text; strings.Contains(text, token) || !strings.Contains(text, "1 card left out of the patch") {
		t.Errorf("mends %s; the text:\n%s", mends(r), text)
	}
	many := two()
	for n := range 300 {
		many[fmt.Sprintf("skills/s%03d/SKILL.md", n)] = beta + strings.Repeat(fmt.Sprintf("- a line of skill %d\n", n), 3)
	}
	r = mending(t, two().built().side(), many.with().side())
	r.Remedy = ByPatch
	o := r.Output()
	if len(o.Text) > MaxField || len(r.Mends) != 300 || !strings.Contains(o.Text, "left out of the patch") {
		t.Errorf("%d cards in a text of %d bytes", len(r.Mends), len(o.Text))
	}
	if !strings.HasSuffix(strings.TrimSpace(o.Text), "`cardkeeper build`") || strings.Count(o.Text, "```")%2 != 0 {
		t.Error("the patch was cut within a file")
	}
}
