package answer

import (
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"
)

// stemmed is what english.Stem makes of a word of a to z, ten times as soon: the stemmer
// for English of Snowball over bytes, with what that package does otherwise. A test holds
// the two together.
func stemmed(w string) string {
	var room [40]byte
	out := appendStem(room[:0], w)
	if string(out) == w {
		return w
	}
	return string(out)
}

// appendStem appends the stem of a word to an empty slice.
func appendStem(to []byte, w string) []byte {
	if len(w) <= 2 || english.IsStopWord(w) {
		return append(to, w...)
	}
	if as := irregular(w); as != "" {
		return append(to, as...)
	}
	to = append(to, w...)
	s := stem{w: to, n: len(to)}
	s.regions()
	s.plural()
	s.past()
	if n := s.n; n > 2 && (s.w[n-1] == 'y' || s.w[n-1] == 'Y') && !vowel(s.w[n-2]) {
		s.w[n-1] = 'i'
	}
	s.derived()
	s.derivedAgain()
	s.residue()
	s.last()
	for i, c := range to[:s.n] {
		if c == 'Y' {
			to[i] = 'y'
		}
	}
	return to[:s.n]
}

// irregular is the stem of a word that no rule finds, or empty.
func irregular(w string) string {
	switch w {
	case "skis":
		return "ski"
	case "skies", "sky":
		return "sky"
	case "dying":
		return "die"
	case "lying":
		return "lie"
	case "tying":
		return "tie"
	case "idly", "gently", "singly":
		return w[:len(w)-1]
	case "ugly", "early", "only":
		return w[:len(w)-1] + "i"
	case "news", "howe", "atlas", "cosmos", "bias", "andes", "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed":
		return w
	case "innings", "outings", "cannings", "herrings", "earrings", "proceeds", "exceeds", "succeeds":
		return w[:len(w)-1]
	case "proceeded", "exceeded", "succeeded":
		return w[:len(w)-2]
	case "proceeding", "exceeding", "succeeding":
		return w[:len(w)-3]
	}
	return ""
}

// A stem is a word on its way. A y that is no vowel is a capital. Most endings go only
// where they stand in a region: behind the first consonant after a vowel, or behind the
// next such one.
type stem struct {
	w      []byte // never longer than the word was
	n      int    // letters that are left
	r1, r2 int    // where the regions begin
}

func vowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

func (s *stem) regions() {
	for i, c := range s.w {
		if c == 'y' && (i == 0 || vowel(s.w[i-1])) {
			s.w[i] = 'Y'
		}
	}
	s.r1 = s.region(0)
	for _, prefix := range [...]string{"gener", "commun", "arsen"} {
		if len(s.w) >= len(prefix) && string(s.w[:len(prefix)]) == prefix {
			s.r1 = len(prefix)
		}
	}
	s.r2 = s.region(s.r1)
}

func (s *stem) region(from int) int {
	for i := from + 1; i < len(s.w); i++ {
		if vowel(s.w[i-1]) && !vowel(s.w[i]) {
			return i + 1
		}
	}
	return len(s.w)
}

func (s *stem) ends(with string) bool {
	at := s.n - len(with)
	return at >= 0 && string(s.w[at:s.n]) == with
}

// cut takes n letters from the end and puts others there.
func (s *stem) cut(n int, put string) {
	s.n += copy(s.w[s.n-n:], put) - n
	s.r1, s.r2 = min(s.r1, s.n), min(s.r2, s.n)
}

// swap puts another ending in the place of one in the first region. It reports whether the
// word has the ending at all.
func (s *stem) swap(ending, put string) bool {
	has := s.ends(ending)
	if has && s.n-len(ending) >= s.r1 {
		s.cut(len(ending), put)
	}
	return has
}

// drop takes away an ending in the second region, likewise.
func (s *stem) drop(ending string) bool {
	has := s.ends(ending)
	if has && s.n-len(ending) >= s.r2 {
		s.cut(len(ending), "")
	}
	return has
}

// short reports whether the first n letters end in a short syllable.
func (s *stem) short(n int) bool {
	switch {
	case n == 2:
		return vowel(s.w[0]) && !vowel(s.w[1])
	case n < 2:
		return false
	}
	a, b, c := s.w[n-3], s.w[n-2], s.w[n-1]
	return !vowel(a) && vowel(b) && !vowel(c) && c != 'w' && c != 'x' && c != 'Y'
}

