package secret

import (
	"context"
	"fmt"
	"strings"
)

// byName are the rules that go by a name; what they are is in accepts and special.
func byName() []string {
	return []string{"labelled-password", "worded-password", "labelled-token", "labelled-key", "labelled-nearby", "seed-phrase", "recovery-code"}
}

// named runs the search by name and turns a panic into an error, as for the
// library: what was not looked through is never clean.
func (s *Scanner) named(ctx context.Context, text string) (found []hit, err error) {
	defer func() {
		if recover() != nil {
			found, err = nil, fmt.Errorf("%w: the search by name panicked", ErrNotScanned)
		}
	}()
	found = s.judge.named(ctx, text)
	if ctx.Err() != nil {
		return nil, s.unscanned(ctx)
	}
	return found, nil
}

// named finds values by the names before them, in the text and in what its
// views make of it. Unlike an expression it reads what stands between the two
// and judges the value, so that it takes any alphabet and length: about one
// secret in three that people paste has no form of its own. When ctx ends it
// stops and returns what it has: look at ctx afterwards.
func (j *judge) named(ctx context.Context, text string) []hit {
	out := j.labelled(ctx, text)
	move := func(v *view) {
		for _, h := range j.labelled(ctx, string(v.text)) {
			if moved, ok := v.back(h, text); ok {
				out = append(out, moved)
			}
		}
	}
	move(normalised(text))
	move(unpacked(text))
	j.paired(text, move)
	return out
}

// labelled finds them line by line.
func (j *judge) labelled(ctx context.Context, text string) []hit {
	var out []hit
	for start := 0; start < len(text); {
		end := lineEnd(text, start)
		if line := text[start:end]; promising(line) {
			for _, h := range j.line(ctx, line) {
				h.start, h.end = h.start+start, h.end+start
				out = append(out, h)
			}
		}
		start = end + 1
	}
	return out
}

// promising reports lines with a run of eight bytes that is no word in small
// letters, or with many words: all others hold no value. It is a first look, so
// that names are looked for in one line of four.
func promising(line string) bool {
	run, plain, words := 0, true, 0
	for i := 0; i <= len(line); i++ {
		if i == len(line) || line[i] <= ' ' {
			if run >= leastRun && !plain {
				return true
			}
			if run >= 3 {
				words++
			}
			run, plain = 0, true
			continue
		}
		if run++; run > 1 && (line[i] < 'a' || line[i] > 'z') || line[i] >= '0' && line[i] <= '9' {
			plain = false
		}
	}
	return words > 7 || words > 3 && strings.Contains(line, "phrase")
}

// line finds the values of one line. Only where no name has one right after it,
// those farther off are looked at.
func (j *judge) line(ctx context.Context, line string) []hit {
	var out []hit
	labels := j.lexicon.labels(line)
	for i, l := range labels {
		if ctx.Err() != nil {
			return out
		}
		end := min(len(line), l.end+gapRoom)
		if i+1 < len(labels) && labels[i+1].kind == l.kind {
			end = max(l.end, min(end, labels[i+1].start)) // what follows is the next one's
		}
		for _, p := range pairings(line, l) {
			if h, ok := j.hit(line, l, p.start, p.value, j.accepts(p)); ok {
				out = append(out, h)
				break
			}
		}
		out = append(out, j.special(line[:end], l)...)
	}
	if len(labels) > 0 && len(out) == 0 {
		out = j.nearby(line, labels)
	}
	return out
}

// hit makes a hit of a value, unless it stands in for a secret.
func (j *judge) hit(line string, l label, start int, value, rule string) (hit, bool) {
	if rule == "" || value == "" {
		return hit{}, false
	}
	h := hit{rule: rule, value: value, label: line[min(l.start, start):start], start: start, end: start + len(value)}
	return h, !j.excused(h, line[h.end:min(len(line), h.end+hostRoom)])
}
