package config

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A reader walks a YAML file and collects what is wrong with it.
type reader struct {
	file   string
	faults Faults
	read   []string // the files whose content a value asked for
}

func newReader(file string) *reader { return &reader{file: file} }

func (r *reader) fault(n *yaml.Node, text string) {
	line := 1
	if n != nil {
		line = n.Line
	}
	r.faults = append(r.faults, Fault{r.file, line, text})
}

// yamlLine finds the line in the library's message, at its start alone: what
// follows may quote the file.
var yamlLine = regexp.MustCompile(`^yaml: line (\d+):`)

// maxFile is the longest file that is read, in bytes: people write a few dozen
// lines, and a change must not make the check slow by its configuration.
const maxFile = 1 << 20

// document parses the file. YAML's own message quotes the input, so only its
// line is passed on.
func (r *reader) document(b []byte) *yaml.Node {
	if len(b) > maxFile {
		r.fault(nil, "the file is longer than 1 MiB")
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(b))
	var doc, second yaml.Node
	err := decoder.Decode(&doc)
	if errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0 {
		return nil // nothing but comments
	}
	if err == nil {
		if err = decoder.Decode(&second); err == nil {
			r.fault(&second, "a second document starts here; the file must be one")
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		r.fault(&yaml.Node{Line: faultLine(err)}, "not valid YAML; check the indentation, and quote values that hold a colon")
		return nil
	}
	return doc.Content[0]
}

func faultLine(err error) int {
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		if line, err := strconv.Atoi(m[1]); err == nil {
			return line
		}
	}
	return 1
}

// pairs yields the keys and values of a map; a repeated key is a fault.
func (r *reader) pairs(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(*yaml.Node, *yaml.Node) bool) {
		if n == nil || n.Tag == "!!null" {
			return
		}
		if n.Kind != yaml.MappingNode {
			r.fault(n, "expected keys and values here")
			return
		}
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, ok := r.text(n.Content[i])
			if !ok {
				continue
			}
			if seen[key] {
				r.fault(n.Content[i], "the key stands twice")
				continue
			}
			seen[key] = true
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

// keys hands each known key's value to its reader; an unknown key is a fault.
func (r *reader) keys(n *yaml.Node, known map[string]func(*yaml.Node)) {
	for k, v := range r.pairs(n) {
		if read, ok := known[k.Value]; ok {
			read(v)
			continue
		}
		r.fault(k, "unknown key; known here: "+strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	}
}

// text returns a value as written. An alias is none: what it stands for is
// somewhere else in the file, where a reader does not look.
func (r *reader) text(n *yaml.Node) (string, bool) {
	switch {
	case n.Kind == yaml.AliasNode:
		r.fault(n, "write the value here; aliases are not read")
	case n.Kind != yaml.ScalarNode:
		r.fault(n, "expected one value here")
	case n.Tag == "!!null":
		r.fault(n, "a value is missing here")
	default:
		return n.Value, true
	}
	return "", false
}

// list yields the items of a list with their values.
func (r *reader) list(n *yaml.Node) iter.Seq2[*yaml.Node, string] {
	return func(yield func(*yaml.Node, string) bool) {
		if n.Tag == "!!null" {
			return
		}
		if n.Kind != yaml.SequenceNode {
			r.fault(n, "expected a list here")
			return
		}
		for _, item := range n.Content {
			if value, ok := r.text(item); ok && !yield(item, value) {
				return
			}
		}
	}
}

func (r *reader) number(n *yaml.Node, least, most int) int {
	text, ok := r.text(n)
	if !ok {
		return 0
	}
	v, err := strconv.Atoi(text)
	if err != nil || v < least || v > most {
		r.fault(n, "expected a whole number from "+strconv.Itoa(least)+" to "+strconv.Itoa(most))
	}
	return v
}
