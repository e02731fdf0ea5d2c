package drift

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"pgregory.net/rapid"
)

func bullet(section card.Section, heading, text string) Statement {
	return Statement{Entry: card.Entry{Section: section, File: "SKILL.md", Kind: card.Bullet, Text: text,
		Context: card.Context{{Role: card.Heading, Text: heading}}}}
}

func steps(texts ...string) []Statement {
	var out []Statement
	for i, t := range texts {
		out = append(out, Statement{Entry: card.Entry{Section: card.Commands, File: "SKILL.md", Kind: card.Step, Ordinal: i + 1, Text: t}})
	}
	return out
}

// counts writes a diff as its numbers: added, removed, changed, moved, renumbered.
func counts(d Diff) string {
	return fmt.Sprintf("+%d -%d ~%d >%d #%d", len(d.Added), len(d.Removed), len(d.Changed), len(d.Moved), len(d.Renumbered))
}

func TestCompare(t *testing.T) {
	a := bullet(card.Setup, "Needs", "install git and go first")
	for name, c := range map[string]struct {
		before, after []Statement
		want          string
	}{
		"equal sets":                     {[]Statement{a}, []Statement{a}, "+0 -0 ~0 >0 #0"},
		"one more":                       {nil, []Statement{a}, "+1 -0 ~0 >0 #0"},
		"one less":                       {[]Statement{a}, nil, "+0 -1 ~0 >0 #0"},
		"a word changed":                 {[]Statement{a}, []Statement{bullet(card.Setup, "Needs", "install git and make first")}, "+0 -0 ~1 >0 #0"},
		"most words changed":             {[]Statement{a}, []Statement{bullet(card.Setup, "Needs", "read the page")}, "+1 -1 ~0 >0 #0"},
		"another section":                {[]Statement{a}, []Statement{bullet(card.Refusals, "Needs", a.Entry.Text)}, "+0 -0 ~0 >1 #0"},
		"another heading":                {[]Statement{a}, []Statement{bullet(card.Setup, "Never", a.Entry.Text)}, "+0 -0 ~0 >1 #0"},
		"similar under another heading":  {[]Statement{a}, []Statement{bullet(card.Setup, "Never", "install git and make first")}, "+1 -1 ~0 >0 #0"},
		"step inserted at the top":       {steps("a b", "c d", "e f"), steps("new one", "a b", "c d", "e f"), "+1 -0 ~0 >0 #3"},
		"two steps swapped":              {steps("a b", "c d"), steps("c d", "a b"), "+0 -0 ~0 >0 #2"},
		"step reworded in its own place": {steps("run the first build", "run the second build"), steps("run the first build", "run the third build"), "+0 -0 ~1 >0 #0"},
	} {
		if got := counts(Compare(c.before, c.after)); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestWhatStandsUnderARenumberedStepIsRenumbered(t *testing.T) {
	child := func(n int) Statement {
		s := bullet(card.Commands, "Use", "with the flag")
		s.Entry.Context = append(s.Entry.Context, card.Element{Role: card.Item, Text: fmt.Sprintf("%d. Run it", n)})
		return s
	}
	if got := counts(Compare([]Statement{child(1)}, []Statement{child(2)})); got != "+0 -0 ~0 >0 #1" {
		t.Errorf("got %s", got)
	}
}

// Every statement that is not in both sets is told exactly once, whatever the order of the input.
func TestCompareAccountsForEverything(t *testing.T) {
	text := rapid.SampledFrom([]string{"a b c d", "a b c e", "a b f e", "x", "x y"})
	statement := rapid.Custom(func(t *rapid.T) Statement {
		return bullet(rapid.SampledFrom([]card.Section{card.Setup, card.Refusals}).Draw(t, "s"), rapid.SampledFrom([]string{"H", "I"}).Draw(t, "h"), text.Draw(t, "t"))
	})
	rapid.Check(t, func(t *rapid.T) {
		before := unique(rapid.SliceOfN(statement, 0, 8).Draw(t, "before"))
		after := unique(rapid.SliceOfN(statement, 0, 8).Draw(t, "after"))
		d := Compare(before, after)
		pairs := len(d.Changed) + len(d.Moved) + len(d.Renumbered)
		if got, want := len(d.Removed)+pairs, len(without(before, after)); got != want {
			t.Fatalf("%d of %d gone statements told", got, want)
		}
		if got, want := len(d.Added)+pairs, len(without(after, before)); got != want {
			t.Fatalf("%d of %d new statements told", got, want)
		}
		r := rand.New(rand.NewPCG(1, 2))
		r.Shuffle(len(before), func(i, j int) { before[i], before[j] = before[j], before[i] })
		if again := Compare(before, after); fmt.Sprint(again) != fmt.Sprint(d) {
			t.Fatal("another order of the input gives another diff")
		}
	})
}

func unique(all []Statement) []Statement {
	seen := map[string]bool{}
	var out []Statement
	for _, s := range all {
		if !seen[s.Entry.Identity()] {
			seen[s.Entry.Identity()] = true
			out = append(out, s)
		}
	}
	return out
}

func TestMarkedShowsWords(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"run the plan", "run the plan", "run the plan"},
		{"run the plan now", "run a plan now", "run [-the-] {+a+} plan now"},
		{"", "new", "{+new+}"},
		{"日本 語", "日本 人", "日本 [-語-] {+人+}"},
	} {
		if got := Marked(c.before, c.after); got != c.want {
			t.Errorf("Marked(%q, %q) = %q, want %q", c.before, c.after, got, c.want)
		}
	}
	long := strings.Repeat("word ", 3000)
	if got := Marked(long, long+"x"); !strings.HasPrefix(got, "[-") {
		t.Error("a text above the bound is compared word by word")
	}
}

func TestJudge(t *testing.T) {
	made := card.New("skills/x", "x", "", []card.Entry{bullet(card.Setup, "Needs", "git").Entry})
	wanted := card.Render(made)
	swap := func(old, new string) []byte { return bytes.Replace(wanted, []byte(old), []byte(new), 1) }
	mark := fmt.Sprintf("edition %d", card.Edition)
	for name, c := range map[string]struct {
		committed []byte
		state     State
		says      string
	}{
		"equal bytes":         {wanted, Fresh, ""},
		"no file":             {nil, Missing, "no card yet"},
		"other line ends":     {bytes.ReplaceAll(wanted, []byte("\n"), []byte("\r\n")), Stale, "line endings"},
		"conflict markers":    {swap("- git", "<<<<<<< HEAD\n- git\n=======\n- jj\n>>>>>>> x"), Stale, "conflict markers"},
		"an older edition":    {swap(mark, "edition 0"), Stale, "first line"},
		"a newer edition":     {swap(mark, "edition 999"), Newer, "Upgrade"},
		"prose added by hand": {swap("- git", "- git\nplease note"), Stale, "edited by hand: line"},
		"a fact by hand":      {swap("- git", "- git and jj"), Stale, "does not say"},
		"an empty file":       {[]byte{}, Stale, "no card"},
	} {
		v := Judge(wanted, c.committed)
		if v.State != c.state || !strings.Contains(v.Reason, c.says) {
			t.Errorf("%s: got %s, %q", name, v.State, v.Reason)
		}
		if v.State != Fresh && !strings.Contains(v.Reason, "ardkeeper") {
			t.Errorf("%s: the reason does not say what to do: %q", name, v.Reason)
		}
	}
}
