package answer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// synthetic returns n facts of made-up words whose frequencies fall as those of
// a language do, a hundred facts a skill.
func synthetic(b *testing.B, n int) []Skill {
	b.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rnd, 1.1, 4, 20000)
	words := func(k int) string {
		out := make([]string, k)
		for i := range out {
			out[i] = fmt.Sprintf("w%sing", strings.Repeat("x", int(zipf.Uint64()%3))+fmt.Sprint(zipf.Uint64()))
		}
		return strings.Join(out, " ")
	}
	var skills []Skill
	for i := range n {
		if i%100 == 0 {
			skills = append(skills, Skill{Path: fmt.Sprintf("skills/s%d", i/100), Name: words(2)})
		}
		s := &skills[len(skills)-1]
		e := card.Entry{Section: card.Commands, File: "SKILL.md", Kind: card.Bullet, Text: words(15),
			Context: card.Context{{Role: card.Heading, Text: words(3)}}}
		f, err := card.Ground(e, card.ByHeading, card.Place{File: s.Path + "/SKILL.md", First: i + 1, Last: i + 1})
		if err != nil {
			b.Fatal(err)
		}
		s.Facts = append(s.Facts, f)
	}
	return skills
}

func BenchmarkAsk(b *testing.B) {
	for _, n := range []int{1000, 50000} {
		x := NewIndex(synthetic(b, n))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				x.Ask(fmt.Sprintf("how does w%ding set wx%ding for w%ding and wxx%ding", i%50, i%300, i%2000, i%9000))
			}
		})
	}
}

func BenchmarkNewIndex(b *testing.B) {
	for _, n := range []int{1000, 50000} {
		skills := synthetic(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				NewIndex(skills)
			}
		})
	}
}

// BenchmarkStored is what a stored index saves: one is made, stored, loaded, and brought
// up to one changed skill.
func BenchmarkStored(b *testing.B) {
	for _, n := range []int{1000, 50000} {
		skills := synthetic(b, n)
		x := NewIndex(skills)
		data := stored(b, x)
		b.Run(fmt.Sprint("store ", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				stored(b, x)
			}
		})
		b.Run(fmt.Sprint("load ", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				loaded(b, data)
			}
		})
		b.Run(fmt.Sprint("revise ", n), func(b *testing.B) {
			for b.Loop() {
				x.Revised(skills[1:2], func(string) bool { return false })
			}
		})
	}
}
