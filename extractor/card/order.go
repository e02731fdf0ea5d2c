package card

import (
	"cmp"
	"strings"
)

// Compare is the canonical order of entries on a card: section, file (SKILL.md
// first), context, kind, sequence and ordinal, text. It is total: only equal
// entries compare as 0.
func Compare(a, b Entry) int {
	return cmp.Or(
		cmp.Compare(sectionRank(a.Section), sectionRank(b.Section)),
		compareFiles(a.File, b.File),
		compareContexts(a.Context, b.Context),
		cmp.Compare(kindRank(a.Kind), kindRank(b.Kind)),
		cmp.Compare(a.List, b.List),
		cmp.Compare(a.Ordinal, b.Ordinal),
		Natural(a.Text, b.Text),
	)
}

// Natural compares texts with runs of digits read as numbers, so that 2 comes
// before 10. It compares bytes otherwise and knows no locale, so that every
// machine sorts alike. Equal only where the bytes are.
func Natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		if isDigit(x[0]) && isDigit(y[0]) {
			nx, ny := digits(x), digits(y)
			if c := compareNumbers(x[:nx], y[:ny]); c != 0 {
				return c
			}
			x, y = x[nx:], y[ny:]
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// compareNumbers compares digit strings by value, of any length.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

func compareFiles(a, b string) int {
	if a == b {
		return 0
	}
	if main := isMain(a); main != isMain(b) {
		if main {
			return -1
		}
		return 1
	}
	return Natural(a, b)
}

// isMain reports whether file is the skill's main file, in whatever case it is written.
func isMain(file string) bool { return strings.EqualFold(file, "SKILL.md") }

// compareContexts orders outer before inner. Headings come after all other
// roles, so that whatever stands directly under a heading is together.
func compareContexts(a, b Context) int {
	for i := range min(len(a), len(b)) {
		if c := cmp.Or(
			cmp.Compare(roleRank(a[i].Role), roleRank(b[i].Role)),
			Natural(a[i].Text, b[i].Text),
		); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func sectionRank(s Section) int {
	all := Sections()
	for i, known := range all {
		if s == known {
			return i
		}
	}
	return len(all)
}

func roleRank(r Role) int {
	switch r {
	case Key:
		return 0
	case Columns:
		return 1
	case Comment:
		return 2
	case Lead:
		return 3
	case Item:
		return 4
	case Tag:
		return 5
	case Label:
		return 6
	}
	return 7
}
