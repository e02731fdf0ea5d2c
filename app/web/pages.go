package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"time"
)

//go:embed pages/*
var pageFiles embed.FS

// sheets are the templates; html/template escapes what is put into them.
type sheets struct {
	all   *template.Template
	style string // the hash of the style sheet, as a policy names it
}

func loadSheets() (*sheets, error) {
	css, err := pageFiles.ReadFile("pages/style.css")
	if err != nil {
		return nil, fmt.Errorf("web: embedded pages: %w", err) // unreachable: a test shows each of them
	}
	all, err := template.New("").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(css) }, // ours, word for word: the hash must fit
		"list":  func(form string, rows any) map[string]any { return map[string]any{"Form": form, "List": rows} },
		"short": short, "stamp": stamp, "iso": func(t time.Time) string { return t.Format(time.RFC3339) },
	}).ParseFS(pageFiles, "pages/*.html")
	if err != nil {
		return nil, fmt.Errorf("web: embedded pages: %w", err) // unreachable: as above
	}
	sum := sha256.Sum256(css)
	return &sheets{all, "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"}, nil
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

// show writes one page, or none of it.
func (s *sheets) show(rw http.ResponseWriter, status int, name string, p page) {
	var out bytes.Buffer
	if err := s.all.ExecuteTemplate(&out, name+".html", p); err != nil {
		http.Error(rw, "the page could not be made", http.StatusInternalServerError) // unreachable: as above
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.WriteHeader(status)
	_, _ = rw.Write(out.Bytes()) // a browser that has gone away is no matter of ours
}
