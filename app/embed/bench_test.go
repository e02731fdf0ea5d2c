package embed

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"path/filepath"
	"testing"
)

// What a question costs beside the model: 31 facts that are new, and 31 that are kept.
// The server's own work, which writes the JSON, is in it.
func BenchmarkAQuestion(b *testing.B) {
	for _, dims := range []int{384, 1536} {
		s := &server{flavour: llama, dims: dims}
		hub := httptest.NewServer(s)
		b.Cleanup(hub.Close)
		c, err := New(Config{URL: hub.URL, Model: "tiny", Base64: true}, Options{})
		if err != nil {
			b.Fatal(err)
		}
		list := make([]string, 31)
		for i := range list {
			list[i] = fmt.Sprint("fact ", i, " says that the daemon restarts when the queue hangs")
		}
		kept := OpenFile(filepath.Join(b.TempDir(), "v"))
		for name, cache := range map[string]Cache{"new facts": nil, "kept facts": kept} {
			b.Run(fmt.Sprint(name, ", ", dims, " numbers"), func(b *testing.B) {
				f := c.Finder(cache)
				for b.Loop() {
					if _, err := f.Alike(b.Context(), asking, list); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// A full file of the command line: 8,192 vectors.
func BenchmarkAFullFile(b *testing.B) {
	name := filepath.Join(b.TempDir(), "v")
	r, full := rand.New(rand.NewPCG(1, 9)), map[Key]Vector{}
	for n := range mostKept {
		v := make(Vector, 768)
		for i := range v {
			v[i] = int16(r.IntN(2000) - 1000)
		}
		full[keyOf(n)] = v
	}
	f := OpenFile(name)
	f.Keep(b.Context(), full)
	if err := f.Save(); err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if got := OpenFile(name).Load(b.Context(), []Key{keyOf(1)}); len(got) != 1 {
				b.Fatal("not there")
			}
		}
	})
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			f.Keep(b.Context(), map[Key]Vector{keyOf(1): {1}})
			if err := f.Save(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
