package secret

import "strings"

// longestName bounds the identifier that a name may be part of, and the word
// before it: a name deep in a long run stands in base 64 by chance, and to look
// at the whole run for each would be quadratic.
const longestName = 64

// A label is a name in a line.
type label struct {
	kind       labelKind
	start, end int // end is past an identifier that goes on, "password_staging"
}

// labels are the names in a line that may lead to a secret.
func (l *lexicon) labels(line string) []label {
	var out []label
	for i := 0; i+1 < len(line); {
		list := l.heads[head(line, i)]
		if list == 0 {
			i++
			continue
		}
		kind, end := longest(l.lists[list], line, i)
		if end == 0 {
			i++
			continue
		}
		after, ok := l.closed(line, end)
		if !ok { // another name may begin amid this one
			i++
			continue
		}
		if (kind == kindPassword || !l.public(line, i)) && !amidRandom(line, i, end) {
			out = append(out, label{kind, i, after})
		}
		i = end
	}
	return out
}

// amidRandom reports a name that chance put into base 64.
func amidRandom(line string, start, end int) bool {
	from, to := start, end
	for from > 0 && start-from < longestName && packed(line[from-1]) {
		from--
	}
	for to < len(line) && to-end < longestName && packed(line[to]) {
		to++
	}
	return to-from >= 20 && odd(line[from:to]) > quiteOdd
}

// packed reports the bytes of base 64.
func packed(c byte) bool { return alphanumeric(c) || c == '+' || c == '/' }

// longest finds the longest name that starts at a byte. Its end is 0 for none.
func longest(names []name, line string, i int) (kind labelKind, end int) {
	for _, n := range names {
		if n.whole && !startsWord(line, i) {
			continue
		}
		if e := n.match(line, i); e > end {
			kind, end = n.kind, e
		}
	}
	return kind, end
}

// public reports a name that one of the two words before it makes another thing.
func (l *lexicon) public(line string, at int) bool {
	for range 2 {
		word := wordBefore(line, at)
		if l.before[strings.ToLower(word)] {
			return true
		}
		at -= len(word)
		if at > 0 && joint(line[at-1]) {
			at--
		}
	}
	return false
}

// closed follows an identifier to its end. It reports false where the name goes
// on as another word, or a word after it says that no secret is meant.
func (l *lexicon) closed(line string, end int) (int, bool) {
	start := end
	if end < len(line) && line[end] == 's' && (end+1 == len(line) || !letter(line[end+1])) {
		end++
	}
	if end < len(line) && letter(line[end]) && !startsWord(line, end) && line[end-1] < 0x80 {
		return 0, false
	}
	for end < len(line) && (alphanumeric(line[end]) || joint(line[end]) && line[end] != ' ' && end+1 < len(line) && alphanumeric(line[end+1])) {
		if end++; end-start > longestName {
			return 0, false
		}
	}
	if end > start+1 { // more than the s of many
		for _, w := range wordParts.FindAllString(line[start:end], -1) {
			if l.after[strings.ToLower(w)] {
				return 0, false
			}
		}
	}
	return end, !l.after[strings.ToLower(wordAfter(line, end))]
}

// startsWord reports a byte at which a word of prose or of an identifier begins.
func startsWord(line string, i int) bool {
	if i == 0 || !alphanumeric(line[i-1]) && line[i-1] < 0x80 {
		return true
	}
	return line[i] >= 'A' && line[i] <= 'Z' && line[i-1] >= 'a'
}

// wordBefore is the word that ends before a byte, with one sign or none between.
func wordBefore(line string, i int) string {
	if i > 0 && joint(line[i-1]) {
		i--
	}
	end := i
	for i > 0 && letter(line[i-1]) && end-i < longestName {
		i--
		if line[i] >= 'A' && line[i] <= 'Z' && i > 0 && line[i-1] >= 'a' {
			break
		}
	}
	return line[i:end]
}

// wordAfter is the word after one space.
func wordAfter(line string, i int) string {
	if i >= len(line) || line[i] != ' ' {
		return ""
	}
	end := i + 1
	for end < len(line) && letter(line[end]) && end-i < longestName {
		end++
	}
	return line[i+1 : end]
}
