package setup

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker"
)

const goodConfig = "policy:\n  block: [stale, secrets]\n"

// A clinic is a hub with an App that is well, and what Examine needs of it.
type clinic struct {
	t    *testing.T
	hub  *fakehub.Hub
	repo *fakehub.Repo
	tip  string
	with Subject
}

func newClinic(t *testing.T, o fakehub.Options) *clinic {
	t.Helper()
	if o.Permissions == nil {
		o.Permissions = keys(Permissions(false))
	}
	c := &clinic{t: t, hub: newHub(t, o)}
	c.repo = c.add("ada", "skills", goodConfig)
	c.tip = must(c.repo.Commit("main", map[string]fakehub.File{"x": fakehub.Text("x")}, "more"))(t)
	c.repo.RequireByRule("cardkeeper", c.hub.AppID())
	db := "sqlite:" + filepath.Join(t.TempDir(), "x.db")
	must(0, must(store.Open(t.Context(), db, slog.New(slog.DiscardHandler)))(t).Close())(t)
	c.with = Subject{
		Settings: config.Settings{AppID: c.hub.AppID(), Key: must(c.hub.PrivateKey())(t), Secrets: []string{c.hub.Secret()}, Database: db, API: c.hub.URL()},
		Check:    "cardkeeper", MaxRepositories: 200,
	}
	answer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
	t.Cleanup(answer.Close)
	c.hub.SetTarget(answer.URL + "/webhook")
	c.deliver()
	return c
}

// add makes a repository with a configuration, or without one.
func (c *clinic) add(owner, name, configuration string) *fakehub.Repo {
	c.t.Helper()
	r := must(c.hub.AddRepo(owner, name, fakehub.RepoOptions{}))(c.t)
	files := map[string]fakehub.File{"README.md": fakehub.Text("x"), ".github/other": fakehub.Text("x")}
	if configuration != "" {
		files[checker.ConfigFile] = fakehub.Text(configuration)
	}
	must(r.Commit("main", files, "begin"))(c.t)
	return r
}

func (c *clinic) deliver() {
	c.t.Helper()
	must(c.hub.Deliver(c.t.Context()))(c.t)
}

// run completes a check run on a commit at a time of the hub's clock.
func (c *clinic) run(repo *fakehub.Repo, sha, conclusion string, at time.Time) {
	c.t.Helper()
	c.hub.SetClock(func() time.Time { return at })
	defer c.hub.SetClock(time.Now)
	app := must(github.New(github.Config{AppID: c.hub.AppID(), Key: c.with.Settings.Key, BaseURL: c.hub.URL(), Now: func() time.Time { return at }}))(c.t)
	owner, name, _ := strings.Cut(repo.FullName(), "/")
	r := github.Run{SHA: sha, Name: "cardkeeper", Conclusion: conclusion, Title: "x"}
	must(app.Installation(c.hub.Installation(owner)).PublishRun(c.t.Context(), github.Repo{ID: repo.ID(), Owner: owner, Name: name}, r))(c.t)
}

func (c *clinic) examine() Report {
	c.t.Helper()
	return must(Examine(c.t.Context(), c.with))(c.t)
}

// find gives the first finding about a subject whose text holds words, or fails.
func (c *clinic) find(r Report, about, subject string, state State, words ...string) Finding {
	c.t.Helper()
	for _, f := range r.Findings {
		if f.About == about && f.Subject == subject && f.State == state && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(f.Text+" -> "+f.Next, w) }) {
			if f.Next == "" && state != OK && !strings.Contains(f.Text, "archived") && !strings.Contains(f.Text, "no commit") {
				c.t.Errorf("it does not say what to do: %+v", f)
			}
			return f
		}
	}
	c.t.Errorf("no finding about %s %s: %s, %q; there are:\n%s", about, subject, state, words, listing(r))
	return Finding{}
}

func listing(r Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s\n", fmt.Sprint(f))
	}
	return b.String()
}

