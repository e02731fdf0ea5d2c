package checker

import (
	"reflect"
	"slices"

	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// Needs lists the files that [Check] reads on each side, without reading any but
// those that [extractor.Doubtful] names: whoever has to fetch them over a
// network fetches those, asks Needs, and fetches the rest. The files must be an
// [fs.FS] that knows blob ids (a method ID), or what differs cannot be told
// without reading.
func Needs(in Input) (base, head []string, err error) {
	c := &check{in: in, report: newReport()}
	if on, err := c.look(); err != nil || !on {
		return nil, nil, err
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
	head = append(append(head, changed...), c.head.strays()...)
	head = append(head, c.head.layout.Asked...)
	for _, side := range []struct {
		v     *view
		files *[]string
	}{{c.base, &base}, {c.head, &head}} {
		there, err := side.v.asks(in)
		if err != nil {
			return nil, nil, err
		}
		if there {
			*side.files = append(*side.files, suite.File)
		}
	}
	if c.base != nil {
		base = append(base, c.base.layout.Asked...)
	}
	return unique(base), unique(head), nil
}

// sources lists what is read of one skill and its card; nothing for no side.
func (v *view) sources(path string) []string {
	if v == nil {
		return nil
	}
	out := v.skills[path].Sources()
	file := card.File(v.Shape.Cards, path)
	if v.isCard[file] {
		out = append(out, file)
	}
	return out
}

// asks reports whether the side has a file of questions that is read.
func (v *view) asks(in Input) (bool, error) {
	if v == nil || in.NoQuestions || in.Policy.NoQuestions {
		return false, nil
	}
	return exists(v.Files, suite.File)
}

func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
