package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// A nose is a Meaning: likenesses by a function, and a list of all that it was sent.
type nose struct {
	alike func(facts []string) ([]int, error)

	mu        sync.Mutex
	questions []string
	facts     []string
}

func (n *nose) Alike(_ context.Context, question string, facts []string) ([]int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.questions = append(n.questions, question)
	n.facts = append(n.facts, facts...)
	return n.alike(facts)
}

// likes finds texts near that hold a word.
func likes(word string) *nose {
	return &nose{alike: func(facts []string) ([]int, error) {
		out := make([]int, len(facts))
		for i, f := range facts {
			if strings.Contains(f, word) {
				out[i] = 90
			}
		}
		return out, nil
	}}
}

// chance likes whatever it likes.
func chance(seed uint64) *nose {
	r := rand.New(rand.NewPCG(seed, 11))
	return &nose{alike: func(facts []string) ([]int, error) {
		out := make([]int, len(facts))
		for i := range out {
			out[i] = r.IntN(201) - 100
		}
		return out, nil
	}}
}

// depot has more facts about one thing than an answer cites.
func depot() string {
	var b strings.Builder
	b.WriteString("# Depot\n\n## Setup\n\n")
	for n := range 12 {
		fmt.Fprintf(&b, "To install the parcel tool use recipe%d of the depot.\n\n", n)
	}
	return b.String()
}

const install = "How do I install the parcel tool?"

func at(h answer.Hit) string { return h.Fact.Places()[0].String() }

func TestMeaningPutsTheNearestFirst(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a/SKILL.md": depot()}
	plain, err := open(t, files, testScanner()).Ask(t.Context(), install)
	if err != nil || len(plain.Hits) != 5 || plain.Meaning != nil || strings.Contains(shown(t, plain), "eaning") {
		t.Fatalf("%v, %d hits, %s", err, len(plain.Hits), shown(t, plain))
	}
	n := likes("recipe11 ")
	a, err := open(t, files, testScanner()).ByMeaning(n, 100).Ask(t.Context(), install)
	if err != nil || len(a.Hits) != 5 || a.Hits[0].Fact.Entry().Text != "To install the parcel tool use recipe11 of the depot." {
		t.Fatalf("%v: %s", err, shown(t, a))
	}
	for i, h := range a.Hits[1:] {
		if at(h) != at(plain.Hits[i]) {
			t.Errorf("hit %d is %s, want %s", i+2, at(h), at(plain.Hits[i]))
		}
	}
	if m := a.Meaning; m == nil || !m.Used || m.Facts != 12 || m.Why != "" {
		t.Errorf("%+v", m)
	}
	if !slices.Equal(n.questions, []string{install}) || len(n.facts) != 12 || n.facts[0] != "Depot › Setup\nTo install the parcel tool use recipe0 of the depot." {
		t.Errorf("sent %q with %q", n.questions, n.facts)
	}
}

