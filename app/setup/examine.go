package setup

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
)

const (
	// maxSkew is the difference of clocks that is told: GitHub itself bears about a
	// minute of it.
	maxSkew = time.Minute
	// minSecret is the length under which a webhook secret counts as guessable.
	minSecret = 16
)

// Subject is what is examined.
type Subject struct {
	Settings        config.Settings
	Check           string // the name of the check run
	MaxRepositories int    // how many are looked at, of all installations together
	Now             func() time.Time
	Transport       http.RoundTripper // to GitHub; nil is the usual one
}

// An examiner collects findings.
type examiner struct {
	Subject
	app    *github.App
	self   github.Self
	report Report
}

// Examine looks at the App with its own credentials and changes nothing. What
// could not be asked is a finding, too; an error means that settings cannot be
// used at all.
func Examine(ctx context.Context, s Subject) (Report, error) {
	if s.Now == nil {
		s.Now = time.Now
	}
	e := &examiner{Subject: s}
	var err error
	if e.app, err = e.client(s.Settings.Key, s.Settings.SpareKey); err != nil {
		return Report{}, err
	}
	e.database(ctx)
	e.embeddings(ctx)
	e.files()
	e.secrets()
	if e.keys(ctx) {
		e.clock()
		e.registration()
		e.webhook(ctx)
		e.installations(ctx)
	}
	e.report.conclude()
	return e.report, nil
}

// client makes an App of the settings with one key, or with both.
func (e *examiner) client(key, spare []byte) (*github.App, error) {
	return github.New(github.Config{
		AppID: e.Settings.AppID, Key: key, Spare: spare, BaseURL: e.Settings.API, Now: e.Now, Transport: e.Transport,
	})
}

// say adds a finding. What is wrong always comes with what to do about it.
func (e *examiner) say(about, subject string, state State, text, next string) {
	e.report.Findings = append(e.report.Findings, Finding{about, subject, state, text, next})
}

// database looks whether the database opens and fits this program. The service may
// run on it meanwhile, so nothing is migrated here.
func (e *examiner) database(ctx context.Context) {
	s, err := store.Inspect(ctx, e.Settings.Database)
	switch {
	case err != nil:
		e.say(AboutDatabase, "", Mend, "the database cannot be opened: "+err.Error(), "mend the setting database, or start the database")
	case !s.Made:
		e.say(AboutDatabase, "", Note, fmt.Sprintf("the %s database has no tables yet", s.Dialect), "cardkeeper serve makes them at its first start")
	case s.Version > s.Newest:
		e.say(AboutDatabase, "", Mend, fmt.Sprintf("the %s database is of version %d, this program knows %d", s.Dialect, s.Version, s.Newest), "install the newer cardkeeper that made it")
	case s.Version < s.Newest:
		e.say(AboutDatabase, "", Note, fmt.Sprintf("the %s database is of version %d, this program brings it to %d", s.Dialect, s.Version, s.Newest), "cardkeeper serve does so at its next start; make a copy first")
	default:
		e.say(AboutDatabase, "", OK, fmt.Sprintf("the %s database opens; its tables are of version %d, the newest", s.Dialect, s.Version), "")
	}
}

// secrets looks at the webhook secrets for what can be seen without GitHub, which
// never shows the one it has: failed deliveries tell.
func (e *examiner) secrets() {
	for i, s := range e.Settings.Secrets {
		if len(s) < minSecret {
			e.say(AboutSecret, "", Mend, fmt.Sprintf("webhook secret %d of %d is shorter than %d characters and could be guessed", i+1, len(e.Settings.Secrets), minSecret),
				"make a long random one: README, \"Changing the key or the secret\"")
		}
	}
}

// keys asks with each key by itself and reports whether one of them works. The
// service falls back by itself, so a refused key shows here and in its log alone.
func (e *examiner) keys(ctx context.Context) bool {
	all := [][]byte{e.Settings.Key}
	if e.Settings.SpareKey != nil {
		all = append(all, e.Settings.SpareKey)
	}
	var refused []int
	for i, key := range all {
		app, err := e.client(key, nil)
		if err == nil {
			var self github.Self
			if self, err = app.Self(ctx); err == nil {
				e.self = self
			}
		}
		switch {
		case errors.Is(err, github.ErrUnauthorized):
			refused = append(refused, i)
		case err != nil:
			e.unreached(err)
			return false
		}
	}
	if len(refused) == len(all) {
		e.say(AboutKey, "", Mend, "GitHub accepts no key for this App id", "compare app_id with the App's settings page, and make a new private key there")
		return false
	}
	for i := range all {
		which := fmt.Sprintf("private key %d of %d", i+1, len(all))
		if slices.Contains(refused, i) {
			e.say(AboutKey, "", Mend, which+" is refused by GitHub", "take its file out of key_file, if it was deleted at GitHub on purpose")
		} else {
			e.say(AboutKey, "", OK, which+" is accepted", "")
		}
	}
	_, err := e.app.Self(ctx) // by the key that works, for the clock
	return err == nil
}

// unreached says that GitHub gave no answer of any use. For an App that it does
// not know it answers 404, as any other server does that is no GitHub.
func (e *examiner) unreached(err error) {
	switch {
	case errors.Is(err, github.ErrNotFound), errors.Is(err, github.ErrMoved):
		e.say(AboutApp, "", Mend, "GitHub knows no App of this id there, or no API is at that address",
			"compare app_id with the App's settings page; api_url is https://HOST/api/v3 for an Enterprise Server and is left out for github.com")
	default:
		e.say(AboutApp, "", Unknown, "GitHub could not be asked: "+err.Error(), "see whether this machine reaches "+github.Web(e.Settings.API)+", and try again")
	}
}

// clock compares with the Date of GitHub's last answer.
func (e *examiner) clock() {
	skew, ok := e.app.Skew()
	if !ok {
		return
	}
	if skew = skew.Round(time.Second); skew.Abs() <= maxSkew {
		e.say(AboutClock, "", OK, "the clock agrees with GitHub's to within a minute", "")
		return
	}
	where := "behind"
	if skew < 0 {
		where = "ahead of"
	}
	e.say(AboutClock, "", Mend, fmt.Sprintf("the clock is %s %s GitHub's; tokens are corrected for that, times in the log are not", skew.Abs(), where), "let the machine follow a time server")
}

// registration compares the live App with what this program handles (2A-20). A
// manifest only makes new Apps: one that is older has to be changed by hand.
func (e *examiner) registration() {
	page := "change it under Permissions & events on the App's settings page at GitHub; each owner has to accept added permissions"
	before := len(e.report.Findings)
	if missing := lacking(Permissions(false), e.self.Permissions); len(missing) > 0 {
		e.say(AboutApp, e.self.Slug, Mend, "the App lacks permissions: "+strings.Join(missing, ", "), page)
	}
	var events []string
	for _, name := range Events() {
		if !slices.Contains(e.self.Events, name) {
			events = append(events, name)
		}
	}
	if len(events) > 0 {
		e.say(AboutApp, e.self.Slug, Mend, "the App is not subscribed to events: "+strings.Join(events, ", "), page)
	}
	if len(e.report.Findings) == before {
		e.say(AboutApp, e.self.Slug, OK, fmt.Sprintf("App %d has the permissions and events that are needed", e.self.ID), "")
	}
	if more := beyond(e.self.Permissions); len(more) > 0 {
		e.say(AboutApp, e.self.Slug, Note, "the App may do more than it needs: "+strings.Join(more, ", "), page)
	}
}
