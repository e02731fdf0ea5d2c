package secret

import (
	"regexp"
	"strings"
)

var (
	entryName  = regexp.MustCompile(`(?i)(?:^|[\s{<,("'-])(?:name|key|id|label|field|setting|variable|title)["']?(?:[ \t]*[:=]|>)[ \t]*["']?([\p{L}\d_ .-]{2,60})`)
	entryValue = regexp.MustCompile(`(?i)(?:^|[\s{<,("'-])(?:value|val|string|content|default|data)["']?(?:[ \t]*[:=]|>)[ \t]*["']?([^\s"'<>,]{8,300})`)
)

// entries pairs the name and the value of an entry: {name: ..., value: ...}.
func (b *board) entries(first, last int, named bool) {
	text := b.raw[first:last]
	from := 0
	if b.age++; b.age > entryLines {
		b.entry = span{}
	}
	if named {
		if at := entryName.FindStringSubmatchIndex(text); at != nil && b.named(span{first + at[2], first + at[3]}) {
			b.entry, b.age, from = span{first + at[2], first + at[3]}, 0, at[3]
		}
	}
	if b.entry.end == 0 {
		return
	}
	if at := entryValue.FindStringSubmatchIndex(text[from:]); at != nil {
		b.put(b.entry, span{first + from + at[2], first + from + at[3]})
		b.entry = span{}
	}
}

// wrapped joins the end of the line before, which ends in a piece of a value,
// with the start of this one.
func (b *board) wrapped(first, last int) {
	if !b.held || b.last.end == 0 || first-b.last.end > wrapRoom {
		return
	}
	if c := b.raw[b.last.end]; c != '\n' && c != '\r' && c != ' ' {
		return // closed by a quote
	}
	label := span{max(b.last.start, b.last.end-longestLabel), b.last.end}
	before := b.raw[label.start:label.end]
	tail := b.raw[first:last]
	tail = tail[:strings.IndexAny(tail+" ", " \t")]
	run := before[strings.LastIndexAny(before, " \t")+1:]
	if at, rest, ok := addressed(run, tail); ok {
		password := label.end - len(run) + at
		b.view.add("password: ", password, password)
		b.copy(span{password, label.end}, span{first, first + rest})
		return
	}
	cut := strings.LastIndexAny(before, " \t:=|") + 1
	head := before[cut:]
	if cut == 0 || len(head) < 3 || len(tail) < 3 || len(tail) > longestLabel || !piece(head) || begins(tail) || !b.named(span{label.start, label.end - len(head)}) {
		return
	}
	b.copy(label, span{first, first + len(tail)})
}

// addressed reports an address that breaks off in its password, where that
// begins, and how much of it stands in the next line.
func addressed(head, tail string) (password, rest int, ok bool) {
	_, after, found := strings.Cut(head, "://")
	rest = strings.IndexByte(tail, '@')
	colon := strings.IndexByte(after, ':')
	if !found || rest < 0 || colon < 0 || strings.ContainsAny(after, "@/") {
		return 0, 0, false
	}
	return len(head) - len(after) + colon + 1, rest, true
}

// piece reports a run that is no word and ends no sentence.
func piece(run string) bool {
	if c := run[len(run)-1]; !alphanumeric(c) && strings.IndexByte("!_-#$%&+=/", c) < 0 {
		return false
	}
	return classes(run) >= 2 && odd(run) > 4.5
}

// begins reports a run that begins a sentence or an entry, not one that is the
// rest of a value.
func begins(run string) bool {
	run = strings.TrimRight(run, ".,;)")
	if strings.ContainsAny(run, ":=(") {
		return true
	}
	for i := 0; i < len(run); i++ {
		if !letter(run[i]) {
			return false
		}
	}
	return len(run) < 6 || odd(run) < 5
}
