package extractor

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// rounds is how many documents a property looks at.
func rounds() int {
	if long() {
		return 12_000 // above 100,000 edits in all
	}
	return 60 // some seconds
}

func documentOf(seed uint64) (*maker, *node) {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 1))}
	return m, m.document()
}

// Law 3, first half: what says nothing changes no byte.
func TestNeutralChoicesChangeNoByte(t *testing.T) {
	t.Parallel()
	compared := 0
	for i := range rounds() {
		_, d := documentOf(uint64(i))
		first := printed(rand.New(rand.NewPCG(uint64(i), 2)), d, "s")
		want := card.Render(skill(t, first).Card)
		for j := range 4 {
			other := printed(rand.New(rand.NewPCG(uint64(i), uint64(3+j))), d, "s")
			if got := card.Render(skill(t, other).Card); !bytes.Equal(want, got) {
				t.Fatalf("document %d: -first +other\n%s\n--- first ---\n%q\n--- other ---\n%q", i, cmp.Diff(string(want), string(got)), first, other)
			}
			compared++
		}
	}
	t.Logf("%d pairs of printings", compared)
}

// Law 3, second half: what says something changes the card of that skill, and no other one.
func TestTellingEditsChangeThatCardAlone(t *testing.T) {
	t.Parallel()
	tried := map[string]int{}
	total := 0
	for i := range rounds() / 3 {
		seed := uint64(100_000 + i)
		before := map[string]*node{}
		fsys := tree()
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 1))}
		for j, folder := range []string{"a", "a/sub", "b"} {
			before[folder] = m.document()
			fsys[folder+"/SKILL.md"] = tree("x", printed(rand.New(rand.NewPCG(seed, uint64(j))), before[folder], "s"))["x"]
		}
		want := cardsOf(t, extract(t, fsys))
		for _, e := range edits() {
			folder := []string{"a", "a/sub", "b"}[m.IntN(3)]
			d := before[folder].clone()
			if !e.do(m, d) {
				continue
			}
			tried[e.name]++
			total++
			after := tree()
			for name, f := range fsys {
				after[name] = f
			}
			text := printed(rand.New(rand.NewPCG(seed, uint64(m.IntN(1000)))), d, "s")
			after[folder+"/SKILL.md"] = tree("x", text)["x"]
			for path, got := range cardsOf(t, extract(t, after)) {
				if same := got == want[path]; same == (path == folder) {
					t.Fatalf("document %d: %s in %s: card of %s unchanged: %v\n--- before ---\n%s\n--- after ---\n%s",
						i, e.name, folder, path, same, fsys[folder+"/SKILL.md"].Data, text)
				}
			}
		}
	}
	for _, e := range edits() {
		if tried[e.name] == 0 {
			t.Errorf("%s was never tried", e.name)
		}
	}
	t.Logf("%d edits: %v", total, tried)
}

func cardsOf(t *testing.T, read Tree) map[string]string {
	out := map[string]string{}
	for _, s := range read.Skills {
		out[s.Path] = string(card.Render(s.Card))
	}
	return out
}

// An edit changes what a document says; false where there is nothing to edit.
type edit struct {
	name string
	do   func(m *maker, d *node) bool
}

