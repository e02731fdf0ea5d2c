package answer

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

func ask(t *testing.T, x *Index, question string) Answer {
	t.Helper()
	a := x.Ask(question)
	if a.Answered == (a.Refusal != nil) || a.Answered == (len(a.Hits) == 0) {
		t.Fatalf("%q: answered %v with %d hits and refusal %v", question, a.Answered, len(a.Hits), a.Refusal)
	}
	return a
}

func TestTheFactThatSaysItComesFirst(t *testing.T) {
	t.Parallel()
	mail, post := mailbox(t), NewIndex([]Skill{readSkill(t, "testdata/parcels.txt")})
	for _, c := range []struct {
		x              *Index
		question, want string
		preferred      bool
	}{
		{mail, "how do I set up the tool", "Run `setup` once", true},
		{mail, "How do I set this up?", "Run `setup` once", true},
		{mail, "what is needed for setting up the mailbox-rules skill?", "Run `setup` once", true},
		{mail, "how do I install the tool", "Run `setup` once", true},
		{mail, "how do I connect my account?", "Connect the mail account", true},
		{mail, "what does apply refuse", "`apply` refuses", false},
		{mail, "When does `apply` refuse a thread?", "`apply` refuses", false},
		{mail, "what will apply reject", "`apply` refuses", false},
		{mail, "which threads does plan take", "`plan` lists", false},
		{mail, "what is a move?", "A move is", false},
		{mail, "can a trash rule be limited by age alone", "A trash rule", true},
		{mail, "is a rule with SPAM rejected", "A rule that names TRASH", true},
		{mail, "which destinatons does labels compare", "`labels` compares", false},
		{post, "what does book reject", "`book` rejects", false},
		{post, "How do I login to the carrier?", "Log in to the carrier", true},
		{post, "is a booking a paid label", "A booking is", false},
	} {
		a := ask(t, c.x, c.question)
		if !a.Answered {
			t.Errorf("%q: refused, best %.2f", c.question, a.Refusal.Best)
			continue
		}
		first := a.Hits[0]
		if !strings.HasPrefix(first.Fact.Entry().Text, c.want) {
			t.Errorf("%q: first is %q", c.question, first.Fact.Entry().Text)
		}
		if c.preferred != (first.Bonus > 0) {
			t.Errorf("%q: bonus %.2f, preferred section %v", c.question, first.Bonus, c.preferred)
		}
	}
}

func TestWhatNoFactCoversIsRefused(t *testing.T) {
	t.Parallel()
	mail, post := mailbox(t), NewIndex([]Skill{readSkill(t, "testdata/parcels.txt")})
	for _, c := range []struct {
		x        *Index
		question string
	}{
		{mail, "what are the retry limit and time-out of this command"},
		{mail, "What is the retry limit, and what is the timeout, of this tool?"},
		{mail, "how many retries does apply make"},
		{mail, "what is the timeout of apply"},
		{mail, "can I use it with Outlook"},
		{mail, "why does the sync fail"},
		{mail, "how do I fix errors of apply"},
		{mail, "which licence does the skill have"},
		{post, "what are the retry limit and time-out of this command"},
		{post, "how long does book wait for the carrier"},
		{post, "which currency does zones use"},
	} {
		if a := ask(t, c.x, c.question); a.Answered {
			t.Errorf("%q: answered with %q, sure %.2f", c.question, a.Hits[0].Fact.Entry().Text, a.Hits[0].Sure)
		}
	}
}

// A number stands in facts on anything, so it is no evidence by itself.
func TestANumberAloneIsNoEvidence(t *testing.T) {
	t.Parallel()
	x := mailbox(t)
	for _, question := range []string{"what is 500", "the zeppelin of 500"} {
		if a := ask(t, x, question); a.Answered {
			t.Errorf("%q: answered with %q", question, a.Hits[0].Fact.Entry().Text)
		}
	}
	if a := ask(t, x, "limit of 500 threads"); !a.Answered {
		t.Errorf("refused: %s", Explain(a))
	}
}

