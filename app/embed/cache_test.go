package embed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Vectors of facts are made once; the question's is made each time and never kept.
func TestFactsAreSentOnce(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "deep", "vectors")
	s := serve(t, vllm)
	var first []int
	for i := range 3 {
		cache := OpenFile(name)
		got, err := client(t, Config{URL: s.url}, nil).Finder(cache).Alike(t.Context(), asking, facts)
		if err != nil || cache.Save() != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = got
		}
		if !slices.Equal(got, first) {
			t.Errorf("%v, first %v", got, first)
		}
	}
	r := s.requests()
	if len(r) != 3 || len(r[0]) != 4 || !slices.Equal(r[1], []string{asking}) || !slices.Equal(r[2], []string{asking}) {
		t.Errorf("sent %q", r)
	}
	data, err := os.ReadFile(name)
	if err != nil || bytes.Contains(data, []byte("daemon")) || len(readFile(name)) != 3 {
		t.Errorf("%v: the file holds %d vectors", err, len(readFile(name)))
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", err, info.Mode())
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(name), ".vectors-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
	// Another model, address or prefix has vectors of its own.
	for _, cfg := range []Config{{URL: s.url, Model: "tiny", FactPrefix: "x: "}, {URL: serve(t, llama).url}, {URL: serve(t, llama).url, Model: "other"}} {
		cache := OpenFile(name)
		c := client(t, cfg, nil)
		if _, err := c.Finder(cache).Alike(t.Context(), asking, facts); err != nil || c.counts["texts"] != 4 {
			t.Errorf("%v: %v", err, c.counts)
		}
	}
}

// A model that was exchanged under its name is found out by the length of its vectors.
func TestAnExchangedModel(t *testing.T) {
	t.Parallel()
	s := serve(t, llama)
	c := client(t, Config{URL: s.url}, nil)
	f := c.Finder(OpenFile(filepath.Join(t.TempDir(), "v")))
	if _, err := f.Alike(t.Context(), asking, facts[:2]); err != nil {
		t.Fatal(err)
	}
	s.dims = 32
	want, err := c.Finder(nil).Alike(t.Context(), asking, facts)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := f.Alike(t.Context(), asking, facts); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, %v, want %v", err, got, want)
		}
	}
	var sizes []int
	for _, texts := range s.requests()[2:] {
		sizes = append(sizes, len(texts))
	}
	if !slices.Equal(sizes, []int{2, 2, 1}) { // the question with what is new, then what was kept, then neither
		t.Errorf("requests of %v texts", sizes)
	}
}

// A server that is too slow for one question is quicker at the next: the parts that
// came are kept.
func TestWhatCameBeforeAFailureIsKept(t *testing.T) {
	t.Parallel()
	s := serve(t, ollama)
	c := client(t, Config{URL: s.url, Batch: 2}, nil)
	s.first = []http.HandlerFunc{s.usual, says(401, "")}
	f := c.Finder(OpenFile(filepath.Join(t.TempDir(), "v")))
	if _, err := f.Alike(t.Context(), asking, facts); !errors.Is(err, ErrSettings) {
		t.Fatal(err)
	}
	if _, err := f.Alike(t.Context(), asking, facts); err != nil {
		t.Fatal(err)
	}
	want := [][]string{{asking, facts[0]}, {asking, facts[1]}, {facts[2]}}
	if diff := cmp.Diff(want, s.requests()); diff != "" {
		t.Error(diff)
	}
}

func keyOf(n int) (k Key) { copy(k[:], fmt.Sprintf("key %028d", n)); return k }

// Whatever stands in the file, it is what was written or nothing.
func TestADamagedFileIsMadeAgain(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "v")
	write := func() []byte {
		f := OpenFile(name)
		f.Keep(t.Context(), map[Key]Vector{keyOf(1): {1, 2, 3}, keyOf(2): {-4, 5}})
		if err := f.Save(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	good := write()
	damaged := map[string][]byte{"empty": {}, "more": append(slices.Clone(good), 0), "another form": []byte(strings.Repeat("x", 200)), "all zeros": make([]byte, len(good)),
		"a length beyond the end": encode([]record{{keyOf(1), nil}}), "a short record": append(encode(nil)[:len(magic)], encode(nil)...)}
	for i := range good {
		damaged[fmt.Sprint("cut at ", i)] = good[:i]
		flipped := slices.Clone(good)
		flipped[i] ^= 4
		damaged[fmt.Sprint("changed at ", i)] = flipped
	}
	for what, data := range damaged {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := OpenFile(name).Load(t.Context(), []Key{keyOf(1), keyOf(2)}); len(got) != 0 {
			t.Errorf("%s: %v", what, got)
		}
	}
	if again := write(); !bytes.Equal(again, good) {
		t.Error("made again, it is another file")
	}
	if got := OpenFile(name).Load(t.Context(), []Key{keyOf(1), keyOf(2), keyOf(3)}); !slices.Equal(got[keyOf(2)], Vector{-4, 5}) || len(got) != 2 {
		t.Errorf("%v", got)
	}
	if got := OpenFile(t.TempDir()).Load(t.Context(), []Key{keyOf(1)}); len(got) != 0 {
		t.Errorf("of a folder: %v", got)
	}
}

// The file has a bound, and what two processes make is there for both.
func TestTheFileIsBounded(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "v")
	one, two := OpenFile(name), OpenFile(name)
	for _, f := range []*File{one, two} {
		f.Load(t.Context(), nil)
	}
	one.Keep(t.Context(), map[Key]Vector{keyOf(1): {1}})
	two.Keep(t.Context(), map[Key]Vector{keyOf(2): {2}})
	for _, f := range []*File{one, two, one} {
		if err := f.Save(); err != nil {
			t.Fatal(err)
		}
	}
	if got := OpenFile(name).Load(t.Context(), []Key{keyOf(1), keyOf(2)}); len(got) != 2 {
		t.Errorf("of two processes: %v", got)
	}
	many := map[Key]Vector{}
	for n := range mostKept {
		many[keyOf(n+10)] = Vector{1, 1}
	}
	full := OpenFile(name)
	full.Keep(t.Context(), many)
	if err := full.Save(); err != nil {
		t.Fatal(err)
	}
	got := readFile(name)
	if len(got) != mostKept || slices.ContainsFunc(got, func(r record) bool { return r.key == keyOf(1) }) {
		t.Errorf("%d vectors, the oldest among them", len(got))
	}
}

func TestManyMayUseOneFile(t *testing.T) {
	t.Parallel()
	f := OpenFile(filepath.Join(t.TempDir(), "v"))
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			f.Keep(context.Background(), map[Key]Vector{keyOf(n): {int16(n)}})
			if got := f.Load(context.Background(), []Key{keyOf(n)}); len(got) != 1 || f.Save() != nil {
				t.Errorf("%v", got)
			}
		})
	}
	all.Wait()
	if got := len(readFile(f.name)); got != 8 {
		t.Errorf("%d vectors, kept are %v", got, slices.Collect(maps.Keys(f.kept)))
	}
}
