package main

import (
	"fmt"
	"path"
	"time"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// ours is the index of package answer.
type ours struct {
	index *answer.Index
	at    map[string]int // "file:line" to the doc
}

func (o *ours) build(docs []doc) error {
	o.index = answer.NewIndex(skills(docs))
	o.at = make(map[string]int, len(docs))
	for i, d := range docs {
		for _, p := range d.fact.Places() {
			o.at[p.String()] = i
		}
	}
	return nil
}

// skills groups docs, which come skill by skill.
func skills(docs []doc) []answer.Skill {
	var out []answer.Skill
	for _, d := range docs {
		if n := len(out); n == 0 || out[n-1].Path != d.skill {
			out = append(out, answer.Skill{Path: d.skill, Name: path.Base(d.skill)})
		}
		s := &out[len(out)-1]
		s.Facts = append(s.Facts, d.fact)
	}
	return out
}

func (o *ours) ask(question string) ([]int, error) {
	var found []int
	for _, h := range o.index.Ask(question).Hits {
		i, ok := o.at[h.Fact.Places()[0].String()]
		if !ok {
			return nil, fmt.Errorf("a hit at %s, where no fact is", h.Fact.Places()[0])
		}
		found = append(found, i)
	}
	return found, nil
}

// reload stores the index and makes another of the bytes, which answers from then on.
func (o *ours) reload() (size int, took time.Duration, err error) {
	data, err := o.index.AppendBinary(nil)
	if err != nil {
		return 0, 0, err
	}
	for i := range repeats {
		start := time.Now()
		if o.index, err = answer.Load(data); err != nil {
			return 0, 0, err
		}
		if t := time.Since(start); i == 0 || t < took {
			took = t
		}
	}
	return len(data), took, nil
}

func (o *ours) close() error { return nil }

// order is the index of package answer asked for its order alone: nothing is judged,
// refused or cited.
type order struct {
	ours
	doc []int // by number of the fact
}

func (o *order) build(docs []doc) error {
	if err := o.ours.build(docs); err != nil {
		return err
	}
	o.doc = make([]int, o.index.Facts())
	o.index.Each(func(n int, _ string, f card.Fact) bool {
		o.doc[n] = o.at[f.Places()[0].String()]
		return true
	})
	return nil
}

func (o *order) ask(question string) (found []int, err error) {
	for _, n := range o.index.Ranked(question) {
		if len(found) < mostHits {
			found = append(found, o.doc[n])
		}
	}
	return found, nil
}
