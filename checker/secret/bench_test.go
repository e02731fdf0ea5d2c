package secret

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
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

// crowd makes lines of keywords alone, each rule's among them: no rule can be left
// out, and few match.
func crowd(b testing.TB, m mint, size int) string {
	b.Helper()
	cfg, err := loadRules()
	if err != nil {
		b.Fatal(err)
	}
	var words []string
	for _, keywords := range []map[string]struct{}{cfg.Keywords, cfg.labels.Keywords} {
		words = slices.AppendSeq(words, maps.Keys(keywords))
	}
	slices.Sort(words)
	var out strings.Builder
	for out.Len() < size {
		m.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		for line := range slices.Chunk(words, 8) {
			out.WriteString(strings.Join(line, " ") + "\n")
		}
	}
	return out.String()[:size]
}

// BenchmarkScan shows what a longer text costs: as much more as it is longer.
func BenchmarkScan(b *testing.B) {
	s := newScanner(b, Options{Deadline: time.Hour})
	for _, kind := range []struct {
		name string
		text string
	}{
		{"pages", page(newMint(40), 4<<20)},
		{"keywords", crowd(b, newMint(42), 4<<20)},
		{"keywords in one line", strings.ReplaceAll(crowd(b, newMint(43), 4<<20), "\n", " ")},
	} {
		for _, size := range []int{16 << 10, 256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20} {
			b.Run(fmt.Sprintf("%s/%dKiB", kind.name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(size))
				spent := processorTime(b)
				for b.Loop() {
					if _, err := s.detect(b.Context(), kind.text[:size]); err != nil {
						b.Fatal(err)
					}
				}
				perMB(b, processorTime(b)-spent, size*b.N)
			})
		}
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
		newPrinter(b.Context(), []byte("salt")).of("rule", "value")
	}
}
