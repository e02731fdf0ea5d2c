package answer

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A document that keeps a value back is told from one that merely holds a marker.
func TestWhatADocumentKeepsBack(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		sentence, text, question string
		want                     bool
	}{
		{"a value is asked for", "The registry password is [REDACTED].", "What is the registry password?", true},
		{"a guess at it is", "The registry password is [REDACTED].", "Is the registry password swordfish?", true},
		{"its name alone is", "The registry password is [redacted].", "registry password", true},
		{"a number is", "Acme has *** seats.", "How many seats does Acme have?", true},
		{"a doing is not", "Run `push --token ***` to send the parcel to the registry.", "How do I send a parcel to the registry?", false},
		{"a reason is not", "The registry password is [REDACTED].", "Why does the registry have a password?", false},
		{"what to do is not", "The registry password is [REDACTED].", "What should I do with the registry password?", false},
		{"another sentence has the marker", "The registry listens on port 5000. Its key is ***.", "Which port does the registry listen on?", false},
		{"another line has the marker", "registry:\n  port: 5000\n  key: \"***\"", "What is the registry port?", false},
		{"the line of a file has it", "registry:\n  password: \"***\"", "What is the password of the registry?", true},
		{"a cell of a table has it", "registry | ci | <redacted>", "What is the registry password?", true},
		{"bold italics are no marker", "***Never*** tell the registry password.", "What is the registry password?", false},
		{"a longer row of stars is one", "The registry password is ********.", "What is the registry password?", true},
		{"code may hold it", "The registry password is `***`.", "What is the registry password?", true},
		{"an entity may", "The registry password is &lt;redacted&gt;.", "What is the registry password?", true},
		{"a part of a word is none", "The registry password is x[redacted]y.", "What is the registry password?", false},
		{"black boxes are one", "The registry password is ██████.", "What is the registry password?", true},
		{"no marker, no doubt", "The registry password is in the vault.", "What is the registry password?", false},
	} {
		f := fact(t, "s", 1, "setup", "bullet", "Registry", tc.text)
		x := NewIndex([]Skill{{Path: "s", Name: "s", Facts: []card.Fact{f}}})
		if got := x.Keeping(DefaultMarkers()).KeepsBack(tc.question, f); got != tc.want {
			t.Errorf("%s: %v", tc.sentence, got)
		}
		if x.KeepsBack(tc.question, f) {
			t.Errorf("%s: without markers", tc.sentence)
		}
	}
}

func TestAWithheldAnswerSaysSoAndCites(t *testing.T) {
	t.Parallel()
	f := fact(t, "s", 7, "setup", "bullet", "Registry", "The registry password is [REDACTED].")
	a := Answer{Answered: true, Withheld: true, Hits: []Hit{{Fact: f, Skill: "s"}}}
	md, text := Markdown(a, nil), Text(a, nil)
	if !strings.HasPrefix(md, "**Withheld:** the documents keep this back.\n\n**1.** `s/SKILL.md:7`") || !strings.HasPrefix(text, keptBack+"\n1. s/SKILL.md:7") {
		t.Errorf("got\n%s\n%s", md, text)
	}
	if f := a.Form(); !f.Withheld || !f.Answered || f.Hits[0].Line != 7 {
		t.Errorf("got %+v", f)
	}
}

func TestNamesAreFoundHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	names := NewNames([]string{"Project Falcon", "Kestrel", "猎鹰", "B52", "", "--"})
	for text, want := range map[string]bool{
		"ask project falcon": true, "PROJECT-FALCON": true, "see project_falcon.md": true, "newProjectFalconClient()": true,
		"projectfalcon": true, "PROJECTFALCON": true, "**Project** `Falcon`": true, "Pro**ject** Falcon": true, "Project\n  Falcon": true,
		"Project&#32;Falcon": true, "Ｐｒｏｊｅｃｔ　Ｆａｌｃｏｎ": true, "Project\u200b Fal\u00adcon": true, "Project Falcon's nest": true,
		"kestrel2": true, "XMLKestrelReader": true, "kestrelHTTP": true, "--kestrel=1": true, "/srv/KESTREL/x": true,
		"关于猎鹰计划": true, "the b-52 desk": true, "B52s": true, "b52": true,
		"KESTRELv2 runs": true, "the KESTRELes": true, "newKESTRELdb": true, "KESTRELLA": false,
		"the falcon project": false, "projects falcon": false, "kestrels": false, "akestrel": false, "falconry": false, "project": false, "": false,
	} {
		if got := names.In(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if (Names{}).In("project falcon") || NewNames(nil).In("x") {
		t.Error("no names are found")
	}
	for name, want := range map[string]int{"Project Falcon": 13, "猎鹰": 4, "a-b": 2, "": 0} {
		if got := NameLength(name); got != want {
			t.Errorf("%q has %d", name, got)
		}
	}
}

// What a page shows is looked through, whatever HTML, links and notes stand in between, and
// whichever letters only look like those of the name.
func TestNamesAreFoundBehindValidHTMLAndLookAlikes(t *testing.T) {
	t.Parallel()
	names := NewNames([]string{"Kingfisher", "Уголь"})
	for text, want := range map[string]bool{
		`King<b title="a>b">fisher</b>`: true, `King<a href='x>y'>fisher</a>`: true, `King<a href = 'x>y' b>fisher`: true,
		`King<? a>b ?>fisher`: true, `King<![CDATA[a>b]]>fisher`: true, `King<!-- > -->fisher`: true, `King<!X a>fisher`: true,
		`[King](<a)b>)fisher`: true, `[King](x "a)b")fisher`: true, `[King](x 'a)b')fisher`: true, `[King](x (a\)b))fisher`: true,
		`[King](a(b(c)d)e)fisher`: true, `![King]( <a b> "t" )fisher`: true, `[King][x]fisher`: true, `King[^1]fisher`: true,
		`King<a b="[x](y)">fisher`: true, "King<b\ntitle=\"a>b\">fisher": true,
		`Kıngfisher`: true, `Кingfisher`: true, `KINGFISНER`: true, `Kingfishеr`: true, `ΚΙΝGFΙSΗΕR`: true, `kingfιsher`: true, `ᴋɪɴɢꜰɪꜱʜᴇʀ`: true,
		`уголь`: true, "УГОЛЬ": true,
		`King<b fisher`: false, `King(fisher)`: true, `King [wing](x) fisher`: false, `King "a" x fisher`: false, `a < b`: false, `](`: false, `x](\`: false, `x](<\`: false,
	} {
		if got := names.In(text); got != want {
			t.Errorf("%q: %v, %q", text, got, views(text))
		}
	}
}

// Openings that never end cost no more than some readings of the text.
func TestOpeningsWithoutEndAreReadInTime(t *testing.T) {
	t.Parallel()
	for _, opening := range []string{"<a x=\"", "<a x='y'", "<?", "<!--", "](<", "](x \"", "](x (", "](((", "<"} {
		text := strings.Repeat(opening, 1<<17/len(opening))
		c := newCutter(text)
		read := 0
		c.without(opening[:min(2, len(opening))], func(rest string) int {
			read += len(rest)
			return -len(rest)
		})
		if most := (readings+2)*(len(text)+shortReach) + shortReach*len(text); read > most {
			t.Errorf("%q: %d characters were read of %d", opening, read, len(text))
		}
		if !(NewNames([]string{"Kingfisher"})).In(text + " Kingfisher") {
			t.Errorf("%q hides a name", opening)
		}
	}
}

func TestQuestionsThatAskForTheSame(t *testing.T) {
	t.Parallel()
	var a Alikeness
	key := a.Key("How do I rotate the token?")
	for q, want := range map[string]bool{
		"how to rotate tokens": true, "Tokens: how are they rotated, how rotate?": true, "HOW DO I ROTATE THE TOKEN": true,
		"How do I rotate the password?": false, "Who rotates the token of the registry?": false, "": false,
	} {
		if got := a.Key(q) == key; got != want {
			t.Errorf("%q: %q", q, a.Key(q))
		}
	}
	if a.Key("set up the tool") != a.Key("Is the tool setup?") {
		t.Errorf("%q, %q", a.Key("set up the tool"), a.Key("Is the tool setup?"))
	}
}

func TestWhichRefusalsAreGaps(t *testing.T) {
	t.Parallel()
	x := mailbox(t)
	for q, want := range map[string]bool{"who paints the zebra?": true, "": false, strings.Repeat("x", MaxQuestion+1): false, "how do I set up the tool": false} {
		if a := x.Ask(q); a.Gap() != want {
			t.Errorf("%.20q: %v", q, a.Gap())
		}
	}
	if NewIndex(nil).Ask("who paints the zebra?").Gap() {
		t.Error("an index of nothing has gaps")
	}
	a := x.Ask("who paints the zebra?")
	if a.Refusal.Why = WhyWithheld; a.Gap() {
		t.Error("what is withheld is a gap")
	}
}

// An answer for a comment ends between two hits.
func TestALongAnswerIsCutBetweenHits(t *testing.T) {
	t.Parallel()
	var hits []Hit
	for n := range 100 {
		hits = append(hits, Hit{Fact: fact(t, "s", n+1, "commands", "bullet", "Top", strings.Repeat("word ", 100)), Skill: "s", New: n == 1})
	}
	out := Markdown(Answer{Answered: true, List: true, Hits: hits}, nil)
	shown := strings.Count(out, "\n> word")
	if len(out) > mostReply+200 || shown < 10 || !strings.Contains(out, "\n"+count(100-shown, "more hit")+", too many for one comment.") {
		t.Errorf("%d bytes, %d hits shown, the end: %s", len(out), shown, out[len(out)-100:])
	}
	if strings.Count(out, ", **new in this pull request**\n") != 1 || !strings.Contains(out, "**2.** `s/SKILL.md:2` in `s`, commands, **new in") {
		t.Errorf("the mark of what is new: %s", out[:400])
	}
}
