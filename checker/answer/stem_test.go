package answer

import (
	"strings"
	"testing"

	"github.com/kljensen/snowball/english"
	"pgregory.net/rapid"
)

func TestAStemIsThatOfThePackage(t *testing.T) {
	t.Parallel()
	endings := strings.Fields("s es ed ing ingly edly eed eedly y ly li ization ational tional fulness iveness ousness biliti lessli alism aliti ation " +
		"entli fulli iviti ousli anci abli alli ator enci izer bli ogi logi alize icate ative iciti ical ful ness ement ance ence able ible " +
		"ment ent ant ism ate iti ous ive ize ion sion tion al er ic e l ll sses ied ies us ss at bl iz bb dd ying")
	check := func(t interface{ Errorf(string, ...any) }, w string) {
		if got, want := stemmed(w), english.Stem(w, false); got != want {
			t.Errorf("the stem of %q is %q, want %q", w, got, want)
		}
	}
	for line := range strings.Lines(wordnet()) {
		for w := range strings.FieldsSeq(line) {
			if isLatin(w) {
				check(t, w)
				for _, e := range endings[:6] {
					check(t, w+e)
				}
			}
		}
	}
	for _, w := range strings.Fields("skis skies dying lying tying idly gently ugly early only singly sky news howe atlas cosmos bias andes inning innings " +
		"outing outings canning cannings herring herrings earring earrings proceed proceeds proceeded proceeding exceed exceeds exceeded exceeding " +
		"succeed succeeds succeeded succeeding generate generously communism arsenal the yourselves a s ab yy y aaa youth") {
		check(t, w)
	}
	letter := rapid.SampledFrom([]byte("aeioyusltnrbcdghwx"))
	rapid.Check(t, func(t *rapid.T) {
		w := string(rapid.SliceOfN(letter, 0, 7).Draw(t, "stem"))
		for range rapid.IntRange(0, 3).Draw(t, "endings") {
			w += rapid.SampledFrom(endings).Draw(t, "ending")
		}
		if w != "" {
			check(t, w)
		}
	})
}