// Where it fails, the answer is the one without, and says why.
func TestWithoutItsMeaningAnAnswerIsTheSame(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a/SKILL.md": depot()}
	plain, err := open(t, files, testScanner()).Ask(t.Context(), install)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		answer []int
		err    error
		why    string
	}{
		"the server fails":     {nil, errors.New("the server is down"), "the server is down"},
		"too few":              {[]int{1}, nil, unlikely},
		"none, and no failure": {nil, nil, unlikely},
	} {
		n := &nose{alike: func([]string) ([]int, error) { return tc.answer, tc.err }}
		a, err := open(t, files, testScanner()).ByMeaning(n, 100).Ask(t.Context(), install)
		if err != nil || a.Meaning == nil || a.Meaning.Used || a.Meaning.Why != tc.why || !strings.Contains(answer.Explain(a), "without meaning search: "+tc.why) {
			t.Errorf("%s: %v, %+v", name, err, a.Meaning)
		}
		if a.Meaning = nil; shown(t, a) != shown(t, plain) {
			t.Errorf("%s: another answer: %s", name, shown(t, a))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := &nose{alike: func([]string) ([]int, error) { cancel(); return nil, ctx.Err() }}
	if _, err := open(t, files, testScanner()).ByMeaning(n, 100).Ask(ctx, install); !errors.Is(err, context.Canceled) {
		t.Errorf("a question that ended: %v", err)
	}
}

// A file that only a rival stands in and that cannot be had stops no answer.
func TestAFileThatOnlyARivalStandsInStopsNoAnswer(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"a/SKILL.md": {Data: []byte(depot())}, "a/more.md": {Data: []byte("# More\n\nTo install the parcel tool of the depot there are more recipes, for whom it may concern, and later.\n")}}
	found, err := extractor.Extract(files, extractor.DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	skills := []answer.Skill{Skill("a", found.Skills[0].Facts)}
	plain, err := New(skills, files, testScanner(), nil).Ask(t.Context(), install)
	if err != nil || strings.Contains(shown(t, plain), "more.md") {
		t.Fatalf("%v: %s", err, shown(t, plain))
	}
	gone := func(_ context.Context, names []string) error {
		if slices.Contains(names, "a/more.md") {
			return fs.ErrPermission
		}
		return nil
	}
	n := likes("more")
	a, err := New(skills, files, testScanner(), gone).ByMeaning(n, 100).Ask(t.Context(), install)
	if err != nil || a.Meaning == nil || a.Meaning.Why != unread || len(n.facts) > 0 {
		t.Errorf("%v, %+v, sent %q", err, a.Meaning, n.facts)
	}
	if a.Meaning = nil; shown(t, a) != shown(t, plain) {
		t.Errorf("another answer: %s", shown(t, a))
	}
}

// Law 8: nothing that touches a finding or a withheld value is sent, also where it
// may be shown; nor is a question with one.
func TestWhatIsSent(t *testing.T) {
	t.Parallel()
	value, allowed := token(40), token(41)
	found, err := checker.ScanText(t.Context(), testScanner(), "a/SKILL.md", allowed)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %d findings", err, len(found))
	}
	rule := checker.Allow{Rule: found[0].Rule, Path: "a/SKILL.md", Fingerprint: found[0].Fingerprint, Until: 740_000}
	line := func(text string) string { return "\nTo install the parcel tool " + text + ".\n" }
	files := map[string]string{
		"a/SKILL.md":               depot() + line("pass "+value) + line("pass "+allowed) + line("call Quiet Heron") + line("hide it <!-- "+value+" -->"),
		"a/key " + value + ".md":   "# Key\n" + line("read this"),
		"b/SKILL.md":               "# Key " + value + "\n" + line("turn the key") + "\n# Quiet *heron*\n" + line("turn the bird"),
		"c/SKILL.md":               "# C\n\nWith " + allowed + ":\n" + line("as the lead says"),
		value + "/SKILL.md":        "# D\n" + line("from the folder"),
		"skills/harmless/SKILL.md": "# Harmless\n" + line("at ease"),
	}
	n := likes("pass")
	l := open(t, files, checker.NewGate(watching(t, "quiet heron"), []checker.Allow{rule}, 740_000)).ByMeaning(n, 100)
	a, err := l.Ask(t.Context(), install)
	if err != nil || !a.Meaning.Used {
		t.Fatalf("%v, %+v", err, a.Meaning)
	}
	sent := strings.Join(n.facts, "\n")
	for _, piece := range []string{value[4:12], allowed[4:12], "Quiet", "heron", "hide it", "read this", "turn the", "from the folder"} {
		if strings.Contains(sent, piece) {
			t.Errorf("%q was sent", piece)
		}
	}
	if !strings.Contains(sent, "recipe3 ") || !strings.Contains(sent, "at ease") || len(n.facts) > answer.MaxRivals {
		t.Errorf("sent %d texts:\n%s", len(n.facts), sent)
	}
	for _, question := range []string{install + " " + value, install + " " + allowed, install + " for quiet heron"} {
		if _, err := l.Ask(t.Context(), question); err == nil {
			t.Error("a question that must not be shown was answered")
		}
	}
	if len(n.questions) != 1 {
		t.Errorf("sent %d questions", len(n.questions))
	}
}

