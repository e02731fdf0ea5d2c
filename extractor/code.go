package extractor

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

// digest is the first 12 hex digits of SHA-256: 48 bits, so that among the code blocks of
// one card a chance collision is below one in ten million.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}

// dedent joins code lines by LF, without trailing blanks, outer blank lines
// and the indent that all lines share.
func dedent(lines []markdown.CodeLine) string {
	indent, first := "", true
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = strings.TrimRight(l.Text, " \t\r")
		if texts[i] == "" {
			continue
		}
		own := texts[i][:len(texts[i])-len(strings.TrimLeft(texts[i], " \t"))]
		if first {
			indent, first = own, false
		}
		indent = commonPrefix(indent, own)
	}
	for i := range texts {
		texts[i] = strings.TrimPrefix(texts[i], indent)
	}
	return strings.Trim(strings.Join(texts, "\n"), "\n")
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// A part is a run of code lines that belong together.
type part struct {
	text        string
	first, last int
}

// maxPart bounds a part: a hit quotes it, and more than eight lines are no answer to read at a glance.
const maxPart = 8

// codeParts cuts code at blank lines, before comments, and after eight lines.
func codeParts(lines []markdown.CodeLine) []part {
	var out []part
	var run []markdown.CodeLine
	flush := func() {
		if len(run) > 0 {
			out = append(out, part{markdown.Visible(dedent(run)), run[0].Line, run[len(run)-1].Line})
		}
		run = nil
	}
	for _, l := range lines {
		blank := strings.TrimSpace(l.Text) == ""
		gap := len(run) > 0 && l.Line > run[len(run)-1].Line+1 // of a shell fence, only what is no command comes here
		if blank || gap || len(run) == maxPart || isComment(l.Text) && len(run) > 0 && !isComment(run[len(run)-1].Text) {
			flush()
		}
		if !blank {
			run = append(run, l)
		}
	}
	flush()
	return out
}

func isComment(line string) bool {
	t := strings.TrimSpace(line)
	return strings.HasPrefix(t, "#") || strings.HasPrefix(t, "//") || strings.HasPrefix(t, "--") && !strings.HasPrefix(t, "---")
}
