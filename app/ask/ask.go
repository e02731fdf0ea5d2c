// Package ask answers questions from the skills of a tree, and lets no secret
// out: neither one of the question nor one of the facts.
package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// ErrSecret is returned for a question that holds what looks like a secret. The
// question must then be neither shown nor kept.
var ErrSecret = errors.New("this looks like a secret: rotate it, and ask again without it")

// ErrWithheld is returned for a question that holds a value which the policy
// withholds. It must be neither shown nor kept either.
var ErrWithheld = errors.New("the question names something that the policy says must not be indexed; ask again without it")

// ErrNever is returned for a question that holds a name which no answer may hold.
// It must be neither shown nor kept either.
var ErrNever = errors.New("the question names something that the policy says no answer may name; ask again without it")

// Silent reports whether an error is one of a question that must be neither shown
// nor kept: [ErrSecret], [ErrWithheld] or [ErrNever]. Its text can be shown.
func Silent(err error) bool {
	return errors.Is(err, ErrSecret) || errors.Is(err, ErrWithheld) || errors.Is(err, ErrNever)
}

// A Library is the index of one tree, with the files behind it. It is safe for
// concurrent use.
type Library struct {
	meaning Meaning // nil is none
	weight  int     // of it, in hundredths

	index   *answer.Index
	files   fs.FS
	scanner checker.Scanner
	ready   func(ctx context.Context, files []string) error
	names   answer.Names
	before  map[string]bool // statements of an earlier tree; nil for none

	mu     sync.Mutex
	passed []secret.Known // what rules let into answers
}

// Open reads all skills of a tree. A [checker.Gate] for a scanner lets into
// answers what its rules allow in the files that are quoted.
func Open(files fs.FS, shape extractor.Shape, scanner checker.Scanner) (*Library, error) {
	tree, err := extractor.Extract(files, shape)
	if err != nil {
		return nil, fmt.Errorf("ask.Open: %w", err)
	}
	skills := make([]answer.Skill, 0, len(tree.Skills))
	for _, s := range tree.Skills {
		skills = append(skills, Skill(s.Path, slices.Concat(s.Facts, s.Rest)))
	}
	return New(skills, files, scanner, nil), nil
}

// Skill is what a library holds of one skill: its facts, those that its card holds
// by digest only among them.
func Skill(folder string, facts []card.Fact) answer.Skill {
	return answer.Skill{Path: folder, Name: path.Base(folder), Facts: facts}
}

// New makes a library of facts that were read before. Ready is called with the
// Markdown files that an answer quotes before they are read and scanned; nil where
// all files are at hand.
func New(skills []answer.Skill, files fs.FS, scanner checker.Scanner, ready func(ctx context.Context, files []string) error) *Library {
	if ready == nil {
		ready = func(context.Context, []string) error { return nil }
	}
	return &Library{index: answer.NewIndex(skills), files: files, scanner: scanner, ready: ready}
}

// Under has the library answer by the rules of a policy. It is called before the
// first question; without it there are none.
func (l *Library) Under(rules answer.Rules) *Library {
	l.index, l.names = l.index.Keeping(rules.Markers), answer.NewNames(rules.Never)
	return l
}

// Ask answers a question, which the caller may also put in further words; see
// [answer.Index.Ask]. Facts whose lines hold a secret, and facts with a name that no answer
// may hold, are left out; where none is left, the answer is a refusal. Where the best fact
// keeps the value back that is asked for, the answer says so and cites it alone. It fails
// with an error that is [Silent] for a question which must not be shown in one of its
// wordings, and where something could not be scanned.
func (l *Library) Ask(ctx context.Context, question string, also ...string) (answer.Answer, error) {
	a, err := l.ask(ctx, question, also)
	if a.Refusal != nil {
		a.Refusal.Nearest = nil // they were not scanned
	}
	return a, err
}

// Explain is Ask, and a refusal also holds what came closest, scanned like an answer.
func (l *Library) Explain(ctx context.Context, question string, also ...string) (answer.Answer, error) {
	a, err := l.ask(ctx, question, also)
	if err == nil && a.Refusal != nil && len(a.Refusal.Nearest) > 0 {
		a.Refusal.Nearest, _, err = l.clean(ctx, a.Refusal.Nearest)
	}
	if err != nil {
		return answer.Answer{}, err
	}
	return a, nil
}

func (l *Library) ask(ctx context.Context, question string, also []string) (answer.Answer, error) {
	if err := l.admit(ctx, append([]string{question}, also...)); err != nil {
		return answer.Answer{}, err
	}
	a := l.index.Ask(question, also...)
	if err := l.veilReadings(ctx, &a); err != nil {
		return answer.Answer{}, err
	}
	if !a.Answered {
		return a, nil
	}
	clean, let, err := l.clean(ctx, a.Hits)
	if err != nil {
		return answer.Answer{}, err
	}
	l.pass(let)
	if len(clean) == 0 {
		return l.withheld(a), nil
	}
	if !a.List && clean[0].Base >= keptShare && l.index.KeepsBack(question, clean[0].Fact) {
		a.Withheld, clean = true, clean[:1]
	}
	a.Hits = clean
	a, err = l.order(ctx, question, also, a)
	l.age(a.Hits)
	return a, err
}

// keptShare is the least share of a question that a fact with a marker covers where the answer is that the
// value is kept back: of two words, more than one, since the password of one thing is not that of another.
const keptShare = .6

