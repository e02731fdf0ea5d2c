package answer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// place is where a hit stands: no two hits of an answer share it.
func place(h Hit) string { return h.Skill + " " + h.Fact.Places()[0].String() }

func placesOf(hits []Hit) (out []string) {
	for _, h := range hits {
		out = append(out, place(h))
	}
	return out
}

// crowd is an index of many facts that say nearly the same, so that more pass the
// floor than an answer cites.
func crowd(t testing.TB) *Index {
	t.Helper()
	s := Skill{Path: "skills/crowd", Name: "crowd"}
	for n := range 60 {
		text := fmt.Sprintf("the %s restarts the queue %s", []string{"daemon", "worker", "server"}[n%3], strings.Repeat("slowly ", n%7)) + fmt.Sprint("case", n)
		s.Facts = append(s.Facts, fact(t, s.Path, n+1, "troubleshooting", "paragraph", "Queue", text))
	}
	return NewIndex(append(fixtures(t), s))
}

func crowdQuestions() []string {
	return append(slices.Clone(questions), "how does the daemon restart the queue", "when does the worker restart", "who restarts the queue", "why does the moon restart the queue", "is the queue restarted slowly")
}

// Rivals begin with the answer's own hits, and hold none that the floor keeps out.
func TestRivalsAreTheAnswerAndWhatPassesTheFloor(t *testing.T) {
	t.Parallel()
	x := crowd(t)
	more := 0
	for _, q := range crowdQuestions() {
		a, rivals := x.Ask(q), x.Rivals(q)
		if !a.Answered || a.List {
			continue
		}
		if len(rivals) > MaxRivals || len(rivals) < len(a.Hits) || rivals[0].Keyword != scale {
			t.Fatalf("%s: %d rivals of %d hits", q, len(rivals), len(a.Hits))
		}
		for i, r := range rivals {
			if i < len(a.Hits) && place(r.Hit) != place(a.Hits[i]) {
				t.Errorf("%s: rival %d is no hit", q, i+1)
			}
			if i >= len(a.Hits) && r.Sure < Floor/10_000.0 {
				t.Errorf("%s: rival %d is below the floor: %.4f", q, i+1, r.Sure)
			}
			if i > 0 && r.Keyword > rivals[i-1].Keyword {
				t.Errorf("%s: rival %d scores higher than the one before", q, i+1)
			}
		}
		if all := placesOf(hitsOf(rivals)); len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
			t.Errorf("%s: one stands twice", q)
		}
		more = max(more, len(rivals)-len(a.Hits))
	}
	if more < 10 {
		t.Errorf("only %d rivals beside the hits: nothing to choose from", more)
	}
	if got := x.Rivals(strings.Repeat("x", MaxQuestion+1)); got != nil {
		t.Errorf("%d rivals of a long question", len(got))
	}
}

func hitsOf(rivals []Rival) (hits []Hit) {
	for _, r := range rivals {
		hits = append(hits, r.Hit)
	}
	return hits
}

// Law 9: whatever the likenesses are, an answer stays one, cites as many facts, each
// of which passes the floor by itself or was cited before; and one that nobody asked
// about keeps its place.
func TestMeaningOnlyOrders(t *testing.T) {
	t.Parallel()
	x := crowd(t)
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.SampledFrom(crowdQuestions()).Draw(t, "question")
		a := x.Ask(q)
		if !a.Answered || a.List {
			t.Skip("not answered, or with a list")
		}
		rivals := x.Rivals(q)
		for i := range rivals {
			rivals[i].Alike = rapid.IntRange(-100, 100).Draw(t, "alike")
			rivals[i].Known = rapid.IntRange(0, 9).Draw(t, "known") > 0
		}
		before := slices.Clone(rivals)
		weight := rapid.IntRange(0, 1000).Draw(t, "weight")
		hits := ByMeaning(rivals, weight)
		if len(hits) != len(a.Hits) {
			t.Fatalf("%d hits of %d", len(hits), len(a.Hits))
		}
		own := placesOf(a.Hits)
		for i, h := range hits {
			if h.Sure < Floor/10_000.0 && !slices.Contains(own, place(h)) {
				t.Fatalf("hit %d came in below the floor: %.4f", i+1, h.Sure)
			}
			if (h.Alike != nil) != knownIn(rivals, h) {
				t.Fatalf("hit %d shows a likeness that nobody asked for, or hides one", i+1)
			}
		}
		for i, r := range rivals[:len(hits)] {
			if !r.Known && place(hits[i]) != place(r.Hit) {
				t.Fatalf("an unknown one left its place %d", i+1)
			}
		}
		if diff := cmp.Diff(placesOf(hitsOf(before)), placesOf(hitsOf(rivals))); diff != "" {
			t.Fatal("the rivals were moved")
		}
		if weight == 0 && !slices.Equal(placesOf(hits), own) {
			t.Fatal("no weight moves nothing")
		}
	})
}