func TestAnAppThatIsWell(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", "/api/v3"} {
		c := newClinic(t, fakehub.Options{Prefix: prefix})
		c.hub.ForgetRequests()
		r := c.examine()
		if r.Conclusion != OK || r.LeftOut != 0 {
			t.Errorf("%q: %s\n%s", prefix, r.Conclusion, listing(r))
		}
		for about, words := range map[string]string{
			AboutApp: "has the permissions", AboutKey: "1 of 1 is accepted", AboutClock: "agrees", AboutWebhook: "all were delivered", AboutDatabase: "the newest",
		} {
			subject := map[string]string{AboutApp: "cardkeeper"}[about]
			c.find(r, about, subject, OK, words)
		}
		c.find(r, AboutInstallation, "ada", OK, "accepted all")
		c.find(r, AboutRepository, "ada/skills", OK, "required on main by a ruleset")
		for _, q := range c.hub.Requests() {
			if q.Method != http.MethodGet && !strings.HasSuffix(q.Path, "/access_tokens") || q.Status/100 != 2 {
				t.Errorf("%s %s: %d", q.Method, q.Path, q.Status)
			}
		}
	}
}

// 2A-20: what the live App lacks is named, and so is what an owner has not accepted.
func TestPermissionsAndEventsThatLack(t *testing.T) {
	t.Parallel()
	have := maps.Clone(keys(Permissions(false)))
	delete(have, "merge_queues")
	have["administration"] = "write"
	c := newClinic(t, fakehub.Options{Permissions: have, Events: []string{"pull_request", "issue_comment", "push", "repository", "merge_groups"}})
	r := c.examine()
	c.find(r, AboutApp, "cardkeeper", Mend, "Merge queues: read", "Permissions & events")
	c.find(r, AboutApp, "cardkeeper", Mend, "not subscribed to events: merge_group")
	c.find(r, AboutApp, "cardkeeper", Note, "administration: write")
	c.find(r, AboutInstallation, "ada", OK) // it has accepted what the App asks for

	c = newClinic(t, fakehub.Options{})
	c.hub.Accept("ada", map[string]string{"metadata": "read", "contents": "read", "checks": "write", "pull_requests": "write", "issues": "read"})
	r = c.examine()
	f := c.find(r, AboutInstallation, "ada", Mend, "not accepted: Merge queues: read")
	if !strings.Contains(f.Next, "/settings/installations/") || r.Conclusion != Mend {
		t.Errorf("%s, %+v", r.Conclusion, f)
	}
}

func TestWhetherTheCheckBlocks(t *testing.T) {
	t.Parallel()
	c := newClinic(t, fakehub.Options{})
	own := c.hub.AppID()
	c.add("ada", "off", "")
	c.add("ada", "empty-rule", goodConfig).RequireByRule("another", 0)
	c.add("ada", "fresh", goodConfig)
	c.add("ada", "classic", goodConfig).RequireByProtection("cardkeeper", own)
	c.add("ada", "anybody", goodConfig).RequireByProtection("cardkeeper", 0)
	c.add("ada", "other-rule", goodConfig).RequireByRule("cardkeeper", own+1)
	c.add("ada", "other-classic", goodConfig).RequireByProtection("cardkeeper", own+1)
	both := c.add("ada", "both", goodConfig)
	both.RequireByRule("cardkeeper", own)
	both.RequireByProtection("cardkeeper", own+1)
	c.add("ada", "early", "").RequireByRule("cardkeeper", own)
	c.add("ada", "lenient", "policy:\n  block: []\n").RequireByRule("cardkeeper", own)
	c.add("ada", "broken", "policy: [\n").RequireByRule("cardkeeper", own)
	cards := c.add("ada", "cards-alone", "")
	must(cards.Commit("main", map[string]fakehub.File{"cards/skills/a.md": fakehub.Text("x")}, "cards"))(t)
	c.add("ada", "old", goodConfig).Archive()
	must(c.hub.AddRepo("ada", "bare", fakehub.RepoOptions{}))(t)
	c.deliver()
	r := c.examine()
	const unblocked, never = "installed, but nothing is blocked", "did not complete there in the last 7 days"
	for name, want := range map[string]struct {
		state State
		words []string
	}{
		"off":           {Note, []string{"not switched on", "cardkeeper init"}},
		"empty-rule":    {Mend, []string{unblocked, never}},
		"fresh":         {Mend, []string{unblocked, never, "open or update a pull request"}},
		"classic":       {OK, []string{"by a branch protection"}},
		"anybody":       {Note, []string{"from any source", "choose this App"}},
		"other-rule":    {Mend, []string{fmt.Sprintf("by a ruleset from App %d, and this is App %d", own+1, own)}},
		"other-classic": {Mend, []string{fmt.Sprintf("by a branch protection from App %d", own+1)}},
		"both":          {Mend, []string{"no pull request can be merged"}},
		"early":         {Note, []string{"required, but not switched on"}},
		"lenient":       {Note, []string{"lets everything pass"}},
		"broken":        {Mend, []string{"has 1 mistake,"}},
		"cards-alone":   {Mend, []string{unblocked}},
		"old":           {Note, []string{"archived"}},
		"bare":          {Note, []string{"no commit"}},
	} {
		c.find(r, AboutRepository, "ada/"+name, want.state, want.words...)
	}
}

