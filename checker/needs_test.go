package checker

import (
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What Needs lists is what Check reads: no file less, or a check over a network
// finds it missing, and no file more, or it is fetched for nothing.
func TestNeedsIsWhatCheckReads(t *testing.T) {
	t.Parallel()
	base, head, baseShape, headShape := busy()
	plain := extractor.DefaultShape()
	words := plain
	words.Vocabulary = map[string]card.Section{"setup": card.Refusals}
	moved := plain
	moved.Cards = "index"
	for name, c := range map[string]struct {
		base, head           repo
		baseShape, headShape extractor.Shape
	}{
		"no change":            {two(), two(), plain, plain},
		"a busy change":        {base, head, baseShape, headShape},
		"the same, turned":     {head, base, headShape, baseShape},
		"a source":             {two(), two().with(alphaMain, edit("git", "jj")), plain, plain},
		"a card":               {two(), two().with(alphaCard, "x"), plain, plain},
		"a secret":             {two(), two().with(alphaMain, alpha+"- "+newMint(30).token()+"\n"), plain, plain},
		"a skill removed":      {two(), two().without(betaMain), plain, plain},
		"a vocabulary":         {two(), two(), plain, words},
		"another cards folder": {two(), two().built(moved), plain, moved},
		"not switched on":      {repo{betaMain: beta}, repo{betaMain: alpha}, plain, plain},
		"switched on":          {repo{betaMain: beta}, repo{betaMain: beta}.built(), plain, plain},
		"switched off":         {repo{betaMain: beta}.built(), repo{betaMain: beta}, plain, plain},
		"strays":               {two(), two().with("cards/x.md", "x", "cards/skills/y.md", two()[betaCard]), plain, plain},
		"files of other kinds": {two(), two().with("skills/alpha/a.png", "x", "skills/alpha/run.sh", "echo", "skills/alpha/tool", "#!/bin/sh\n"), plain, plain},
		"a nested skill":       {two().with("skills/alpha/in/a.md", "- a\n"), two().with("skills/alpha/in/a.md", "- a\n", "skills/alpha/in/SKILL.md", beta), plain, plain},
		"an empty repository":  {repo{}, repo{}, plain, plain},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, h := c.base.files(), c.head.files()
			needBase, needHead, err := Needs(Input{Base: &Side{b, c.baseShape}, Head: Side{h, c.headShape}})
			if err != nil {
				t.Fatal(err)
			}
			if len(b.read)+len(h.read) > 0 {
				t.Errorf("Needs reads files itself: %v %v", b.read, h.read)
			}
			compare(t, &Side{b, c.baseShape}, &Side{h, c.headShape})
			if diff := cmp.Diff(needBase, sorted(b.read), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("at the base, needed and not read (-), read and not needed (+):\n%s", diff)
			}
			if diff := cmp.Diff(needHead, sorted(h.read), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("at the head, needed and not read (-), read and not needed (+):\n%s", diff)
			}
		})
	}
	h := two().files()
	_, need, err := Needs(Input{Head: Side{h, plain}})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, nil, &Side{h, plain})
	if diff := cmp.Diff(need, sorted(h.read), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("without a base:\n%s", diff)
	}
}
