package markdown

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A field is one top-level key of the frontmatter.
type field struct {
	key, text   string
	first, last int
}

// keyLine is a top-level "key: value" line; what follows a key never starts at
// the margin, so that the line-wise reading finds the same keys as a parser.
var keyLine = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*:(?:[ \t]+(.*))?$`)

// readFields reads the frontmatter's fields. YAML that does not parse is read
// line by line instead, and said.
func readFields(lines []string, open, shut int) ([]field, []Note) {
	var root yaml.Node
	err := yaml.Unmarshal([]byte(strings.Join(lines[open+1:shut], "\n")), &root)
	if err == nil && len(root.Content) == 1 && root.Content[0].Kind == yaml.MappingNode {
		return yamlFields(root.Content[0], lines, open, shut)
	}
	if err == nil && len(root.Content) == 0 {
		return nil, nil
	}
	note := Note{Damaged, open + 1, "the frontmatter is not valid YAML; it was read line by line. Quote values that hold a colon followed by a space"}
	fields := lineFields(lines, open, shut)
	for i := range fields {
		fields[i].text = Fold(unquote(fields[i].text))
	}
	return fields, []Note{note}
}

// yamlFields takes scalars as text and joins the items of a list by commas;
// maps are left to the tools that define them.
func yamlFields(m *yaml.Node, lines []string, open, shut int) (out []field, notes []Note) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		k, v := m.Content[i], m.Content[i+1]
		if seen[k.Value] {
			notes = append(notes, Note{Damaged, open + 1 + k.Line, "a frontmatter key stands twice; the first one counts"})
			continue
		}
		seen[k.Value] = true
		text := scalarText(v)
		if text == "" {
			continue
		}
		start := k.Line
		if v.Kind == yaml.AliasNode {
			start = min(start, v.Alias.Line) // where the text stands
		}
		last := shut // the line of the closing fence, as an index: one past the value at most
		if i+2 < len(m.Content) {
			last = open + m.Content[i+2].Line
		}
		first := open + 1 + start
		out = append(out, field{k.Value, Fold(text), first, lastText(lines, first, last)})
	}
	return out, notes
}

// scalarText follows an alias to a text only: one to a list may name lists of
// aliases without end.
func scalarText(v *yaml.Node) string {
	if v.Kind == yaml.AliasNode && v.Alias.Kind == yaml.ScalarNode {
		v = v.Alias
	}
	switch v.Kind {
	case yaml.ScalarNode:
		if v.Tag == "!!null" {
			return ""
		}
		return v.Value
	case yaml.SequenceNode:
		var items []string
		for _, item := range v.Content {
			if s := scalarText(item); s != "" {
				items = append(items, s)
			}
		}
		return strings.Join(items, ", ")
	}
	return ""
}

// lastText returns the last line of first..last that is no blank and no comment. Lines count from 1.
func lastText(lines []string, first, last int) int {
	for last > first {
		t := strings.TrimSpace(lines[last-1])
		if t != "" && !strings.HasPrefix(t, "#") {
			break
		}
		last--
	}
	return max(first, last)
}

// blockMark is how YAML announces text on the following lines. Converters that
// flatten such text leave the mark before it.
var blockMark = regexp.MustCompile(`^[|>](?:[+-]?[1-9]?|[1-9][+-])(?:[ \t]+|$)`)

// lineFields reads "key: rest" lines and the lines after them. Of a key that
// stands twice the first counts.
func lineFields(lines []string, open, shut int) []field {
	var out []field
	seen := map[string]bool{}
	for i := open + 1; i < shut; i++ {
		text := strings.TrimSpace(lines[i])
		if m := keyLine.FindStringSubmatch(lines[i]); m != nil {
			value := strings.TrimSpace(m[2])
			out = append(out, field{m[1], blockMark.ReplaceAllString(value, ""), i + 1, i + 1})
			continue
		}
		if len(out) == 0 || text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		f := &out[len(out)-1]
		if item, ok := strings.CutPrefix(text, "- "); ok && f.text != "" {
			f.text += ", " + item
		} else {
			f.text += "\n" + strings.TrimPrefix(text, "- ")
		}
		f.last = i + 1
	}
	return slices.DeleteFunc(out, func(f field) bool {
		twice := seen[f.key]
		seen[f.key] = true
		return twice
	})
}

// unquote takes the quotes off a value that stands in a pair of them.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}
