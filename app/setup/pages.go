package setup

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
)

//go:embed pages/*
var pageFiles embed.FS

// pages are the wizard's templates; html/template escapes what is put into them.
type pages struct{ all *template.Template }

func loadPages() (*pages, error) {
	all, err := template.ParseFS(pageFiles, "pages/*.html")
	if err != nil {
		return nil, fmt.Errorf("setup: embedded pages: %w", err) // unreachable: a test shows each of them
	}
	return &pages{all}, nil
}

// show writes one page, or none of it.
func (p *pages) show(rw http.ResponseWriter, status int, name string, data any) {
	var out bytes.Buffer
	if err := p.all.ExecuteTemplate(&out, name+".html", data); err != nil {
		http.Error(rw, "the page could not be made", http.StatusInternalServerError) // unreachable: as above
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.WriteHeader(status)
	_, _ = rw.Write(out.Bytes()) // a browser that has gone away is no matter of ours
}

func (p *pages) style(rw http.ResponseWriter, _ *http.Request) {
	text, _ := pageFiles.ReadFile("pages/style.css") // it is embedded
	rw.Header().Set("Content-Type", "text/css; charset=utf-8")
	_, _ = rw.Write(text)
}