// admit looks whether the wordings of a question may be shown, each by itself and all together, since one may
// end where the next begins.
func (l *Library) admit(ctx context.Context, wordings []string) error {
	if len(wordings) > 1 {
		wordings = append(slices.Clone(wordings), strings.Join(wordings, "\n"))
	}
	withheld, never := false, false
	for _, w := range wordings {
		found, err := l.scanner.Scan(ctx, w)
		if err != nil {
			return fmt.Errorf("scan the question: %w", err)
		}
		never = never || l.names.In(w)
		for _, f := range found {
			if f.Rule != secret.WithheldRule {
				return ErrSecret
			}
			withheld = true
		}
	}
	switch {
	case withheld:
		return ErrWithheld
	case never:
		return ErrNever
	}
	return nil
}

// withheld refuses where every fact that would answer touches a secret.
func (l *Library) withheld(a answer.Answer) answer.Answer {
	return answer.Answer{Terms: a.Terms, Refusal: &answer.Refusal{
		Facts: l.index.Facts(), Cards: l.index.Cards(), Terms: a.Terms, Floor: answer.Floor / 10_000.0,
		Why: answer.WhyWithheld,
	}}
}

// clean drops the hits that touch a finding, in their files or in their own words.
// All files are scanned first: what one of them gives away, no hit may show. Let are
// the findings that rules let into the others.
func (l *Library) clean(ctx context.Context, hits []answer.Hit) (out []answer.Hit, let []checker.Finding, err error) {
	ctx = secret.Remember(ctx)
	if err := l.ready(ctx, quoted(hits)); err != nil {
		return nil, nil, err
	}
	bad := map[string][]checker.Finding{}
	for _, h := range hits {
		if err := l.scanFiles(ctx, h, bad); err != nil {
			return nil, nil, err
		}
	}
	for _, h := range hits {
		ok, found, err := l.isClean(ctx, h, bad)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			out, let = append(out, h), append(let, found...)
		}
	}
	return out, let, nil
}

// quoted lists the Markdown files that hits stand in.
func quoted(hits []answer.Hit) (files []string) {
	for _, h := range hits {
		for _, p := range h.Fact.Places() {
			if extractor.IsMarkdown(p.File) {
				files = append(files, p.File)
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// scanFiles scans the files of a hit that were not scanned yet.
func (l *Library) scanFiles(ctx context.Context, h answer.Hit, bad map[string][]checker.Finding) (err error) {
	for _, p := range h.Fact.Places() {
		if _, known := bad[p.File]; known || !extractor.IsMarkdown(p.File) {
			continue
		}
		if bad[p.File], err = checker.ScanFile(ctx, l.scanner, l.files, p.File); err != nil {
			return err
		}
	}
	return nil
}

func (l *Library) isClean(ctx context.Context, h answer.Hit, bad map[string][]checker.Finding) (ok bool, let []checker.Finding, err error) {
	for _, p := range h.Fact.Places() {
		for _, b := range bad[p.File] {
			if b.Allow == nil && b.Line <= p.Last && p.First <= b.End {
				return false, nil, nil
			}
		}
	}
	return l.areClean(ctx, h)
}

// areClean reports whether the words of a hit may be shown: those of the file
// under its rules, in the order in which they are shown, since a value may begin in
// the context and end in the text; the names of files and skills under none.
func (l *Library) areClean(ctx context.Context, h answer.Hit) (ok bool, let []checker.Finding, err error) {
	e, places := h.Fact.Entry(), h.Fact.Places()
	words := append(e.Context.Texts(), e.Text)
	found, err := checker.ScanText(ctx, l.scanner, places[0].File, strings.Join(words, "\n"))
	if err != nil {
		return false, nil, fmt.Errorf("scan an answer: %w", err)
	}
	names := append(slices.Clone(h.Also), h.Skill)
	for _, p := range places {
		names = append(names, p.File)
	}
	known, err := l.holdsKnown(ctx, words, names, places[0].File)
	if err != nil {
		return false, nil, fmt.Errorf("scan an answer: %w", err)
	}
	named := l.names.In(strings.Join(words, "\n")) || slices.ContainsFunc(names, l.names.In)
	clean := !known && !named && !slices.ContainsFunc(found, func(f checker.Finding) bool { return f.Allow == nil })
	return clean, found, nil
}

// holdsKnown reports whether words or names hold a value, also one that only
// another line of a file gave away.
func (l *Library) holdsKnown(ctx context.Context, words, names []string, file string) (bool, error) {
	var lines []checker.Line
	for _, text := range words {
		lines = append(lines, checker.Line{Text: text, File: file})
	}
	for _, text := range names {
		lines = append(lines, checker.Line{Text: text})
	}
	gate, ok := l.scanner.(*checker.Gate)
	if !ok {
		gate = checker.NewGate(l.scanner, nil, 0)
	}
	before := slices.Clone(lines)
	err := gate.WithholdLines(ctx, lines)
	return !slices.Equal(before, lines), err
}

// pass keeps what was let into an answer.
func (l *Library) pass(found []checker.Finding) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range found {
		l.passed = append(l.passed, secret.Known{Rule: f.Rule, Fingerprint: f.Fingerprint})
	}
}

// Withhold takes secrets out of a text that is made of this library's answers,
// but for what a rule let into one of them.
func (l *Library) Withhold(ctx context.Context, text string, place func(line int) string) (string, error) {
	l.mu.Lock()
	passed := slices.Clone(l.passed)
	l.mu.Unlock()
	return l.scanner.Except(passed...).Withhold(ctx, text, place)
}

// Size says how many facts and cards are searched.
func (l *Library) Size() (facts, cards int) { return l.index.Facts(), l.index.Cards() }
