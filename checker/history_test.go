package checker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A step is one commit of a test: its files, and which earlier steps are its
// parents, from 1; 0 is the base, and none is the step before.
type step struct {
	files   repo
	parents []int
}

// pastOf makes the commits of steps on top of a base, called c1, c2 and so on.
// The last step is the head.
func pastOf(base repo, shapes []extractor.Shape, steps ...step) Past {
	for len(shapes) < 2 {
		shapes = append(shapes, extractor.DefaultShape())
	}
	at := []repo{base}
	p := Past{Total: len(steps), Scanner: testScanner()}
	for i, s := range steps {
		c := Commit{ID: fmt.Sprintf("c%d", i+1), Files: s.files.files()}
		if s.parents == nil {
			s.parents = []int{i}
		}
		for _, n := range s.parents {
			c.Parents = append(c.Parents, at[n].files())
		}
		p.Commits = append(p.Commits, c)
		at = append(at, s.files)
	}
	p.Base, p.Head = *base.side(shapes[0]), *at[len(at)-1].side(shapes[1])
	return p
}

// told lists findings as "commit file:line", and what came with which commit as "+commit".
func told(t *testing.T, p Past) (out []string, h History) {
	t.Helper()
	h, err := Trace(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range h.Findings {
		out = append(out, fmt.Sprintf("%s %s:%d", f.Commit, f.File, f.Line))
	}
	for _, commit := range h.Brought {
		out = append(out, "+"+commit)
	}
	slices.Sort(out)
	return out, h
}

// pem is a private key's text whose head and body can come apart.
func pem(m mint) (head, body string) {
	var b strings.Builder
	for range 12 {
		b.WriteString(m.token()[4:] + m.token()[4:32] + "\n")
	}
	b.WriteString("-----END RSA PRIVATE " + "KEY-----\n")
	return "-----BEGIN RSA PRIVATE " + "KEY-----\n", b.String()
}

func TestWhatCommitsHeld(t *testing.T) {
	t.Parallel()
	m := newMint(40)
	token, other := m.token(), m.token()
	leak, second := "- use "+token+"\n", "- or "+other+"\n"
	base := two()
	leaky := base.with(alphaMain, alpha+leak)
	head, body := pem(m)
	long := alpha + strings.Repeat("- a line\n", 50)
	all, open := extractor.DefaultShape(), extractor.DefaultShape()
	hiding, bare := extractor.DefaultShape(), extractor.DefaultShape()
	hiding.Exclude = append([]string{"alpha"}, all.Exclude...)
	open.Exclude = nil
	bare.Cards = "index"
	for name, c := range map[string]struct {
		base   repo
		shapes []extractor.Shape
		steps  []step
		want   []string
	}{
		"in the questions, added and removed":              {base, nil, []step{{files: base.with(suite.File, hangs+`{"id":"s","question":"Is `+token+` valid?","refuse":true}`)}, {files: base.with(suite.File, hangs)}}, []string{"c1 " + suite.File + ":2"}},
		"in the questions, in letters of JSON":             {base, nil, []step{{files: base.with(suite.File, hangs+`{"id":"s","question":"Is `+escaped(token)+` valid?","refuse":true}`)}, {files: base.with(suite.File, hangs)}}, []string{"c1 " + suite.File + ":2"}},
		"in the questions, and there":                      {base, nil, []step{{files: base.with(suite.File, `{"id":"s","question":"Is `+token+` valid?","refuse":true}`)}}, []string{"+c1"}},
		"added and removed":                                {base, nil, []step{{files: leaky}, {files: base}}, []string{"c1 " + alphaMain + ":20"}},
		"added and kept":                                   {base, nil, []step{{files: base.with("README.md", "x")}, {files: leaky}, {files: leaky.with("README.md", "y")}}, []string{"+c2"}},
		"in the base and in all":                           {leaky, nil, []step{{files: leaky.with(alphaMain, leaky[alphaMain]+"- more\n")}}, nil},
		"of the base, removed and back again":              {leaky, nil, []step{{files: base}, {files: leaky}}, nil},
		"removed":                                          {leaky, nil, []step{{files: base}}, nil},
		"moved between files, then removed":                {base, nil, []step{{files: leaky}, {files: base.with(betaMain, beta+leak)}, {files: base}}, []string{"c1 " + alphaMain + ":20"}},
		"moved between files, and there":                   {base, nil, []step{{files: leaky}, {files: base.with(betaMain, beta+leak)}}, []string{"+c1"}},
		"moved away from a file of the base, then removed": {leaky, nil, []step{{files: base.with(betaMain, beta+leak)}, {files: base}}, nil},
		"copied from the base":                             {leaky, nil, []step{{files: leaky.with(betaMain, beta+leak)}, {files: leaky}}, []string{"c1 " + betaMain + ":6"}},
		"in a file that is renamed":                        {leaky, nil, []step{{files: leaky.without(alphaMain).with("skills/alpha/OTHER.md", leaky[alphaMain], alphaMain, alpha)}, {files: base}}, nil},
		"in a folder that is renamed":                      {leaky, nil, []step{{files: leaky.without(alphaMain).with("skills/new/SKILL.md", leaky[alphaMain])}, {files: base}}, nil},
		"in a folder that is renamed for good":             {leaky, nil, []step{{files: leaky.without(alphaMain).with("skills/new/SKILL.md", leaky[alphaMain])}, {files: base.without(alphaMain).with("skills/new/SKILL.md", alpha)}}, nil},
		"two in one commit":                                {base, nil, []step{{files: base.with(alphaMain, alpha+leak+second)}, {files: base.with(alphaMain, alpha+second)}}, []string{"+c1", "c1 " + alphaMain + ":20"}},
		"one twice":                                        {base, nil, []step{{files: leaky.with(betaMain, beta+leak)}, {files: base}}, []string{"c1 " + alphaMain + ":20"}},
		"beside an untouched one":                          {leaky, nil, []step{{files: leaky.with(alphaMain, alpha+leak+second)}, {files: leaky}}, []string{"c1 " + alphaMain + ":21"}},
		"by a merge's own resolution": {base, nil, []step{
			{files: base.with(alphaMain, alpha+"- mine\n")}, {files: base.with(alphaMain, alpha+"- theirs\n"), parents: []int{0}},
			{files: base.with(alphaMain, alpha+"- mine\n- theirs\n"+leak), parents: []int{1, 2}}, {files: base},
		}, []string{"c3 " + alphaMain + ":22"}},
		"with the base's branch by a merge": {leaky, nil, []step{
			{files: base.with(betaMain, beta+"- mine\n"), parents: []int{}}, {files: leaky.with(betaMain, beta+"- mine\n"), parents: []int{1, 0}}, {files: base},
		}, nil},
		"with the base's branch, in a file that both changed": {leaky, nil, []step{
			{files: base.with(alphaMain, "x\n"+alpha), parents: []int{}}, {files: leaky.with(alphaMain, "x\n"+alpha+leak), parents: []int{1, 0}}, {files: base},
		}, nil},
		"by one side of a merge": {base, nil, []step{
			{files: leaky}, {files: base.with("README.md", "y"), parents: []int{0}}, {files: leaky.with("README.md", "y"), parents: []int{1, 2}}, {files: base},
		}, []string{"c1 " + alphaMain + ":20"}},
		"whose body is new below an old head":                {base.with(alphaMain, alpha+head), nil, []step{{files: base.with(alphaMain, alpha+head+body)}, {files: base}}, []string{"c1 " + alphaMain + ":20"}},
		"whose lines only turned to CRLF":                    {base, nil, []step{{files: leaky}, {files: base.with(alphaMain, strings.ReplaceAll(alpha+leak, "\n", "\r\n"))}, {files: base}}, []string{"c1 " + alphaMain + ":20"}},
		"far down in a long file":                            {base.with(alphaMain, long), nil, []step{{files: base.with(alphaMain, long+leak)}, {files: base.with(alphaMain, long)}}, []string{"c1 " + alphaMain + ":70"}},
		"in a comment":                                       {base, nil, []step{{files: base.with(alphaMain, alpha+"\n<!-- "+token+" -->\n")}, {files: base}}, []string{"c1 " + alphaMain + ":21"}},
		"in a reference":                                     {base, nil, []step{{files: base.with("skills/alpha/references/a.md", leak)}, {files: base}}, []string{"c1 skills/alpha/references/a.md:1"}},
		"in a card":                                          {base, nil, []step{{files: base.with(alphaCard, base[alphaCard]+leak)}, {files: base}}, []string{fmt.Sprintf("c1 %s:%d", alphaCard, strings.Count(base[alphaCard], "\n")+1)}},
		"beside the cards of either side":                    {base, []extractor.Shape{all, bare}, []step{{files: base.with("index/a.md", leak, "cards/b.md", second)}, {files: base}}, []string{"c1 cards/b.md:1", "c1 index/a.md:1"}},
		"in a skill that came and went":                      {base, nil, []step{{files: base.with("tmp/x/SKILL.md", beta, "tmp/x/deep/a.md", leak)}, {files: base}}, []string{"c1 tmp/x/deep/a.md:1"}},
		"in a file that is nearly a skill's":                 {base, nil, []step{{files: base.with("docs/skill.md", leak)}, {files: base}}, []string{"c1 docs/skill.md:1"}},
		"in no skill":                                        {base, nil, []step{{files: base.with("docs/a.md", leak, "skills/alpha/run.sh", "# "+other, "SKILL.txt", leak)}, {files: base}}, nil},
		"in what both exclude":                               {base, nil, []step{{files: base.with("tests/SKILL.md", leak)}, {files: base}}, nil},
		"in what the head newly excludes (2A-37)":            {base, []extractor.Shape{all, hiding}, []step{{files: leaky}, {files: base}}, []string{"c1 " + alphaMain + ":20"}},
		"in what the head newly indexes":                     {base, []extractor.Shape{all, open}, []step{{files: base.with("tests/SKILL.md", leak)}, {files: base}}, []string{"c1 tests/SKILL.md:1"}},
		"in a root commit":                                   {repo{}, nil, []step{{files: leaky, parents: []int{}}, {files: base}}, []string{"c1 " + alphaMain + ":20"}},
		"with a comment that asks to be let through (2A-37)": {base, nil, []step{{files: base.with(alphaMain, alpha+"- use "+token+" gitleaks:allow\n", ".gitleaksignore", "*\n")}, {files: base}}, []string{"c1 " + alphaMain + ":20"}},
		"nowhere": {base, nil, []step{{files: base.with(alphaMain, alpha+"- more\n")}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := pastOf(c.base, c.shapes, c.steps...)
			got, h := told(t, p)
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if h.Commits != len(c.steps) || h.Looked != len(c.steps) || h.Missed != nil {
				t.Errorf("%+v", h)
			}
			for _, secret := range []string{token, other} {
				unspoken(t, secret, fmt.Sprintf("%+v", h))
				unspoken(t, secret, everything(compare(t, &p.Base, &p.Head).WithHistory(h)))
			}
		})
	}
}

// A merge answers for lines that no parent has, also where a parent is not among
// the commits that are looked at.
func TestAMergeOfWhatIsNotLookedAt(t *testing.T) {
	t.Parallel()
	base, leak := two(), "- use "+newMint(47).token()+"\n"
	for _, parents := range [][]int{{1, 2}, {2, 1}} {
		p := pastOf(base, nil, step{files: base.with(alphaMain, alpha+leak)}, step{files: base.with(alphaMain, "x\n"+alpha), parents: []int{0}},
			step{files: base.with(alphaMain, "x\n"+alpha+leak), parents: parents}, step{files: base})
		p.Commits = p.Commits[1:]
		if got, h := told(t, p); got != nil || h.Commits != 4 || h.Looked != 3 {
			t.Errorf("parents %v: told %v of %+v", parents, got, h)
		}
	}
}

// counting counts scans by text.
type counting struct {
	Scanner
	texts map[string]int
}

func (s counting) Scan(ctx context.Context, text string) ([]secret.Finding, error) {
	s.texts[text]++
	return s.Scanner.Scan(ctx, text)
}

// The same content is scanned once, in however many commits and files it stands;
// and without a finding nothing is read that Needs does not name.
func TestEachContentIsScannedOnce(t *testing.T) {
	t.Parallel()
	base, s := two(), counting{testScanner(), map[string]int{}}
	var steps []step
	for i := range 6 {
		steps = append(steps, step{files: base.with(alphaMain, alpha+strings.Repeat("- more\n", i%2+1), betaMain, alpha+"- more\n")})
	}
	p := pastOf(base, nil, steps...)
	p.Scanner = s
	need, err := p.Needs()
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := told(t, p); got != nil {
		t.Errorf("found %v", got)
	}
	if len(s.texts) != 2 || len(need) != 2 {
		t.Errorf("%d texts were scanned and %d needed, want 2", len(s.texts), len(need))
	}
	for _, n := range s.texts {
		if n != 1 {
			t.Errorf("a text was scanned %d times", n)
		}
	}
	read := map[string]bool{}
	for _, c := range p.Commits {
		for name := range c.Files.(*files).read {
			read[idOf(c.Files, name)] = true
		}
		for _, parent := range c.Parents {
			if n := len(parent.(*files).read); n > 0 {
				t.Errorf("%d files of a parent were read", n)
			}
		}
	}
	if diff := cmp.Diff(need, sorted(read)); diff != "" {
		t.Errorf("needed (-) and read (+):\n%s", diff)
	}
	if b, h := len(p.Base.Files.(*files).read), len(p.Head.Files.(*files).read); b+h > 0 {
		t.Errorf("%d files were read at the base and %d at the head", b, h)
	}
}

func TestWhatCannotBeLookedAtIsNamed(t *testing.T) {
	t.Parallel()
	token := newMint(41).token()
	base := two()
	big, binary := strings.Repeat("x", markdown.MaxBytes+1), "a\x00b "+token
	p := pastOf(base, nil,
		step{files: base.with("skills/alpha/big.md", big, "skills/alpha/bin.md", binary)},
		step{files: base.with("skills/alpha/moved.md", big, "skills/alpha/stays.md", "\x00")},
		step{files: base.with("skills/alpha/stays.md", "\x00", alphaMain, alpha+"- "+token+"\n")},
		step{files: base.with("skills/alpha/stays.md", "\x00")})
	got, h := told(t, p)
	if diff := cmp.Diff([]string{"c3 " + alphaMain + ":20"}, got); diff != "" {
		t.Error(diff)
	}
	want := []string{"skills/alpha/big.md at commit c1 is larger than 4 MiB", "skills/alpha/bin.md at commit c1 is no text"}
	if diff := cmp.Diff(want, h.Missed); diff != "" || h.Looked != 4 {
		t.Errorf("looked at %d: %s", h.Looked, diff)
	}
	if _, err := p.Needs(); err != nil {
		t.Error(err)
	}
	p.Scanner = failing{testScanner(), alpha + "- " + token + "\n"}
	if got, h := told(t, p); got != nil || len(h.Missed) != 3 || !strings.Contains(h.Missed[2], "c3 could not be scanned to its end") {
		t.Errorf("%v, %q", got, h.Missed)
	}
	var steps []step
	for i := range maxMissed + 5 {
		steps = append(steps, step{files: base.with("skills/alpha/x.md", fmt.Sprint("\x00", i))})
	}
	if _, h := told(t, pastOf(base, nil, append(steps, step{files: base})...)); len(h.Missed) != maxMissed+1 || h.Missed[maxMissed] != "and 5 more" {
		t.Errorf("%d are named: %v", len(h.Missed), h.Missed[len(h.Missed)-1])
	}
}

// failing does not get to the end of one text.
type failing struct {
	Scanner
	text string
}

func (s failing) Scan(ctx context.Context, text string) ([]secret.Finding, error) {
	if text == s.text {
		return nil, secret.ErrNotScanned
	}
	return s.Scanner.Scan(ctx, text)
}

// plenty finds more than anybody reads in one text.
type plenty struct {
	Scanner
	text string
}

func (s plenty) Scan(_ context.Context, text string) (out []secret.Finding, err error) {
	for i := range maxPast + 7 {
		if text == s.text {
			out = append(out, secret.Finding{Rule: "r", Tier: secret.Warn, First: 20, Last: 20, Fingerprint: fmt.Sprint(i)})
		}
	}
	return out, nil
}

func TestAHistoryListsSoManySecrets(t *testing.T) {
	t.Parallel()
	base := two()
	p := pastOf(base, nil, step{files: base.with(alphaMain, alpha+"- much\n")}, step{files: base})
	p.Scanner = plenty{testScanner(), alpha + "- much\n"}
	if got, h := told(t, p); len(got) != maxPast || len(h.Missed) != 1 || !strings.Contains(h.Missed[0], "7 further secrets") {
		t.Errorf("%d are listed: %v", len(got), h.Missed)
	}
}

// A value that the policy withholds is kept out of the index; that a commit held
// it is nothing to rotate. Where it still stands it gets its commit.
func TestWithheldValuesInTheHistory(t *testing.T) {
	t.Parallel()
	base := two()
	named := base.with(alphaMain, alpha+"- heron\n")
	for _, c := range []struct {
		last repo
		want []string
	}{{base, nil}, {named, []string{"+c1"}}} {
		p := pastOf(base, nil, step{files: named}, step{files: c.last})
		p.Scanner = herons{testScanner()}
		if got, _ := told(t, p); !slices.Equal(got, c.want) {
			t.Errorf("told %v, want %v", got, c.want)
		}
	}
}

// herons withholds a word.
type herons struct{ Scanner }

func (herons) Scan(_ context.Context, text string) ([]secret.Finding, error) {
	before, _, found := strings.Cut(text, "heron")
	if !found {
		return nil, nil
	}
	line := strings.Count(before, "\n") + 1
	return []secret.Finding{{Rule: secret.WithheldRule, Tier: secret.Block, First: line, Last: line, Fingerprint: "f"}}, nil
}

// late lets the time run out at one text.
type late struct {
	Scanner
	text string
	end  func()
}

func (s late) Scan(ctx context.Context, text string) ([]secret.Finding, error) {
	if text == s.text {
		s.end()
		<-ctx.Done()
		return nil, fmt.Errorf("%w: %w", secret.ErrNotScanned, ctx.Err())
	}
	return s.Scanner.Scan(ctx, text)
}

// What was found before the time was up is told, with what is left; a check that
// was interrupted has no result.
func TestTheEndOfTheTime(t *testing.T) {
	t.Parallel()
	token := newMint(42).token()
	base := two()
	p := pastOf(base, nil, step{files: base.with(alphaMain, alpha+"- "+token+"\n")}, step{files: base.with(betaMain, beta+"- slow\n")}, step{files: base})
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	p.Scanner = late{testScanner(), beta + "- slow\n", cancel}
	if _, err := Trace(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	p.Scanner = late{testScanner(), beta + "- slow\n", func() {}}
	h, err := Trace(short, p)
	if err != nil || h.Looked != 1 || h.Commits != 3 || len(h.Findings) != 1 || len(h.Missed) != 1 || !strings.Contains(h.Missed[0], "after 1 commit;") {
		t.Errorf("%+v, %v", h, err)
	}
}

// Whatever fails to be read is an error and not an empty history.
func TestTraceFailsWithItsFiles(t *testing.T) {
	t.Parallel()
	base := two()
	leaky := base.with(alphaMain, alpha+"- "+newMint(43).token()+"\n")
	build := func() Past { return pastOf(base, nil, step{files: leaky}, step{files: base}) }
	sides := func(p Past) map[string]fs.FS {
		return map[string]fs.FS{"a commit": p.Commits[0].Files, "a parent": p.Commits[0].Parents[0], "the base": p.Base.Files, "the head": p.Head.Files}
	}
	for name := range sides(build()) {
		for at, failed := 1, true; failed; at++ {
			p := build()
			f := sides(p)[name].(*files)
			f.failAt = at
			_, err := Trace(t.Context(), p)
			if failed = f.ops >= at; failed != errors.Is(err, errBroken) {
				t.Fatalf("%s, operation %d of %d: %v", name, at, f.ops, err)
			}
		}
	}
}

// Law 8: names of files go out as well.
func TestAHistoryShowsNoSecretInNames(t *testing.T) {
	t.Parallel()
	m := newMint(44)
	named, inside := m.token(), m.token()
	base := two()
	p := pastOf(base, nil, step{files: base.with("skills/alpha/"+named+".md", "- "+inside+"\n", "skills/beta/"+named+".md", "\x00")}, step{files: base})
	got, h := told(t, p)
	if len(got) != 1 || !strings.Contains(got[0], "[withheld: ") || len(h.Missed) != 1 {
		t.Errorf("%v, %v", got, h.Missed)
	}
	r := compare(t, &p.Base, &p.Head).WithHistory(h)
	for _, token := range []string{named, inside} {
		unspoken(t, token, fmt.Sprintf("%+v", h)+everything(r))
	}
	if a, placed := r.History.Findings[0].Annotation(); placed {
		t.Errorf("placed at %q", a.File)
	}
}

func TestNear(t *testing.T) {
	t.Parallel()
	base, head := two(), two().with("a/b/c/SKILL.md", beta)
	p := pastOf(base, nil, step{files: head})
	near, err := p.Near()
	if err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]bool{
		"skills": true, "skills/alpha": true, "skills/alpha/references/deep": true, "a": true, "a/b": true, "a/b/c": true, "cards": true, "cards/skills": true,
		"skills/new": false, "docs": false, "a/bc": false, "skillset": false, "references": false, ".github": true, ".github/cardkeeper": true, ".github/workflows": false,
	} {
		if near(folder) != want {
			t.Errorf("%s: %v, want %v", folder, !want, want)
		}
	}
	p = pastOf(base.with("SKILL.md", beta), nil)
	rooted, err := p.Near()
	if err != nil || !rooted("references") || rooted("docs") {
		t.Errorf("of a skill at the root: %v", err)
	}
}

func TestMeets(t *testing.T) {
	t.Parallel()
	marks := []bool{false, true, false}
	for name, c := range map[string]struct {
		first, last int
		want        bool
	}{
		"before": {1, 1, false}, "on it": {2, 2, true}, "after": {3, 3, false}, "around it": {1, 3, true},
		"past the end": {3, 9, false}, "nowhere": {9, 9, false}, "from nothing": {0, 2, true}, "turned": {3, 2, false},
	} {
		if got := meets(marks, c.first, c.last); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What a rule of the policy lets pass in a file is nothing to tell there, and is
// told of any other file and after the rule's end.
func TestAllowedValuesInTheHistory(t *testing.T) {
	t.Parallel()
	token := newMint(47).token()
	base := two()
	here, there := base.with(alphaMain, alpha+"- "+token+"\n"), base.with(betaMain, beta+"- "+token+"\n")
	until := Date(20_000)
	for name, c := range map[string]struct {
		leak  repo
		today Date
		want  []string
	}{
		"in its file":    {here, until, nil},
		"in another":     {there, until, []string{"c1 " + betaMain + ":" + fmt.Sprint(strings.Count(beta, "\n")+1)}},
		"after its end":  {here, until + 1, []string{"c1 " + alphaMain + ":" + fmt.Sprint(strings.Count(alpha, "\n")+1)}},
		"on no day told": {here, 0, []string{"c1 " + alphaMain + ":" + fmt.Sprint(strings.Count(alpha, "\n")+1)}},
	} {
		p := pastOf(base, nil, step{files: c.leak}, step{files: base})
		found, err := p.Scanner.Scan(t.Context(), token)
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		p.Allow = []Allow{{Rule: found[0].Rule, Fingerprint: found[0].Fingerprint, Path: alphaMain, Reason: "a test", Until: until}}
		p.Today = c.today
		if got, _ := told(t, p); !slices.Equal(got, c.want) {
			t.Errorf("%s: told %v, want %v", name, got, c.want)
		}
	}
}
