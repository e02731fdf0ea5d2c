package extractor

import (
	"bytes"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/ident"
)

// A mined is what is known of one script's flags.
type mined struct {
	src      []byte
	language string
	known    bool            // all its flags are, as far as was looked
	asked    bool            // its text was looked at
	flags    map[string]bool // those that mining found
	sorted   []string        // the same, made when asked for
	quoted   map[string]bool // the flags that its text holds as texts, made when asked for
}

// newMined keeps what mining found, for when a flag is asked for.
func newMined(result ident.Result, src []byte, err error) *mined {
	m := &mined{src: src, language: result.Language, known: err == nil, flags: map[string]bool{}}
	for _, id := range result.Idents {
		if id.Kind == ident.Flag {
			m.flags[id.Name] = true
		}
	}
	return m
}

// closed reports whether the script takes no flags but those that it declares.
func (m *mined) closed() bool {
	if !m.asked {
		m.asked, m.known = true, m.known && !passesOn(m.language, m.src)
	}
	return m.known
}

var (
	// pyOpen are the ways in which a Python script takes flags that no line of it spells out.
	pyOpen = regexp.MustCompile(`parse_known_args|REMAINDER|ignore_unknown_options|UNPROCESSED|parents\s*=|set_defaults\(\*\*|` +
		`add_argument\(\s*(?:f["']|\*|[A-Za-z_][A-Za-z0-9_.]*\s*[,)%+])|\bfire\.Fire|\btyro\b|simple_parsing|jsonargparse|HfArgumentParser|` +
		`\babsl\b|\bdocopt\b|\bhydra\b|BaseSettings|pydantic_settings|\bcyclopts\b|\bplac\b|\bgetopt\b`)
	// shellOpen is the use of all arguments, and shellOwn those uses that pass them to nothing else.
	shellOpen = regexp.MustCompile(`"?\$[@*]"?`)
	shellOwn  = regexp.MustCompile(`\bin\s+"?\$[@*]"?|\b(?:main|parse_\w+|usage|log|echo|printf|set --|getopt)\b[^|&;]*"?\$[@*]"?`)
	// jsParser is a library that knows all flags, and jsOpen what makes it take others.
	jsParser = regexp.MustCompile(`\bcommander\b|\bparseArgs\b|\byargs\b|["']cac["']|["']sade["']`)
	jsOpen   = regexp.MustCompile(`strict:\s*false|allowUnknownOption|\.\.\.\s*(?:process\.argv|Bun\.argv|Deno\.args|args\b)`)
	// anyFlag is a parser of the script's own that takes whatever begins with dashes.
	anyFlag = regexp.MustCompile("starts[wW]ith\\(\\s*[\"'`]--?[\"'`]|\\^--|\\[:2\\]\\s*==\\s*[\"']--")
)

// passesOn reports whether a script may take flags that it does not declare.
func passesOn(language string, src []byte) bool {
	switch language {
	case "python":
		return pyOpen.Match(src) || anyFlag.Match(src)
	case "shell":
		for line := range bytes.Lines(src) {
			if shellOpen.Match(line) && !shellOwn.Match(line) && !bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) {
				return true
			}
		}
		return false
	case "javascript", "typescript":
		return !jsParser.Match(src) || jsOpen.Match(src) || anyFlag.Match(src)
	}
	return true
}

// takes reports whether a script takes a flag, or could in a way that mining
// does not see. The skill's scripts that this one names are asked too.
func (j *judge) takes(file, flag string) bool {
	if j.mined[file].takes(flag) {
		return true
	}
	for _, other := range j.helpers(file) {
		if o := j.mined[other]; !o.closed() || o.takes(flag) {
			return true
		}
	}
	return false
}

// fileWord is what can name a script in the source of another one.
var fileWord = regexp.MustCompile(`[A-Za-z0-9_-]{3,}`)

// helpers lists the other scripts of the skill that a script names.
func (j *judge) helpers(file string) []string {
	if found, known := j.named[file]; known {
		return found
	}
	if j.stems == nil {
		j.stems = map[string][]string{}
		for other := range j.mined {
			stem := strings.TrimSuffix(path.Base(other), path.Ext(other))
			j.stems[stem] = append(j.stems[stem], other)
		}
	}
	var out []string
	words := fileWord.FindAllString(string(j.mined[file].src), -1)
	slices.Sort(words)
	for _, word := range slices.Compact(words) {
		out = append(out, j.stems[word]...)
	}
	j.named[file] = slices.DeleteFunc(out, func(other string) bool { return other == file })
	return j.named[file]
}

// takes reports whether a flag is among the script's: itself, its denial, in
// Python the beginning of one, or a text or case of the script's own, whatever for.
func (m *mined) takes(flag string) bool {
	switch {
	case flag == "--help", flag == "--version", m.flags[flag],
		m.flags[strings.Replace(flag, "--no-", "--", 1)], m.flags[strings.Replace(flag, "--", "--no-", 1)]:
		return true
	case m.language == "python" && m.begins(flag):
		return true
	}
	if m.quoted == nil {
		m.quoted = map[string]bool{}
		for _, found := range quotedFlag.FindAllSubmatch(m.src, -1) {
			m.quoted[string(found[1])+string(found[2])] = true
		}
	}
	return m.quoted[flag]
}

// quotedFlag is a flag behind a quote, a bar, a bracket or a comma, or before a closing bracket.
var quotedFlag = regexp.MustCompile("[\"'`|(,](--[A-Za-z0-9_-]+)|(--[A-Za-z0-9_-]+)\\)")

// begins reports whether a flag of the script begins with these letters.
func (m *mined) begins(flag string) bool {
	if m.sorted == nil {
		m.sorted = slices.Sorted(maps.Keys(m.flags))
	}
	i, _ := slices.BinarySearch(m.sorted, flag)
	return i < len(m.sorted) && strings.HasPrefix(m.sorted[i], flag)
}