// GitHub offers a check to be required for seven days after it completed.
func TestARunOfTheLastDaysIsFound(t *testing.T) {
	t.Parallel()
	c := newClinic(t, fakehub.Options{})
	repo := c.add("ada", "more", goodConfig)
	find := func(recent bool) {
		t.Helper()
		f := c.find(c.examine(), AboutRepository, "ada/more", Mend, "nothing is blocked")
		if strings.Contains(f.Text, "did not complete") == recent {
			t.Errorf("recent %v: %s", recent, f.Text)
		}
	}
	main := must(repo.Commit("main", map[string]fakehub.File{"y": fakehub.Text("y")}, "y"))(t)
	c.run(repo, main, "success", time.Now().Add(-8*24*time.Hour))
	find(false)
	head := must(repo.Commit("topic", map[string]fakehub.File{"z": fakehub.Text("z")}, "z", main))(t)
	must(repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)
	c.deliver()
	find(false)
	c.run(repo, head, "", time.Now().Add(-time.Hour)) // begun and not completed
	find(false)
	c.run(repo, head, "failure", time.Now().Add(-6*24*time.Hour))
	find(true)
}

func TestSuspendedAndLeftOut(t *testing.T) {
	t.Parallel()
	c := newClinic(t, fakehub.Options{})
	c.add("bob", "one", "")
	c.add("cy", "two", "")
	c.add("cy", "three", "")
	c.hub.Suspend("bob", true)
	c.deliver()
	c.with.MaxRepositories = 2
	r := c.examine()
	c.find(r, AboutInstallation, "bob", Note, "suspended")
	c.find(r, AboutRepository, "", Note, "left out: 1 repository", "--max-repositories")
	c.find(r, AboutRepository, "cy/two", Note)
	if r.LeftOut != 1 || r.Conclusion != OK {
		t.Errorf("left out %d, %s", r.LeftOut, r.Conclusion)
	}
	c.with.MaxRepositories = 0
	if r = c.examine(); r.LeftOut != 3 {
		t.Errorf("none looked at, left out %d", r.LeftOut)
	}
}

func TestKeysAndClock(t *testing.T) {
	t.Parallel()
	c := newClinic(t, fakehub.Options{})
	newer := must(c.hub.AddKey())(t)
	c.with.Settings.SpareKey = newer
	r := c.examine()
	c.find(r, AboutKey, "", OK, "1 of 2 is accepted")
	c.find(r, AboutKey, "", OK, "2 of 2 is accepted")
	c.hub.RevokeKey(c.with.Settings.Key)
	c.hub.SetClock(func() time.Time { return time.Now().Add(-10 * time.Minute) })
	r = c.examine()
	c.find(r, AboutKey, "", Mend, "1 of 2 is refused")
	c.find(r, AboutKey, "", OK, "2 of 2 is accepted")
	c.find(r, AboutClock, "", Mend, "ahead of GitHub's", "time server")
	c.find(r, AboutRepository, "ada/skills", OK) // the rest was asked with the one that works
	c.hub.RevokeKey(newer)
	r = c.examine()
	c.find(r, AboutKey, "", Mend, "accepts no key")
	if len(r.Findings) != 2 { // and the database
		t.Errorf("it went on without a key:\n%s", listing(r))
	}
	c.with.Settings.Key = []byte("none")
	if _, err := Examine(t.Context(), c.with); err == nil {
		t.Error("a key that is none was taken")
	}
}