// A hit that may be shown and not be sent keeps its place.
func TestAHitThatMayNotBeSentKeepsItsPlace(t *testing.T) {
	t.Parallel()
	allowed := token(42)
	found, err := checker.ScanText(t.Context(), testScanner(), "a/SKILL.md", allowed)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %d findings", err, len(found))
	}
	rule := checker.Allow{Rule: found[0].Rule, Path: "a/SKILL.md", Fingerprint: found[0].Fingerprint, Until: 740_000}
	gate := checker.NewGate(testScanner(), []checker.Allow{rule}, 740_000)
	files := map[string]string{"a/SKILL.md": strings.Replace(depot(), "use recipe1 of", "use "+allowed+" of", 1)}
	plain, err := open(t, files, gate).Ask(t.Context(), install)
	if err != nil {
		t.Fatal(err)
	}
	place := slices.IndexFunc(plain.Hits, func(h answer.Hit) bool { return strings.Contains(h.Fact.Entry().Text, allowed) })
	if place < 0 {
		t.Fatalf("it is not among the hits: %s", shown(t, plain))
	}
	for seed := range uint64(10) {
		a, err := open(t, files, gate).ByMeaning(chance(seed), 1000).Ask(t.Context(), install)
		if err != nil || at(a.Hits[place]) != at(plain.Hits[place]) || a.Hits[place].Alike != nil {
			t.Errorf("%v: %s", err, shown(t, a))
		}
	}
}

// Law 9 over the whole road: with any likenesses, what was refused is refused in the same
// words, what was answered is answered, lists are left alone, and no hit is one that
// the answer without meaning would have had to leave out.
func TestNoLikenessTurnsARefusalIntoAnAnswerOrBack(t *testing.T) {
	t.Parallel()
	value := token(43)
	files := map[string]string{
		"a/SKILL.md": depot(), "b/SKILL.md": parcels, "c/SKILL.md": "# C\n\nTo mend the clock of the tower use " + value + "\n\nTo mend the clock of the tower call somebody\n\nTo wind the clock of the church use " + value + "\n",
		"d/SKILL.md": "# Steps of the mill\n\nSteps of the mill:\n\n1. open the mill\n2. fill the mill\n3. close the mill\n",
	}
	questions := []string{install, "Which recipe of the depot installs the parcel tool?", "May parcels ship on Sundays?", "Which telescope shows the moons of Jupiter?",
		"How do I mend the clock of the tower?", "How do I wind the clock of the church?", "What are the steps of the mill?", "", "queue", "Is the tool of the parcels in the depot on Sundays?"}
	plain, near := open(t, files, testScanner()), open(t, files, testScanner())
	seen := map[string]int{}
	for _, q := range questions {
		want, err := plain.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(40) {
			n := chance(seed)
			got, err := near.ByMeaning(n, int(seed*25)).Ask(t.Context(), q)
			if err != nil || got.Answered != want.Answered || len(got.Hits) < len(want.Hits) {
				t.Fatalf("%q: %v, %s, without %s", q, err, shown(t, got), shown(t, want))
			}
			if (!want.Answered || want.List) && (shown(t, got) != shown(t, want) || len(n.facts) > 0) {
				t.Fatalf("%q: %s, without %s", q, shown(t, got), shown(t, want))
			}
			for _, h := range got.Hits {
				if h.Sure < answer.Floor/10_000.0 && !slices.ContainsFunc(want.Hits, func(w answer.Hit) bool { return at(w) == at(h) }) {
					t.Fatalf("%q: below the floor: %s", q, shown(t, got))
				}
			}
			if strings.Contains(shown(t, got)+strings.Join(n.facts, ""), value[4:12]) {
				t.Fatalf("%q: the value got out", q)
			}
		}
		switch {
		case want.List:
			seen["list"]++
		case want.Answered:
			seen["answered"]++
		default:
			seen["refused"]++
		}
	}
	if seen["list"] == 0 || seen["answered"] < 3 || seen["refused"] < 3 {
		t.Errorf("the questions are too much alike: %v", seen)
	}
}

