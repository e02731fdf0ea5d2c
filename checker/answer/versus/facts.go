package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A doc is one fact as each engine gets it.
type doc struct {
	skill, file string // the skill's folder; the file below it
	context     []string
	text        string
	first, last int // lines
	fact        card.Fact
}

// around is the context as one text, for engines that know fields alone.
func (d doc) around() string {
	return strings.Join(d.context, " ") + " " + strings.ReplaceAll(d.skill, "/", " ") + " " + d.file
}

// What was counted: words of a fact, facts of a skill, facts under one context,
// by tenths of all (the 0th to the 10th; the last is the 99th hundredth).
var (
	wordsOfFact   = [...]int{1, 3, 4, 5, 7, 9, 11, 14, 19, 28, 68}
	factsOfSkill  = [...]int{20, 48, 66, 85, 104, 124, 150, 190, 260, 382, 920}
	factsOfScope  = [...]int{1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 22}
	wordsOfScope  = [...]int{2, 5, 6, 8, 9, 10, 11, 13, 14, 17, 31}
	general       = 20_000 // words that many skills share; the rest of a vocabulary is each skill's own
	ownWords      = 64     // words that only one skill has
	topicWords    = 150    // general words that a skill prefers
	shareTopic    = 0.35
	shareOwn      = 0.08
	shareJoined   = 0.05 // words that are identifiers of two
	lettersOfName = "bcdfghjklmnprstvwz"
)

// A maker makes facts. The same seed and number make the same facts.
type maker struct {
	rnd    *rand.Rand
	common []string  // general words, the most frequent first
	sums   []float64 // running sum of their frequencies
	names  int       // made-up words so far
}

// newMaker takes the general words, the most frequent first.
func newMaker(seed uint64, words []string) *maker {
	m := &maker{rnd: rand.New(rand.NewPCG(seed, 7))}
	m.common = append(strings.Fields(functionWords), words...)
	for i := 0; len(m.common) < general; i++ {
		m.common = append(m.common, m.name())
	}
	m.common = m.common[:general]
	sum := 0.0
	for r := range m.common {
		sum += frequency(float64(r + 1))
		m.sums = append(m.sums, sum)
	}
	return m
}

// functionWords carry no subject. They lead the list, as in any English text.
const functionWords = `the a to and of in for is with that it on as be this from by or not are you an if when
	at use your can do all each no has only will which one any then must before after how what where into its
	out than so but there more other these they we should may does was would about up`

// frequency is how often the word of a rank stands in a text, unscaled: the
// slope grows from 0.6 over 0.9 to 1.5, as it was counted.
func frequency(rank float64) float64 {
	switch {
	case rank <= 100:
		return math.Pow(rank, -0.6)
	case rank <= 1000:
		return math.Pow(100, -0.6) * math.Pow(rank/100, -0.89)
	default:
		return math.Pow(100, -0.6) * math.Pow(10, -0.89) * math.Pow(rank/1000, -1.5)
	}
}

// drawn takes a number from tenths, even between them.
func (m *maker) drawn(tenths [11]int) int {
	i := m.rnd.IntN(10)
	return tenths[i] + m.rnd.IntN(max(1, tenths[i+1]-tenths[i]+1))
}

// name makes up a word that nobody else has.
func (m *maker) name() string {
	var b strings.Builder
	n := m.names
	m.names++
	for range 3 {
		b.WriteByte(lettersOfName[n%len(lettersOfName)])
		n /= len(lettersOfName)
		b.WriteByte("aeiou"[n%5])
		n /= 5
	}
	if n > 0 {
		b.WriteString(fmt.Sprint(n))
	}
	return b.String()
}

// A topic is the words that one skill prefers.
type topic struct{ shared, own []string }

func (m *maker) topic() topic {
	var t topic
	for range topicWords {
		t.shared = append(t.shared, m.common[60+m.rnd.IntN(len(m.common)-60)])
	}
	for range ownWords {
		t.own = append(t.own, m.name())
	}
	return t
}

// word draws a word as a text of the topic holds it, in one of its forms.
func (m *maker) word(t topic) string {
	w := ""
	switch p := m.rnd.Float64(); {
	case p < shareTopic:
		w = t.shared[int(float64(len(t.shared))*math.Pow(m.rnd.Float64(), 2))]
	case p < shareTopic+shareOwn:
		w = t.own[int(float64(len(t.own))*math.Pow(m.rnd.Float64(), 2))]
	default:
		at := m.rnd.Float64() * m.sums[len(m.sums)-1]
		r := sort.SearchFloat64s(m.sums, at)
		if r < 60 {
			return m.common[r]
		}
		w = m.common[r]
	}
	switch p := m.rnd.Float64(); {
	case p < shareJoined:
		return w + "_" + t.own[m.rnd.IntN(len(t.own))]
	case p < .25:
		return w + "s"
	case p < .33:
		return w + "ing"
	case p < .41:
		return w + "ed"
	}
	return w
}

func (m *maker) phrase(t topic, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = m.word(t)
	}
	return strings.Join(words, " ")
}

// make returns n facts.
func (m *maker) make(n int) ([]doc, error) {
	docs := make([]doc, 0, n)
	for s := 0; len(docs) < n; s++ {
		t := m.topic()
		skill := fmt.Sprintf("skills/%s-%s", m.common[60+m.rnd.IntN(2000)], t.own[0])
		end := min(n, len(docs)+m.drawn(factsOfSkill))
		for line := 1; len(docs) < end; {
			words := m.drawn(wordsOfScope)
			context := []string{m.phrase(t, max(1, words/3)), m.phrase(t, max(1, words/3)), m.phrase(t, max(1, words/3))}
			for range min(m.drawn(factsOfScope), end-len(docs)) {
				d := doc{skill: skill, file: "SKILL.md", context: context, text: m.phrase(t, m.drawn(wordsOfFact)), first: line, last: line}
				if err := d.ground(m.rnd.IntN(5), m.rnd.IntN(3)); err != nil {
					return nil, err
				}
				docs = append(docs, d)
				line++
			}
		}
	}
	return docs, nil
}

// ground makes the doc the fact that package answer takes.
func (d *doc) ground(section, kind int) (err error) {
	e := card.Entry{Section: card.Sections()[section], File: d.file, Text: d.text,
		Kind: []card.Kind{card.Bullet, card.Paragraph, card.Code}[kind]}
	for _, c := range d.context {
		e.Context = append(e.Context, card.Element{Role: card.Heading, Text: c})
	}
	d.fact, err = card.Ground(e, card.ByHeading, card.Place{File: d.skill + "/" + d.file, First: d.first, Last: d.last})
	return err
}
