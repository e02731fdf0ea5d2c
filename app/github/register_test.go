package github

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/fakehub/openapi"
	"github.com/google/go-cmp/cmp"
)

var description = sync.OnceValues(openapi.Load)

// fake is a hub over real git objects with one repository and a commit in it. Every request and
// answer is held to GitHub's description.
func fake(t *testing.T, o fakehub.Options) (*fakehub.Hub, *fakehub.Repo) {
	t.Helper()
	doc, err := description()
	if err != nil {
		t.Fatal(err)
	}
	o.Key, o.Wrap = testKey(), func(next http.Handler) http.Handler { return doc.Validate(next, func(err error) { t.Error(err) }) }
	hub, err := fakehub.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hub.Close() })
	if err := hub.Start(); err != nil {
		t.Fatal(err)
	}
	repo, err := hub.AddRepo("ada", "skills", fakehub.RepoOptions{})
	if err == nil {
		_, err = repo.Commit("main", map[string]fakehub.File{"README.md": fakehub.Text("x")}, "begin")
	}
	if err != nil {
		t.Fatal(err)
	}
	return hub, repo
}

func appOf(t *testing.T, hub *fakehub.Hub, mods ...func(*Config)) *App {
	t.Helper()
	cfg := Config{AppID: hub.AppID(), Key: pemKey(), BaseURL: hub.URL()}
	for _, m := range mods {
		m(&cfg)
	}
	a, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestACodeIsExchangedOnce(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", "/api/v3"} {
		hub, _ := fake(t, fakehub.Options{Prefix: prefix, Slug: "our-cards"})
		code, cfg := hub.ManifestCode(), Config{BaseURL: hub.URL()}
		r, err := Register(t.Context(), cfg, code)
		if err != nil || r.ID != hub.AppID() || r.Slug != "our-cards" || r.Secret != hub.Secret() || r.Key != string(pemKey()) {
			t.Errorf("%q: %v, id %d, slug %s", prefix, err, r.ID, r.Slug)
		}
		if want := strings.TrimSuffix(hub.URL(), prefix) + "/apps/our-cards"; r.Page != want {
			t.Errorf("page %s, want %s", r.Page, want)
		}
		_, err = Register(t.Context(), cfg, code)
		if !errors.Is(err, ErrNotFound) || strings.Contains(err.Error(), code) {
			t.Errorf("%q: a second time: %v", prefix, err)
		}
	}
}

func TestAnAnswerWithoutKeyOrSecretIsNoRegistration(t *testing.T) {
	t.Parallel()
	for _, body := range []object{
		{}, {"id": 5, "slug": "x", "pem": "x", "webhook_secret": nil}, {"id": 5, "slug": "x", "webhook_secret": "x"}, {"slug": "x", "pem": "x", "webhook_secret": "x"},
	} {
		h := newHub(t)
		h.on("POST /app-manifests/c/conversions", answer{status: 201, body: body})
		if r, err := Register(t.Context(), Config{BaseURL: h.srv.URL}, "c"); !errors.Is(err, ErrUnavailable) || r != (Registration{}) {
			t.Errorf("%v: %v, %v", body, r.ID, err)
		}
	}
	if _, err := Register(t.Context(), Config{BaseURL: "http://github.example"}, "c"); err == nil {
		t.Error("a plain http address was taken")
	}
}

