package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A Fault is one thing wrong with a line. It quotes nothing of it.
type Fault struct {
	Line int
	Text string
}

func (f Fault) String() string { return fmt.Sprintf("%s:%d: %s", File, f.Line, f.Text) }

// maxFaults is how many faults are told: who has more begins with these.
const maxFaults = 100

// Parse reads a file. The questions are those whose lines have no fault; all faults
// are told at once. Lines may end in CRLF, empty ones are passed over, and so is a
// byte order mark at the start.
func Parse(b []byte) ([]Question, []Fault) {
	if len(b) > MaxBytes {
		return nil, []Fault{{1, fmt.Sprintf("the file is longer than %d KiB; leave out what is asked twice", MaxBytes>>10)}}
	}
	p := parser{ids: map[string]int{}, keys: map[string]int{}}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	n := 0
	for line := range bytes.Lines(b) {
		n++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			p.line(n, line)
		}
	}
	return p.questions, p.faults
}

// A parser collects questions and faults.
type parser struct {
	questions []Question
	faults    []Fault
	ids, keys map[string]int // to the line of the first
	asked     int            // questions and wordings
	dropped   bool
}

func (p *parser) fault(line int, format string, args ...any) {
	switch {
	case len(p.faults) < maxFaults:
		p.faults = append(p.faults, Fault{line, fmt.Sprintf(format, args...)})
	case len(p.faults) == maxFaults:
		p.faults = append(p.faults, Fault{line, "more lines than these have faults; mend these first"})
	}
}

// line reads one line. What is wrong with it is told at once, and the line left out.
func (p *parser) line(n int, line []byte) {
	before := len(p.faults)
	if len(line) > MaxLine {
		p.fault(n, "the line is longer than %d KiB", MaxLine>>10)
		return
	}
	if !utf8.Valid(line) {
		p.fault(n, "the line is not valid UTF-8")
		return
	}
	q := Question{Line: n, escaped: bytes.IndexByte(line, '\\') >= 0}
	p.read(&q, line)
	if len(p.faults) > before || p.repeated(q) {
		return
	}
	if p.asked += 1 + len(q.Also); p.asked > MaxQuestions {
		if !p.dropped {
			p.fault(n, "the file asks more than %d questions with their wordings; from here on none is read", MaxQuestions)
		}
		p.dropped = true
		return
	}
	p.questions = append(p.questions, q)
}

// read fills a question from a line.
func (p *parser) read(q *Question, line []byte) {
	n, before := q.Line, len(p.faults)
	var keys map[string]json.RawMessage
	if json.Unmarshal(line, &keys) != nil || keys == nil {
		p.fault(n, `not one JSON object, such as {"id":"a","question":"How?","expect":["a piece of the fact's text"]}`)
		return
	}
	readers := map[string]func(json.RawMessage){
		"id":       func(v json.RawMessage) { q.ID = p.text(n, "id", v) },
		"question": func(v json.RawMessage) { q.Question = p.text(n, "question", v) },
		"note":     func(v json.RawMessage) { q.Note = p.text(n, "note", v) },
		"refuse":   func(v json.RawMessage) { q.Refuse = p.yes(n, "refuse", v) },
		"all":      func(v json.RawMessage) { q.All = p.yes(n, "all", v) },
		"also":     func(v json.RawMessage) { q.Also = p.also(n, v) },
		"expect":   func(v json.RawMessage) { q.Expect = p.expect(n, v) },
	}
	for key := range keys {
		if readers[key] == nil {
			p.fault(n, "a line knows: id, question, expect, refuse, all, also, note")
			return
		}
	}
	for _, key := range []string{"id", "question", "expect", "refuse", "all", "also", "note"} {
		if v, there := keys[key]; there {
			readers[key](v)
		}
	}
	if len(p.faults) == before {
		p.complete(*q, keys)
	}
}

// complete looks for what is missing or contradicts itself.
func (p *parser) complete(q Question, keys map[string]json.RawMessage) {
	if !isID(q.ID) {
		p.fault(q.Line, "id must be given: up to %d letters, digits, dots, hyphens and underscores", maxID)
	}
	if strings.TrimSpace(q.Question) == "" {
		p.fault(q.Line, "question must be given")
	}
	switch expects := keys["expect"] != nil; {
	case expects == q.Refuse:
		p.fault(q.Line, `give either "expect" with the facts that answer, or "refuse": true`)
	case expects && len(q.Expect) == 0:
		p.fault(q.Line, "expect must name at least one fact")
	case q.All && q.Refuse:
		p.fault(q.Line, `"all" goes with "expect"`)
	}
}

