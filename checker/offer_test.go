package checker

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// What the check offers, word for word, and with what in mind.
func TestTheOfferedRule(t *testing.T) {
	t.Parallel()
	head := two().with(alphaMain, alpha+"- use "+newMint(90).token()+"\n").built()
	r := under(t, two().side(), head.side())
	print := r.Secrets[0].Fingerprint
	block := "  allow:\n    # " + alphaMain + ":20\n    - rule: github-pat\n      path: '" + alphaMain + "'\n      fingerprint: " + print +
		"\n      reason: '" + NoReason + "'\n      until: " + (someDay + 90).String() + "\n"
	for what, text := range map[string]string{"summary": r.Output().Summary, "markdown": r.Markdown(), "plain": r.Plain()} {
		rotate, offer := strings.Index(text, "Rotate it first"), strings.Index(text, block)
		if offer < 0 || rotate < 0 || rotate > offer {
			t.Errorf("the %s is\n%s", what, text)
		}
	}
	if !strings.Contains(r.Output().Summary, "```yaml\n"+block+"```\n") {
		t.Errorf("no code block: %s", r.Output().Summary)
	}
	if IsReason(NoReason) {
		t.Error("what is to be filled in is taken for a reason")
	}
	other := Allow{Rule: "jwt", Path: "x", Fingerprint: print, Reason: "r", Until: someDay}
	if text := under(t, two().side(), head.side(), other).Plain(); strings.Contains(text, "  allow:") || !strings.Contains(text, "    - rule: github-pat") || !strings.Contains(text, "at the end of allow:") {
		t.Errorf("beside other rules: %s", text)
	}
	for name, c := range map[string]struct {
		change func(*Input)
		want   string
	}{
		"on no day":      {func(in *Input) { in.Today = 0 }, "until: YYYY-MM-DD"},
		"without a salt": {func(in *Input) { in.Unsalted = true }, "needs a salt first"},
	} {
		in := Input{Base: two().side(), Head: *head.side(), Scanner: testScanner(), Today: someDay}
		c.change(&in)
		r, err := Check(t.Context(), in)
		if err != nil || !strings.Contains(r.Plain(), c.want) || !strings.Contains(r.Output().Summary, c.want) {
			t.Errorf("%s: %v\n%s", name, err, r.Plain())
		}
		if in.Unsalted && strings.Contains(everything(r), "- rule:") {
			t.Errorf("%s: a rule that could not hold is offered", name)
		}
	}
	in := Input{Base: two().side(), Head: *head.side(), Scanner: tieredScanner{testScanner()}, Today: someDay}
	if r, err := Check(t.Context(), in); err != nil || strings.Contains(r.Plain(), "allow") {
		t.Errorf("a rule is offered for what does not block: %v\n%s", err, r.Plain())
	}
}

// A hundred findings give fifty rules and the number of the rest.
func TestOffersAreBounded(t *testing.T) {
	t.Parallel()
	r := newReport()
	for i := range 100 {
		r.Secrets = append(r.Secrets, Finding{Rule: "jwt", Tier: secret.Block, File: fmt.Sprintf("a/%d.md", i), Line: 1, End: 1, Fingerprint: fmt.Sprintf("%032x", i)})
	}
	for what, text := range map[string]string{"summary": r.Output().Summary, "plain": r.Plain()} {
		if n := strings.Count(text, "- rule: jwt"); n != maxListed || !strings.Contains(text, "50 ") {
			t.Errorf("%d rules in the %s", n, what)
		}
	}
}

// A rule for one file is a pattern that matches that file, whatever its name holds.
func TestExactlyOneFile(t *testing.T) {
	t.Parallel()
	for _, file := range append(nasties(), "SKILL.md", "a/[x]*?.md", `a\b/c.md`, "a/**/b.md", "a b/c'd.md", "a\u00a0b/c.md", "a/\u202eb.md", "a/\xff.md") {
		name := "dir/x" + strings.ReplaceAll(file, "/", "_")
		if file == "SKILL.md" {
			name = file
		}
		a := Allow{Rule: "r", Fingerprint: "f", Path: exactly(name)}
		if !a.covers("r", "f", name) {
			t.Errorf("%q does not match %q", a.Path, name)
		}
		if a.covers("r", "f", "other/"+name) && name == "SKILL.md" || a.covers("r", "f", "dir/other") && !strings.Contains(name, "[withheld: ") {
			t.Errorf("%q matches other files", a.Path)
		}
		for _, line := range a.YAML() {
			if strings.ContainsAny(line, "\n\r\u202e\u2028\x1b") {
				t.Errorf("%q leaves its line", line)
			}
		}
	}
	if got := exactly("skills/[withheld: file name].md"); got != "skills/*.md" {
		t.Errorf("a name that is withheld becomes %q", got)
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"an example", "из документации", "x", strings.Repeat("é", MaxReason)} {
		if !IsReason(good) {
			t.Errorf("%q is none", good)
		}
	}
	for _, bad := range []string{"", " ", "...", "123", NoReason, "fill in", " Fill In: later", "a\nb", "a\tb", "a\u202eb", "a\xff", strings.Repeat("é", MaxReason+1)} {
		if IsReason(bad) {
			t.Errorf("%q is one", bad)
		}
	}
}
