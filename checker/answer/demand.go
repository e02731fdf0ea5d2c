package answer

import (
	"regexp"
	"slices"
	"strings"
)

// A demand is what a question asks of the fact that answers it beside its words. Near misses
// share the words and break one of these.
type demand struct {
	flags      []string // as they are written, with their hyphens
	files      []string // names of scripts that the index knows
	skills     []uint32 // the skills that it names, ascending
	spaced     bool     // they are named by plain words, which may mean the thing as well
	attributes []attribute
	sides      []side
	not        bool // it asks when or what not
	direct     bool // it is one sentence that asks

	figure  bool
	counted string   // what "how many" counts, as a term; none where it is a unit
	units   []string // one of which the figure has

	who, where, when bool
	act              string // what "who" does, as a term

	// terms of the question, of which one each is to be covered
	asked   []int // the attributes themselves, in their order
	bearer  []int // right behind those: the timeout of "default timeout"
	subject []int // what the figure is of
	verb    []int // what is to be done
	object  []int // with what
}

// An attribute is one that is asked for, with what a fact may say it with.
type attribute struct {
	own     map[string]bool // terms
	phrases [][]string
	marks   []string
}

// A side is one of two opposites that the question holds, with the other.
type side struct{ own, other map[string]bool }

// any reports whether anything is asked for that a fact's text has to be read for.
func (d *demand) any() bool {
	named := len(d.flags)+len(d.files)+len(d.skills) > 0
	return named || len(d.attributes)+len(d.sides)+len(d.verb) > 0 || d.not || d.figure || d.who || d.where || d.when
}

// demand reads what a question asks for. The terms of the question are known.
func (x *Index) demand(question string, raw []word, q *query) (d demand) {
	r := reader{lex: x.lex, stems: stemmer{}}
	d.flags, d.files = flagsOf(question), slices.DeleteFunc(scriptsOf(raw), func(f string) bool { return !x.knows(r, f) })
	d.skills, d.spaced = x.skillsNamed(question, raw, q)
	d.not, d.direct = forbids(raw), isDirect(question, raw)
	d.attribute(x.lex, raw, q)
	d.opposites(x.lex, r.termsOf(raw))
	d.figures(x.lex, question, raw, q)
	d.way(r, question, q)
	if len(raw) > 0 {
		first := raw[0].surface
		d.who, d.where, d.when = first == "who", first == "where", first == "when"
		if at := slices.IndexFunc(raw, func(w word) bool { return !w.stop }); at > 0 {
			d.act = raw[at].norm
		}
	}
	return d
}

// attribute reads which attributes are asked for, where a value is.
func (d *demand) attribute(l *lexicon, raw []word, q *query) {
	for _, a := range l.attributes {
		at := slices.IndexFunc(q.terms, func(t queryTerm) bool { return a.asks[t.norm] && !t.part && len(t.parts) == 0 })
		if at >= 0 && asksValue(raw) {
			d.attributes, d.asked = append(d.attributes, a.attribute), append(d.asked, at)
			d.bearer = append(d.bearer, q.termsIn(bearerOf(raw, q.terms[at].norm))...)
		}
	}
}

// opposites reads which sides of opposites the question holds without the other.
func (d *demand) opposites(l *lexicon, held map[string]bool) {
	for _, pair := range l.opposites {
		switch a, b := overlap(held, pair[0]), overlap(held, pair[1]); {
		case a && !b:
			d.sides = append(d.sides, side{pair[0], pair[1]})
		case b && !a:
			d.sides = append(d.sides, side{pair[1], pair[0]})
		}
	}
}

// knows reports whether a name of a file stands in some fact or around one.
func (x *Index) knows(r reader, file string) bool {
	return slices.ContainsFunc(r.words(file), func(w word) bool { return x.known(x.words.find(w.norm)) })
}

// written is a flag as it is written.
var written = regexp.MustCompile("(?:^|[\\s`'\"(\\[=,/|])(--?[A-Za-z][A-Za-z0-9_-]*)")

// flagsOf returns the flags that a text holds, each once.
func flagsOf(text string) (out []string) {
	for _, m := range written.FindAllStringSubmatch(text, -1) {
		if f := flagForm(m[1]); !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// flagForm is a flag as flags are compared: of one letter, its case tells.
func flagForm(f string) string {
	if len(f) <= 2 {
		return f
	}
	return strings.ToLower(strings.TrimRight(f, "-_"))
}

// scriptsOf returns the names of script files among words.
func scriptsOf(words []word) (out []string) {
	for _, w := range words {
		name := w.surface[strings.LastIndexByte(w.surface, '/')+1:]
		if isScript(name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// isScript reports whether a file's name is that of a script which may declare something.
func isScript(name string) bool {
	at := strings.LastIndexByte(name, '.')
	if at < 1 {
		return false
	}
	switch name[at+1:] {
	case "sh", "bash", "zsh", "py", "js", "mjs", "cjs", "ts", "rb", "pl", "ps1", "go", "lua", "php":
		return true
	}
	return false
}

// termsOf returns the terms that words are compared as, compounds included, stop words too.
func (r reader) termsOf(words []word) map[string]bool {
	out := map[string]bool{}
	for i, w := range words {
		if i+1 < len(words) {
			if both, ok := r.joined(w, words[i+1]); ok {
				out[both] = true
			}
		}
		out[w.norm] = true
	}
	return out
}

func overlap(a, b map[string]bool) bool {
	for term := range b {
		if a[term] {
			return true
		}
	}
	return false
}

// isDirect reports whether a question is one sentence that asks. What is told in several is
// context as often as it is asked for.
func isDirect(question string, raw []word) bool {
	question = strings.TrimSpace(question)
	for _, end := range []string{". ", "! ", "? ", "; ", ": "} {
		if strings.Contains(question, end) {
			return false
		}
	}
	return strings.HasSuffix(question, "?") || len(raw) > 0 && isQuestionWord(raw[0].surface)
}

func isQuestionWord(w string) bool {
	switch w {
	case "what", "which", "who", "whom", "whose", "where", "when", "why", "how":
		return true
	}
	return isAuxiliary(w)
}

// bearerOf returns the word right behind a term, where it is no small one.
func bearerOf(raw []word, term string) []word {
	for i, w := range raw[:max(0, len(raw)-1)] {
		if w.norm == term && !raw[i+1].stop {
			return raw[i+1 : i+2]
		}
	}
	return nil
}
