package setup

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
)

//go:embed pages/*
var pageFiles embed.FS

// pages are the wizard's templates; html/template escapes what is put into them.
type pages struct {
	all   *template.Template
	style string // the hash of the style sheet, as a policy names it
}

// loadPages puts the style sheet into each page: the last one is drawn when the
// server has ended.
func loadPages() (*pages, error) {
	css, err := pageFiles.ReadFile("pages/style.css")
	if err != nil {
		return nil, fmt.Errorf("setup: embedded pages: %w", err) // unreachable: a test shows each of them
	}
	style := func() template.CSS { return template.CSS(css) } // ours, word for word: the hash must fit
	all, err := template.New("").Funcs(template.FuncMap{"style": style}).ParseFS(pageFiles, "pages/*.html")
	if err != nil {
		return nil, fmt.Errorf("setup: embedded pages: %w", err) // unreachable: as above
	}
	sum := sha256.Sum256(css)
	return &pages{all, "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"}, nil
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
