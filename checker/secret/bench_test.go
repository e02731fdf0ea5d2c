package secret

import (
	"fmt"
	"strings"
	"testing"
)

// page makes Markdown as skills have it, without a secret.
func page(m mint, size int) string {
	words := strings.Fields("run the build with care and keep each step small when the key token api of a service is set before deploy check logs first")
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		switch i % 7 {
		case 0:
			fmt.Fprintf(&b, "\n## Step %d\n\n", i)
		case 5:
			fmt.Fprintf(&b, "\n```sh\ntool --level %d --name %s\n```\n\n", i, m.pick(alnum, 6))
		default:
			b.WriteString("- ")
			for range 12 {
				b.WriteString(words[m.IntN(len(words))] + " ")
			}
			fmt.Fprintf(&b, "([link](https://example.com/%s)).\n", m.pick(alnum, 8))
		}
	}
	return b.String()
}

func BenchmarkScan(b *testing.B) {
	s := newScanner(b, Options{})
	for _, size := range []int{10_000, 100_000, 1_000_000} {
		text := page(newMint(40), size)
		b.Run(fmt.Sprintf("%dkB", size/1000), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := s.Scan(b.Context(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWithhold(b *testing.B) {
	s := newScanner(b, Options{})
	m := newMint(41)
	text := page(m, 10_000) + "- use `" + m.pat() + "`\n" + page(m, 10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := s.Withhold(b.Context(), text, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFingerprint(b *testing.B) {
	for b.Loop() {
		newPrinter([]byte("salt")).of("rule", "value")
	}
}
