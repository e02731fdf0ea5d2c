package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// A batchAnswer is one line of ask --batch. The id is any JSON value, and comes
// back as it was; a line without one has its number.
type batchAnswer struct {
	ID json.RawMessage `json:"id"`
	answer.Form
}

// maxLine bounds a line of a batch, in bytes: a question of 1,000 characters takes 4,000 at most.
const maxLine = 1 << 20

// mostFaults is how many lines of a batch are named that are no questions; all are counted.
const mostFaults = 20

// A batch answers a file of questions, one a line, as they come: another program may wait
// for each. A line that is no question is named on stderr and has no answer; the exit code
// then is that of wrong arguments.
type batch struct {
	*ask.Library
	scanner *secret.Scanner
	file    string
	in      io.Reader // for the file "-"
	out     io.Writer
	stderr  io.Writer
	tell    func(answer.Answer)
	extra   map[string]bool // keys that nobody reads
}

// A batchLine is one question of a file.
type batchLine struct {
	ID       json.RawMessage
	Question *string
	Also     []string
}

func (b *batch) run(ctx context.Context) error {
	in := b.in
	if b.file != "-" {
		f, err := os.Open(b.file)
		if err != nil {
			return fmt.Errorf("%w: --batch: the file cannot be opened: %w", errUsage, err)
		}
		defer f.Close()
		in = f
	}
	b.extra = map[string]bool{}
	lines, bad := bufio.NewScanner(in), 0
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		line := lines.Bytes()
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // as in a file of questions
		}
		q, fault := b.read(line)
		if fault != "" {
			if bad++; bad <= mostFaults {
				tell(ctx, b.scanner, b.stderr, fmt.Sprintf("%s:%d: %s", b.file, n, fault))
			}
			continue
		}
		if err := b.answer(ctx, n, q); err != nil {
			return err
		}
	}
	b.tellExtra(ctx)
	if err := lines.Err(); err != nil {
		return fmt.Errorf("--batch: %s: %w", b.file, err)
	}
	if bad > 0 {
		return fmt.Errorf("%w: --batch: %s had no question that could be read; the others are answered", errUsage, count(bad, "line"))
	}
	return nil
}

// read reads a line; fault says what is wrong with it.
func (b *batch) read(line []byte) (q batchLine, fault string) {
	var keys map[string]json.RawMessage
	if json.Unmarshal(line, &q) != nil || json.Unmarshal(line, &keys) != nil {
		return q, "not a JSON object with \"id\" and \"question\", and \"also\" as a list of texts"
	}
	for key := range keys {
		if !slices.ContainsFunc([]string{"id", "question", "also"}, func(k string) bool { return strings.EqualFold(k, key) }) {
			b.extra[key] = true
		}
	}
	switch {
	case q.Question == nil:
		return q, "\"question\" is missing"
	case len(q.Also) > answer.MaxAlso:
		return q, fmt.Sprintf("at most %d further wordings are read", answer.MaxAlso)
	case slices.ContainsFunc(q.Also, func(w string) bool { return strings.TrimSpace(w) == "" }):
		return q, "an item of \"also\" is empty"
	}
	return q, ""
}

// mostExtra is how many unread keys are named.
const mostExtra = 10

// tellExtra names the keys that were not read, so that a misspelt one is seen.
func (b *batch) tellExtra(ctx context.Context) {
	var names []string
	for key := range b.extra {
		if b.Names(key) {
			continue
		}
		names = append(names, fmt.Sprintf("%q", key))
	}
	if slices.Sort(names); len(names) > mostExtra {
		names = append(names[:mostExtra], "...")
	}
	if len(names) > 0 {
		tell(ctx, b.scanner, b.stderr, "cardkeeper: --batch: these keys say nothing here: "+strings.Join(names, ", "))
	}
}

// answer answers a question and prints it.
func (b *batch) answer(ctx context.Context, n int, q batchLine) error {
	ctx, _ = secret.Apart(ctx) // of this line: what another one gives away changes nothing here
	got, err := orRefusal(b.Ask(ctx, *q.Question, q.Also...))
	if err != nil {
		return fmt.Errorf("%s:%d: %w", b.file, n, err)
	}
	b.tell(got)
	shown, err := b.shows(ctx, q.ID)
	if err != nil {
		return fmt.Errorf("%s:%d: scan the id: %w", b.file, n, err)
	}
	switch {
	case q.ID == nil:
		q.ID = json.RawMessage(strconv.Itoa(n))
	case !shown: // what is printed was scanned, ids too
		q.ID = json.RawMessage(`""`)
	}
	return encode(b.out, batchAnswer{q.ID, got.Form()})
}

// shows reports whether an id may be shown: as it is written, as it is read, since JSON has
// several ways to write a letter, and beside what its own line and answer gave away.
func (b *batch) shows(ctx context.Context, id json.RawMessage) (bool, error) {
	var value any
	if id == nil || json.Unmarshal(id, &value) != nil {
		return false, nil
	}
	text := string(id) + "\n" + fmt.Sprint(value)
	if b.Names(text) {
		return false, nil
	}
	lines := []checker.Line{{Text: text}}
	err := checker.NewGate(b.scanner, nil, 0).WithholdLines(ctx, lines)
	return lines[0].Text == text, err
}
