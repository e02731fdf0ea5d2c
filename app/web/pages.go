package web

import (
	"embed"
	"html/template"
	"time"

	"github.com/cardkeeper/cardkeeper/app/sheets"
)

//go:embed pages/*
var pageFiles embed.FS

func loadSheets() (*sheets.Set, error) {
	return sheets.Load(pageFiles, template.FuncMap{
		"list":  func(form string, rows any) map[string]any { return map[string]any{"Form": form, "List": rows} },
		"short": short, "stamp": stamp, "iso": func(t time.Time) string { return t.Format(time.RFC3339) },
	})
}

// short is the beginning of an id, enough to tell two apart on a page.
func short(id string) string { return id[:min(len(id), 8)] }

// stamp shows a time to the second, in the zone that logs have.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

// A page is what every template gets.
type page struct {
	Title  string
	Active string // the entry of the navigation that this is
	Form   string // the token that its forms carry; "" without a session
	Said   string // what was just done
	Data   any
}
