package suite

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// File is where a repository keeps its questions.
const File = ".github/cardkeeper/questions.jsonl"

// Bounds of a file. A head may bring any file, and each check asks every question
// twice.
const (
	MaxBytes      = 1 << 20  // as for the configuration: people write some hundred lines
	MaxLine       = 32 << 10 // bytes: a question and a list of quoted statements
	MaxQuestions  = 500      // with their wordings; so many take some seconds over half a million facts
	MaxReferences = 20       // of one question: a list is cited whole up to 15 members
	MaxAlso       = 5        // wordings of one question
	maxID         = 64
	maxText       = 1000 // characters of any other text, as long as a question may be
)

// A Question is one line of the file.
type Question struct {
	ID       string
	Question string
	Expect   []Reference // one of these facts must be cited
	All      bool        // not one but each of them
	Refuse   bool        // it must be refused
	Also     []string    // other wordings, which must be answered alike
	Note     string      // for people
	Line     int         // in the file, from 1

	escaped bool // its line holds escapes of JSON
}

// Wordings are the question and what else it is asked as.
func (q Question) Wordings() []string { return append([]string{q.Question}, q.Also...) }

// Equal reports whether two questions ask and want the same, wherever they stand
// and whatever is noted.
func (q Question) Equal(other Question) bool { return q.Form() == other.Form() }

// Form is one and the same for questions that are [Question.Equal], and no others.
func (q Question) Form() string {
	q.Note = ""
	return string(encode(q))
}

// Key is what two questions share that ask in the same words, however they are
// written; "" where nothing is asked.
func (q Question) Key() string { return words(q.Question) }

// Same reports whether two wordings ask in the same words.
func Same(a, b string) bool { return words(a) == words(b) }

// Texts are the texts of those questions that are written otherwise in the file than
// they read, since JSON has several ways to write a letter, with their lines: for
// who looks for what must not be shown.
func Texts(questions []Question) (texts []string, lines []int) {
	for _, q := range questions {
		if !q.escaped {
			continue
		}
		all := append(q.Wordings(), q.Note)
		for _, r := range q.Expect {
			all = append(all, r.Text, r.Skill, r.File, r.Under)
		}
		texts, lines = append(texts, strings.Join(all, "\n")), append(lines, q.Line)
	}
	return texts, lines
}

// A Reference names facts; see the package's comment.
type Reference struct {
	Text    string `json:"text,omitempty"`
	Skill   string `json:"skill,omitempty"`
	File    string `json:"file,omitempty"`
	Section string `json:"section,omitempty"`
	Under   string `json:"under,omitempty"`
}

// words returns the words of a text in lower case, a blank before, between and
// after them. Characters of scripts without spaces are a word each.
func words(text string) string {
	var b strings.Builder
	inside := false
	for _, c := range strings.ToLower(norm.NFKC.String(text)) {
		switch {
		case c == '\'' || c == '’' || unicode.Is(unicode.Cf, c):
			continue // part of a word, or not to be seen
		case !unicode.IsLetter(c) && !unicode.IsNumber(c) && !unicode.IsMark(c):
			inside = false
			continue
		}
		alone := unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		if !inside || alone {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
		inside = !alone
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + " "
}
