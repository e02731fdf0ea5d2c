package fakehub

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub/openapi"
	"github.com/golang-jwt/jwt/v4"
)

// testKey is one key for all tests: making one takes a tenth of a second.
var testKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// description is loaded once; tests only read it.
var description = sync.OnceValues(openapi.Load)

// A world is a started hub with one repository and a client of its own. Every
// request and answer is held to the OpenAPI document.
type world struct {
	t     *testing.T
	hub   *Hub
	repo  *Repo
	base  string // commit on main
	token string
}

// loose lets a test send what the document forbids.
func newWorld(t *testing.T, opts Options, loose bool) *world {
	t.Helper()
	key, err := testKey()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := description()
	if err != nil {
		t.Fatal(err)
	}
	opts.Key = key
	if !loose {
		opts.Wrap = func(next http.Handler) http.Handler {
			return doc.Validate(next, func(err error) { t.Error(err) })
		}
	}
	hub, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := hub.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := hub.Start(); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, hub: hub}
	if w.repo, err = hub.AddRepo("ada", "skills", RepoOptions{}); err != nil {
		t.Fatal(err)
	}
	w.base = w.commit("main", map[string]File{"README.md": Text("hello\n"), "skills/a/SKILL.md": Text("# A\n"), "skills/b/SKILL.md": Text("# B\n")})
	w.token = w.mint("")
	return w
}

func (w *world) commit(branch string, edits map[string]File, parents ...string) string {
	w.t.Helper()
	sha, err := w.repo.Commit(branch, edits, "change", parents...)
	if err != nil {
		w.t.Fatal(err)
	}
	return sha
}

func (w *world) pull(head string, opts PullOptions) int {
	w.t.Helper()
	n, err := w.repo.OpenPull(head, "main", "mallory", opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// jwt signs claims around a time.
func (w *world) jwt(iat, exp time.Time) string {
	w.t.Helper()
	key, err := testKey()
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{"iat": iat.Unix(), "exp": exp.Unix(), "iss": w.hub.AppID()}).SignedString(key)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *world) app() string {
	now := w.hub.clock()
	return w.jwt(now.Add(-time.Minute), now.Add(5*time.Minute))
}

// clock reads the hub's time.
func (h *Hub) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now()
}

// mint gets a token, narrowed by a JSON body where one is given.
func (w *world) mint(body string) string {
	w.t.Helper()
	a := w.do("POST", "/app/installations/"+itoa(w.hub.Installation("ada"))+"/access_tokens", w.app(), body)
	if a.status != http.StatusCreated {
		w.t.Fatalf("mint a token: %d", a.status)
	}
	return a.str("token")
}

func itoa(n int64) string { return json.Number(mustJSON(n)).String() }

func mustJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// An answer is what came back.
type answer struct {
	t      *testing.T
	status int
	header http.Header
	body   []byte
}

// at walks into the decoded body by keys and indexes.
func (a answer) at(path ...any) any {
	a.t.Helper()
	var v any
	dec := json.NewDecoder(bytes.NewReader(a.body))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		a.t.Fatalf("the answer is no JSON: %v", err)
	}
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			list, _ := v.([]any)
			if p >= len(list) {
				a.t.Fatalf("the list has %d items", len(list))
			}
			v = list[p]
		}
	}
	return v
}

func (a answer) str(path ...any) string {
	switch v := a.at(path...).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return map[bool]string{true: "true", false: "false"}[v]
	case nil:
		return "null"
	}
	a.t.Helper()
	a.t.Fatalf("%v is no scalar", path)
	return ""
}

func (a answer) len(path ...any) int {
	list, _ := a.at(path...).([]any)
	return len(list)
}

// send sends one request; further arguments are header names and values.
func (w *world) send(method, path, credential, body string, header ...string) (answer, error) {
	url := path
	if strings.HasPrefix(path, "/") {
		url = w.hub.URL() + path
	}
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if credential != "" {
		req.Header.Set("Authorization", "Bearer "+credential)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client := http.Client{
		Timeout:       20 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, 64<<20))
	return answer{w.t, resp.StatusCode, resp.Header, data}, err
}

func (w *world) do(method, path, credential, body string, header ...string) answer {
	w.t.Helper()
	a, err := w.send(method, path, credential, body, header...)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

// in asks about the repository with the installation's token.
func (w *world) in(method, path, body string, header ...string) answer {
	w.t.Helper()
	return w.do(method, "/repos/ada/skills"+path, w.token, body, header...)
}

// want asks and fails unless the status is as expected.
func (w *world) want(status int, method, path, body string, header ...string) answer {
	w.t.Helper()
	a := w.in(method, path, body, header...)
	if a.status != status {
		w.t.Fatalf("%s %s: status %d, want %d: %s", method, path, a.status, status, a.body)
	}
	return a
}

func TestCloseRemovesTheFolder(t *testing.T) {
	t.Parallel()
	hub, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hub.AddRepo("ada", "skills", RepoOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := hub.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(hub.dir); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestUnsafeNamesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	for _, name := range []string{"", "..", "a/b", "a b", "x\n", "-\x00"} {
		if _, err := w.hub.AddRepo("ada", name, RepoOptions{}); err == nil {
			t.Errorf("repository %q was made", name)
		}
	}
	for _, branch := range []string{"", "-x", "a..b", "x^", "x y", "a:b:c", "x.lock", "a//b"} {
		if _, err := w.repo.Commit(branch, map[string]File{"f": Text("x")}, "m"); err == nil {
			t.Errorf("branch %q was made", branch)
		}
	}
	for _, path := range []string{"", "/etc/passwd", "../x", "a/../b", "a//b", ".git/config", "a/.GIT/x"} {
		if _, err := w.repo.Commit("b", map[string]File{path: Text("x")}, "m"); err == nil {
			t.Errorf("path %q was committed", path)
		}
	}
}
