package answer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden of this edition again")

func stored(t testing.TB, x *Index) []byte {
	t.Helper()
	data, err := x.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func loaded(t testing.TB, data []byte) *Index {
	t.Helper()
	x, err := Load(data)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestALoadedIndexAnswersAsTheOneThatWasStored(t *testing.T) { // law 11
	t.Parallel()
	x := NewIndex(fixtures(t))
	data := stored(t, x)
	y := loaded(t, data)
	if diff := cmp.Diff(render(t, x), render(t, y)); diff != "" {
		t.Error(diff)
	}
	if !bytes.Equal(data, stored(t, y)) || !bytes.Equal(data, stored(t, NewIndex(fixtures(t)))) {
		t.Error("the same facts gave other bytes")
	}
	if y = loaded(t, stored(t, NewIndex(nil))); y.Facts() != 0 || y.Ask("setup").Answered {
		t.Error("an index of nothing")
	}
}

func TestAnyIndexIsTheSameAfterItWasStored(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		x := NewIndex(made(r))
		y := loaded(t, stored(t, x))
		for id := range x.facts {
			a, b := x.texts.fact(id), y.texts.fact(id)
			if a.Entry().Identity() != b.Entry().Identity() || cmp.Diff(a.Places(), b.Places()) != "" || a.Reason() != b.Reason() {
				r.Fatalf("fact %d: %v, then %v", id, a, b)
			}
		}
		question := phrases(1, 12).Draw(r, "question")
		if diff := cmp.Diff(Explain(x.Ask(question)), Explain(y.Ask(question))); diff != "" {
			r.Fatal(diff)
		}
		if !bytes.Equal(stored(t, x), stored(t, y)) {
			r.Fatal("other bytes")
		}
	})
}

func TestDamagedBytesAreRefused(t *testing.T) {
	t.Parallel()
	data := stored(t, NewIndex(fixtures(t)))
	refused := func(name string, data []byte, want error) {
		if x, err := Load(data); !errors.Is(err, want) || x != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for n := 0; n < len(data); n += 97 {
		refused(fmt.Sprintf("cut after %d bytes", n), data[:n], ErrNotStored)
		changed := bytes.Clone(data)
		changed[n] ^= 4
		refused(fmt.Sprintf("byte %d changed", n), changed, ErrNotStored)
	}
	refused("more after the end", append(bytes.Clone(data), 0), ErrNotStored)
	refused("something else", []byte(strings.Repeat("cardkeeper index 2\n", 9)), ErrNotStored)
	other := bytes.Clone(data)
	other[len(signature)] = Edition + 1
	refused("another edition", sealed(other), ErrEdition)
	other[len(signature)] = Edition
	other[len(signature)+1] ^= 1
	refused("other word tables", sealed(other), ErrEdition)
}

// sealed puts the right sum at the end of changed bytes.
func sealed(data []byte) []byte {
	body := data[:max(0, len(data)-sha256.Size)]
	sum := sha256.Sum256(body)
	return append(bytes.Clone(body), sum[:]...)
}

// What somebody made on purpose is refused, or answers something; it never panics.
func FuzzLoad(f *testing.F) {
	data, err := NewIndex(fixtures(f)).AppendBinary(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, 40, byte(255))
	for at := len(signature) + 9; at < len(data)-sha256.Size; at += 211 {
		f.Add(data, at, byte(1))
		f.Add(data, at, byte(128))
	}
	f.Fuzz(func(t *testing.T, data []byte, at int, change byte) {
		data = bytes.Clone(data)
		if len(data) > 0 {
			data[max(0, at)%len(data)] ^= change
		}
		x, err := Load(sealed(data))
		if err != nil {
			return
		}
		for _, q := range questions {
			a := x.Ask(q)
			_ = Text(a, nil) + Explain(a)
		}
		x.Holding("rules", 3)
		half := x.Paths()[:x.Cards()/2]
		y := x.Revised([]Skill{{Path: "skills/new", Name: "new"}}, func(path string) bool { return slices.Contains(half, path) })
		_ = Text(y.Ask(questions[0]), nil)
	})
}

// What an index of the same facts is made of may not change under one edition: a
// stored one would answer otherwise than one that is made anew.
func TestAnotherIndexNeedsAnotherEdition(t *testing.T) {
	data := stored(t, NewIndex(fixtures(t)))
	rest := data[len(signature)+1+len(tablesSum()) : len(data)-sha256.Size] // the tables are told apart by themselves
	sum := sha256.Sum256(rest)
	got := fmt.Sprintf("%d %s\n", Edition, hex.EncodeToString(sum[:]))
	const golden = "testdata/edition.txt"
	want, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	switch {
	case string(want) == got:
	case *update:
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the same facts make another index than edition %s did: raise Edition, and run with -update", strings.Fields(string(want))[0])
	}
}