func isID(id string) bool {
	return id != "" && len(id) <= maxID && strings.Trim(strings.ToLower(id), "abcdefghijklmnopqrstuvwxyz0123456789._-") == ""
}

// repeated tells an id or a question that stands before.
func (p *parser) repeated(q Question) bool {
	if first := p.ids[q.ID]; first > 0 {
		p.fault(q.Line, "the id stands at line %d already", first)
		return true
	}
	if first := p.keys[q.Key()]; first > 0 && q.Key() != "" {
		p.fault(q.Line, "the question stands at line %d already", first)
		return true
	}
	p.ids[q.ID], p.keys[q.Key()] = q.Line, q.Line
	return false
}

// text reads a text that can be shown on one line.
func (p *parser) text(n int, key string, v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) != nil || v[0] != '"' {
		p.fault(n, "%s must be a text", key)
		return ""
	}
	if utf8.RuneCountInString(s) > maxText {
		p.fault(n, "%s is longer than %d characters", key, maxText)
		return ""
	}
	if strings.ContainsFunc(s, func(c rune) bool { return unicode.IsControl(c) && c != '\n' && c != '\t' }) {
		p.fault(n, "%s holds a control character", key)
		return ""
	}
	return s
}

func (p *parser) yes(n int, key string, v json.RawMessage) bool {
	if string(v) != "true" {
		p.fault(n, "%s is true or left out", key)
	}
	return true
}

// list reads the items of a list with a bound.
func (p *parser) list(n int, key string, v json.RawMessage, most int) []json.RawMessage {
	var items []json.RawMessage
	if json.Unmarshal(v, &items) != nil || v[0] != '[' {
		p.fault(n, "%s must be a list", key)
		return nil
	}
	if len(items) > most {
		p.fault(n, "%s takes at most %d items", key, most)
		return nil
	}
	return items
}

func (p *parser) also(n int, v json.RawMessage) (out []string) {
	for _, item := range p.list(n, "also", v, MaxAlso) {
		text := p.text(n, "an item of also", item)
		if strings.TrimSpace(text) == "" {
			p.fault(n, "an item of also must ask something")
			return nil
		}
		out = append(out, text)
	}
	return out
}

func (p *parser) expect(n int, v json.RawMessage) (out []Reference) {
	for _, item := range p.list(n, "expect", v, MaxReferences) {
		if r, ok := p.reference(n, item); ok {
			out = append(out, r)
		}
	}
	return out
}

// reference reads a text, or an object.
func (p *parser) reference(n int, v json.RawMessage) (r Reference, ok bool) {
	before := len(p.faults)
	var keys map[string]json.RawMessage
	switch {
	case v[0] == '"':
		r.Text = p.text(n, "a fact in expect", v)
	case json.Unmarshal(v, &keys) != nil || keys == nil:
		p.fault(n, `a fact in expect is a text, or an object with text, skill, file, section, under`)
	default:
		parts := map[string]*string{"text": &r.Text, "skill": &r.Skill, "file": &r.File, "section": &r.Section, "under": &r.Under}
		known := 0
		for _, key := range []string{"text", "skill", "file", "section", "under"} {
			if value, there := keys[key]; there {
				known++
				*parts[key] = p.text(n, key, value)
			}
		}
		if known < len(keys) {
			p.fault(n, "a fact in expect knows: text, skill, file, section, under")
		}
	}
	if len(p.faults) > before {
		return r, false
	}
	if wrong := r.fault(); wrong != "" {
		p.fault(n, "%s", wrong)
		return r, false
	}
	return r, true
}

// fault says why a reference names nothing, or next to everything; "" where it does not.
func (r Reference) fault() string {
	sections := card.Sections()
	switch {
	case words(r.Text) == "" && (r.Text != "" || words(r.Under) == "" || r.Skill+r.File == ""):
		return `a fact in expect needs a text with a word in it, or "under" with "skill" or "file"`
	case r.Under != "" && words(r.Under) == "":
		return "under needs a word"
	case r.Section != "" && !slices.Contains(sections[:], card.Section(r.Section)):
		return "section is one of: setup, commands, architecture, refusals, troubleshooting"
	}
	return ""
}