func knownIn(rivals []Rival, h Hit) bool {
	return slices.ContainsFunc(rivals, func(r Rival) bool { return r.Known && place(r.Hit) == place(h) })
}

// order = keyword + weight * alike: how far meaning reaches follows from the weight.
func TestTheWeightSaysHowMuchMeaningCounts(t *testing.T) {
	t.Parallel()
	all := crowd(t).Rivals("how does the daemon restart the queue")
	if len(all) < 8 {
		t.Fatalf("%d rivals", len(all))
	}
	for _, tc := range []struct {
		sentence       string
		keyword, alike [3]int
		weight         int
		want           [3]int
	}{
		{"nothing is moved without weight", [3]int{10000, 5000, 0}, [3]int{0, 50, 100}, 0, [3]int{0, 1, 2}},
		{"half a cosine is half of the keyword score", [3]int{10000, 5100, 4900}, [3]int{0, 50, 50}, 100, [3]int{1, 0, 2}},
		{"half a weight moves half as far", [3]int{10000, 7600, 7400}, [3]int{0, 50, 50}, 50, [3]int{1, 0, 2}},
		{"opposites lose as much", [3]int{10000, 5100, 4900}, [3]int{-50, 0, 0}, 100, [3]int{1, 0, 2}},
		{"equals keep the order of the words", [3]int{10000, 9900, 9900}, [3]int{0, 1, 1}, 100, [3]int{0, 1, 2}},
		{"much weight leaves the words no say", [3]int{10000, 10, 0}, [3]int{10, 20, 30}, 1000, [3]int{2, 1, 0}},
	} {
		rivals := slices.Clone(all[:3])
		for i := range rivals {
			rivals[i].Keyword, rivals[i].Alike, rivals[i].Known = tc.keyword[i], tc.alike[i], true
		}
		var want []string
		for _, i := range tc.want {
			want = append(want, place(rivals[i].Hit))
		}
		if got := placesOf(ByMeaning(rivals, tc.weight)); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", tc.sentence, got, want)
		}
	}
}

// A fact from behind the first five gets among them, and shows why.
func TestANearerFactGetsIn(t *testing.T) {
	t.Parallel()
	x := crowd(t)
	const q = "how does the daemon restart the queue"
	rivals := x.Rivals(q)
	last := len(rivals) - 1
	for i := range rivals {
		rivals[i].Known = true
	}
	rivals[last].Alike = 100
	a := x.Ask(q)
	a.Hits, a.Meaning = ByMeaning(rivals, evenWeight), &Meaning{Used: true, Facts: len(rivals)}
	if place(a.Hits[0]) != place(rivals[last].Hit) {
		t.Errorf("first is %s, want %s", place(a.Hits[0]), place(rivals[last].Hit))
	}
	text := Explain(a)
	if !strings.Contains(text, "meaning 1.00") || !strings.Contains(text, fmt.Sprintf("meaning search put %d facts in order", len(rivals))) {
		t.Error(text)
	}
	f := a.Form()
	if f.Meaning == nil || !f.Meaning.Used || f.Hits[0].Alike == nil || *f.Hits[0].Alike != 1 {
		t.Errorf("%+v", f)
	}
	a.Meaning = &Meaning{Facts: 7, Why: "the server\x1b[31m does not answer"}
	if text := Explain(a); !strings.Contains(text, "without meaning search: the server[31m does not answer\n") {
		t.Errorf("%q", text)
	}
}

// evenWeight makes a whole cosine worth as much as the best keyword score.
const evenWeight = 100

func BenchmarkRivals(b *testing.B) {
	x := crowd(b)
	for b.Loop() {
		if len(x.Rivals("how does the daemon restart the queue")) == 0 {
			b.Fatal("none")
		}
	}
}

func BenchmarkByMeaning(b *testing.B) {
	rivals := crowd(b).Rivals("how does the daemon restart the queue")
	r := rand.New(rand.NewPCG(1, 1))
	for i := range rivals {
		rivals[i].Known, rivals[i].Alike = true, r.IntN(100)
	}
	for b.Loop() {
		ByMeaning(rivals, 100)
	}
}
