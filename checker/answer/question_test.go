package answer

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

func TestQuestionsThatAskNothingAreRefusedWithAReason(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, question, why string }{
		{"empty", "", whyNoWords},
		{"only stop words", "what is it, and how does this do that?", whyNoWords},
		{"only marks", "?! ... --- @@@", whyNoWords},
		{"only control characters", "\x00\x1b\u202e\u200b", whyNoWords},
		{"only damaged bytes", "\xff\xfe\xc3", whyNoWords},
		{"too long", strings.Repeat("é", MaxQuestion+1), whyTooLong},
		{"too long in words that match", strings.Repeat("apply ", 200), whyTooLong},
	} {
		a := mailbox(t).Ask(c.question)
		if a.Answered || a.Refusal.Why != c.why || a.Refusal.Facts != 8 {
			t.Errorf("%s: %+v", c.name, a.Refusal)
		}
	}
	if a := mailbox(t).Ask("apply refuse" + strings.Repeat(" ", MaxQuestion-12)); !a.Answered {
		t.Error("a question of exactly 1,000 characters is read")
	}
	if a := NewIndex(nil).Ask("apply"); a.Answered || a.Refusal.Why != whyNoFacts || a.Refusal.Facts != 0 {
		t.Errorf("empty index: %+v", a.Refusal)
	}
}

func TestWhatAQuestionHidesIsDropped(t *testing.T) {
	t.Parallel()
	want := mailbox(t).Ask("what does apply refuse")
	for _, q := range []string{
		"what does a\u200bp\u200bply re\u200bfu\u200bse", "what\tdoes\napply refuse\x07", "\ufeffwhat does apply\u202e refuse",
		"WHAT DOES APPLY REFUSE", "what does ａｐｐｌｙ refuse", "what does apply\xff refuse",
	} {
		got := mailbox(t).Ask(q)
		if !got.Answered || got.Hits[0].Fact.Entry().Text != want.Hits[0].Fact.Entry().Text {
			t.Errorf("%q: %+v", q, got.Refusal)
		}
	}
}

func TestWordsAreReadAsTheFactsWriteThem(t *testing.T) {
	t.Parallel()
	texts := []string{
		"Pass `--dry-run` to see it first.", "Set `MAX_ROWS` before the import.", "The webhook is signed.",
		"A lock times out on its own.", "Call `parseHeader` twice.", "安装工具之前请先连接账户。",
		"プレビューを有効にする。", "The Zürich office is closed.",
	}
	var facts []card.Fact
	for i, text := range texts {
		facts = append(facts, fact(t, "s", i+1, "commands", "paragraph", "Notes", text))
	}
	x := NewIndex([]Skill{{Path: "s", Name: "s", Facts: facts}})
	for _, c := range []struct {
		name, question string
		want           int
	}{
		{"a flag without hyphens", "dryrun", 0},
		{"a flag as two words", "what is a dry run", 0},
		{"an identifier in another case", "max-rows", 1},
		{"a word written as two", "is the web hook signed", 2},
		{"a compound in another form", "lock timeout", 3},
		{"a part of an identifier", "which header is parsed", 4},
		{"a typo of one edit", "is the webhok signed", 2},
		{"exchanged neighbours", "is the wehbook signed", 2},
		{"Chinese by pairs", "如何连接账户？", 5},
		{"Chinese with a stop word", "怎么安装工具", 5},
		{"Japanese", "プレビューはどうやって有効にしますか", 6},
		{"letters with marks", "zürich office", 7},
		{"the same letters, decomposed", "zu\u0308rich office", 7},
	} {
		a := x.Ask(c.question)
		if !a.Answered {
			t.Errorf("%s: %q refused, best %.2f, %+v", c.name, c.question, a.Refusal.Best, a.Refusal.Terms)
			continue
		}
		if got := a.Hits[0].Fact.Entry().Text; got != texts[c.want] {
			t.Errorf("%s: %q gives %q", c.name, c.question, got)
		}
	}
}

