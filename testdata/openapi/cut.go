// Command openapi cuts GitHub's OpenAPI document down to the operations that
// operations.txt names, with all schemas that they reach.
//
//	go run ./testdata/openapi PATH/TO/api.github.com.json
//
// It writes testdata/openapi/api.github.com.json and the table of events beside
// it, the same bytes for the same input. README.md says where the input comes from.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const folder = "testdata/openapi"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./testdata/openapi PATH/TO/api.github.com.json")
		os.Exit(2)
	}
	if err := run(os.Args[1], folder); err != nil {
		fmt.Fprintln(os.Stderr, "openapi:", err)
		os.Exit(1)
	}
}

func run(source, folder string) error {
	var doc object
	raw, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return fmt.Errorf("%s is no JSON document", source)
	}
	list, err := os.ReadFile(filepath.Join(folder, "operations.txt"))
	if err != nil {
		return err
	}
	cut, err := cutDocument(doc, operations(string(list)))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ") // one blank: diffs stay readable and the file stays small
	if err := enc.Encode(cut); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "events.tsv"), []byte(eventTable(doc)), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "api.github.com.json"), out.Bytes(), 0o644)
}

type object = map[string]any

// operations reads "METHOD path" lines; # starts a comment.
func operations(list string) [][2]string {
	var ops [][2]string
	for line := range strings.Lines(list) {
		line, _, _ = strings.Cut(line, "#")
		if f := strings.Fields(line); len(f) == 2 {
			ops = append(ops, [2]string{strings.ToLower(f[0]), f[1]})
		}
	}
	return ops
}

func cutDocument(doc object, ops [][2]string) (object, error) {
	c := cutter{doc: doc, kept: object{}}
	paths := object{}
	for _, op := range ops {
		method, path := op[0], op[1]
		item, _ := child(doc, "paths", path).(object)
		operation, _ := item[method].(object)
		if operation == nil {
			return nil, fmt.Errorf("the document has no operation %s %s", method, path)
		}
		if paths[path] == nil {
			paths[path] = object{}
		}
		paths[path].(object)[method] = c.operation(operation)
	}
	return object{
		"openapi": doc["openapi"],
		"info": object{
			"title": "GitHub REST API, cut", "version": child(doc, "info", "version"),
			"license": object{"name": "MIT"},
		},
		"servers":    doc["servers"],
		"paths":      paths,
		"components": c.kept,
	}, nil
}

func child(v any, keys ...string) any {
	for _, key := range keys {
		m, _ := v.(object)
		v = m[key]
	}
	return v
}

// A cutter copies parts of a document and follows their references.
type cutter struct {
	doc  object
	kept object // components: kind, then name
}

func (c cutter) operation(op object) object {
	out := object{"operationId": op["operationId"]}
	if p, ok := op["parameters"]; ok {
		out["parameters"] = c.copy(p, false)
	}
	if b, ok := op["requestBody"]; ok {
		// A request is written out in full, since a component that it
		// shares with a response must stay open there.
		out["requestBody"] = closed(c.copy(c.inline(b), false))
	}
	out["responses"] = c.copy(op["responses"], false)
	return out
}

// prose names the keywords that say nothing to a validator.
func prose(key string) bool {
	switch key {
	case "description", "summary", "title", "example", "examples", "externalDocs", "deprecated", "tags", "links":
		return true
	}
	return strings.HasPrefix(key, "x-")
}

// copy drops prose and keeps what references name. In a map of names, as the
// value of "properties" is, keys are not keywords.
func (c cutter) copy(v any, names bool) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = c.copy(v[i], false)
		}
		return out
	case object:
		out := object{}
		if ref, ok := v["$ref"].(string); ok && !names {
			c.keep(ref)
			return object{"$ref": ref}
		}
		for key, value := range v {
			if !names && prose(key) {
				continue
			}
			out[key] = c.copy(value, !names && mapsNames(key))
		}
		if _, response := v["description"]; response && !names && isResponse(v) {
			out["description"] = "" // the format wants one
		}
		return out
	}
	return v
}

func mapsNames(key string) bool {
	switch key {
	case "properties", "headers", "responses", "patternProperties":
		return true
	}
	return false
}

// isResponse tells a response object from a schema: both may hold a
// description, and a schema says what it is.
func isResponse(v object) bool {
	for _, key := range []string{"type", "schema", "in", "enum", "anyOf", "oneOf", "allOf", "properties", "required", "nullable", "format"} {
		if _, ok := v[key]; ok {
			return false
		}
	}
	return true
}

func (c cutter) keep(ref string) {
	parts := strings.Split(strings.TrimPrefix(ref, "#/components/"), "/")
	if len(parts) != 2 {
		return
	}
	kind, name := parts[0], parts[1]
	if c.kept[kind] == nil {
		c.kept[kind] = object{}
	}
	group := c.kept[kind].(object)
	if group[name] != nil {
		return
	}
	group[name] = object{} // ends circles
	group[name] = c.copy(child(c.doc, "components", kind, name), false)
}

// inline replaces references by what they name.
func (c cutter) inline(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = c.inline(v[i])
		}
		return out
	case object:
		if ref, ok := v["$ref"].(string); ok {
			parts := strings.Split(strings.TrimPrefix(ref, "#/"), "/")
			return c.inline(child(c.doc, parts...))
		}
		out := object{}
		for key, value := range v {
			out[key] = c.inline(value)
		}
		return out
	}
	return v
}

// closed refuses unknown fields in every object of a request, so that a
// misspelt field is a failure and not silently ignored.
func closed(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = closed(v[i])
		}
	case object:
		for key := range v {
			v[key] = closed(v[key])
		}
		_, typed := v["properties"].(object)
		if _, open := v["additionalProperties"]; typed && !open && closable(v) {
			v["additionalProperties"] = false
		}
	}
	return v
}

// closable reports whether v's own properties are all that it may hold. With
// alternatives that is so if each adds only rules for properties that v names
// too, as the two forms of an updated check run do.
func closable(v object) bool {
	own := v["properties"].(object)
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		branches, _ := v[key].([]any)
		for _, branch := range branches {
			named, _ := child(branch, "properties").(object)
			for name := range named {
				if _, ok := own[name]; !ok {
					return false
				}
			}
		}
	}
	return true
}