// Law 13: what could not be asked is never well.
func TestWhatCannotBeAsked(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		sentence string
		fault    fakehub.Fault
		about    string
		subject  string
		state    State
		words    string
	}{
		{"GitHub is away", fakehub.Fault{Path: "/app", Status: 503, Times: 9}, AboutApp, "", Unknown, "could not be asked"},
		{"another address", fakehub.Fault{Path: "/app", Status: 404, Times: 9}, AboutApp, "", Mend, "no App of this id"},
		{"the webhook", fakehub.Fault{Path: "/app/hook/config", Status: 500, Times: 9}, AboutWebhook, "", Unknown, "could not be read"},
		{"the deliveries", fakehub.Fault{Path: "/app/hook/deliveries*", Status: 500, Times: 9}, AboutWebhook, "", Unknown, "deliveries could not be read"},
		{"the installations", fakehub.Fault{Path: "/app/installations*", Method: "GET", Status: 500, Times: 9}, AboutInstallation, "", Unknown, "could not be listed"},
		{"the repositories", fakehub.Fault{Path: "/installation/repositories*", Status: 500, Times: 9}, AboutInstallation, "ada", Unknown, "repositories could not be listed"},
		{"a branch", fakehub.Fault{Path: "*/branches/main", Status: 500, Times: 9}, AboutRepository, "ada/skills", Unknown, "could not be looked at"},
		{"the rules", fakehub.Fault{Path: "*/rules/branches/*", Status: 500, Times: 9}, AboutRepository, "ada/skills", Unknown, "could not be looked at"},
		{"the configuration", fakehub.Fault{Path: "*/git/blobs/*", Status: 500, Times: 9}, AboutRepository, "ada/skills", Unknown, "could not be looked at"},
		{"a rate limit", fakehub.Fault{Path: "*/branches/main", Status: 429, Times: 9}, AboutRepository, "", Unknown, "rate limit"},
	} {
		t.Run(tc.sentence, func(t *testing.T) {
			t.Parallel()
			c := newClinic(t, fakehub.Options{})
			c.hub.Fail(tc.fault)
			r := c.examine()
			c.find(r, tc.about, tc.subject, tc.state, tc.words)
			if r.Conclusion != tc.state {
				t.Errorf("conclusion %s, want %s", r.Conclusion, tc.state)
			}
		})
	}
	c := newClinic(t, fakehub.Options{})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if r, err := Examine(ctx, c.with); err != nil || r.Conclusion == OK {
		t.Errorf("told to stop: %v, %s", err, r.Conclusion)
	}
}

func TestSettingsThatAreSeenToBeWrong(t *testing.T) {
	t.Parallel()
	c := newClinic(t, fakehub.Options{})
	c.with.Settings.Secrets = []string{"short", c.hub.Secret()}
	c.with.Settings.Database = "sqlite:" + filepath.Join(t.TempDir(), "none.db")
	r := c.examine()
	f := c.find(r, AboutSecret, "", Mend, "secret 1 of 2 is shorter")
	if strings.Contains(f.Text+f.Next, "short ") && strings.Contains(f.Text, `"short"`) {
		t.Error("the secret is shown")
	}
	c.find(r, AboutDatabase, "", Note, "no tables yet")
	c.with.Settings.Database = "sqlite:" + t.TempDir()
	c.find(c.examine(), AboutDatabase, "", Mend, "cannot be opened")
}
