package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// A query is a question and the docs that answer it.
type query struct {
	text  string
	right func(d doc) bool
}

// frames are what people write around the words that they look for.
var frames = [...]string{"how do I %", "what does % do", "which % is it", "% ?", "when must % be used", "is there a way to %",
	"where do I find %", "why does % fail", "what are the %", "%"}

// queries makes n questions, each of one fact: some of its words in their order,
// now and then one of its context, a fifth of them in another form, a twentieth
// misspelt, and a stranger in one question of ten.
func queries(seed uint64, docs []doc, n int) []query {
	rnd := rand.New(rand.NewPCG(seed, 11))
	var out []query
	for tries := 0; len(out) < n && tries < 100*n; tries++ {
		d := docs[rnd.IntN(len(docs))]
		words := informative(d.text)
		if len(words) < 4 {
			continue
		}
		wanted := 3 + rnd.IntN(4)
		for len(words) > wanted {
			i := rnd.IntN(len(words))
			words = slices.Delete(words, i, i+1)
		}
		for i, w := range words {
			words[i] = reworded(rnd, w)
		}
		if around := informative(strings.Join(d.context, " ")); len(around) > 0 && rnd.IntN(10) < 3 {
			words = append(words, around[rnd.IntN(len(around))])
		}
		if rnd.IntN(10) == 0 {
			words = append(words, "zq"+words[0])
		}
		frame := frames[rnd.IntN(len(frames))]
		out = append(out, query{strings.Replace(frame, "%", strings.Join(words, " "), 1),
			func(o doc) bool { return o.text == d.text }})
	}
	return out
}

// informative returns the words of text that are no function words, each once.
func informative(text string) []string {
	var out []string
	for _, w := range strings.Fields(text) {
		if !slices.Contains(out, w) && !slices.Contains(strings.Fields(functionWords), w) {
			out = append(out, w)
		}
	}
	return out
}

// reworded returns a word as somebody else may write it.
func reworded(rnd *rand.Rand, w string) string {
	switch p := rnd.IntN(20); {
	case p < 2:
		return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(w, "s"), "ing"), "ed")
	case p < 4:
		return w + "s"
	case p == 4 && len(w) > 5:
		i := 1 + rnd.IntN(len(w)-2)
		return w[:i] + w[i+1:]
	}
	return w
}
