package answer

import "strings"

// A kind is what a question asks for, as kinds.txt names it: "" is by its words alone.
type kind string

// passed is the kind of phrases that only lead up to a question.
const passed kind = "-"

// A phrase is a line of kinds.txt.
type phrase struct {
	kind  kind
	first bool // it counts at the question's start alone
	words []string
}

func (l *lexicon) readKinds() {
	for _, line := range lines("kinds.txt") {
		name, text, _ := strings.Cut(line, ":")
		text, first := strings.CutPrefix(strings.TrimSpace(text), "^")
		l.kinds = append(l.kinds, phrase{kind(name), first, strings.Fields(text)})
	}
}

// kind reads off its first telling phrase what a question asks for.
func (l *lexicon) kind(words []word) kind {
	for i, start := 0, true; i < len(words); i++ {
		best := l.phraseAt(words[i:], start)
		switch {
		case best.kind == passed:
			i += len(best.words) - 1
		case best.words != nil:
			return best.kind
		default:
			start = false
		}
	}
	return ""
}

// phraseAt is the longest phrase that the words begin with.
func (l *lexicon) phraseAt(words []word, start bool) (best phrase) {
	for _, p := range l.kinds {
		if len(p.words) > len(best.words) && (start || !p.first && p.kind != passed) &&
			holdsPhrase(words[:min(len(words), len(p.words))], p.words) {
			best = p
		}
	}
	return best
}

// agrees reports whether what was taught for one kind of question holds for another: for the
// same, and where one of the two asks by its words alone. "How many runs are kept" says nothing of
// who keeps them; "runs kept" is about both.
func (k kind) agrees(asked kind) bool { return k == asked || asked == "" || k == "" }
