package fakehub

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"text/template"
)

// The long answers of GitHub are templates of JSON, one file a shape: mostly
// addresses that nobody reads, and which schemas ask for all the same. Values
// that are not ours to spell go through the function json.
//
//go:embed shapes/*.json.tmpl
var shapeFiles embed.FS

type shapes struct{ set *template.Template }

func parseShapes() (*shapes, error) {
	set, err := template.New("").Option("missingkey=error").Funcs(template.FuncMap{
		"json": func(v any) (string, error) {
			data, err := json.Marshal(v)
			return string(data), err
		},
	}).ParseFS(shapeFiles, "shapes/*.json.tmpl")
	return &shapes{set}, err
}

// shape fills a template in. A template that cannot be filled in is a fault of
// this package; the answer then says so in place of the shape.
func (h *Hub) shape(name string, data map[string]any) json.RawMessage {
	var out bytes.Buffer
	if err := h.shapes.set.ExecuteTemplate(&out, name+".json.tmpl", data); err != nil {
		return json.RawMessage(fmt.Sprintf("%q", "fakehub: shape "+name+" is broken"))
	}
	return out.Bytes()
}
