package checker

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// An Unasked is an error of [Input.Facts]: it says why no question can be asked, this
// time and the next, in words that quote nothing. Any other error is one of the check.
type Unasked string

func (u Unasked) Error() string { return "the questions cannot be asked: " + string(u) }

// A paper is one tree's file of questions.
type paper struct {
	text      []byte // nil for no file
	id        string
	questions []suite.Question
	faults    []suite.Fault

	forms map[string]bool // of its questions, as [suite.Question.Form] has them
	at    map[string]int  // their numbers by id and by what they ask
}

// enter makes the questions ready to be looked up.
func (p *paper) enter() {
	p.forms, p.at = map[string]bool{}, map[string]int{}
	for i, q := range p.questions {
		p.forms[q.Form()] = true
		p.at["id "+q.ID] = i
		if key := q.Key(); key != "" {
			p.at["asks "+key] = i
		}
	}
}

// find is the number of the question that has the id of another, or asks the same; -1 for none.
func (p *paper) find(q suite.Question) int {
	if i, known := p.at["id "+q.ID]; known {
		return i
	}
	if i, known := p.at["asks "+q.Key()]; known {
		return i
	}
	return -1
}

// papers are the files of questions that a check looks at. What is lost is told by
// the judge: the base's own, or that of the base branch as it is now (law 7).
type papers struct{ judge, base, head paper }

// readPapers reads the files of questions. Where there is something to ask, those of
// the base are scanned: their words may be shown. The head's is scanned with what the
// change brings.
func (c *check) readPapers(ctx context.Context) error {
	if c.in.NoQuestions || c.in.Policy.NoQuestions {
		return nil
	}
	p := &papers{}
	c.papers = p
	if err := p.head.read(c.in.Head.Files); err != nil {
		return err
	}
	if c.base == nil {
		p.judge = p.head
		return nil
	}
	if err := p.base.read(c.base.Files); err != nil {
		return err
	}
	p.judge = p.base
	if c.in.Suite != nil {
		p.judge = paper{}
		if err := p.judge.read(c.in.Suite); err != nil {
			return err
		}
	}
	if !c.asks() {
		return nil
	}
	for _, one := range []paper{p.judge, p.base} {
		if _, err := one.scan(ctx, c.gate); err != nil {
			return err
		}
	}
	return nil
}

// read reads a tree's file. What is no plain file is a fault, and not a failed read.
func (p *paper) read(files fs.FS) (err error) {
	there, err := exists(files, suite.File)
	if err != nil || !there {
		return err
	}
	v := &view{Side: Side{Files: files}}
	if info, err := fs.Stat(files, suite.File); err == nil && !info.Mode().IsRegular() {
		p.faults = []suite.Fault{{Line: 1, Text: "this is a link, a submodule or a folder; commit a plain file"}}
		p.id = "no file"
		return nil
	}
	if p.text, err = readIf(files, suite.File); err != nil {
		return err
	}
	if p.id, err = v.id(suite.File); err != nil {
		return err
	}
	p.questions, p.faults = suite.Parse(p.text)
	p.enter()
	return nil
}

// scan looks for secrets in the file as it is, and in its texts as they are read:
// JSON has other ways to write a letter. A file that is too large is read by nobody.
func (p paper) scan(ctx context.Context, s Scanner) ([]Finding, error) {
	if len(p.text) == 0 || len(p.text) > suite.MaxBytes {
		return nil, nil
	}
	found, err := ScanText(ctx, s, suite.File, string(p.text))
	if err != nil {
		return nil, fmt.Errorf("scan %s: %w", suite.File, err)
	}
	texts, lines := suite.Texts(p.questions)
	for i, text := range texts {
		more, err := ScanText(ctx, s, suite.File, text)
		if err != nil {
			return nil, fmt.Errorf("scan %s: %w", suite.File, err)
		}
		for _, f := range more {
			f.Line, f.End = lines[i], lines[i]
			found = append(found, f)
		}
	}
	return once(found), nil
}

// newQuestions scans the head's file of questions where the change brings or changes it.
func (c *check) newQuestions(ctx context.Context) ([]Finding, error) {
	if !c.asks() || c.papers.head.id == "" {
		return nil, nil
	}
	found, err := c.papers.head.scan(ctx, c.gate)
	if err != nil || c.base != nil && c.papers.head.id == c.papers.base.id {
		return nil, err
	}
	c.brought = true
	return found, nil
}

// asks reports whether there is anything to ask: a change that touches no skill and
// no question changes no answer.
func (c *check) asks() bool {
	p := c.papers
	return p != nil && (p.judge.id != "" || p.head.id != "" || len(p.head.faults) > 0) &&
		(c.base == nil || len(c.touched) > 0 || p.head.id != p.base.id || c.rulesTurn())
}

// ReadQuestions reads a tree's file of questions: none where there is no file, and
// with what is wrong in it. It fails where the file cannot be read.
func ReadQuestions(files fs.FS) ([]suite.Question, []suite.Fault, error) {
	var p paper
	err := p.read(files)
	return p.questions, p.faults, err
}

// ScanQuestions looks for secrets in the text of a file of questions, also in what is
// written in JSON's escapes.
func ScanQuestions(ctx context.Context, s Scanner, text []byte) ([]Finding, error) {
	p := paper{text: text}
	p.questions, _ = suite.Parse(text)
	return p.scan(ctx, s)
}
