package drift

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// marked writes what is added as a string: "+" for a new line, "." for an old one.
func marked(before, after string) string {
	var b strings.Builder
	for _, isNew := range Added(before, after) {
		b.WriteByte(".+"[map[bool]int{true: 1}[isNew]])
	}
	return b.String()
}

func TestAddedLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after, want string }{
		"nothing":                       {"a\nb\n", "a\nb\n", "..."},
		"from nothing":                  {"", "a\nb\n", "++."}, // the last line of both is empty
		"one in the middle":             {"a\nb\n", "a\nx\nb\n", ".+.."},
		"one changed":                   {"a\nb\nc\n", "a\nx\nc\n", ".+.."},
		"one removed":                   {"a\nb\nc\n", "a\nc\n", "..."},
		"one twice":                     {"a\nb\n", "a\na\nb\n", ".+.."},
		"moved down":                    {"a\nb\nc\nd\n", "b\nc\nd\na\n", "...+."},
		"line endings alone":            {"a\r\nb\r\n", "a\nb\n", "..."},
		"a missing line feed":           {"a\nb", "a\nb\n", "..+"},
		"lines that are no valid UTF-8": {"\xff\na\n", "\xff\n\xfe\na\n", ".+.."},
	} {
		if got := marked(c.before, c.after); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// longest is the length of a longest common subsequence, in the slow way.
func longest(a, b []string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			rows[i+1][j+1] = max(rows[i][j+1], rows[i+1][j])
			if a[i] == b[j] {
				rows[i+1][j+1] = rows[i][j] + 1
			}
		}
	}
	return rows[len(a)][len(b)]
}

// What is not added is a common subsequence, and none is longer.
func TestAddedIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string) []string {
			return rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "日本"}), 0, 25).Draw(t, label)
		}
		before, after := strings.Join(text("before"), "\n"), strings.Join(text("after"), "\n")
		old, now := lines(before), lines(after)
		var kept []string
		for i, isNew := range Added(before, after) {
			if !isNew {
				kept = append(kept, now[i])
			}
		}
		if n := longest(old, kept); n != len(kept) {
			t.Fatalf("%q is no part of %q", kept, old)
		}
		if n := longest(old, now); n != len(kept) {
			t.Fatalf("%d lines are old, want %d", len(kept), n)
		}
	})
}

// Where a comparison would take too long every line is new; what is alike at both
// ends, or stands in one text alone, costs nothing.
func TestAddedIsBounded(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 2 * maxDiffLines {
		all = append(all, fmt.Sprint("line ", i))
	}
	text := strings.Join(all, "\n")
	if got := marked(text, text+"\nx"); strings.Count(got, "+") != 1 {
		t.Errorf("%d lines are new, want 1", strings.Count(got, "+"))
	}
	if got := marked(text, strings.ReplaceAll(text, "line", "other")); strings.Contains(got, ".") {
		t.Error("a text of other lines has old ones")
	}
	mixed := slices.Clone(all)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	if got := marked(text, strings.Join(mixed, "\n")); strings.Contains(got, ".") {
		t.Error("compared all the same")
	}
}
