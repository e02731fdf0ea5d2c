package github

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// 2A-27: GitHub's clock is behind or ahead of ours.
func TestAWrongClockIsCorrectedByGitHubs(t *testing.T) {
	t.Parallel()
	for _, off := range []time.Duration{-90 * time.Second, 90 * time.Second, -10 * time.Minute, 10 * time.Minute, -3 * time.Hour, 3 * time.Hour} {
		h := newHub(t)
		h.now = func() time.Time { return time.Now().Add(off) }
		h.on("GET /repositories/9", ok(object{"id": 9, "name": "r", "owner": object{"login": "o"}}))
		a := h.app()
		for id := range int64(2) { // the second installation knows already
			if _, err := a.Installation(id+1).Repository(t.Context(), 9); err != nil {
				t.Errorf("clock off by %v: %v", off, err)
			}
		}
		if h.mints != 2 {
			t.Errorf("clock off by %v: %d tokens for two installations", off, h.mints)
		}
	}
}

// Several installations are refused at once; whichever learns the time first, all
// are signed again.
func TestAWrongClockIsCorrectedForAllAtOnce(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.now = func() time.Time { return time.Now().Add(-time.Hour) }
	h.on("GET /repositories/9", ok(object{"id": 9, "name": "r", "owner": object{"login": "o"}}))
	a := h.app()
	var wg sync.WaitGroup
	for id := range int64(20) {
		wg.Go(func() {
			if _, err := a.Installation(id+1).Repository(t.Context(), 9); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// A token lives an hour by GitHub's clock. By ours, if it is far ahead, the token
// would be over before it began, and each request would make another one; far
// behind, it would be used long after its end.
func TestATokensEndIsByGitHubsClock(t *testing.T) {
	t.Parallel()
	for _, off := range []time.Duration{-2 * time.Hour, -10 * time.Minute, 10 * time.Minute, 2 * time.Hour} {
		h := newHub(t)
		h.now = func() time.Time { return time.Now().Add(off) }
		h.on("GET /repositories/9", ok(object{"id": 9, "name": "r", "owner": object{"login": "o"}}))
		c := h.client()
		for range 2 {
			if _, err := c.Repository(t.Context(), 9); err != nil {
				t.Fatal(err)
			}
		}
		if h.mints != 1 {
			t.Errorf("clock off by %v: %d tokens for two requests", off, h.mints)
		}
		transport := c.call.gh.Client().Transport.(*installed)
		end, _, err := transport.current.Expiry()
		if left := time.Until(end); err != nil || left < 59*time.Minute || left > time.Hour+time.Second {
			t.Errorf("clock off by %v: the token has %v left by our clock, %v", off, left, err)
		}
	}
}

func TestAWrongKeyIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	route := "POST /app/installations/5/access_tokens"
	h.on(route, refuse(401, "A JSON web token could not be decoded"))
	_, err := h.client().Repository(t.Context(), 9)
	if !errors.Is(err, ErrUnauthorized) || h.count(route) != 1 {
		t.Errorf("%d token requests, %v", h.count(route), err)
	}
	if !strings.Contains(err.Error(), "POST /app/installations/{installation_id}/access_tokens: 401") {
		t.Error(err)
	}
}

// 2A-29 and 2A-30: the installation is gone, or suspended.
func TestATokenRequestTellsWhatBecameOfTheInstallation(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		answer answer
		want   error
	}{
		{refuse(404, "Not Found"), ErrNoInstallation},
		{refuse(403, "This installation has been suspended"), ErrSuspended},
		{refuse(422, "The permissions requested are not granted to this installation."), ErrUngranted},
		{refuse(500, ""), ErrUnavailable},
		{answer{201, nil, "null"}, ErrUnavailable},
		{answer{201, nil, "{}"}, ErrUnavailable},
		{answer{201, nil, "<html>"}, ErrUnavailable},
	} {
		h := newHub(t)
		h.on("POST /app/installations/5/access_tokens", tc.answer)
		_, err := h.client().Repository(t.Context(), 9)
		if !errors.Is(err, tc.want) || errors.Is(err, ErrNotFound) {
			t.Errorf("%v: %v", tc.answer, err)
		}
	}
}

// A token is for one repository. One that was taken out of the installation is not
// there, as it is for a token of everything.
func TestARepositoryOutsideTheInstallationIsNotFound(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("POST /app/installations/5/access_tokens", refuse(422, "There is at least one repository that does not exist or is not accessible to the parent installation."))
	_, err := h.app().For(5, 9, Reading).Repository(t.Context(), 9)
	if !errors.Is(err, ErrNotFound) || errors.Is(err, ErrNoInstallation) {
		t.Error(err)
	}
}

// 2A-33: a token in GitHub's new form is in no error text, whole or in part.
func TestATokenIsInNoErrorText(t *testing.T) {
	t.Parallel()
	part := func(n int) string { return strings.Repeat("Ab0_-", n) }
	long := "gh" + "s_1234_" + part(8) + "." + part(60) + "." + part(30)
	h := newHub(t)
	h.on("POST /app/installations/5/access_tokens", answer{201, nil, object{"token": long, "expires_at": time.Now().Add(time.Hour)}})
	h.on("GET /repositories/9", refuse(404, "no such thing for "+long), answer{302, map[string]string{"Location": "http://example.invalid/" + long}, nil}, refuse(500, long))
	c := h.client()
	for range 3 {
		_, err := c.Repository(t.Context(), 9)
		if err == nil || strings.Contains(err.Error(), "Ab0") || strings.Contains(err.Error(), "1234") {
			t.Errorf("the error shows a part of the token: %v", err)
		}
	}
	if h.auth[1] != "token "+long { // after the request for it
		t.Error("the token was not used as it was given")
	}
}

// 2A-67: concurrent misses share one token request.
func TestATokenIsMadeOnceAndKept(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("GET /repositories/9", ok(object{"id": 9, "name": "r", "owner": object{"login": "o"}}))
	a := h.app()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := a.Installation(5).Repository(t.Context(), 9); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if h.mints != 1 {
		t.Errorf("%d tokens were made", h.mints)
	}
	a.Forget(5)
	if _, err := a.Installation(5).Repository(t.Context(), 9); err != nil || h.mints != 2 {
		t.Errorf("after Forget: %d tokens, %v", h.mints, err)
	}
}

func TestATokenThatGitHubRefusesIsReplacedOnce(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	good := answer{201, nil, object{}}
	route := "POST /repos/o/r/issues/comments/3/reactions"
	h.on(route, good, refuse(401, "Bad credentials"), good, refuse(401, "Bad credentials"))
	c := h.client()
	for range 2 {
		if err := c.React(t.Context(), here, 3, "eyes"); err != nil {
			t.Fatal(err)
		}
	}
	if h.mints != 2 || h.auth[2] != "token "+token(2) || !strings.Contains(h.sent[route][2], "eyes") {
		t.Errorf("%d tokens, then %q with %q", h.mints, h.auth[2], h.sent[route][2])
	}
	if err := c.React(t.Context(), here, 3, "eyes"); !errors.Is(err, ErrUnauthorized) || h.mints != 3 {
		t.Errorf("a refusal that stays: %d tokens, %v", h.mints, err)
	}
}

func TestTokensAreNarrowed(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("GET /repositories/9", ok(object{"id": 9, "name": "r", "owner": object{"login": "o"}}))
	a := h.app()
	scope := Scope{Repositories: []int64{9, 2}, Contents: "read", Checks: "write"}
	for _, c := range []*Client{a.Installation(5), a.Narrowed(5, scope), a.Narrowed(5, Scope{Repositories: []int64{2, 9}, Contents: "read", Checks: "write"})} {
		if _, err := c.Repository(t.Context(), 9); err != nil {
			t.Fatal(err)
		}
	}
	want := "{}\n" + `{"repository_ids":[2,9],"permissions":{"checks":"write","contents":"read"}}`
	if got := strings.Join(h.sent["mint"], "\n"); got != want {
		t.Errorf("token requests:\n%s", got)
	}
	if scope.Repositories[0] != 9 {
		t.Error("the caller's slice was sorted")
	}
}

// Each duty has its own token, for one repository and with its own rights alone.
func TestADutyHasNoOtherRights(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("GET /repositories/9", ok(object{"id": 9, "name": "r", "owner": object{"login": "o"}}))
	a := h.app()
	for _, duty := range []Duty{Reading, Publishing, Replying, Committing, Reading} {
		if _, err := a.For(5, 9, duty).Repository(t.Context(), 9); err != nil {
			t.Fatal(err)
		}
	}
	want(t, []string{
		`{"repository_ids":[9],"permissions":{"contents":"read","pull_requests":"read"}}`,
		`{"repository_ids":[9],"permissions":{"checks":"write"}}`,
		`{"repository_ids":[9],"permissions":{"pull_requests":"write"}}`,
		`{"repository_ids":[9],"permissions":{"contents":"write","pull_requests":"read"}}`,
	}, h.sent["mint"])
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	good := Config{AppID: 1, Key: pemKey()}
	if _, err := New(good); err != nil {
		t.Error(err)
	}
	for name, mod := range map[string]func(*Config){
		"no App id":                  func(c *Config) { c.AppID = 0 },
		"no key":                     func(c *Config) { c.Key = nil },
		"no PEM":                     func(c *Config) { c.Key = []byte("key") },
		"plain http to another host": func(c *Config) { c.BaseURL = "http://github.example/api/v3" },
		"credentials in the address": func(c *Config) { c.BaseURL = "https://u:p@github.example" },
		"no address":                 func(c *Config) { c.BaseURL = "github.example" },
	} {
		cfg := good
		mod(&cfg)
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestAnEnterpriseServerKeepsItsPath(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("GET /api/v3/repositories/9", ok(object{"id": 9, "name": "r", "owner": object{"login": "o"}}))
	a := h.app(func(c *Config) { c.BaseURL += "/api/v3" })
	if _, err := a.Installation(5).Repository(t.Context(), 9); err != nil {
		t.Error(err)
	}
}
