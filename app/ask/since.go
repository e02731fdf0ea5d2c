package ask

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// Statement is what a reader reads of an entry: its text under its headings. A
// statement that was moved to another file or skill, or that is sorted into another
// section, is the same one.
func Statement(e card.Entry) string {
	return strings.Join(append(e.Context.Texts(), e.Text), "\x00")
}

// Since has answers mark the hits whose statement no skill of an earlier tree holds.
// It is called before the first question.
func (l *Library) Since(files fs.FS, shape extractor.Shape) error {
	tree, err := extractor.Extract(files, shape)
	if err != nil {
		return fmt.Errorf("ask.Since: %w", err)
	}
	l.before = map[string]bool{}
	for _, s := range tree.Skills {
		for _, f := range slices.Concat(s.Facts, s.Rest) {
			l.before[Statement(f.Entry())] = true
		}
	}
	return nil
}

// age marks what the earlier tree does not hold, if there is one.
func (l *Library) age(hits []answer.Hit) {
	for i := range hits {
		hits[i].New = l.before != nil && !l.before[Statement(hits[i].Fact.Entry())]
	}
}
