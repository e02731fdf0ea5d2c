package drift

import (
	"fmt"
	"strings"
)

// around is how many unchanged lines stand before and after a change, as in every
// patch since diff -u: programs that apply patches expect them.
const around = 3

// A step is one line of a comparison: kept (' '), removed ('-') or added ('+').
type step struct {
	kind byte
	text string // with its end, if it has one
}

// Hunks is what turns one text into another, in the unified form that git apply
// takes below the lines that name the file; "" for equal texts.
func Hunks(before, after string) string {
	steps := compareLines(before, after)
	var b strings.Builder
	for from := 0; from < len(steps); {
		first := nextChange(steps, from)
		if first == len(steps) {
			break
		}
		end := first + 1 // behind the last change of this hunk
		for next := nextChange(steps, end); next < len(steps) && next-end <= 2*around; next = nextChange(steps, end) {
			end = next + 1
		}
		start, stop := max(first-around, from), min(end+around, len(steps))
		writeHunk(&b, steps, start, stop)
		from = stop
	}
	return b.String()
}

func nextChange(steps []step, from int) int {
	for from < len(steps) && steps[from].kind == ' ' {
		from++
	}
	return from
}

// writeHunk writes the steps from start to stop under their line numbers.
func writeHunk(b *strings.Builder, steps []step, start, stop int) {
	oldLine, newLine := extent(steps[:start])
	oldCount, newCount := extent(steps[start:stop])
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(oldLine, oldCount), span(newLine, newCount))
	for _, s := range steps[start:stop] {
		text, ended := strings.CutSuffix(s.text, "\n")
		b.WriteString(string(s.kind) + text + "\n")
		if !ended {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
}

// extent counts the lines of either text among steps.
func extent(steps []step) (old, now int) {
	for _, s := range steps {
		if s.kind != '+' {
			old++
		}
		if s.kind != '-' {
			now++
		}
	}
	return old, now
}

// span is a range of lines: an empty one names the line before it.
func span(before, count int) string {
	if count == 0 {
		return fmt.Sprintf("%d,0", before)
	}
	return fmt.Sprintf("%d,%d", before+1, count)
}

// compareLines is the way from one text to the other, removals before additions.
// [Added] says which lines stay; each is the next equal one of the older text.
func compareLines(before, after string) (steps []step) {
	old := strings.SplitAfter(before, "\n")
	added := Added(before, after)
	i := 0
	var pending []step
	for j, line := range strings.SplitAfter(after, "\n") {
		if line == "" {
			continue // behind the last line's end
		}
		k := i
		for !added[j] && k < len(old) && old[k] != line {
			k++
		}
		if added[j] || k == len(old) { // an end of another kind makes another line
			pending = append(pending, step{'+', line})
			continue
		}
		steps = append(append(steps, removals(old[i:k])...), pending...)
		steps, pending, i = append(steps, step{' ', line}), nil, k+1
	}
	return append(append(steps, removals(old[i:])...), pending...)
}

func removals(lines []string) (steps []step) {
	for _, line := range lines {
		if line != "" {
			steps = append(steps, step{'-', line})
		}
	}
	return steps
}