// A key is exchanged without a gap: the one that GitHub refuses is left, once, and the log says which.
func TestTheSecondKeyIsTakenWhereTheFirstIsRefused(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	hub, repo := fake(t, fakehub.Options{})
	newer, err := hub.AddKey()
	if err != nil {
		t.Fatal(err)
	}
	a := appOf(t, hub, func(c *Config) { c.Spare, c.Log = newer, slog.New(slog.NewTextHandler(&log, nil)) })
	ask := func() {
		t.Helper()
		a.Forget(hub.Installation("ada")) // so that a token is asked for first, with a body to send again
		if _, err := a.Installation(hub.Installation("ada")).Repository(t.Context(), repo.ID()); err != nil {
			t.Error(err)
		}
		if _, err := a.Self(t.Context()); err != nil {
			t.Error(err)
		}
	}
	ask()
	if strings.Contains(log.String(), "key") {
		t.Errorf("both keys are valid, but: %s", &log)
	}
	hub.RevokeKey(pemKey())
	hub.ForgetRequests()
	ask()
	ask()
	refused := 0
	for _, r := range hub.Requests() {
		if r.Status == 401 {
			refused++
		}
	}
	if lines := strings.Count(log.String(), "private key was refused"); refused != 1 || lines != 1 || !strings.Contains(log.String(), `refused="1 of 2" taken="2 of 2"`) {
		t.Errorf("%d requests refused, the log:\n%s", refused, &log)
	}
	hub.RevokeKey(newer)
	if _, err := a.Self(t.Context()); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("no key is valid: %v", err)
	}
}

// 2A-27 and a rotation at once: the clock is wrong, and so is the first key.
func TestAWrongClockAndARefusedKeyAtOnce(t *testing.T) {
	t.Parallel()
	for _, off := range []time.Duration{-3 * time.Hour, 3 * time.Hour} {
		hub, _ := fake(t, fakehub.Options{Now: func() time.Time { return time.Now().Add(off) }})
		newer, err := hub.AddKey()
		if err != nil {
			t.Fatal(err)
		}
		hub.RevokeKey(pemKey())
		a := appOf(t, hub, func(c *Config) { c.Spare = newer })
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if _, err := a.Self(t.Context()); err != nil {
					t.Errorf("clock off by %v: %v", off, err)
				}
			})
		}
		wg.Wait()
		if skew, ok := a.Skew(); !ok || (skew-off).Abs() > time.Minute {
			t.Errorf("skew %v, want %v", skew, off)
		}
	}
	if _, ok := newHub(t).app().Skew(); ok {
		t.Error("the clock is known before any answer")
	}
}

func TestASpareKeyThatIsNoneIsSaid(t *testing.T) {
	t.Parallel()
	_, err := New(Config{AppID: 1, Key: pemKey(), Spare: []byte("key")})
	if err == nil || !strings.Contains(err.Error(), "private key 2") {
		t.Error(err)
	}
}