// A name that no answer may hold is not sent, an answer that says "withheld" is left
// alone, and what comes in by meaning is marked as new like all else.
func TestMeaningUnderThePolicysRules(t *testing.T) {
	t.Parallel()
	rules := answer.Rules{Never: []string{"Quiet Heron"}, Markers: []string{"[REDACTED]"}}
	files := map[string]string{"a/SKILL.md": depot() + "\nTo install the parcel tool call quiet-heron.\n\nThe password of the depot is [REDACTED].\n\nThe password of the depot changes in each year that somebody leaves the company for good.\n"}
	n := likes("recipe11 ")
	l := open(t, files, testScanner()).Under(rules).ByMeaning(n, 100)
	old := fstest.MapFS{"a/SKILL.md": {Data: []byte(strings.Replace(depot(), "recipe11 ", "recipe12 ", 1))}}
	if err := l.Since(old, extractor.DefaultShape()); err != nil {
		t.Fatal(err)
	}
	a, err := l.Ask(t.Context(), install)
	if err != nil || !a.Meaning.Used || !a.Hits[0].New || a.Hits[1].New {
		t.Errorf("%v: %s", err, shown(t, a))
	}
	if sent := strings.Join(n.facts, "\n"); strings.Contains(sent, "heron") || !strings.Contains(sent, "recipe3 ") {
		t.Errorf("sent %s", sent)
	}
	before := len(n.questions)
	a, err = l.Ask(t.Context(), "What is the password of the depot?")
	if err != nil || !a.Withheld || len(a.Hits) != 1 || a.Meaning != nil || len(n.questions) != before {
		t.Errorf("%v: %s", err, shown(t, a))
	}
	if _, err := l.Ask(t.Context(), install+" for quiet heron"); !errors.Is(err, ErrNever) || len(n.questions) != before {
		t.Errorf("a question with a name: %v", err)
	}
}

// One question looks at no more than so many facts, however many would do.
func TestAQuestionLooksAtABoundedNumberOfFacts(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Depot\n")
	for n := range 300 {
		fmt.Fprintf(&b, "\nTo install the parcel tool use recipe%d of the depot.\n", n)
	}
	n := likes("recipe7 ")
	if _, err := open(t, map[string]string{"a/SKILL.md": b.String()}, testScanner()).ByMeaning(n, 100).Ask(t.Context(), install); err != nil || len(n.facts) != answer.MaxRivals {
		t.Errorf("%v, %d facts", err, len(n.facts))
	}
}

func TestAFactIsSentWithTheEndOfItsContext(t *testing.T) {
	t.Parallel()
	a := open(t, map[string]string{"a/SKILL.md": "# " + strings.Repeat("ärger ", 100) + "\n\n## Setup\n\nTo install the parcel tool:\n\n- call the depot\n"}, testScanner())
	got, err := a.Ask(t.Context(), "Which depot is called to install the parcel tool?")
	if err != nil || len(got.Hits) == 0 {
		t.Fatal(err, got.Refusal)
	}
	text := worded(got.Hits[0].Fact.Entry())
	around, last, _ := strings.Cut(text, "\n")
	if last != "call the depot" || len(around) > mostAround || !strings.HasSuffix(around, "› Setup › To install the parcel tool:") || strings.Contains(around, "�") {
		t.Errorf("%q", text)
	}
}
