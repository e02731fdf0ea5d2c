package ask

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/google/go-cmp/cmp"
)

// stocked is the stock of some files, brought up from another one.
func stocked(t testing.TB, from *Stock, files map[string]string) (*Stock, fstest.MapFS) {
	t.Helper()
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	layout, err := extractor.Discover(m, extractor.DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	var parts []Part
	for _, s := range layout.Skills {
		p, ok := PartOf("", s, func(file string) (string, bool) { return fmt.Sprintf("%x", sha256.Sum256(m[file].Data)), true })
		if !ok {
			t.Fatal("a file without an id")
		}
		parts = append(parts, p)
	}
	var read []answer.Skill
	for _, i := range from.Lacks(parts) {
		s, err := layout.Skills[i].Read(m, extractor.DefaultShape())
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, Skill(s.Path, slices.Concat(s.Facts, s.Rest)))
	}
	return from.Revised(parts, read), m
}

func restored(t testing.TB, s *Stock) *Stock {
	t.Helper()
	out, err := LoadStock(s.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const letterText = "# Letters\n\n## Setup\n\n- install the letter tool with apt\n\n## Refusals\n\n- never send letters on Mondays\n"

func stocks(t testing.TB, x *answer.Index) []byte {
	t.Helper()
	b, err := x.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Law 11, over everything that may become of a tree.
func TestAStockAnswersAsTheFilesDo(t *testing.T) {
	t.Parallel()
	const a, b = "skills/letters/SKILL.md", "skills/parcels/SKILL.md"
	stock := NewStock()
	for _, step := range []struct {
		name  string
		files map[string]string
	}{
		{"one skill", map[string]string{b: parcels}},
		{"another one before it", map[string]string{a: letterText, b: parcels}},
		{"the same again", map[string]string{a: letterText, b: parcels}},
		{"one changed", map[string]string{a: letterText, b: strings.ReplaceAll(parcels, "Sundays", "Saturdays")}},
		{"a file more", map[string]string{a: letterText, "skills/letters/more.md": "# More\n\n- parcels are no letters\n", b: parcels}},
		{"one gone", map[string]string{a: letterText}},
		{"none left", map[string]string{}},
	} {
		next, files := stocked(t, restored(t, stock), step.files)
		fresh, err := Open(files, extractor.DefaultShape(), testScanner())
		if err != nil {
			t.Fatal(err)
		}
		kept := restored(t, next).Library(files, testScanner(), nil)
		for _, q := range []string{"when are parcels never shipped", "never send letters", "how to install the tool", "what is a letter", "which zeppelin flies"} {
			want, err := fresh.Ask(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := kept.Ask(t.Context(), q)
			if err != nil || shown(t, got) != shown(t, want) {
				t.Errorf("%s: %s: %v\n%s", step.name, q, err, cmp.Diff(shown(t, want), shown(t, got)))
			}
		}
		if anew, _ := stocked(t, NewStock(), step.files); !bytes.Equal(anew.Bytes(), next.Bytes()) {
			t.Errorf("%s: the stock is not the one that is made anew", step.name)
		}
		stock = next
	}
}

func TestAStockIsRevisedOnlyWhereSomethingDiffers(t *testing.T) {
	t.Parallel()
	both := map[string]string{"skills/letters/SKILL.md": letterText, "skills/parcels/SKILL.md": parcels}
	s, _ := stocked(t, NewStock(), both)
	if again, _ := stocked(t, s, both); again != s {
		t.Error("the same parts made another stock")
	}
	one, _ := stocked(t, NewStock(), map[string]string{"skills/letters/SKILL.md": letterText})
	gone := map[string]bool{"skills/parcels": true}
	left := restored(t, s.Without(gone, NewStock()))
	if !bytes.Equal(stocks(t, left.index), stocks(t, one.index)) || bytes.Contains(left.Bytes(), []byte("parcel")) {
		t.Error("a skill is not gone without a trace")
	}
	if !left.LeftOut(s.parts[1]) || left.LeftOut(s.parts[0]) || one.LeftOut(s.parts[1]) || left.Lacks(s.parts)[0] != 1 {
		t.Error("what was left out is not known again")
	}
	if s.Without(gone, left) != left || s.Without(nil, s) != s {
		t.Error("what was there before was made again")
	}
	if again := s.Without(gone, one); again.index != one.index || !again.LeftOut(s.parts[1]) {
		t.Error("an index that is the same was made again, or its stock does not know what was left out")
	}
	if !bytes.Equal(s.Without(nil, left).Bytes(), s.Bytes()) {
		t.Error("nothing was to go")
	}
}

func TestOnlyAWholeStockIsLoaded(t *testing.T) {
	t.Parallel()
	s, _ := stocked(t, NewStock(), map[string]string{"skills/letters/SKILL.md": letterText, "skills/parcels/SKILL.md": parcels})
	one, _ := stocked(t, NewStock(), map[string]string{"skills/letters/SKILL.md": letterText})
	data := s.Bytes()
	refused := func(name string, data []byte) {
		if _, err := LoadStock(data); !errors.Is(err, ErrStock) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for n := 0; n < len(data); n += 41 {
		changed := bytes.Clone(data)
		changed[n] ^= 4
		refused(fmt.Sprintf("byte %d changed", n), changed)
		refused(fmt.Sprintf("cut after %d bytes", n), data[:n])
	}
	refused("the index alone", data[len(stockMark)+2+2*sha256.Size:])
	keys := len(stockMark) + 2 + sha256.Size
	refused("the keys of one and the index of another", slices.Concat(data[:keys], one.Bytes()[keys:]))
}

// What a part is named by is all that its facts come from, and nothing beside it.
func TestAPartIsNamedByWhatIsReadOfIt(t *testing.T) {
	t.Parallel()
	s := extractor.SkillFiles{Path: "a", Main: "a/SKILL.md", Files: []string{"a/SKILL.md", "a/logo.png", "a/run.py"}}
	id := func(other ...string) func(string) (string, bool) {
		return func(file string) (string, bool) {
			if slices.Contains(other, file) {
				return "2", true
			}
			return "1", true
		}
	}
	key := func(under string, s extractor.SkillFiles, id func(string) (string, bool)) Part {
		p, _ := PartOf(under, s, id)
		return p
	}
	as := key("", s, id())
	more := s
	more.Files = append(slices.Clone(s.Files), "a/z.png")
	moved := s
	moved.Path = "b"
	for name, other := range map[string]Part{
		"another SKILL.md": key("", s, id("a/SKILL.md")), "another script": key("", s, id("a/run.py")), "a file more": key("", more, id()),
		"another folder": key("", moved, id()), "another policy": key("x", s, id()),
	} {
		if other.Key == as.Key {
			t.Errorf("%s has the same key", name)
		}
	}
	if key("", s, id("a/logo.png")) != as {
		t.Error("a picture is not read, and makes another key")
	}
	if _, ok := PartOf("", s, func(file string) (string, bool) { return "1", file != "a/run.py" }); ok {
		t.Error("a script without an id")
	}
}

func FuzzLoadStock(f *testing.F) {
	s, _ := stocked(f, NewStock(), map[string]string{"skills/letters/SKILL.md": letterText})
	data := s.Bytes()
	for at := 0; at < len(data); at += 37 {
		f.Add(data, at, byte(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, at int, change byte) {
		data = bytes.Clone(data)
		if len(data) > 0 {
			data[max(0, at)%len(data)] ^= change
		}
		if s, err := LoadStock(data); err == nil && !bytes.Equal(s.Bytes(), data) {
			t.Error("other bytes were loaded")
		}
	})
}
