package config

import (
	"bytes"
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ErrEdit means that a file is written in a form which is not edited by a
// program, such as a list in brackets.
var ErrEdit = errors.New("the configuration cannot be edited by a program as it is written; write lists below policy with one entry a line, or edit it by hand")

// A field is a key and its value as YAML.
type field struct{ key, value string }

// A sheet is a YAML file as lines, to which lines are added and from which lines
// are taken; all others keep their bytes. What comes of it must be parsed again
// and compared with what was wanted: lines are told by their indentation alone.
type sheet struct {
	lines  []string // each with its line break
	ending string
	root   *yaml.Node // the map at the top; nil for an empty file
}

func newSheet(b []byte) (*sheet, error) {
	s := &sheet{ending: "\n"}
	if bytes.Contains(b, []byte("\r\n")) {
		s.ending = "\r\n"
	}
	for line := range strings.Lines(string(b)) {
		s.lines = append(s.lines, line)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return nil, ErrEdit // the library's own error quotes the file
	}
	if len(doc.Content) > 0 && doc.Content[0].Tag != "!!null" {
		s.root = doc.Content[0]
	}
	return s, nil
}

func (s *sheet) bytes() []byte { return []byte(strings.Join(s.lines, "")) }

// below returns a key of a map and its value, or nil.
func below(n *yaml.Node, key string) (k, v *yaml.Node) {
	for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// insert puts lines after the first n.
func (s *sheet) insert(n int, lines ...string) {
	if n > 0 && n == len(s.lines) && !strings.HasSuffix(s.lines[n-1], "\n") {
		s.lines[n-1] += s.ending
	}
	added := make([]string, 0, len(s.lines)+len(lines))
	added = append(added, s.lines[:n]...)
	for _, line := range lines {
		added = append(added, line+s.ending)
	}
	s.lines = append(added, s.lines[n:]...)
}

// end returns how many lines there are up to the last one that belongs to what
// begins on a line, counted from 1: those after it that stand at a column or
// further in, blank lines between them included.
func (s *sheet) end(line, column int) int {
	last := line
	for i := line; i < len(s.lines); i++ {
		text := strings.TrimRight(s.lines[i], " \r\n")
		indent := len(text) - len(strings.TrimLeft(text, " "))
		if text == "" {
			continue
		}
		if indent+1 < column {
			break
		}
		last = i + 1
	}
	return last
}

// policy returns the value of policy; it is made where there is none. Nil is
// for one without keys, which begins after the returned line.
func (s *sheet) policy() (n *yaml.Node, line int, err error) {
	if s.root != nil && (s.root.Kind != yaml.MappingNode || s.root.Style&yaml.FlowStyle != 0) {
		return nil, 0, ErrEdit
	}
	key, value := below(s.root, "policy")
	switch {
	case key == nil:
		s.insert(len(s.lines), "policy:")
		return nil, len(s.lines), nil
	case value.Tag == "!!null" && value.Value == "" && value.Anchor == "":
		return nil, key.Line, nil
	case value.Kind != yaml.MappingNode || value.Style&yaml.FlowStyle != 0 || len(value.Content) == 0:
		return nil, 0, ErrEdit
	}
	return value, s.end(value.Line, value.Column), nil
}

// indentOf is the indentation of policy's keys; of what is in it, as far again.
func indentOf(policy *yaml.Node) string {
	if policy == nil {
		return "  "
	}
	return strings.Repeat(" ", policy.Column-1)
}

// setPolicy gives a key below policy a value on its own line.
func setPolicy(b []byte, key, value string) ([]byte, error) {
	s, err := newSheet(b)
	if err != nil {
		return nil, err
	}
	policy, end, err := s.policy()
	if err != nil {
		return nil, err
	}
	if k, v := below(policy, key); k != nil {
		if v.Kind != yaml.ScalarNode || v.Line != k.Line || v.Style != 0 {
			return nil, ErrEdit
		}
		line := s.lines[k.Line-1]
		at := v.Column - 1
		s.lines[k.Line-1] = line[:at] + value + line[at+len(v.Value):]
		return s.bytes(), nil
	}
	s.insert(end, indentOf(policy)+key+": "+value)
	return s.bytes(), nil
}

// appendEntry adds an entry to a list below policy. The list is made where there
// is none; an entry has one line for each of its fields.
func appendEntry(b []byte, list string, entry []field) ([]byte, error) {
	s, err := newSheet(b)
	if err != nil {
		return nil, err
	}
	policy, end, err := s.policy()
	if err != nil {
		return nil, err
	}
	indent := indentOf(policy) + "  "
	key, value := below(policy, list)
	switch {
	case key == nil:
		s.insert(end, indentOf(policy)+list+":")
		end++
	case value.Tag == "!!null" && value.Value == "" && value.Anchor == "":
		end = key.Line
	case value.Kind == yaml.SequenceNode && len(value.Content) == 0:
		line := s.lines[key.Line-1]
		at := strings.LastIndex(line, "[]")
		if at < 0 || value.Line != key.Line {
			return nil, ErrEdit
		}
		s.lines[key.Line-1] = strings.TrimRight(line[:at], " ") + line[at+len("[]"):]
		end = key.Line
	case value.Kind != yaml.SequenceNode || value.Style&yaml.FlowStyle != 0:
		return nil, ErrEdit
	default:
		indent = strings.Repeat(" ", value.Column-1)
		end = s.end(value.Content[len(value.Content)-1].Line, value.Column+1)
	}
	lines := make([]string, len(entry))
	for i, f := range entry {
		lines[i] = indent + "  " + f.key + ": " + f.value
	}
	lines[0] = indent + "- " + strings.TrimLeft(lines[0], " ")
	s.insert(end, lines...)
	return s.bytes(), nil
}

// removeEntry takes an entry out of a list below policy.
func removeEntry(b []byte, list string, i int) ([]byte, error) {
	s, err := newSheet(b)
	if err != nil {
		return nil, err
	}
	_, policy := below(s.root, "policy")
	_, value := below(policy, list)
	if value == nil || value.Kind != yaml.SequenceNode || value.Style&yaml.FlowStyle != 0 || i >= len(value.Content) {
		return nil, ErrEdit
	}
	line := value.Content[i].Line
	end := s.end(line, value.Column+1)
	s.lines = append(s.lines[:line-1], s.lines[end:]...)
	return s.bytes(), nil
}
