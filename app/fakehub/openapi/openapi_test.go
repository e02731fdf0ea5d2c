package openapi

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// serve answers with a fixed status and body and returns what was reported.
func serve(t *testing.T, method, path, body string, status int, answer string, header ...string) []string {
	t.Helper()
	doc, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	var reports []string
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got, _ := io.ReadAll(r.Body); string(got) != body {
			t.Errorf("the handler got another body: %q", got)
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	})
	rec := httptest.NewRecorder()
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	doc.Validate(next, func(err error) { reports = append(reports, err.Error()) }).ServeHTTP(rec, req)
	if rec.Code != status || rec.Body.String() != answer {
		t.Errorf("the answer was changed: %d %q", rec.Code, rec.Body)
	}
	return reports
}

const reaction = `{"id":1,"node_id":"x","user":null,"content":"eyes","created_at":"2026-01-01T00:00:00Z"}`

func TestWhatIsReported(t *testing.T) {
	t.Parallel()
	const marks, run = "/repos/a/b/issues/comments/1/reactions", "/repos/a/b/check-runs/1"
	for _, tc := range []struct {
		name, method, path, body string
		status                   int
		answer                   string
		want                     string // part of the one report; "" for none
	}{
		{"a request and an answer that fit", "POST", marks, `{"content":"eyes"}`, 201, reaction, ""},
		{"the same under the Enterprise prefix", "POST", "/api/v3" + marks, `{"content":"eyes"}`, 201, reaction, ""},
		{"the same by the repository's number", "POST", "/repositories/7/issues/comments/1/reactions", `{"content":"eyes"}`, 201, reaction, ""},
		{"an unknown value", "POST", marks, `{"content":"shrug"}`, 201, reaction, "request of reactions/create-for-issue-comment"},
		{"an answer without its number", "POST", marks, `{"content":"eyes"}`, 201, strings.Replace(reaction, `"id":1,`, "", 1), "answer 201"},
		{"an unknown field", "POST", marks, `{"content":"eyes","contents":1}`, 201, reaction, "contents"},
		{"a misspelt field deep in a new run", "POST", "/repos/a/b/check-runs", `{"name":"n","head_sha":"s","output":{"title":"t","summary":"s","sumary":"s"}}`, 422, `{}`, "sumary"},
		{"a misspelt field at the top of a changed run", "PATCH", run, `{"conclusion":"success","conclusions":"x"}`, 422, `{}`, "conclusions"},
		{"a good change of a run", "PATCH", run, `{"status":"completed","conclusion":"success","output":{"summary":"s"}}`, 422, `{}`, ""},
		{"completed without a conclusion", "PATCH", run, `{"status":"completed"}`, 422, `{}`, "checks/update"},
		{"an operation nobody uses", "GET", "/repos/a/b/stargazers", "", 200, `[]`, "no operation for GET"},
		{"a branch with a slash", "GET", "/repos/a/b/git/ref/heads/x/y", "", 404, `{}`, ""},
		{"a list of a branch with a slash", "GET", "/repos/a/b/commits/x/y/check-runs", "", 200, `{"total_count":0,"check_runs":[]}`, ""},
		{"no body where none is needed", "POST", "/app/installations/1/access_tokens", "", 404, `{}`, ""},
		{"null for a body", "POST", "/app/installations/1/access_tokens", "null", 404, `{}`, "request of"},
	} {
		got := serve(t, tc.method, tc.path, tc.body, tc.status, tc.answer)
		if tc.want == "" && len(got) != 0 {
			t.Errorf("%s: %q", tc.name, got)
		}
		if tc.want != "" && (len(got) != 1 || !strings.Contains(got[0], tc.want)) {
			t.Errorf("%s: %q, want one with %q", tc.name, got, tc.want)
		}
	}
}

func TestWrongAnswersOnOrderAreNotReported(t *testing.T) {
	t.Parallel()
	if got := serve(t, "GET", "/app", "", 200, `{"nothing":1}`, faultHeader, "1"); len(got) != 0 {
		t.Errorf("reported: %q", got)
	}
}

func TestReportsDoNotQuoteTheValue(t *testing.T) {
	t.Parallel()
	got := serve(t, "POST", "/repos/a/b/issues/comments/1/reactions", `{"content":"private words"}`, 201, reaction)
	if len(got) != 1 || strings.Contains(got[0], "private words") {
		t.Errorf("reported: %q", got)
	}
}

// TestTheFixtureHoldsTheListedOperations keeps the list and the document that
// was cut by it together, and the document small.
func TestTheFixtureHoldsTheListedOperations(t *testing.T) {
	t.Parallel()
	doc, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join("..", "..", "..", "testdata", "openapi")
	list, err := os.ReadFile(filepath.Join(folder, "operations.txt"))
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for line := range strings.Lines(string(list)) {
		f := strings.Fields(line)
		if len(f) != 2 || f[0] == "#" {
			continue
		}
		listed++
		if item := doc.Doc.Paths.Value(f[1]); item == nil || item.GetOperation(f[0]) == nil {
			t.Errorf("the document lacks %s %s: cut it again", f[0], f[1])
		}
	}
	held := 0
	for _, item := range doc.Doc.Paths.Map() {
		held += len(item.Operations())
	}
	if held != listed {
		t.Errorf("the document holds %d operations, the list %d: cut it again", held, listed)
	}
	info, err := os.Stat(filepath.Join(folder, "api.github.com.json"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 300<<10 {
		t.Errorf("the document has %d bytes, want at most 300 KB", info.Size())
	}
}
