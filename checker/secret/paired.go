package secret

import (
	"regexp"
	"strings"
)

const (
	// longestLabel is how much of a heading, cell or line is kept for a name.
	longestLabel = 200
	// entryLines is how far below its name the value of an entry may stand.
	entryLines = 3
	// wrapRoom is the most that stands between two halves of a value: a line break,
	// an indent, the mark of a quotation.
	wrapRoom = 12
)

// paired finds values whose name stands elsewhere: in the header of their
// column, in the heading or the line above, in the entry before; and values that
// go on in the next line. Each becomes a line "name: value" of a view. Views are
// given out when they are large, for a long header over short cells would make
// many times the text of them.
func (j *judge) paired(raw string, give func(*view)) {
	b := board{raw: raw, view: &view{}, names: j.lexicon}
	for start := 0; start < len(raw); {
		end := lineEnd(raw, start)
		b.line(start, end)
		if len(b.view.text) >= chunk {
			give(b.view)
			b.view = &view{}
		}
		start = end + 1
	}
	give(b.view)
}

// A board remembers what stood above the line that is read. A span that ends at
// 0 is none.
type board struct {
	raw    string
	view   *view
	names  *lexicon
	row    []span // cells of the line before, if that was of a table
	header []span // cells of the table's first row; those without a name are empty
	label  span   // a line that ends in a name, or is one
	entry  span   // the name of an entry, whose value may follow
	age    int    // lines since then
	last   span   // the line before
	held   bool   // that one holds a name
}

// ruled is a line that only separates.
var ruled = regexp.MustCompile(`^[-=~*_. \t]+$`)

func (b *board) line(start, end int) {
	first, last := trimLine(b.raw, start, end)
	text := b.raw[first:last]
	cells := b.cells(start, end)
	if len(cells) > 1 {
		b.table(cells)
		b.label, b.last = span{}, span{}
		return
	}
	b.header, b.row = nil, nil
	if text == "" || strings.HasPrefix(text, "~~~") || ruled.MatchString(text) || fence(b.raw[start:end]) {
		b.last = span{}
		return
	}
	labels := b.names.labels(text)
	b.below(first, last, labels)
	b.entries(first, last, len(labels) > 0)
	b.wrapped(first, last)
	b.last, b.held = span{first, last}, len(labels) > 0 || strings.Contains(text, "://")
}

func fence(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t>"), "```") }

// cells are the cells of a line of a table, without blanks and marks around.
func (b *board) cells(start, end int) []span {
	if strings.IndexByte(b.raw[start:end], '|') < 0 {
		return nil
	}
	var out []span
	for at, i := start, start; i <= end; i++ {
		if i < end && (b.raw[i] != '|' || i > start && b.raw[i-1] == '\\') {
			continue
		}
		if first, last := trimLine(b.raw, at, i); first < last || at > start && i < end {
			out = append(out, span{first, last})
		}
		at = i + 1
	}
	return out
}

// table pairs the cells of a row with those of the header.
func (b *board) table(cells []span) {
	if b.delimits(cells) {
		b.header = nil
		for _, c := range b.row {
			if !b.named(c) {
				c = span{}
			}
			b.header = append(b.header, c)
		}
		return
	}
	b.row = cells
	for i, c := range cells {
		if i < len(b.header) && b.header[i].end > 0 {
			b.put(b.header[i], c)
		}
	}
}

func (b *board) delimits(cells []span) bool {
	for _, c := range cells {
		if strings.Trim(b.raw[c.start:c.end], "-: ") != "" {
			return false
		}
	}
	return true
}

// named reports a place that holds a name.
func (b *board) named(at span) bool {
	if at.end-at.start > longestLabel {
		at.start = at.end - longestLabel
	}
	return len(b.names.labels(b.raw[at.start:at.end])) > 0
}

// put adds a line to the view.
func (b *board) put(label, value span) {
	if n := value.end - value.start; n < leastRun || n > longestValue {
		return
	}
	label.start = max(label.start, label.end-longestLabel)
	names := b.names.labels(b.raw[label.start:label.end])
	if len(names) == 0 {
		return
	}
	label.end = label.start + names[len(names)-1].end
	b.view.keep(b.raw, label.start, label.end, false)
	b.view.add(": ", label.end-1, label.end)
	b.copy(value)
}

// copy ends a line of the view with pieces of the text.
func (b *board) copy(pieces ...span) {
	for _, p := range pieces {
		b.view.keep(b.raw, p.start, p.end, false)
	}
	last := pieces[len(pieces)-1]
	b.view.add("\n", last.end-1, last.end)
}

// below pairs a line with the one above that named it, or remembers it as a
// name. Under a name may stand a list of values.
func (b *board) below(first, last int, labels []label) {
	label := b.label
	b.label = span{}
	if label.end > 0 {
		at := lead.FindStringIndex(b.raw[first:last])
		value := span{first + at[1], last}
		i := strings.IndexAny(b.raw[value.start:value.end], " \t<")
		switch {
		case i >= leastRun:
			value.end = value.start + i
			b.put(label, value)
		case i < 1 || b.raw[value.start+i-1] != ':': // else an entry with a name of its own
			b.put(label, value)
		}
		if i < 0 {
			b.label = label
			return
		}
	}
	if len(labels) == 0 {
		return
	}
	text := b.raw[first:last]
	broken := labels[len(labels)-1].end == len(strings.TrimRight(text, "?:*_\" ")) // "... and its password"
	if end := leads(text); broken || end > labels[0].start {
		b.label = span{first, last}
	}
}

// lead is what stands before the only value of a line: a mark, a verb, a tag.
var lead = regexp.MustCompile(`^(?:[-+:=> \t]|(?:is|are|was|A:|Answer:)\s|<[A-Za-z][\w-]{0,30}>)*["'\x60*]{0,3}`)

// leads returns how much of a line may be a name for the next one, or 0: what
// comes before a sign at its end, or all of a few words, such as a heading.
func leads(text string) int {
	open := strings.TrimRight(text, "\"'`*> ")
	for _, sign := range [...]string{":", "=", "：", "->", "→", " is", " are", " was"} {
		if head, ok := strings.CutSuffix(open, sign); ok {
			return len(head)
		}
	}
	if len(text) <= 60 && len(strings.Fields(text)) <= 5 && strings.IndexByte(",;{([.]}", text[len(text)-1]) < 0 {
		return len(text)
	}
	return 0
}