func TestTheBonusLiftsNothingOverTheFloor(t *testing.T) { // law 9
	t.Parallel()
	x, question := mailbox(t), "what are the retry limit and time-out of this command"
	r := x.read(question)
	defer r.done()
	best := r.judge(r.found[0])
	if best.sure >= Floor || best.sure+best.bonus < Floor {
		t.Fatalf("the fixture no longer tempts: base %d, sure %d, bonus %d, floor %d", best.base, best.sure, best.bonus, Floor)
	}
	preferred := 0
	for id := range x.facts {
		if x.texts.fact(id).Entry().Section == card.Commands {
			preferred++
		}
	}
	if preferred != 3 || best.bonus == 0 {
		t.Fatalf("%d facts stand in the preferred section, bonus %d", preferred, best.bonus)
	}
	if a := ask(t, x, question); a.Answered {
		t.Errorf("answered with %q", a.Hits[0].Fact.Entry().Text)
	}
}

func TestContextAloneIsNoEvidence(t *testing.T) { // law 9
	t.Parallel()
	for _, c := range []struct{ name, question string }{
		{"the skill's name", "mailbox-rules"},
		{"the name and a heading", "what are the internals of mailbox-rules"},
		{"the name in two words and a heading", "Mailbox Rules internals"},
		{"a heading", "Tell me about safety"},
		{"the section's name", "architecture"},
	} {
		if a := ask(t, mailbox(t), c.question); a.Answered {
			t.Errorf("%s: %q answered with %q", c.name, c.question, a.Hits[0].Fact.Entry().Text)
		}
	}
	two := NewIndex([]Skill{{Path: "a", Name: "mailbox", Facts: []card.Fact{
		fact(t, "a", 1, "architecture", "bullet", "Internals", "Plain words without a match."),
		fact(t, "a", 2, "architecture", "field", "key=name", "mailbox"),
	}}})
	if a := ask(t, two, "mailbox internals"); a.Answered {
		t.Errorf("the name field answered: %q", a.Hits[0].Fact.Entry().Text)
	}
}

func TestContextCountsOnlyBesideOwnEvidence(t *testing.T) { // law 9
	t.Parallel()
	x := NewIndex([]Skill{{Path: "a", Name: "a", Facts: []card.Fact{
		fact(t, "a", 1, "architecture", "bullet", "Sessions", "An idle one ends after ten minutes."),
		fact(t, "a", 2, "architecture", "bullet", "Sessions", "Each gets a fresh folder."),
		fact(t, "a", 3, "architecture", "bullet", "Costs", "Nothing is billed."),
	}}})
	a := ask(t, x, "when is a session idle")
	if !a.Answered || len(a.Hits) != 1 {
		t.Fatalf("want the idle fact alone, got %d hits", len(a.Hits))
	}
	covered := a.Hits[0].Terms
	if covered[0].Covered != .6 || covered[1].Covered != 1 || a.Hits[0].Base >= 1 {
		t.Errorf("own text counts 1 and context .6, got %v and base %.4f", covered, a.Hits[0].Base)
	}
}

func TestTheFoldersAboveASkillAreContext(t *testing.T) { // law 9
	t.Parallel()
	var skills []Skill
	for _, path := range []string{"plugins/courier/skills/sizing", "plugins/depot/skills/sizing"} {
		skills = append(skills, Skill{Path: path, Name: "sizing", Facts: []card.Fact{
			fact(t, path, 1, "architecture", "bullet", "Advice", "A run takes two to five days."),
			fact(t, path, 2, "architecture", "bullet", "Advice", "Nothing else helps "+path[8:12]+"."),
		}})
	}
	x := NewIndex(skills)
	a := ask(t, x, "how many days does a courier run take")
	if !a.Answered || a.Hits[0].Skill != skills[0].Path {
		t.Errorf("the folder does not tell the two apart: %s", Explain(a))
	}
	if a := ask(t, x, "courier"); a.Answered {
		t.Errorf("a folder's name alone answered: %s", Explain(a))
	}
}

