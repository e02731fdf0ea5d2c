package answer

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// plain is the shortlist as it is found without any shortcut: every fact is looked at.
func (r *reading) plain() (best []ranked) {
	for id := range r.x.facts {
		if c := r.look(id); c.held() {
			best = append(best, ranked{rank: c.rank, id: uint32(id)})
		}
	}
	slices.SortFunc(best, func(a, b ranked) int {
		return better(candidate{rank: a.rank, id: int(a.id)}, candidate{rank: b.rank, id: int(b.id)})
	})
	return best[:min(shortlist, len(best))]
}

// plainList is the list that fits best, likewise, if it may answer.
func (r *reading) plainList() (members []int) {
	best, most := -1, 0
	for n := range r.x.groups {
		if fit, ok := r.fit(n); ok && (best < 0 || fit > most) {
			best, most = n, fit
		}
	}
	if best < 0 || r.x.groupSure([]*reading{r}, best) < r.q.leastList() {
		return nil
	}
	for n, g := range r.x.groups {
		of := r.x.groups[best]
		if fit, ok := r.fit(n); n == best || ok && fit >= most*siblingShare/full && g.heading == of.heading && g.denies == of.denies {
			for id, f := range r.x.facts {
				if int(f.group) == n {
					members = append(members, id)
				}
			}
		}
	}
	slices.Sort(members)
	return members
}

// same compares a search with the plain one.
func same(x *Index, question string) error {
	r := x.read(question)
	defer r.done()
	var found []ranked
	for _, c := range r.found {
		found = append(found, ranked{rank: c.rank, id: uint32(c.id)})
	}
	if diff := cmp.Diff(r.plain(), found, cmp.AllowUnexported(ranked{})); diff != "" {
		return fmt.Errorf("-plain +found\n%s", diff)
	}
	if !r.q.lists {
		return nil
	}
	members, _ := x.list([]*reading{r})
	if diff := cmp.Diff(r.plainList(), members); diff != "" {
		return fmt.Errorf("list: -plain +found\n%s", diff)
	}
	return nil
}

// vocabulary is few words, so that they meet often, of every sort that is read otherwise.
var vocabulary = strings.Fields("apply label rule rules parcel parcels zone queue set up setup the never 30 dry-run --dry-run FALCON_KEY " +
	"draftGate remove delete erase carrier weigh spool cache emptied stage stages flag `run` 安装 配置 of a which")

func phrases(least, most int) *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(rapid.SampledFrom(vocabulary), least, most), func(w []string) string { return strings.Join(w, " ") })
}

// made draws skills, and so an index.
func made(t *rapid.T) []Skill {
	kinds := []card.Kind{card.Bullet, card.Step, card.Paragraph, card.Code, card.Field, card.Row, card.Example}
	var skills []Skill
	for i := range rapid.IntRange(1, 4).Draw(t, "skills") {
		s := Skill{Path: fmt.Sprint("skills/s", i), Name: rapid.SampledFrom([]string{"dry-run", "parcel-zone", "cache", "FALCON_KEY"}).Draw(t, "name")}
		for line := range rapid.IntRange(0, 60).Draw(t, "facts") {
			sections := card.Sections()
			e := card.Entry{
				Section: rapid.SampledFrom(sections[:]).Draw(t, "section"), File: rapid.SampledFrom([]string{"SKILL.md", "rules.md"}).Draw(t, "file"),
				Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Text: phrases(1, 14).Draw(t, "text"),
			}
			for range rapid.IntRange(0, 3).Draw(t, "depth") {
				role := rapid.SampledFrom([]card.Role{card.Heading, card.Lead, card.Columns, card.Label, card.Item}).Draw(t, "role")
				e.Context = append(e.Context, card.Element{Role: role, Text: phrases(1, 3).Draw(t, "context")})
			}
			f, err := card.Ground(e, card.ByHeading, card.Place{File: s.Path + "/" + e.File, First: line + 1, Last: line + 1})
			if err != nil {
				t.Fatal(err)
			}
			s.Facts = append(s.Facts, f)
		}
		skills = append(skills, s)
	}
	return skills
}