func edits() []edit {
	return []edit{
		{"change a word", editWord(func(n *node) bool { return len(n.text) > 0 && n.kind != program && n.kind != section })},
		{"change a heading", editWord(func(n *node) bool { return n.kind == section })},
		{"change a lead-in", editWord(func(n *node) bool { return n.kind == lead })},
		{"change a label", editWord(func(n *node) bool { return n.kind == labelled })},
		{"change a tag", editWord(func(n *node) bool { return n.kind == tag })},
		{"change a table's header", editWord(func(n *node) bool { return n.kind == grid })},
		{"tick a task", func(m *maker, d *node) bool {
			n := m.find(d, func(n *node) bool { return n.kind == item && n.text[0][0] == '[' && len(n.text[0]) == 3 })
			if n == nil {
				return false
			}
			n.text[0] = map[string]string{"[ ]": "[x]", "[x]": "[ ]"}[n.text[0]]
			return true
		}},
		{"add an entry", addEntry},
		{"remove an entry", func(m *maker, d *node) bool {
			n := m.find(d, func(n *node) bool { return holdsEntries(n) && len(n.kids) > 1 })
			if n == nil {
				return false
			}
			at := m.IntN(len(n.kids))
			n.kids = slices.Delete(n.kids, at, at+1)
			return true
		}},
		{"take a lead-in away", func(m *maker, d *node) bool {
			n := m.find(d, func(n *node) bool { return n.kind == lead })
			if n == nil {
				return false
			}
			*n = *n.kids[0]
			return true
		}},
		{"move to another section", moveBlock},
		{"exchange the children of two parents", func(m *maker, d *node) bool {
			full := func(n *node) bool { return n.kind == item && len(n.kids) > 0 }
			a := m.find(d, full)
			if a == nil {
				return false
			}
			inA := a.all()
			b := m.find(d, func(n *node) bool { return full(n) && !slices.Contains(inA, n) && !slices.Contains(n.all(), a) })
			if b == nil {
				return false
			}
			a.kids, b.kids = b.kids, a.kids
			return true
		}},
		{"swap two steps", swapIn(steps)},
		{"swap two command lines", swapIn(shell)},
		{"swap two code lines", swapIn(program)},
		{"number a list", func(m *maker, d *node) bool {
			n := m.find(d, func(n *node) bool { return n.kind == bullets })
			if n == nil {
				return false
			}
			n.kind = steps
			return true
		}},
	}
}

func (m *maker) find(d *node, is func(*node) bool) *node {
	var all []*node
	for _, n := range d.all() {
		if is(n) {
			all = append(all, n)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[m.IntN(len(all))]
}

func holdsEntries(n *node) bool {
	return isList(n) || n.kind == grid || n.kind == shell || n.kind == program
}

func editWord(is func(*node) bool) func(m *maker, d *node) bool {
	return func(m *maker, d *node) bool {
		n := m.find(d, is)
		if n == nil {
			return false
		}
		at := len(n.text) - 1 - m.IntN((len(n.text)+1)/2) // not a checkbox, nor a word that means a section
		n.text[at] = m.plainWord()
		if n.kind == tag {
			n.text[at] = "rule-" + n.text[at]
		}
		return true
	}
}

func addEntry(m *maker, d *node) bool {
	n := m.find(d, holdsEntries)
	if n == nil {
		return false
	}
	var kid *node
	switch n.kind {
	case grid:
		kid = &node{kind: row, text: []string{m.word(), m.word()}}
	case shell:
		kid = m.command()
	case program:
		kid = &node{kind: codeLine, text: []string{m.plainWord()}}
	default:
		kid = m.item(n.kind, 0)
	}
	n.kids = slices.Insert(n.kids, m.IntN(len(n.kids)+1), kid)
	return true
}

func moveBlock(m *maker, d *node) bool {
	from := m.find(d, func(n *node) bool { return n.kind == section && len(n.kids) > 1 })
	if from == nil {
		return false
	}
	to := m.find(d, func(n *node) bool { return n.kind == section && n != from })
	at := slices.IndexFunc(from.kids, func(n *node) bool { return n.kind != section && n.kind != labelled })
	if to == nil || at < 0 {
		return false
	}
	to.kids = append(to.kids, from.kids[at])
	from.kids = slices.Delete(from.kids, at, at+1)
	return true
}

func swapIn(k kind) func(m *maker, d *node) bool {
	return func(m *maker, d *node) bool {
		n := m.find(d, func(n *node) bool { return n.kind == k && len(n.kids) > 1 })
		if n == nil {
			return false
		}
		at := m.IntN(len(n.kids) - 1)
		n.kids[at], n.kids[at+1] = n.kids[at+1], n.kids[at]
		return true
	}
}

// The facts of two printings stand on other lines, and only that differs.
func TestNeutralChoicesMoveOnlyPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		_, d := documentOf(seed)
		var texts []string
		for i := range 2 {
			s := skill(t, printed(rand.New(rand.NewPCG(seed, uint64(i))), d, "s"))
			var b strings.Builder
			for _, f := range s.Facts {
				b.WriteString(f.Entry().Identity() + string(f.Reason()) + "\n")
			}
			texts = append(texts, b.String())
		}
		if texts[0] != texts[1] {
			rt.Fatal(cmp.Diff(texts[0], texts[1]))
		}
	})
}
