package suite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// synthetic are n skills of forty facts, and a file of questions about them, as
// large as a large repository and its suite.
func synthetic(b *testing.B, n, asked int) ([]answer.Skill, []Question) {
	b.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rnd, 1.1, 4, 20000)
	words := func(k int) string {
		out := make([]string, k)
		for i := range out {
			out[i] = fmt.Sprintf("w%ding", zipf.Uint64())
		}
		return strings.Join(out, " ")
	}
	var skills []answer.Skill
	var questions []Question
	for i := range n {
		s := answer.Skill{Path: fmt.Sprintf("skills/s%d", i), Name: fmt.Sprintf("s%d", i)}
		for j := range 40 {
			e := card.Entry{Section: card.Commands, File: "SKILL.md", Kind: card.Bullet, Text: words(14), Context: card.Context{{Role: card.Heading, Text: words(3)}}}
			f, err := card.Ground(e, card.ByHeading, card.Place{File: s.Path + "/SKILL.md", First: j + 1, Last: j + 1})
			if err != nil {
				b.Fatal(err)
			}
			s.Facts = append(s.Facts, f)
		}
		skills = append(skills, s)
		if i < asked {
			text := s.Facts[3].Entry().Text
			questions = append(questions, Question{ID: fmt.Sprint(i), Line: i + 1, Question: strings.Join(strings.Fields(text)[:5], " ") + " " + words(2),
				Expect: []Reference{{Text: text, Skill: s.Path}}})
		}
	}
	return skills, questions
}

// BenchmarkSuite is one side of a check: 200 questions over 10,000 skills.
func BenchmarkSuite(b *testing.B) {
	skills, questions := synthetic(b, 10000, 200)
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			answer.NewIndex(skills)
		}
	})
	x := answer.NewIndex(skills)
	b.Run("resolve", func(b *testing.B) {
		for b.Loop() {
			resolved(b, x, questions)
		}
	})
	e := resolved(b, x, questions)
	b.Run("teach", func(b *testing.B) {
		for b.Loop() {
			teach(b, e)
		}
	})
	y, _ := teach(b, e)
	b.Run("run", func(b *testing.B) {
		for b.Loop() {
			outcomes(b, e, y)
		}
	})
}
