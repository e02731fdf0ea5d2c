package fakehub

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// register posts a manifest as a browser would and gives status, answer or way back.
func register(t *testing.T, hub *Hub, path, manifest string) (int, string) {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.PostForm(strings.TrimSuffix(hub.URL(), "/api/v3")+path, url.Values{"manifest": {manifest}})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text := make([]byte, 4096)
	n, _ := resp.Body.Read(text)
	return resp.StatusCode, resp.Header.Get("Location") + string(text[:n])
}

// 2A-32: a manifest whose events lack their permission is refused as a whole.
func TestAManifestIsHeldToItsPermissions(t *testing.T) {
	t.Parallel()
	hub, err := New(Options{Prefix: "/api/v3"})
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	if err := hub.Start(); err != nil {
		t.Fatal(err)
	}
	const rest = `"url":"https://x","redirect_url":"http://127.0.0.1:1/back","hook_attributes":{"url":"https://x/webhook"},"default_permissions":`
	for _, tc := range []struct{ sentence, path, manifest, want string }{
		{"an event without its permission", "/settings/apps/new", `{"name":"x",` + rest + `{"checks":"write"},"default_events":["issue_comment"]}`, "not supported by permissions: issue_comment"},
		{"a field that nobody knows", "/settings/apps/new", `{"nam":"x"}`, "no JSON object"},
		{"a long name", "/settings/apps/new", `{"name":"` + strings.Repeat("x", 35) + `",` + rest + `{"checks":"write"}}`, "too long"},
		{"a good one for an organisation", "/organizations/acme/settings/apps/new?state=s1", `{"name":"Our Cards",` + rest + `{"issues":"read"},"default_events":["issue_comment"]}`, "/back?code="},
	} {
		status, got := register(t, hub, tc.path, tc.manifest)
		if !strings.Contains(got, tc.want) || (status == http.StatusFound) != strings.Contains(tc.want, "code=") {
			t.Errorf("%s: %d %s", tc.sentence, status, got)
		}
	}
	_, back := register(t, hub, "/settings/apps/new?state=s2", `{"name":"Our Cards",`+rest+`{"issues":"read"}}`)
	if !strings.Contains(back, "state=s2") || hub.opts.Slug != "our-cards" || hub.Hook() != "https://x/webhook" {
		t.Errorf("way back %q, slug %q, hook %q", back, hub.opts.Slug, hub.Hook())
	}
	if want := map[string]string{"issues": "read", "metadata": "read"}; !maps.Equal(hub.opts.Permissions, want) {
		t.Errorf("permissions: %v", hub.opts.Permissions)
	}
}

// Two keys are valid while one is exchanged; a deleted one is refused.
func TestKeysAreAddedAndRevoked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	old, err := w.hub.PrivateKey()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.hub.AddKey(); err != nil {
		t.Fatal(err)
	}
	if a := w.do("GET", "/app", w.app(), ""); a.status != 200 {
		t.Errorf("the old key beside a new one: %d", a.status)
	}
	w.hub.RevokeKey(old)
	if a := w.do("GET", "/app", w.app(), ""); a.status != 401 {
		t.Errorf("the old key after it was deleted: %d", a.status)
	}
}

func TestRequiredChecksAreShownWhereTheyAreSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.repo.RequireByRule("by rule", 7)
	w.repo.RequireByRule("by anybody", 0)
	w.repo.RequireByProtection("by protection", 8)
	if a := w.want(200, "GET", "/rules/branches/main", ""); !strings.Contains(string(a.body), `{"context":"by rule","integration_id":7},{"context":"by anybody"}`) || strings.Contains(string(a.body), "by protection") {
		t.Errorf("rules: %s", a.body)
	}
	if a := w.want(200, "GET", "/branches/main", ""); !strings.Contains(string(a.body), `{"app_id":8,"context":"by protection"}`) || strings.Contains(string(a.body), "by rule") {
		t.Errorf("branch: %s", a.body)
	}
	if a := w.want(200, "GET", "/rules/branches/other", ""); string(a.body) != "[]" {
		t.Errorf("rules of another branch: %s", a.body)
	}
}
