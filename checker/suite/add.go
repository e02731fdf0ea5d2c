package suite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// Errors of Add.
var (
	ErrKnown  = errors.New("the question stands in the file already")
	ErrFaulty = errors.New("the file has faults; mend them first (cardkeeper eval tells them all)")
	ErrFull   = errors.New("the file is full; leave out what is asked twice")
	ErrUnfit  = errors.New("the question cannot be kept: it is too long or holds no word, or the facts that answer it hold none")
	ErrBack   = errors.New("the documents keep back what is asked for, so there is no answer to keep; the question was not saved")
	ErrNoList = errors.New("the answer is no list, so there is no whole of it to keep; leave out --all")
)

// An Addition is what is added to a file: a question that was answered or refused, with what
// a person can confirm of it.
type Addition struct {
	Question string
	Also     []string // other wordings
	Answer   answer.Answer
	All      bool // of a list, each member is expected, up to [MaxReferences], and not the first hit alone
}

// Add appends a question to a file with the fact that answered it first, wherever it stands, or
// as one that must be refused. It returns the new file, whose earlier bytes stay as they are,
// and the line.
func Add(ctx context.Context, file []byte, x *answer.Index, a Addition) (out, line []byte, err error) {
	known, faults := Parse(file)
	got := a.Answer
	switch {
	case len(faults) > 0:
		return nil, nil, fmt.Errorf("%w: %s", ErrFaulty, faults[0])
	case got.Withheld:
		return nil, nil, ErrBack
	case a.All && !got.List:
		return nil, nil, ErrNoList
	}
	q := Question{Question: oneLine(a.Question), Refuse: !got.Answered, All: got.Answered && a.All}
	for _, w := range a.Also {
		q.Also = append(q.Also, oneLine(w))
	}
	ids := map[string]bool{}
	for _, k := range known {
		if k.Key() == q.Key() && q.Key() != "" {
			return nil, nil, fmt.Errorf("%w: line %d, %s", ErrKnown, k.Line, k.ID)
		}
		ids[k.ID] = true
	}
	q.ID = id(a.Question, ids)
	if q.Expect, err = referAll(ctx, x, got.Hits, q.All); err != nil {
		return nil, nil, err
	}
	line = encode(q)
	if alone, faults := Parse(line); len(faults) > 0 || len(alone) != 1 || q.Key() == "" {
		return nil, nil, ErrUnfit
	}
	out, end := bytes.Clone(file), lineEnd(file)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, end...)
	}
	out = append(append(out, line...), end...)
	if again, faults := Parse(out); len(faults) > 0 || len(again) != len(known)+1 {
		return nil, nil, ErrFull
	}
	return out, line, nil
}

// lineEnd is how the first line of a file ends.
func lineEnd(file []byte) string {
	if i := bytes.IndexByte(file, '\n'); i > 0 && file[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// referAll names the first hit, or all of them.
func referAll(ctx context.Context, x *answer.Index, hits []answer.Hit, all bool) (out []Reference, err error) {
	for i, h := range hits {
		if len(out) == MaxReferences || i > 0 && !all {
			break
		}
		r, err := refer(ctx, x, h)
		if err != nil {
			return nil, err
		}
		if r.fault() == "" {
			out = append(out, r)
		}
	}
	return out, nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// encode writes a question as a line of the file, without the line's end.
func encode(q Question) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(struct { // texts always encode
		ID       string      `json:"id"`
		Question string      `json:"question"`
		Expect   []Reference `json:"expect,omitempty"`
		All      bool        `json:"all,omitempty"`
		Refuse   bool        `json:"refuse,omitempty"`
		Also     []string    `json:"also,omitempty"`
		Note     string      `json:"note,omitempty"`
	}{q.ID, q.Question, q.Expect, q.All, q.Refuse, q.Also, q.Note})
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// idWords is how long an id made of a question may be: long enough to tell what is asked.
const idWords = 48

// id makes an id of the question's words, one that is not taken.
func id(question string, taken map[string]bool) string {
	var parts []string
	size := 0
	for w := range strings.FieldsSeq(words(question)) {
		if !isID(w) {
			continue
		}
		if size += len(w) + 1; size > idWords {
			break
		}
		parts = append(parts, w)
	}
	base := strings.Join(parts, "-")
	if base == "" { // no word of letters that an id takes
		sum := sha256.Sum256([]byte(words(question)))
		base = "q-" + hex.EncodeToString(sum[:4])
	}
	out := base
	for n := 2; taken[out]; n++ {
		out = fmt.Sprintf("%s-%d", base, n)
	}
	return out
}

// quoted is how much of a fact's text a reference quotes, in characters: enough
// for a person to know it again, and what is behind it may change.
const quoted = 200

// refer names the fact of a hit by its text and skill, and by file, section and
// heading where another fact of the index is named by these too. A statement of several
// skills is named by its text alone where that names no other: it may go from one of them.
func refer(ctx context.Context, x *answer.Index, h answer.Hit) (Reference, error) {
	e, at := h.Fact.Entry(), h.Fact.Places()[0]
	r := Reference{Text: piece(e.Text), Skill: h.Skill}
	if words(r.Text) == "" {
		r.Text = ""
	}
	if alone := (Reference{Text: r.Text}); r.Text != "" && len(h.Also) > 0 {
		if only, err := sole(ctx, x, alone, h); only || err != nil {
			return alone, err
		}
	}
	under := ""
	for _, c := range e.Context {
		if c.Role == card.Heading && words(c.Text) != "" {
			under = c.Text
		}
	}
	for _, narrow := range []func(){
		func() { r.File = at.File },
		func() { r.Section = string(e.Section) },
		func() { r.Under = under },
	} {
		if r.Text != "" {
			only, err := sole(ctx, x, r, h)
			if err != nil {
				return r, err
			}
			if only {
				break
			}
		}
		narrow()
	}
	if r.File != "" {
		r.Skill = "" // the file says it
	}
	return r, nil
}

// sole reports whether a reference names no other fact than the hit's.
func sole(ctx context.Context, x *answer.Index, r Reference, h answer.Hit) (bool, error) {
	e, err := Resolve(ctx, x, []Question{{Expect: []Reference{r}}})
	if err != nil {
		return false, err
	}
	for _, n := range e.facts[0][0] {
		if n != h.Number && !x.Same(n, h.Number) {
			return false, nil
		}
	}
	return true, nil
}

// piece is the start of a text on one line, cut between words.
func piece(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len([]rune(text)) <= quoted {
		return text
	}
	cut := string([]rune(text)[:quoted])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut
}
