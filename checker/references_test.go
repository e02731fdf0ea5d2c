package checker

import (
	"fmt"
	"strings"
	"testing"
)

// dead writes the references of a report, "kind file:line text".
func dead(r Report) string {
	var out []string
	for _, ref := range r.References {
		out = append(out, fmt.Sprintf("%s %s:%d %s", ref.Kind, ref.File, ref.Line, ref.Text))
	}
	return strings.Join(out, "\n")
}

const (
	ignored  = " <!-- cardkeeper: ignore-reference -->"
	deadLink = "\n- see [the map](map.md)"
)

// withDead is two skills, of which alpha ends in more text.
func withDead(more string) repo { return two().with(alphaMain, alpha+more+"\n").built() }

func TestReferencesOfAChange(t *testing.T) {
	t.Parallel()
	script := []string{"skills/alpha/run.py", "import argparse\np = argparse.ArgumentParser()\np.add_argument('--fast')\n"}
	run := "\n\n```sh\npython run.py --fast\n```"
	for name, c := range map[string]struct {
		base, head repo
		want       string
	}{
		"one that the change brings":     {two(), withDead(deadLink), "link skills/alpha/SKILL.md:21 map.md"},
		"one that was there":             {withDead(deadLink), withDead(deadLink + "\n- more"), ""},
		"one that was there and moved":   {withDead(deadLink), withDead("\n- more" + deadLink), ""},
		"one in a skill left alone":      {withDead(deadLink), withDead(deadLink).with(betaMain, beta+"- more\n").built(), ""},
		"another target on its line":     {withDead(deadLink), withDead("\n- see [the map](chart.md)"), "link skills/alpha/SKILL.md:21 chart.md"},
		"the file that it names goes":    {withDead(deadLink).with("skills/alpha/map.md", "x\n").built(), withDead(deadLink), "link skills/alpha/SKILL.md:21 map.md"},
		"the skill goes with it":         {withDead(deadLink), withDead(deadLink).without(alphaMain, alphaCard), ""},
		"the flag goes from its script":  {withDead(run).with(script...).built(), withDead(run).with(script[0], strings.Replace(script[1], "fast", "slow", 1)).built(), "flag skills/alpha/SKILL.md:23 run.py --fast"},
		"the change that enables checks": {repo{alphaMain: alpha}, withDead(deadLink), "link skills/alpha/SKILL.md:21 map.md"},
	} {
		r := compare(t, c.base.side(), c.head.side())
		if got := dead(r); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		if r.Failed() {
			t.Errorf("%s: fails: %s", name, r.Title)
		}
	}
	if got := dead(compare(t, nil, withDead(deadLink).side())); got != "link skills/alpha/SKILL.md:21 map.md" {
		t.Errorf("without a base: %q", got)
	}
}

func TestReferencesBlockByThePolicyOfTheBase(t *testing.T) {
	t.Parallel()
	head := withDead(deadLink)
	r := compare(t, two().side(), head.side())
	if a := r.Output().Annotations; r.Failed() || len(a) != 1 || a[0].Level != Warning || a[0].Line != 21 {
		t.Errorf("by default: %v, %+v", r.Conclusion, a)
	}
	if !strings.HasSuffix(r.Title, ", 1 dead reference") || !strings.Contains(r.Output().Summary, "map.md") || !strings.Contains(r.Plain(), "map.md: the link leads to nothing") {
		t.Errorf("it is not told: %s\n%s", r.Plain(), r.Output().Summary)
	}
	r = compare(t, two().side(), head.side(), Policy{BlockReferences: true})
	if a := r.Output().Annotations; !r.Failed() || len(a) != 1 || a[0].Level != Error {
		t.Errorf("where it blocks: %v, %+v", r.Conclusion, a)
	}
	if r := compare(t, head.side(), head.with(alphaMain, alpha+deadLink+"\n- more\n").built().side(), Policy{BlockReferences: true}); r.Failed() {
		t.Errorf("what was there blocks: %s", r.Title)
	}
}

// An opt-out that a head adds is told and obeyed once it stands on the base (law 7).
func TestReferenceOptOuts(t *testing.T) {
	t.Parallel()
	out := withDead(deadLink + ignored)
	alive := out.with("skills/alpha/map.md", "x\n").built()
	const told = "counts once it stands on the base"
	for name, c := range map[string]struct {
		base, head *Side
		dead, note bool
	}{
		"new with the reference":         {two().side(), out.side(), true, true},
		"on the base, for the same":      {alive.side(), out.side(), false, false},
		"on the base, for another":       {alive.side(), withDead("\n- see [the map](chart.md)" + ignored).side(), true, true},
		"on the base, not any more":      {alive.side(), withDead(deadLink).side(), true, false},
		"without a base":                 {nil, out.side(), false, false},
		"in the change that enables all": {repo{alphaMain: alpha}.side(), out.side(), true, true},
	} {
		r := compare(t, c.base, c.head)
		if (dead(r) != "") != c.dead {
			t.Errorf("%s: %q", name, dead(r))
		}
		if strings.Contains(strings.Join(r.Notes, "\n"), told) != c.note {
			t.Errorf("%s: notes %q", name, r.Notes)
		}
	}
}

func TestNoReferences(t *testing.T) {
	t.Parallel()
	in := Input{Base: two().side(), Head: *withDead(deadLink + ignored).side(), Scanner: testScanner(), NoReferences: true, Policy: Policy{BlockReferences: true}}
	r, err := Check(t.Context(), in)
	if err != nil || len(r.References) != 0 || r.Failed() || strings.Contains(strings.Join(r.Notes, ""), "ignore") {
		t.Errorf("%v: %s", err, r.Plain())
	}
}

// A reference is text of the repository: a secret in it goes out nowhere (law 8).
func TestASecretInAReference(t *testing.T) {
	t.Parallel()
	token := newMint(31).token()
	r := compare(t, two().side(), withDead("\n- see [it]("+token+".md) and `references/"+token+".md`").side())
	if len(r.References) != 2 {
		t.Fatalf("%s", dead(r))
	}
	all := everything(r)
	for _, piece := range piecesOf(token) {
		if strings.Contains(all, piece) {
			t.Fatalf("the report holds %q", piece)
		}
	}
}

// Dead references leave the rest of the summary its room, however many there are.
func TestManyReferences(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "\n- [a](gone-%d-%s.md)", i, strings.Repeat("x", 100))
	}
	o := compare(t, two().side(), withDead(b.String()).side()).Output()
	if len(o.Summary) > MaxField || len(o.Annotations) != maxAnnotations || !strings.Contains(o.Summary, "2950 references left out") {
		t.Errorf("%d bytes, %d annotations:\n%.300s", len(o.Summary), len(o.Annotations), o.Summary)
	}
}
