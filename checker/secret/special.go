package secret

import (
	"regexp"
	"strings"
)

var (
	wordList  = regexp.MustCompile(`(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}`)
	codeForm  = regexp.MustCompile(`[A-Za-z0-9]{4,10}(?:[- ][A-Za-z0-9]{4,10}){0,3}`)
	seedForm  = regexp.MustCompile(`\b(?:(?:[a-z2-7]{4}[ -]){3,15}[a-z2-7]{2,4}|(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{2,4})\b`)
	fourForm  = regexp.MustCompile(`\b(?:(?:[a-z]{4}[ -]){3}[a-z]{4}|(?:[A-Za-z0-9]{4} ){3,15}[A-Za-z0-9]{4})\b`)
	digitForm = regexp.MustCompile(`^["'\x60*)]{0,3}[ \t]{0,4}(?:[:=|]|is)[ \t*\x60|"']{0,6}([0-9]{4,12})(?:[^0-9.:/-]|$)`)
	// What stands before an id, and words before the digest of a thing.
	idBefore = regexp.MustCompile(`(?i)(?:id|sha\d*|md5|commit|digest|checksum|hash|trace|etag|rev|revision|fingerprint|thumbprint|account|address|contract|cid|uuid|guid|h1|integrity|@)["'\x60:=( |*]*$`)
	digestOf = regexp.MustCompile(`(?i)\b(?:commit|fix(?:ed|es)?|in|at|sha|digest|checksum|hash|md5|revision|merged?|tag|version|build|image|file|reverted|since|before|after|see)\b`)
)

// unjoined takes out what groups of four and codes are joined by.
var unjoined = strings.NewReplacer("-", "", " ", "")

// special finds values that are no single run: phrases, lists of codes, seeds in
// groups of four.
func (j *judge) special(line string, l label) (out []hit) {
	rest := line[l.end:]
	take := func(at []int, rule string, ok func(string) bool) {
		if at == nil || !ok(rest[at[0]:at[1]]) {
			return
		}
		if h, ok := j.hit(line, l, l.end+at[0], rest[at[0]:at[1]], rule); ok {
			out = append(out, h)
		}
	}
	switch l.kind {
	case kindWords:
		take(wordList.FindStringIndex(rest), "seed-phrase", j.phrase)
	case kindPassword: // "abcd efgh ijkl mnop", as a provider of mail gives them to programs
		take(fourForm.FindStringIndex(rest), "worded-password", func(groups string) bool { return odd(unjoined.Replace(groups)) > 5 })
	case kindToken: // a recovery key, in groups so that it can be typed
		take(fourForm.FindStringIndex(rest), "labelled-token", func(groups string) bool { return len(groups) > 5*5 && random(unjoined.Replace(groups)) })
	case kindDigits:
		if at := digitForm.FindStringSubmatchIndex(rest); at != nil {
			take(at[2:], "recovery-code", func(string) bool { return true })
		}
	case kindOTP:
		take(seedForm.FindStringIndex(rest), "labelled-token", func(seed string) bool { return random(unjoined.Replace(seed)) })
	case kindCodes:
		for _, at := range codeForm.FindAllStringIndex(rest, -1) {
			take(at, "recovery-code", spare)
		}
	}
	return out
}

// phrase reports words of a list made for phrases: none of a sentence, and not
// one word again and again, which is everybody's example.
func (j *judge) phrase(text string) bool {
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		if j.lexicon.plain[w] {
			return false
		}
		seen[w] = true
	}
	return len(seen) >= 6
}

// spare reports a code as services give them in lists, for the day the phone is
// lost: eight and more letters and digits, often in two groups.
func spare(code string) bool {
	bare := unjoined.Replace(code)
	if len(bare) < 8 || len(bare) == len(code) && len(bare) > 16 || mundane.MatchString(code) && len(bare) < len(code) {
		return false
	}
	digits := 0
	for i := 0; i < len(bare); i++ {
		if bare[i] <= '9' {
			digits++
		}
	}
	return digits == len(bare) || digits > 0 && odd(bare) > 4.5 && !lowerAndDigit.MatchString(code)
}

// farthest is how many bytes after a name a random value may stand, and nearest
// how many before: "... is the token".
const (
	farthest = 100
	nearest  = 24
	leastFar = 20 // a shorter one needs a sign before it
)

// nearby finds long random values in the sentence of a name.
func (j *judge) nearby(line string, labels []label) (out []hit) {
	first := 0
	for _, at := range longRuns(line) {
		for first < len(labels) && labels[first].end+farthest < at[0] {
			first++
		}
		value := strings.TrimRight(line[at[0]:at[1]], ".=~-")
		if !unknown(line, at[0], value) {
			continue
		}
		for _, l := range labels[first:] {
			if l.start > at[1]+nearest {
				break
			}
			if !inReach(line, l, at[0], at[1], hexadecimal(value)) {
				continue
			}
			if h, ok := j.hit(line, l, at[0], value, "labelled-nearby"); ok {
				out = append(out, h)
				break
			}
		}
	}
	return out
}

// longRuns are the runs of a line that are as long as a token.
func longRuns(line string) (out [][2]int) {
	for i := 0; i < len(line); i++ {
		start := i
		for i < len(line) && (packed(line[i]) || strings.IndexByte("_=.~-", line[i]) >= 0) {
			i++
		}
		if n := i - start; n >= leastFar && n <= longestValue {
			out = append(out, [2]int{start, i})
		}
	}
	return out
}

// unknown reports a random value that is no id, no path and no digest by what
// stands before it.
func unknown(line string, at int, value string) bool {
	if !machineMade(value, leastFar, false) || !strings.ContainsAny(value, "0123456789") || !randomRun(value) && !hexadecimal(value) || recordID.MatchString(value) {
		return false
	}
	return (at == 0 || line[at-1] != '/') && !strings.HasPrefix(value, "//") && !idBefore.MatchString(line[max(0, at-20):at])
}

// inReach reports a name that a value belongs to. Digests are all hexadecimal.
func inReach(line string, l label, start, end int, hex bool) bool {
	if l.kind != kindToken && l.kind != kindPassword && l.kind != kindOTP {
		return false
	}
	if l.end <= start {
		return start-l.end <= farthest && !(hex && digestOf.MatchString(line[l.end:start]))
	}
	return l.start >= end && !hex
}
