package checker

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// busy is a change that makes Check read everything it ever reads.
func busy() (base, head repo, baseShape, headShape extractor.Shape) {
	m := newMint(20)
	token := m.token()
	base = two().with("skills/gone/SKILL.md", beta, "skills/hidden/SKILL.md", beta, "cards/old.md", two()[betaCard],
		"cards/README.md", "# Cards\n", "skills/alpha/run.sh", "echo\n", "skills/alpha/known.md", "- "+token+"\n").built()
	base = base.with("cards/old.md", two()[betaCard])
	head = base.without("skills/gone/SKILL.md").with(alphaMain, edit("install git", "install jj"), "skills/alpha/known.md", "- more "+token+" [a](../../README.md) [b](gone.md)\n",
		"cards/new.md", two()[betaCard], "cards/README.md", "# Other\n", "skills/alpha/new.md", "- "+m.token()+"\n", "skills/c/SKILL.md", beta)
	baseShape, headShape = extractor.DefaultShape(), extractor.DefaultShape()
	headShape.Exclude = append([]string{"hidden"}, headShape.Exclude...)
	return base, head, baseShape, headShape
}

// A file system that fails at its n-th operation gives an error for every n, on
// either side, and never a report (law 13).
func TestAnyFailingReadIsAnError(t *testing.T) {
	t.Parallel()
	base, head, baseShape, headShape := busy()
	for _, side := range []string{"base", "head", "base without ids", "head without ids"} {
		t.Run(side, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				b, h := base.files(), head.files()
				broken := b
				if strings.HasPrefix(side, "head") {
					broken = h
				}
				broken.failAt = n
				in := Input{Base: &Side{b, baseShape}, Head: Side{h, headShape}, Scanner: testScanner()}
				if strings.HasSuffix(side, "ids") {
					in.Base.Files, in.Head.Files = unknown{b}, unknown{h}
				}
				r, err := Check(context.Background(), in)
				if broken.ops < n {
					if err != nil {
						t.Fatalf("nothing failed, and yet: %v", err)
					}
					if n < 15 {
						t.Fatalf("only %d operations were tried", n)
					}
					return
				}
				if !errors.Is(err, errBroken) {
					t.Fatalf("operation %d failed: got %v and %q", n, err, r.Title)
				}
				if r.Conclusion != "" || r.Title != "" || len(r.Cards) > 0 {
					t.Fatalf("operation %d failed, and there is a report", n)
				}
			}
		})
	}
}

func TestNeedsFailsWithItsFiles(t *testing.T) {
	t.Parallel()
	base, head, baseShape, headShape := busy()
	for n := 1; ; n++ {
		b, h := base.files(), head.files()
		h.failAt = n
		_, _, err := Needs(Input{Base: &Side{b, baseShape}, Head: Side{h, headShape}})
		if h.ops < n {
			return
		}
		if !errors.Is(err, errBroken) {
			t.Fatalf("operation %d failed: got %v", n, err)
		}
	}
}

// A scanner that did not finish is an error and no verdict (law 13).
func TestAnUnfinishedScanIsAnError(t *testing.T) {
	t.Parallel()
	head := two().with(alphaMain, edit("install git", "install jj")).built()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx     context.Context
		scanner Scanner
	}{
		"a scan without an end":     {context.Background(), lazyScanner{testScanner()}},
		"a text that cannot go out": {context.Background(), blindScanner{testScanner()}},
		"a caller that is gone":     {ended, testScanner()},
	} {
		r, err := Check(c.ctx, Input{Base: two().side(), Head: *head.side(), Scanner: c.scanner})
		if !errors.Is(err, secret.ErrNotScanned) || r.Conclusion != "" {
			t.Errorf("%s: %v, %q", name, err, r.Conclusion)
		}
	}
}

// What stands in a file's place and is none is named and not read (2A-38).
func TestSymbolicLinks(t *testing.T) {
	t.Parallel()
	link := func(r repo, name string) *Side {
		s := r.side()
		f := s.Files.(*files)
		f.MapFS[name].Mode |= fs.ModeSymlink
		return s
	}
	token := newMint(21).token()
	with := two().with("skills/c/SKILL.md", token, "skills/alpha/notes.md", token)
	r := compare(t, two().side(), link(with.without("skills/alpha/notes.md"), "skills/c/SKILL.md"))
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "skills/c/SKILL.md: a symbolic link is not indexed") {
		t.Errorf("a linked SKILL.md: %q", notes)
	}
	r = compare(t, two().side(), link(with.without("skills/c/SKILL.md"), "skills/alpha/notes.md"))
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "skills/alpha/notes.md: a symbolic link is not indexed") {
		t.Errorf("a linked file: %q", notes)
	}
	if r := compare(t, link(with, "skills/c/SKILL.md"), link(with, "skills/c/SKILL.md")); len(r.Notes) != 0 {
		t.Errorf("what the base has too is told again: %q", r.Notes)
	}
	if r := compare(t, two().side(), link(two(), alphaCard)); states(r) != alphaCard+" missing" || !r.Failed() {
		t.Errorf("a linked card is %q", states(r))
	}
	r = compare(t, two().side(), link(two().without(betaCard), betaMain))
	if r.Failed() || strings.Contains(r.Title, "hidden") || len(r.Updated) != 1 {
		t.Errorf("a SKILL.md that became a link: %s", r.Plain())
	}
}
