package answer

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Whatever comes, goes or changes, the index is the one of what is there, to the byte.
func TestARevisedIndexIsTheOneOfWhatIsThere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		before, after := made(r), made(r)
		was := NewIndex(before)
		if rapid.Bool().Draw(r, "was stored") {
			was = loaded(t, stored(t, was))
		}
		kept := stored(t, was)
		gone, given := map[string]bool{}, []Skill{}
		now := map[string]Skill{}
		for _, s := range before {
			gone[s.Path] = rapid.Bool().Draw(r, "gone")
			if !gone[s.Path] {
				now[s.Path] = s
			}
		}
		for _, s := range after {
			if rapid.Bool().Draw(r, "given") {
				given, now[s.Path] = append(given, s), s
			}
		}
		var all []Skill
		for _, s := range now {
			all = append(all, s)
		}
		got, want := was.Revised(given, func(path string) bool { return gone[path] }), NewIndex(all)
		if !bytes.Equal(stored(t, got), stored(t, want)) {
			r.Fatal("other bytes")
		}
		if !bytes.Equal(stored(t, was), kept) {
			r.Fatal("the index itself was changed")
		}
		question := phrases(1, 12).Draw(r, "question")
		if diff := cmp.Diff(Explain(want.Ask(question)), Explain(got.Ask(question))); diff != "" {
			r.Fatal(diff)
		}
	})
}

// Skills of real documents come and go, one after another.
func TestAnIndexOfRealSkillsIsRevised(t *testing.T) {
	t.Parallel()
	skills := inOrder(fixtures(t))
	whole := stored(t, NewIndex(skills))
	x := loaded(t, stored(t, NewIndex(nil)))
	for i := range skills {
		x = x.Revised(skills[len(skills)-1-i:len(skills)-i], nobody)
	}
	if !bytes.Equal(stored(t, x), whole) {
		t.Error("one after another they make another index")
	}
	for i, s := range skills {
		without := x.Revised(nil, func(path string) bool { return path == s.Path })
		if !bytes.Equal(stored(t, without), stored(t, NewIndex(slices.Concat(skills[:i], skills[i+1:])))) {
			t.Errorf("without %s", s.Path)
		}
		changed := s
		changed.Facts = s.Facts[len(s.Facts)/2:]
		there := slices.Concat(skills[:i], []Skill{changed}, skills[i+1:])
		if !bytes.Equal(stored(t, x.Revised([]Skill{changed}, nobody)), stored(t, NewIndex(there))) {
			t.Errorf("half of %s", s.Path)
		}
		if paths := without.Paths(); slices.Contains(paths, s.Path) || len(paths) != len(skills)-1 {
			t.Errorf("paths %q", paths)
		}
	}
}

func nobody(string) bool { return false }
