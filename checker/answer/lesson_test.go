package answer

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// numbered finds the one fact that holds a text.
func numbered(t testing.TB, x *Index, text string) int {
	t.Helper()
	found := -1
	x.Each(func(n int, _ string, f card.Fact) bool {
		if strings.Contains(f.Entry().Text, text) {
			found = n
		}
		return true
	})
	if found < 0 {
		t.Fatalf("no fact holds %q", text)
	}
	return found
}

// taught is the index with lessons.
func taught(t interface{ Fatal(...any) }, x *Index, lessons []Lesson) *Index {
	y, err := x.Taught(context.Background(), lessons)
	if err != nil {
		t.Fatal(err)
	}
	return y
}

func TestATaughtQuestionIsAnswered(t *testing.T) {
	t.Parallel()
	x := mailbox(t)
	const question = "May bulk erasure go by elapsed days?"
	fact := numbered(t, x, "limited only by age")
	if a := x.Ask(question); a.Answered {
		t.Fatalf("answered before: %s", Text(a, nil))
	}
	y := taught(t, x, []Lesson{{Text: question, Line: 7, Facts: []int{fact}}})
	for name, c := range map[string]struct {
		question string
		answered bool
	}{
		"the question":                        {question, true},
		"its words in another order and form": {"bulk erasures by days that elapse", true},
		"a word misspelt":                     {"May bulk erasuer go by elapsed days?", false}, // it is no word of the index
		"less than half of it":                {"days?", false},
		"another word in its place":           {"May bulk erasure go by elapsed weeks?", false},
		"one word more":                       {"May bulk erasure go by elapsed days offline?", false},
		"the opposite":                        {"May bulk erasure not go by elapsed days?", false},
		"a word more that the fact holds":     {"May bulk erasure of trash go by elapsed days?", true},
	} {
		a := y.Ask(c.question)
		if a.Answered != c.answered {
			t.Errorf("%s: answered is %v\n%s", name, a.Answered, Explain(a))
		}
		if a.Answered && (a.Hits[0].Number != fact || a.Hits[0].Lesson != 7) {
			t.Errorf("%s: answered by %q of line %d", name, a.Hits[0].Fact.Entry().Text, a.Hits[0].Lesson)
		}
	}
	if text := Explain(y.Ask(question)); !strings.Contains(text, "erasure: 0.70 of 0.2500, by a question of the suite") || !strings.Contains(text, "taught by line 7") {
		t.Errorf("not explained:\n%s", text)
	}
	if a := x.Ask(question); a.Answered {
		t.Error("the index that was taught from is changed")
	}
}

// A name that stands in no document is no reason to doubt a fact that was taught it,
// and stays one for every other fact.
func TestATaughtName(t *testing.T) {
	t.Parallel()
	x := mailbox(t)
	const question = "Does the Heron crane accept a trash rule?"
	fact := numbered(t, x, "limited only by age")
	y := taught(t, x, []Lesson{{Text: question, Line: 1, Facts: []int{fact}}})
	a := y.Ask(question)
	if !a.Answered || a.Hits[0].Number != fact {
		t.Fatalf("not answered by the fact:\n%s", Explain(a))
	}
	for _, h := range a.Hits[1:] {
		if h.Lesson != 0 || h.Sure >= a.Hits[0].Sure {
			t.Errorf("%q is lifted too", h.Fact.Entry().Text)
		}
	}
}

// What is taught to the members of a list takes nothing from the list: by their
// lessons they cover more of the question than the list does.
func TestATaughtListStaysOne(t *testing.T) {
	t.Parallel()
	mail := readSkill(t, "testdata/mailbox.txt")
	for i, text := range []string{"courier bags are sealed", "courier vans are locked", "courier names are noted"} {
		mail.Facts = append(mail.Facts, fact(t, mail.Path, 100+i, "refusals", "bullet", "Courier customs restrictions", text))
	}
	for i := range 15 {
		mail.Facts = append(mail.Facts, fact(t, mail.Path, 200+i, "setup", "bullet", "Other", strings.Repeat("plain ", i+1)+"text"))
	}
	x := NewIndex([]Skill{mail})
	const question = "What are the courier customs restrictions overseas?"
	before := x.Ask(question)
	if !before.List || len(before.Hits) != 3 {
		t.Fatalf("no list:\n%s", Text(before, nil))
	}
	var facts []int
	for _, h := range before.Hits {
		facts = append(facts, h.Number)
	}
	after := taught(t, x, []Lesson{{Text: question, Line: 1, Facts: facts}}).Ask(question)
	if !after.List || cmp.Diff(Text(before, nil), Text(after, nil)) != "" || after.Hits[0].Lesson != 1 {
		t.Errorf("before:\n%s\nafter:\n%s", Text(before, nil), Text(after, nil))
	}
}

