package setup

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/app/github"
)

// webhook looks at the webhook's address and at what became of the last events.
func (e *examiner) webhook(ctx context.Context) {
	hook, err := e.app.Hook(ctx)
	if err != nil {
		e.say(AboutWebhook, "", Unknown, "the webhook's settings could not be read: "+err.Error(), "try again")
		return
	}
	if wrong, next := e.hookFault(hook); wrong != "" {
		e.say(AboutWebhook, "", Mend, wrong, next+", on the App's settings page at GitHub")
	} else {
		e.say(AboutWebhook, "", OK, "the webhook is set as it should be", "")
	}
	attempts, err := e.app.LastAttempts(ctx)
	if err != nil {
		e.say(AboutWebhook, "", Unknown, "the last deliveries could not be read: "+err.Error(), "try again")
		return
	}
	e.deliveries(attempts)
}

// hookFault names the first thing that is wrong with the webhook, and what to do.
// With a GitHub on this machine, addresses of this machine are as good as others.
func (e *examiner) hookFault(h github.Hook) (wrong, next string) {
	u, err := url.Parse(h.URL)
	inside := local(webHost(e.Settings.API))
	switch {
	case h.URL == "" || err != nil || u.Hostname() == "":
		return "the App has no webhook address, so it is sent nothing", "set it to https://YOUR-HOST/webhook and make it active"
	case local(u.Hostname()) && !inside:
		return "the webhook's address is one of this machine, where GitHub cannot reach it", "set it to the public address"
	case u.Scheme != "https" && !inside:
		return "the webhook's address does not begin with https://", "put TLS in front of the service and change the address"
	case !strings.HasSuffix(u.Path, "/webhook"):
		return "the webhook's address does not end in /webhook, where the service answers", "change it"
	case h.ContentType != "json":
		return "the webhook sends forms, which the service does not read", "set the content type to application/json"
	case h.Insecure:
		return "GitHub does not check the certificate of the webhook's address", "enable SSL verification"
	}
	return "", ""
}

// webHost is the host of GitHub's pages, without its port.
func webHost(api string) string {
	u, err := url.Parse(github.Web(api))
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// deliveries judges the last events. One that failed and was accepted later is
// well; the list, newest first, keeps its failed row. Where the newest came and
// few failed, that is worth knowing and no more.
func (e *examiner) deliveries(attempts []github.Attempt) {
	// By the event's own id, which a redelivery shares.
	good, last := map[string]bool{}, map[string]github.Attempt{}
	for _, a := range attempts {
		good[a.GUID] = good[a.GUID] || a.Code/100 == 2
		if _, seen := last[a.GUID]; !seen {
			last[a.GUID] = a
		}
	}
	failed := 0
	var newest github.Attempt // of those that failed
	for guid, a := range last {
		if !good[guid] {
			failed++
			if a.At.After(newest.At) || newest.GUID == "" {
				newest = a
			}
		}
	}
	switch {
	case len(last) == 0:
		e.say(AboutWebhook, "", Note, "GitHub has sent nothing in the last days, so nothing shows whether it reaches the service", "open a pull request, then run this again")
	case failed == 0:
		e.say(AboutWebhook, "", OK, "of the last "+count(len(last), "event", "events")+" all were delivered", "")
	default:
		state := Mend
		if good[attempts[0].GUID] && failed*10 < len(last) { // it works again, and little was lost
			state = Note
		}
		e.say(AboutWebhook, "", state, fmt.Sprintf("of the last %s %d failed, the newest of them %s ago: %s",
			count(len(last), "event", "events"), failed, ago(e.Now().Sub(newest.At)), cause(newest.Code)), remedy(newest.Code))
	}
}

// ago is a time that has passed, in its largest unit.
func ago(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return count(int(d/(24*time.Hour)), "day", "days")
	case d >= 2*time.Hour:
		return count(int(d/time.Hour), "hour", "hours")
	}
	return count(int(max(d/time.Minute, 1)), "minute", "minutes")
}

// cause and remedy go by the answer's status alone: GitHub's words for it may
// quote what a stranger's server said.
func cause(code int) string {
	if code == 0 {
		return "no connection, or no answer in time"
	}
	return fmt.Sprintf("answered with %d", code)
}

func remedy(code int) string {
	switch code {
	case 0:
		return "see whether the service runs, and whether address, TLS certificate and firewall let GitHub in"
	case http.StatusUnauthorized:
		return "the secret is not the one at GitHub: compare webhook_secret_file with the App's settings page"
	case http.StatusServiceUnavailable:
		return "the service could not store the event: look into its log and at its database"
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusMovedPermanently, http.StatusFound, http.StatusPermanentRedirect:
		return "something else answers at that address: GitHub follows no redirect, and the path must be /webhook"
	}
	return "look into the service's log"
}
