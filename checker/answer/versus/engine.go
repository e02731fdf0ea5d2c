package main

import "strings"

// mostHits is how many answers are looked at.
const mostHits = 5

// An engine is one way to find facts.
type engine interface {
	build(docs []doc) error
	ask(question string) (found []int, err error) // numbers of docs, best first
	close() error
}

// tokens are the words of a question for engines without a reader of their own:
// letters and digits, no function words.
func tokens(question string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(question), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c < 128
	}) {
		if !stops[w] {
			out = append(out, w)
		}
	}
	return out
}

var stops = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(functionWords + " i why find there way me my") {
		set[w] = true
	}
	return set
}()
