package embed

import (
	"os"
	"path/filepath"
	"testing"
)

// Whatever a server says, it is one good vector for each text, or an error.
func FuzzAnAnswer(f *testing.F) {
	for _, s := range []string{
		`{"data":[{"index":1,"embedding":[1,2]},{"index":0,"embedding":[3,4]}],"usage":{"prompt_tokens":7}}`,
		`{"data":[{"embedding":"AACAPwAAgD8="},{"embedding":[1e-320,1]}],"usage":null}`, `{"error":{"code":"insufficient_quota"}}`, `[]`, ``,
	} {
		f.Add([]byte(s), 2)
	}
	f.Fuzz(func(t *testing.T, body []byte, texts int) {
		texts = 1 + texts&7
		got, used, err := read(body, texts)
		codeOf(body)
		if err != nil {
			return
		}
		if len(got) != texts || used < 0 {
			t.Fatalf("%d vectors of %d, %d tokens", len(got), texts, used)
		}
		for _, v := range got {
			if len(v) == 0 || len(v) != len(got[0]) || v.Alike(v) < 99 {
				t.Fatalf("a vector of %d numbers that is %d like itself", len(v), v.Alike(v))
			}
		}
	})
}

// Whatever stands in the file, reading it ends, and gives whole vectors.
func FuzzAFile(f *testing.F) {
	f.Add(encode([]record{{keyOf(1), Vector{1, 2}}}))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "v")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, r := range readFile(name) {
			if len(r.vector) == 0 || len(r.vector) > mostDims {
				t.Fatalf("a vector of %d numbers", len(r.vector))
			}
		}
	})
}
