package secret

import (
	"fmt"
	"strings"
	"testing"
)

// FuzzWithhold: no text makes the scanner panic, places lie inside the text, and
// what goes out scans clean (2A-56).
func FuzzWithhold(f *testing.F) {
	s := newScanner(f, Options{})
	m := newMint(30)
	pat := m.pat()
	for _, seed := range []string{
		"", "\n", pat, "\n\n" + pat + "\n\n", m.pem(3), "a\r\n" + m.jwt() + "\r\n",
		"curl -u \"a:b\" \\\n -H 'X: y'\n", "%41%42" + pat + "%43", "\\u0067\\u0068" + pat, "\xff\xfe" + pat, "api_key = \"" + m.pick(alnum, 30) + "\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found, err := s.Scan(t.Context(), text)
		if err != nil {
			return // refused; that is not clean, so nothing to hold
		}
		lines := strings.Split(text, "\n")
		for _, at := range found {
			if at.First < 1 || at.Last < at.First || at.Last > len(lines) || at.FirstCol < 1 || at.LastCol > len(lines[at.Last-1]) {
				t.Fatalf("a place outside the text: %+v", at)
			}
		}
		out, err := s.Withhold(t.Context(), text, func(line int) string { return fmt.Sprintf("f.md:%d", line) })
		if err != nil {
			return
		}
		if again, err := s.Scan(t.Context(), out); err != nil || len(again) > 0 {
			t.Fatalf("the output is not clean: %v %v", again, err)
		}
	})
}