func TestTheSkillsNameInAFactIsNoEvidence(t *testing.T) { // law 9
	t.Parallel()
	facts := []card.Fact{fact(t, "a", 1, "setup", "bullet", "Colours", "parcel-desk needs a key.")}
	other := Skill{Path: "b", Name: "other", Facts: []card.Fact{fact(t, "b", 1, "setup", "bullet", "B", "Unlike it, this is free.")}}
	for i := range 6 {
		other.Facts = append(other.Facts, fact(t, "b", 2+i, "setup", "bullet", "B", strings.Repeat("x", i+2)))
	}
	x := NewIndex([]Skill{{Path: "a", Name: "parcel-desk", Facts: facts}, other})
	for _, q := range []string{"parcel-desk colours", "desk-parcel"} {
		r := x.read(q)
		if len(r.found) == 0 {
			t.Fatal("the fixture no longer tempts")
		}
		r.done()
	}
	r := x.read("parcel-desk colours")
	defer r.done()
	if got := r.found[0].cover; got[0] > nearly || got[1] > 0 {
		t.Errorf("the name covers %v of the question", got)
	}
	if a := ask(t, x, "which key does parcel-desk need"); !a.Answered {
		t.Errorf("refused, best %.2f", a.Refusal.Best)
	}
}

func TestWhatStatesNothingIsNeverCited(t *testing.T) {
	t.Parallel()
	x := NewIndex([]Skill{{Path: "a", Name: "zebra", Facts: []card.Fact{
		fact(t, "a", 1, "architecture", "field", "key=name", "okapi zebra"),
		fact(t, "a", 2, "commands", "bulk", "Okapi", "57 more entries of okapi"),
		fact(t, "a", 3, "commands", "example", "Okapi", "python: okapi"),
		fact(t, "a", 4, "commands", "bullet", "Else", "Nothing of the kind."),
	}}})
	if a := ask(t, x, "okapi"); a.Answered || a.Refusal.Facts != 4 || a.Refusal.Terms[0].Facts != 0 {
		t.Errorf("%+v", a)
	}
}

// surrounded returns the scopes that hold a term.
func (x *Index) surrounded(term string) []uint32 { return x.around.row(x.words.find(term)) }

func TestTheSectionsNameCountsNowhere(t *testing.T) { // law 9
	t.Parallel()
	x := mailbox(t)
	for _, s := range card.Sections() {
		if len(x.surrounded(stemmer{}.stem(string(s)))) == len(x.scopes) {
			t.Errorf("%q surrounds every fact", s)
		}
	}
	if len(x.surrounded("architectur"))+len(x.surrounded("refus")) > 0 {
		t.Error("a section's name is indexed; no heading of the fixture holds it")
	}
}

func TestARefusalSaysWhatItLookedThrough(t *testing.T) { // law 10
	t.Parallel()
	r := ask(t, mailbox(t), "what are the retry limit and time-out of this command").Refusal
	if r == nil {
		t.Fatal("answered")
	}
	if r.Facts != 8 || r.Cards != 1 || r.Floor != .14 || r.Best <= 0 || r.Best >= r.Floor || r.Why == "" {
		t.Errorf("refusal %+v", r)
	}
	got := map[string]int{}
	for _, term := range r.Terms {
		got[term.Term] = term.Facts
	}
	want := map[string]int{"retry": 0, "limit": 2, "time-out": 0, "command": 1}
	for term, facts := range want {
		if n, shown := got[term]; !shown || n != facts {
			t.Errorf("term %q: shown %v with %d facts, want %d", term, shown, n, facts)
		}
	}
	if len(got) != len(want) {
		t.Errorf("terms %v", got)
	}
}

func TestEveryHitPassesTheFloor(t *testing.T) { // law 9
	t.Parallel()
	for _, q := range []string{"what does apply refuse", "what does plan write", "how do I connect my account"} {
		for _, h := range ask(t, mailbox(t), q).Hits {
			if h.Base < decimal(Floor) || h.Sure > h.Base {
				t.Errorf("%q: hit with base %.4f, sure %.4f", q, h.Base, h.Sure)
			}
		}
	}
}

func TestTheBonusOrdersWhatPasses(t *testing.T) {
	t.Parallel()
	x := NewIndex([]Skill{{Path: "a", Name: "a", Facts: []card.Fact{
		fact(t, "a", 1, "commands", "bullet", "One", "A cache may fail warm."),
		fact(t, "a", 2, "troubleshooting", "bullet", "Two", "A cache may fail cold."),
		fact(t, "a", 3, "commands", "bullet", "Three", "Nothing else."),
	}}})
	for question, want := range map[string]card.Section{
		"can the cache fail": card.Troubleshooting, "the cache": card.Commands,
	} {
		if a := ask(t, x, question); !a.Answered || a.Hits[0].Fact.Entry().Section != want {
			t.Errorf("%q: want %s first, got %+v", question, want, a.Refusal)
		}
	}
}
