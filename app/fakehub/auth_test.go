package fakehub

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestJWTClockRules is 2A-27: what a clock that is off leads to.
func TestJWTClockRules(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	w := newWorld(t, Options{Now: func() time.Time { return at }}, false)
	for _, tc := range []struct {
		name     string
		iat, exp time.Duration
		status   int
		says     string
	}{
		{"iat a minute back and exp ten minutes ahead", -time.Minute, 10 * time.Minute, 200, ""},
		{"iat this second", 0, time.Minute, 200, ""},
		{"iat in the future", 1 * time.Second, time.Minute, 401, "iat"},
		{"exp more than ten minutes ahead", 0, 601 * time.Second, 401, "too far in the future"},
		{"exp now", -time.Minute, 0, 401, "exp"},
	} {
		a := w.do("GET", "/app", w.jwt(at.Add(tc.iat), at.Add(tc.exp)), "")
		if a.status != tc.status || !strings.Contains(string(a.body), tc.says) {
			t.Errorf("%s: %d %s", tc.name, a.status, a.body)
		}
		if a.header.Get("Date") != "Mon, 01 Jun 2026 12:00:00 GMT" {
			t.Errorf("%s: the Date header is %q, not the hub's clock", tc.name, a.header.Get("Date"))
		}
	}
}

func TestJWTLeewayIsSettable(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	w := newWorld(t, Options{Now: func() time.Time { return at }, JWTLeeway: 5 * time.Second}, false)
	if a := w.do("GET", "/app", w.jwt(at.Add(5*time.Second), at.Add(time.Minute)), ""); a.status != 200 {
		t.Errorf("inside the leeway: %d", a.status)
	}
	if a := w.do("GET", "/app", w.jwt(at.Add(6*time.Second), at.Add(time.Minute)), ""); a.status != 401 {
		t.Errorf("outside the leeway: %d", a.status)
	}
}

func TestForgedAndMissingCredentials(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	good := w.app()
	for name, credential := range map[string]string{
		"none": "", "a token for the App's routes": w.token, "no JWT": "x.y.z", "another signature": good[:len(good)-8] + "AAAAAAAA",
	} {
		if a := w.do("GET", "/app", credential, ""); a.status != 401 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	for name, credential := range map[string]string{"none": "", "a JWT": good, "unknown": w.token + "x"} {
		if a := w.do("GET", "/repos/ada/skills", credential, ""); a.status != 401 {
			t.Errorf("repository with %s: %d", name, a.status)
		}
	}
}

func TestTokensAreLongAndLiveAnHour(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	w := newWorld(t, Options{Now: func() time.Time { return now }}, false)
	if n := len(w.token); n < 450 || n > 600 || strings.Count(w.token, ".") != 2 {
		t.Errorf("a token of %d characters is not in the new form", n)
	}
	for _, tc := range []struct {
		after  time.Duration
		status int
	}{{59 * time.Minute, 200}, {time.Hour, 401}} {
		w.hub.SetClock(func() time.Time { return now.Add(tc.after) })
		if a := w.in("GET", "", ""); a.status != tc.status {
			t.Errorf("after %v: %d", tc.after, a.status)
		}
	}
}

func TestTokensAreNarrowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	other, err := w.hub.AddRepo("ada", "other", RepoOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.token = w.mint(fmt.Sprintf(`{"repository_ids":[%d],"permissions":{"contents":"read"}}`, w.repo.ID()))
	w.want(200, "GET", "/git/trees/main", "")
	if a := w.want(403, "POST", "/check-runs", fmt.Sprintf(`{"name":"n","head_sha":%q}`, w.base)); a.str("message") != "Resource not accessible by integration" {
		t.Errorf("message: %s", a.body)
	}
	w.want(403, "POST", "/git/blobs", `{"content":"x"}`)
	if a := w.do("GET", "/repos/"+other.FullName(), w.token, ""); a.status != 404 {
		t.Errorf("a repository outside the token: %d", a.status)
	}
	if _, err := w.hub.AddRepo("bob", "tools", RepoOptions{}); err != nil {
		t.Fatal(err)
	}
	if a := w.do("GET", "/repos/bob/tools", w.mint(""), ""); a.status != 404 {
		t.Errorf("another account's repository: %d", a.status)
	}
	mint := fmt.Sprint("/app/installations/", w.hub.Installation("ada"), "/access_tokens")
	for name, body := range map[string]string{
		"more than is granted": `{"permissions":{"issues":"write"}}`, "an unknown repository": `{"repository_ids":[1]}`,
	} {
		if a := w.do("POST", mint, w.app(), body); a.status != 422 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
}

// A misspelt field would mint a token for everything.
func TestAMisspeltTokenFieldIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, true)
	mint := fmt.Sprint("/app/installations/", w.hub.Installation("ada"), "/access_tokens")
	if a := w.do("POST", mint, w.app(), `{"repository_id":[1]}`); a.status != 422 || strings.Contains(string(a.body), "repository_id") {
		t.Errorf("got %d %s", a.status, a.body)
	}
	if a := w.do("POST", mint, w.app(), `{"permissions"`); a.status != 400 && a.status != 422 {
		t.Errorf("cut JSON: %d", a.status)
	}
}

// TestInstallationsComeAndGo is 2A-29 and 2A-30.
func TestInstallationsComeAndGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	old := w.hub.Installation("ada")
	w.hub.Suspend("ada", true)
	mint := func(id int64) answer {
		return w.do("POST", fmt.Sprint("/app/installations/", id, "/access_tokens"), w.app(), "")
	}
	if a := mint(old); a.status != 403 || !strings.Contains(a.str("message"), "suspended") {
		t.Errorf("suspended: %d", a.status)
	}
	w.want(403, "GET", "", "")
	w.hub.Suspend("ada", false)
	w.want(200, "GET", "", "")
	id := w.hub.Reinstall("ada")
	if a := mint(old); a.status != 404 {
		t.Errorf("the old installation: %d", a.status)
	}
	w.want(401, "GET", "", "")
	found := w.do("GET", "/repos/ada/skills/installation", w.app(), "")
	if found.str("id") != fmt.Sprint(id) || id == old {
		t.Errorf("the look-up gives %s, want %d", found.str("id"), id)
	}
	if a := mint(id); a.status != 201 {
		t.Errorf("the new installation: %d", a.status)
	}
}
