package main

import (
	"slices"
	"testing"
)

func TestTheSameSeedMakesTheSameFactsAndQuestions(t *testing.T) {
	made := func() ([]string, []query) {
		docs, err := newMaker(3, []string{"parcel", "ledger"}).make(2000)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, d := range docs {
			texts = append(texts, d.skill+d.around()+d.text)
		}
		return texts, queries(4, docs, 50)
	}
	texts, asked := made()
	again, askedAgain := made()
	if len(texts) != 2000 || !slices.Equal(texts, again) {
		t.Errorf("%d facts, the same again: %v", len(texts), slices.Equal(texts, again))
	}
	same := func(a, b query) bool { return a.text == b.text }
	if len(asked) != 50 || !slices.EqualFunc(asked, askedAgain, same) {
		t.Error("other questions the second time")
	}
}

func TestEveryEngineFindsWhatIsAskedForWordByWord(t *testing.T) {
	docs, err := newMaker(3, nil).make(1000)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(docs, func(d doc) bool { return len(informative(d.text)) > 7 })
	for name, e := range engines() {
		if err := e.build(docs); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		found, err := e.ask(docs[i].text)
		if err != nil || !slices.Contains(found, i) {
			t.Errorf("%s: %v, %v; want %d", name, found, err, i)
		}
		if err := e.close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