func TestRequirementsComeFromRulesetsAndProtection(t *testing.T) {
	t.Parallel()
	hub, fakeRepo := fake(t, fakehub.Options{})
	c, repo := appOf(t, hub).Installation(hub.Installation("ada")), Repo{ID: fakeRepo.ID(), Owner: "ada", Name: "skills"}
	got, err := c.Requirements(t.Context(), repo, "main")
	if err != nil || len(got) != 0 {
		t.Errorf("nothing is required: %v, %v", got, err)
	}
	fakeRepo.RequireByRule("a", 7)
	fakeRepo.RequireByRule("b", 0)
	fakeRepo.RequireByProtection("c", 8)
	fakeRepo.RequireByProtection("d", 0)
	got, err = c.Requirements(t.Context(), repo, "main")
	want := []Requirement{{"a", 7, ByRuleset}, {"b", 0, ByRuleset}, {"c", 8, ByProtection}, {"d", 0, ByProtection}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// What servers have said over the years: no rulesets, contexts without Apps, -1 for any App.
func TestRequirementsOfOlderServers(t *testing.T) {
	t.Parallel()
	for _, none := range []answer{refuse(404, "Not Found"), refuse(403, "Upgrade to GitHub Pro or make this repository public to enable this feature.")} {
		requirementsWithoutRulesets(t, none)
	}
	h := newHub(t)
	h.on("GET /repos/o/r/rules/branches/main", refuse(500, ""))
	if _, err := h.client().Requirements(t.Context(), here, "main"); !errors.Is(err, ErrUnavailable) {
		t.Errorf("rules that cannot be read: %v", err)
	}
}

func requirementsWithoutRulesets(t *testing.T, none answer) {
	t.Helper()
	h := newHub(t)
	h.on("GET /repos/o/r/rules/branches/main", none)
	h.on("GET /repos/o/r/branches/main", ok(object{"protection": object{"enabled": true, "required_status_checks": object{
		"enforcement_level": "everyone", "contexts": []string{"a", "b"}, "checks": []object{{"context": "a", "app_id": -1}},
	}}}))
	got, err := h.client().Requirements(t.Context(), here, "main")
	if diff := cmp.Diff([]Requirement{{"a", 0, ByProtection}, {"b", 0, ByProtection}}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestTheAppSeesItsInstallationsHookAndDeliveries(t *testing.T) {
	t.Parallel()
	hub, repo := fake(t, fakehub.Options{Target: "http://127.0.0.1:1/webhook"})
	if _, err := hub.AddRepo("ada", "other", fakehub.RepoOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := hub.AddRepo("bob", "x", fakehub.RepoOptions{}); err != nil {
		t.Fatal(err)
	}
	hub.Suspend("bob", true)
	a := appOf(t, hub)
	list, err := a.Installations(t.Context())
	if err != nil || len(list) != 2 || list[0].Account != "ada" || list[0].Suspended || !list[1].Suspended || list[0].Permissions["checks"] != "write" || len(list[0].Events) == 0 {
		t.Errorf("%v, %+v", err, list)
	}
	repos, total, err := a.Installation(hub.Installation("ada")).Repositories(t.Context(), 1)
	if err != nil || len(repos) != 1 || total != 2 || repos[0].ID != repo.ID() || repos[0].DefaultBranch != "main" {
		t.Errorf("%v, %d repositories of %d", err, len(repos), total)
	}
	if _, total, err := a.Installation(hub.Installation("ada")).Repositories(t.Context(), 0); err != nil || total != 2 {
		t.Errorf("only counted: %v, %d", err, total)
	}
	hook, err := a.Hook(t.Context())
	if diff := cmp.Diff(Hook{"http://127.0.0.1:1/webhook", "json", false}, hook); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := hub.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	tries, err := a.LastAttempts(t.Context())
	if err != nil || len(tries) == 0 || tries[0].Code != 0 || tries[0].Status == "OK" || tries[0].At.IsZero() || tries[0].GUID == "" {
		t.Errorf("%v, %+v", err, tries)
	}
}

func TestAListIsReadPageByPageAndNoFurtherThanAsked(t *testing.T) {
	t.Parallel()
	more := map[string]string{"Link": `<HUB/x?page=2>; rel="next"`}
	page := func(ids ...int) object {
		list := []object{}
		for _, id := range ids {
			list = append(list, object{"id": id, "name": "r", "owner": object{"login": "o"}})
		}
		return object{"total_count": 4, "repositories": list}
	}
	for limit, want := range map[int]int{0: 1, 2: 1, 3: 2, 9: 2} {
		h := newHub(t)
		h.on("GET /installation/repositories", answer{200, more, page(1, 2)}, ok(page(3, 4)))
		list, total, err := h.client().Repositories(t.Context(), limit)
		if err != nil || len(list) != min(limit, 4) || total != 4 || h.count("GET /installation/repositories") != want {
			t.Errorf("limit %d: %v, %d of %d in %d requests", limit, err, len(list), total, h.count("GET /installation/repositories"))
		}
	}
	h := newHub(t)
	h.on("GET /app/installations", answer{200, more, []object{{"id": 1}}}, ok([]object{{"id": 2}}))
	if list, err := h.app().Installations(t.Context()); err != nil || len(list) != 2 || list[1].ID != 2 {
		t.Errorf("%v, %+v", err, list)
	}
}

func TestWhereThePagesAre(t *testing.T) {
	t.Parallel()
	for api, want := range map[string]string{
		"": "https://github.com", "https://api.github.com": "https://github.com", "https://api.acme.ghe.com": "https://acme.ghe.com",
		"https://ghe.example.com/api/v3/": "https://ghe.example.com", "http://127.0.0.1:99": "http://127.0.0.1:99",
	} {
		if got := Web(api); got != want {
			t.Errorf("Web(%q) = %q, want %q", api, got, want)
		}
	}
}