func TestATypoIsShownAsRead(t *testing.T) {
	t.Parallel()
	a := mailbox(t).Ask("which destinatons does labels compare")
	for _, term := range a.Terms {
		if term.Term == "destinatons" && (term.ReadAs == "" || term.Known || term.Facts != 0) {
			t.Errorf("%+v", term)
		}
	}
	for _, pair := range [][2]string{{"abcde", "abced"}, {"abcde", "abcd"}, {"abcde", "abcdef"}, {"abcde", "abxde"}} {
		if !oneEdit([]rune(pair[0]), []rune(pair[1])) {
			t.Errorf("%v is one edit", pair)
		}
	}
	for _, pair := range [][2]string{{"abcde", "abcde"}, {"abcde", "abdec"}, {"abcde", "axcxe"}, {"abcde", "abcdefg"}, {"abcd", "bacde"}} {
		if oneEdit([]rune(pair[0]), []rune(pair[1])) {
			t.Errorf("%v is not one edit", pair)
		}
	}
}

func TestDoubtsOnlyLower(t *testing.T) {
	t.Parallel()
	x := NewIndex([]Skill{{Path: "s", Name: "s", Facts: []card.Fact{
		fact(t, "s", 1, "commands", "bullet", "Notes", "The cache is emptied now and then."),
		fact(t, "s", 2, "commands", "bullet", "Notes", "The queue is emptied every 20 minutes."),
		fact(t, "s", 3, "commands", "bullet", "Notes", "The spool is emptied twice a day."),
		fact(t, "s", 4, "commands", "bullet", "Notes", "The log is emptied with `--purge` alone."),
	}}})
	for _, c := range []struct {
		name, question string
		lowered        bool
	}{
		{"a figure asked, none held", "how often is the cache emptied", true},
		{"a figure asked and held", "how often is the queue emptied", false},
		{"a figure in words", "how often is the spool emptied", false},
		{"no figure asked", "is the cache emptied", false},
		{"a flag asked, none held", "which flag has the cache emptied", true},
		{"a name that stands nowhere", "is the cache emptied by Redis", true},
		{"a title that is all capitals", "Is The Cache Emptied", false},
	} {
		r := x.read(c.question)
		best := r.judge(r.found[0])
		plain := best.base * (full - crowdDoubt*r.crowd/full) / full * (full - strayDoubt*(full-r.reach(0))/full) / full
		plain = plain * (full - gapDoubt*r.q.gap(best.cover)/full) / full
		if best.sure > best.base || (best.sure < plain-scale/100) != c.lowered { // less what rounding takes
			t.Errorf("%s: base %d, undoubted %d, sure %d", c.name, best.base, plain, best.sure)
		}
		r.done()
	}
}

func TestAnyQuestionGetsAnAnswer(t *testing.T) {
	t.Parallel()
	x := mailbox(t)
	part := rapid.OneOf(rapid.String(), rapid.SampledFrom(append([]string{" ", "setup", "如何", "set", "up", "-", "'s", "apply", "\xff"}, questions...)))
	rapid.Check(t, func(r *rapid.T) {
		question := strings.Join(rapid.SliceOfN(part, 0, 6).Draw(r, "parts"), " ")
		a := x.Ask(question)
		if a.Answered == (a.Refusal != nil) || a.Answered == (len(a.Hits) == 0) {
			r.Fatalf("answered %v, %d hits, refusal %v", a.Answered, len(a.Hits), a.Refusal)
		}
		for _, h := range a.Hits {
			if h.Base < 0 || h.Base > 1 || h.Sure > h.Base || (!a.List && h.Base < decimal(Floor)) {
				r.Fatalf("base %.4f, sure %.4f", h.Base, h.Sure)
			}
		}
		if !utf8.ValidString(Text(a, nil) + Markdown(a, nil)) {
			r.Fatal("a rendering is not UTF-8")
		}
	})
}