// Law 11: the answer is the same as if every fact had been looked at.
func TestTheSearchFindsWhatAPlainOneFinds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := NewIndex(made(t))
		if rapid.Bool().Draw(t, "markers") {
			x = x.Keeping([]string{"never", "30"})
		}
		if rapid.Bool().Draw(t, "lessons") && x.Facts() > 0 {
			facts := rapid.SliceOfN(rapid.IntRange(0, x.Facts()-1), 1, 4).Draw(t, "taught")
			x = taught(t, x, []Lesson{{Text: phrases(1, 3).Draw(t, "lesson"), Line: 1, Facts: facts}})
		}
		for range 5 {
			question := rapid.SampledFrom([]string{"", "what are the ", "how many ", "which "}).Draw(t, "asks") + phrases(1, 40).Draw(t, "question")
			if err := same(x, question); err != nil {
				t.Fatalf("%q: %v", question, err)
			}
		}
	})
}

func TestNoFactRanksAboveWhatItsMarksAllow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := NewIndex(made(t))
		r := x.read(phrases(1, 40).Draw(t, "question"))
		defer r.done()
		r.m.ceiling.open(&r.q)
		own, around := make([]uint64, len(x.facts)), make([]uint64, len(x.scopes))
		for _, s := range r.senses {
			for _, f := range x.holders.row(int(s.id)) {
				own[f] |= bitOf(s.term, s.match)
			}
			for _, at := range x.around.row(int(s.id)) {
				around[at] |= bitOf(s.term, s.match)
			}
		}
		for id := range x.facts {
			near, form := around[x.stands[id].scope], r.q.form(x, uint32(id))
			rank := r.look(id).rank
			if most := r.most(own[id], 0, near, form); rank > most {
				t.Fatalf("fact %d: rank %d, at most %d", id, rank, most)
			}
			sure := own[id] & rapid.Uint64().Draw(t, "sure")
			if most := r.most(sure, own[id]|own[(id+1)%len(own)], near, form); rank > most {
				t.Fatalf("fact %d: rank %d, at most %d where not all is known", id, rank, most)
			}
		}
	})
}

func TestTheOrderAloneBeginsWithTheAnswer(t *testing.T) {
	t.Parallel()
	x := NewIndex(fixtures(t))
	a := x.Ask("what does apply refuse")
	order := x.Ranked("what does apply refuse")
	if !a.Answered || len(order) == 0 || order[0] != a.Hits[0].Number {
		t.Errorf("answered %v, order %v", a.Answered, order)
	}
	if order := x.Ranked("zebra"); len(order) != 0 {
		t.Errorf("facts %v hold a word that stands nowhere", order)
	}
}

// An index holds of a fact what reading its text gives.
func TestAnIndexHoldsTheTermsOfEachText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := NewIndex(made(t))
		read := reader{lex: x.lex, stems: stemmer{}}
		for id := range x.facts {
			e, want := x.texts.fact(id).Entry(), map[string]int{}
			if speaks(e) {
				read.each(read.words(e.Text), func(term string) { want[term]++ })
			}
			got := map[string]int{}
			for i, term := range x.own.row(id) {
				got[x.words.word(int(term))] = int(x.times[int(x.own.start[id])+i])
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%q: %s", e.Text, diff)
			}
		}
	})
}

// The questions of the development set over one of their collections.
func TestTheSearchFindsWhatAPlainOneFindsInTheCollections(t *testing.T) {
	t.Parallel()
	const shared = "../../../shared"
	f, err := os.Open(shared + "/qa/dev.jsonl")
	if err != nil {
		t.Skip("SKIP: no questions and collections beside the repository")
	}
	defer f.Close()
	x := collection(t, shared+"/corpora/obra+superpowers")
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var q struct{ Corpus, Question string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal("a question that is no JSON")
		}
		if err := same(x, q.Question); err != nil {
			t.Errorf("%q: %v", q.Question, err)
		}
	}
}

// collection is the index of a folder's skills.
func collection(t *testing.T, folder string) *Index {
	t.Helper()
	tree, err := extractor.Extract(os.DirFS(folder), extractor.DefaultShape())
	if err != nil {
		t.Skip("SKIP: no collection beside the repository")
	}
	var skills []Skill
	for _, s := range tree.Skills {
		skills = append(skills, Skill{Path: s.Path, Name: path.Base(s.Path), Facts: slices.Concat(s.Facts, s.Rest)})
	}
	return NewIndex(skills)
}
