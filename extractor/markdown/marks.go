package markdown

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// ownLines reports whether the lines of a paragraph are statements of their
// own, from which line on. People write lists with marks that Markdown does not
// know; it takes them for one paragraph. A first line without a mark introduces
// the rest. Every other line must have one: a wrapped line may begin with a dash
// by chance, two in a row hardly do.
func ownLines(lines []string) (start int, ok bool) {
	for start = range min(2, len(lines)) {
		if rest := lines[start:]; len(rest) > 1 && (lettered(rest) || pictured(rest)) {
			return start, true
		}
	}
	return 0, false
}

var letterMark = regexp.MustCompile(`^[ \t]*([a-z]|[A-Z]|[ivx]{1,5}|[IVX]{1,5})([.)])[ \t]+\S`)

// lettered reports whether lines are counted in letters or Roman numerals, each one up from the line before.
func lettered(lines []string) bool {
	var marks []string
	for _, l := range lines {
		m := letterMark.FindStringSubmatch(l)
		if m == nil {
			return false
		}
		marks = append(marks, m[1]+m[2])
	}
	return counted(marks, letterValue) || counted(marks, romanValue)
}

func counted(marks []string, value func(string) (n int, style string)) bool {
	first, style := value(marks[0])
	for i, m := range marks {
		if n, s := value(m); n == 0 || n != first+i || s != style {
			return false
		}
	}
	return true
}

// letterValue is a letter's place in the alphabet, 0 for no letter. The style
// keeps "a." and "B)" apart.
func letterValue(mark string) (int, string) {
	if len(mark) != 2 {
		return 0, ""
	}
	c := mark[0]
	return int(c|0x20-'a') + 1, string(c&0x20) + mark[1:]
}

// romanValue knows the numerals that people put before lines.
func romanValue(mark string) (int, string) {
	name := mark[:len(mark)-1]
	all := strings.Fields("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx")
	return slices.Index(all, strings.ToLower(name)) + 1, string(name[0]&0x20) + mark[len(name):]
}

// bulletMarks are pictures that stand before a statement and nowhere in the
// middle of one; wrapMarks also stand between two halves of a sentence.
const (
	bulletMarks = "✓✔✅☑☐☒✗✘✖❌❎•‣▪▫●○◦■□◆◇▶▸►★☆⭐⚠🔴🟠🟡🟢🔵⚪⚫🚫👉🔹🔸"
	wrapMarks   = "→⇒➜➡➤↳—–"
)

// pictured reports whether each line begins with such a mark. One that could be the
// middle of a sentence counts only where all lines have the same.
func pictured(lines []string) bool {
	first, unsure := rune(0), false
	for i, l := range lines {
		mark, n := decode(strings.TrimLeft(l, " \t"))
		rest := strings.TrimPrefix(strings.TrimLeft(l, " \t")[n:], "\ufe0f")
		if !strings.ContainsRune(bulletMarks+wrapMarks, mark) || !strings.HasPrefix(rest, " ") {
			return false
		}
		if i == 0 {
			first = mark
		}
		unsure = unsure || strings.ContainsRune(wrapMarks, mark)
		if unsure && mark != first {
			return false
		}
	}
	return true
}

var afterthought = regexp.MustCompile(`^[ \t]*(\d{1,9})[a-z][.)][ \t]+\S`)

// afterthoughts lists the lines of a step's text that begin with the step's
// own number and a letter: "27b." is no number to Markdown.
func afterthoughts(lines []string, ordinal int) []int {
	var out []int
	for i, l := range lines {
		if m := afterthought.FindStringSubmatch(l); i > 0 && m != nil && m[1] == strconv.Itoa(ordinal) {
			out = append(out, i)
		}
	}
	return out
}

// isDebris reports whether an item says nothing: what scrapers leave of rules and badges.
func isDebris(text string) bool {
	text = checkbox.ReplaceAllString(text+" ", "")
	return !strings.Contains(text, "`") && !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// longestRun is where a run of base64-like characters stops being a word: keys, digests
// and tokens that people write about are shorter, encoded files and sequences longer.
const longestRun = 200

// HasBlob reports whether a text holds a run of 200 or more characters of
// base64 outside an address: data, which is never a fact. Digits and dashes
// alone are none; of hexadecimal digits a third are letters.
func HasBlob(s string) bool {
	run, letters, address := 0, 0, false
	for i := range len(s) {
		c := s[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
			run++
		case c >= '0' && c <= '9':
			run++
		case strings.IndexByte("+/=_-", c) >= 0:
			address = address || c == '/' && i > 0 && s[i-1] == ':'
			run++
		default:
			run, letters, address = 0, 0, address && c > ' '
		}
		if run >= longestRun && letters > longestRun/5 && !address {
			return true
		}
	}
	return false
}