func (s *stem) plural() {
	switch n := s.n; {
	case s.ends("sses"):
		s.cut(2, "")
	case (s.ends("ied") || s.ends("ies")) && n > 4:
		s.cut(2, "")
	case s.ends("ied"), s.ends("ies"):
		s.cut(1, "")
	case s.ends("us"), s.ends("ss"), !s.ends("s"):
	case slices.ContainsFunc(s.w[:n-2], vowel):
		s.cut(1, "")
	}
}

// past takes away -ed and -ing, with and without -ly.
func (s *stem) past() {
	for _, ending := range [...]string{"eedly", "ingly", "edly", "ing", "eed", "ed"} {
		if !s.ends(ending) {
			continue
		}
		if ending[:2] == "ee" {
			s.swap(ending, "ee")
		} else if left := s.n - len(ending); slices.ContainsFunc(s.w[:left], vowel) {
			s.repair(left)
		}
		return
	}
}

// repair gives back to the first n letters the e that -ed and -ing had taken, or takes the
// letter that they had doubled.
func (s *stem) repair(n int) {
	r1, r2 := s.r1, s.r2
	s.cut(s.n-n, "")
	switch {
	case s.ends("at"), s.ends("bl"), s.ends("iz"):
		s.cut(0, "e")
	case n > 1 && s.w[n-1] == s.w[n-2] && strings.IndexByte("bdfgmnprt", s.w[n-1]) >= 0:
		s.cut(1, "")
	case s.r1 >= n && s.short(n):
		s.cut(0, "e")
		s.r1, s.r2 = s.n, s.n
		return
	}
	s.r1, s.r2 = min(r1, s.n), min(r2, s.n)
}

func (s *stem) final() byte {
	if s.n == 0 {
		return 0
	}
	return s.w[s.n-1]
}

func (s *stem) derived() {
	switch s.final() {
	case 'l':
		_ = s.swap("ational", "ate") || s.swap("tional", "tion")
	case 's':
		_ = s.swap("fulness", "ful") || s.swap("iveness", "ive") || s.swap("ousness", "ous")
	case 'n':
		_ = s.swap("ization", "ize") || s.swap("ation", "ate")
	case 'm':
		s.swap("alism", "al")
	case 'r':
		_ = s.swap("ator", "ate") || s.swap("izer", "ize")
	case 'i':
		_ = s.swap("biliti", "ble") || s.swap("lessli", "less") || s.swap("aliti", "al") || s.swap("entli", "ent") ||
			s.swap("fulli", "ful") || s.swap("iviti", "ive") || s.swap("ousli", "ous") || s.swap("anci", "ance") ||
			s.swap("abli", "able") || s.swap("alli", "al") || s.swap("enci", "ence") || s.swap("bli", "ble") || s.adverb()
	}
}

// adverb sees to -logi, and to -li behind the letters that it stands behind.
func (s *stem) adverb() bool {
	n := s.n
	switch {
	case s.ends("ogi"):
		if n > 3 && s.w[n-4] == 'l' {
			s.swap("ogi", "og")
		}
	case n > 2 && s.ends("li") && strings.IndexByte("cdeghkmnrt", s.w[n-3]) >= 0:
		s.swap("li", "")
	}
	return true
}

func (s *stem) derivedAgain() {
	switch s.final() {
	case 'l':
		_ = s.swap("ational", "ate") || s.swap("tional", "tion") || s.swap("ical", "ic") || s.swap("ful", "")
	case 'e':
		_ = s.swap("alize", "al") || s.swap("icate", "ic") || s.drop("ative")
	case 'i':
		s.swap("iciti", "ic")
	case 's':
		s.swap("ness", "")
	}
}

func (s *stem) residue() {
	switch s.final() {
	case 't':
		_ = s.drop("ement") || s.drop("ment") || s.drop("ent") || s.drop("ant")
	case 'e':
		_ = s.drop("ance") || s.drop("ence") || s.drop("able") || s.drop("ible") || s.drop("ate") || s.drop("ive") || s.drop("ize")
	case 'm':
		s.drop("ism")
	case 'i':
		s.drop("iti")
	case 's':
		s.drop("ous")
	case 'l':
		s.drop("al")
	case 'r':
		s.drop("er")
	case 'c':
		s.drop("ic")
	case 'n':
		if n := s.n; n > 3 && (s.w[n-4] == 's' || s.w[n-4] == 't') {
			s.drop("ion")
		}
	}
}

// last takes away a final e, and one of two l.
func (s *stem) last() {
	n := s.n - 1
	if s.r1 > n {
		return
	}
	switch {
	case s.w[n] == 'e' && (s.r2 <= n || !s.short(n)), s.r2 <= n && n > 0 && s.w[n] == 'l' && s.w[n-1] == 'l':
		s.cut(1, "")
	}
}
