// Package sheets draws pages of our own: one style sheet in each, nothing from
// elsewhere, and headers that keep a browser to that.
package sheets

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strings"
)

// A Set is the templates of one folder. html/template escapes what is put into them.
type Set struct {
	all   *template.Template
	style string // the hash of the style sheet, as a policy names it
}

// Load reads pages/*.html and pages/style.css. A template draws the style sheet
// with the function style, so that a page needs no second request: the last one
// of a server that ends is drawn when it has ended. Other functions are funcs.
func Load(files fs.FS, funcs template.FuncMap) (*Set, error) {
	css, err := fs.ReadFile(files, "pages/style.css")
	if err != nil {
		return nil, fmt.Errorf("sheets.Load: %w", err)
	}
	style := func() template.CSS { return template.CSS(css) } // ours, word for word: the hash must fit
	all, err := template.New("").Funcs(template.FuncMap{"style": style}).Funcs(funcs).ParseFS(files, "pages/*.html")
	if err != nil {
		return nil, fmt.Errorf("sheets.Load: %w", err)
	}
	sum := sha256.Sum256(css)
	return &Set{all, "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"}, nil
}

// Protect sets the headers of an answer: no script, no other style, nobody's
// frame, nothing kept, and forms that go to us or to the origins given.
func (s *Set) Protect(head http.Header, targets ...string) {
	forms := strings.Join(append([]string{"'self'"}, targets...), " ")
	head.Set("Content-Security-Policy", "default-src 'none'; style-src "+s.style+"; form-action "+forms+"; frame-ancestors 'none'; base-uri 'none'")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("X-Frame-Options", "DENY")
	head.Set("Cache-Control", "no-store")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// Show writes one page, or none of it.
func (s *Set) Show(rw http.ResponseWriter, status int, name string, data any) {
	var out bytes.Buffer
	if err := s.all.ExecuteTemplate(&out, name+".html", data); err != nil {
		http.Error(rw, "the page could not be made", http.StatusInternalServerError)
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.WriteHeader(status)
	_, _ = rw.Write(out.Bytes()) // a browser that has gone away is no matter of ours
}
