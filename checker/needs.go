package checker

import (
	"reflect"
	"slices"

	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// Needs lists the files that [Check] would read on each side, without reading
// any: whoever has to fetch them over a network fetches these first. Both sides must know the ids
// of their files.
func Needs(in Input) (base, head []string, err error) {
	c := &check{in: in, report: newReport()}
	if err := c.look(); err != nil {
		return nil, nil, err
	}
	if c.base != nil && !c.base.enabled() {
		c.base = nil
	}
	all := c.base != nil && !reflect.DeepEqual(c.base.Shape, c.head.Shape)
	for _, path := range paths(c.base, c.head) {
		differs, err := c.differs(path)
		if err != nil {
			return nil, nil, err
		}
		if differs || all {
			head = append(head, c.head.sources(path)...)
			base = append(base, c.base.sources(path)...)
		}
	}
	changed, err := c.changedMarkdown()
	if err != nil {
		return nil, nil, err
	}
	head = append(head, changed...)
	for _, file := range c.head.cards {
		folder, _ := card.Folder(c.head.Shape.Cards, file)
		if _, ok := c.head.skills[folder]; !ok {
			head = append(head, file)
		}
	}
	return unique(base), unique(head), nil
}

// sources lists what is read of one skill and its card; nothing for no side.
func (v *view) sources(path string) []string {
	if v == nil {
		return nil
	}
	out := v.skills[path].Sources()
	for _, file := range v.skills[path].Files {
		if extractor.IsMarkdown(file) {
			out = append(out, file)
		}
	}
	file := card.File(v.Shape.Cards, path)
	if slices.Contains(v.cards, file) {
		out = append(out, file)
	}
	return out
}

func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