// A doubt stays one: a figure is asked for and the fact holds none (law 9).
func TestALessonReplacesNoFigure(t *testing.T) {
	t.Parallel()
	x := mailbox(t)
	const question = "How many elapsed days until bulk erasure?"
	y := taught(t, x, []Lesson{{Text: question, Line: 1, Facts: []int{numbered(t, x, "limited only by age")}}})
	if a := y.Ask(question); a.Answered {
		t.Errorf("a fact without a figure answers:\n%s", Explain(a))
	}
}

// Whatever is taught: the same question with its rarest word replaced by one that
// stands nowhere is judged as if nothing had been taught, and so is every
// question that shares no word with a lesson.
func TestNearMissesOfLessonsStayAsTheyWere(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 6))
	x := NewIndex(fixtures(t))
	var vocabulary []string
	x.Each(func(_ int, _ string, f card.Fact) bool {
		for w := range strings.FieldsFuncSeq(f.Entry().Text, func(c rune) bool { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') }) {
			vocabulary = append(vocabulary, strings.ToLower(w))
		}
		return true
	})
	vocabulary = append(vocabulary, "zebra", "quartz", "obelisk", "mango", "turbine", "Falcon")
	for range 2000 {
		var words []string
		for range 2 + rnd.IntN(6) {
			words = append(words, vocabulary[rnd.IntN(len(vocabulary))])
		}
		question := strings.Join(words, " ")
		var facts []int
		for range 1 + rnd.IntN(3) {
			facts = append(facts, rnd.IntN(x.Facts()))
		}
		y := taught(t, x, []Lesson{{Text: question, Line: 1, Facts: facts}})
		rarest, weight := "", -1
		for _, term := range x.query(question).terms {
			if !term.part && term.weight > weight {
				rarest, weight = term.surface, term.weight
			}
		}
		if rarest == "" {
			continue
		}
		miss := strings.ReplaceAll(strings.ToLower(question), rarest, "xylograph")
		if before, after := x.Ask(miss), y.Ask(miss); cmp.Diff(before.Form(), after.Form()) != "" {
			t.Fatalf("%q taught, %q: %v, then %v", question, miss, before.Answered, after.Answered)
		}
		for _, other := range questions {
			before, after := x.Ask(other), y.Ask(other)
			if before.Answered && !after.Answered {
				t.Fatalf("%q taught, and %q is refused", question, other)
			}
		}
	}
}

func TestLessonsAreDeterministic(t *testing.T) {
	t.Parallel()
	x := NewIndex(fixtures(t))
	lessons := []Lesson{
		{Text: "bulk erasure by elapsed days", Line: 1, Facts: []int{3, 1, 2}},
		{Text: "elapsed days of bulk erasure", Line: 2, Facts: []int{9, 4}},
	}
	want := ""
	for range 20 {
		got, err := json.Marshal(taught(t, x, lessons).Ask("bulk erasure elapsed days"))
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = string(got)
		}
		if string(got) != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

func TestRankAndSame(t *testing.T) {
	t.Parallel()
	x := NewIndex(fixtures(t))
	fact := numbered(t, x, "limited only by age")
	place, sure := x.Rank(x.Ask("trash rule limited by age"), "trash rule limited by age", []int{fact})
	if place < 1 || place > 2 || sure < Floor/10_000.0 {
		t.Errorf("ranked %d with %v", place, sure)
	}
	if place, _ := x.Rank(x.Ask("zebra"), "zebra", []int{0, 1, fact}); place != 0 {
		t.Errorf("a question that meets nothing ranks a fact %dth", place)
	}
	twins := 0
	for n := range x.Facts() {
		if x.Same(n, fact) {
			twins++
		}
	}
	if twins != 2 { // itself and the copy in another skill
		t.Errorf("%d facts are the same", twins)
	}
}
