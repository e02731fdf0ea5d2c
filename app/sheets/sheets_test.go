package sheets

import (
	"html/template"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

func TestAPageIsEscapedWholeOrNot(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"pages/style.css": {Data: []byte("p { margin: 0 }")},
		"pages/one.html":  {Data: []byte("<style>{{style}}</style><p>{{loud .}}</p>")},
		"pages/bad.html":  {Data: []byte("<p>begun {{.No.Such}}</p>")},
	}
	set, err := Load(files, template.FuncMap{"loud": strings.ToUpper})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	set.Show(w, 418, "one", "<b>")
	if got, want := w.Body.String(), "<style>p { margin: 0 }</style><p>&lt;B&gt;</p>"; w.Code != 418 || got != want {
		t.Errorf("%d %q, want %q", w.Code, got, want)
	}
	w = httptest.NewRecorder()
	set.Show(w, 200, "bad", "text")
	if w.Code != 500 || strings.Contains(w.Body.String(), "begun") {
		t.Errorf("a page that fails half way: %d %q", w.Code, w.Body)
	}
	set.Protect(w.Header(), "https://one.example")
	if got := w.Header().Get("Content-Security-Policy"); !strings.Contains(got, "form-action 'self' https://one.example; frame-ancestors 'none'") {
		t.Errorf("policy %q", got)
	}
	for _, missing := range []string{"pages/style.css", "pages/one.html"} {
		part := fstest.MapFS{missing: files[missing]}
		if _, err := Load(part, nil); err == nil {
			t.Errorf("loaded with %s alone", missing)
		}
	}
}
