package config

import (
	"errors"
	"iter"
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
}

func newReader(file string) *reader { return &reader{file: file} }

func (r *reader) fault(n *yaml.Node, text string) {
	line := 1
	if n != nil {
		line = n.Line
	}
	r.faults = append(r.faults, Fault{r.file, line, text})
}

var yamlLine = regexp.MustCompile(`line (\d+)`)

// document parses the file. YAML's own message quotes the input, so only its
// line is passed on.
func (r *reader) document(b []byte) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		line := 1
		if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
			line, _ = strconv.Atoi(m[1])
		}
		r.faults = append(r.faults, Fault{r.file, line, "not valid YAML; check the indentation, and quote values that hold a colon"})
		return nil
	}
	if len(doc.Content) == 0 {
		return nil
	}
	return doc.Content[0]
}

// pairs yields the keys and values of a map.
func (r *reader) pairs(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(*yaml.Node, *yaml.Node) bool) {
		if n == nil || n.Tag == "!!null" {
			return
		}
		if n.Kind != yaml.MappingNode {
			r.fault(n, "expected keys and values here")
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

// keys hands each known key's value to its reader; an unknown or repeated key is a fault.
func (r *reader) keys(n *yaml.Node, known map[string]func(*yaml.Node)) {
	seen := map[string]bool{}
	for k, v := range r.pairs(n) {
		read, ok := known[k.Value]
		switch {
		case !ok:
			names := make([]string, 0, len(known))
			for name := range known {
				names = append(names, name)
			}
			slices.Sort(names)
			r.fault(k, "unknown key; known here: "+strings.Join(names, ", "))
		case seen[k.Value]:
			r.fault(k, "the key stands twice")
		default:
			seen[k.Value] = true
			read(v)
		}
	}
}

func (r *reader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		r.fault(n, "expected one value here")
		return ""
	}
	return n.Value
}

func (r *reader) list(n *yaml.Node) []*yaml.Node {
	if n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		r.fault(n, "expected a list here")
		return nil
	}
	return n.Content
}

func (r *reader) number(n *yaml.Node, least, most int) int {
	v, err := strconv.Atoi(r.text(n))
	if err != nil || v < least || v > most {
		r.fault(n, "expected a whole number from "+strconv.Itoa(least)+" to "+strconv.Itoa(most))
	}
	return v
}

var errNoFile = errors.New("no settings file")
