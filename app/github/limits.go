package github

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// bareWait is the wait for a limit that names no time: GitHub asks for "at
	// least one minute".
	bareWait = time.Minute
	// maxWait bounds a wait. The primary limit resets within the hour; a longer
	// one is a broken header, and a day keeps the work alive.
	maxWait = 24 * time.Hour
)

// limited keeps a wait between a second, since a queue cannot wait less, and maxWait.
func limited(d time.Duration) *Limited {
	return &Limited{After: min(max(d, time.Second), maxWait)}
}

// complaint is the part of GitHub's error body that tells kinds of refusal apart.
type complaint struct {
	Message string `json:"message"`
}

// classify makes the kinds of an answer that is no success, the most special one
// last. Only fixed words of GitHub are looked for in the body; none is kept.
func classify(resp *http.Response, body []byte, now time.Time) []error {
	var c complaint
	_ = json.Unmarshal(body, &c) // a body that is no JSON says nothing
	text := strings.ToLower(c.Message)
	switch code := resp.StatusCode; {
	case code == http.StatusTooManyRequests:
		return []error{wait(resp.Header, now)}
	case code == http.StatusForbidden:
		return forbidden(resp.Header, text, now)
	case code == http.StatusUnauthorized:
		return []error{ErrUnauthorized}
	case code == http.StatusNotFound, code == http.StatusGone:
		return []error{ErrNotFound}
	case code == http.StatusConflict:
		return []error{ErrConflict}
	case code == http.StatusUnavailableForLegalReasons:
		return []error{ErrForbidden}
	case code == http.StatusRequestEntityTooLarge:
		return []error{ErrTooLarge}
	case code == http.StatusUnprocessableEntity && strings.Contains(text, "permissions requested are not granted"):
		return []error{ErrForbidden, ErrUngranted}
	case code == http.StatusUnprocessableEntity && strings.Contains(text, "not accessible to the parent installation"):
		return []error{ErrNotFound}
	case code == http.StatusUnprocessableEntity && strings.Contains(text, "fast forward"):
		return []error{ErrInvalid, ErrBehind}
	case code >= 400 && code < 500:
		return []error{ErrInvalid}
	default:
		return []error{ErrUnavailable}
	}
}

// forbidden tells a limit from a lack of permission. A limit is known by its
// headers or, for some secondary limits, by nothing but the message.
func forbidden(h http.Header, text string, now time.Time) []error {
	switch {
	case h.Get("Retry-After") != "", h.Get("X-RateLimit-Remaining") == "0",
		strings.Contains(text, "rate limit"), strings.Contains(text, "abuse detection"):
		return []error{wait(h, now)}
	case strings.Contains(text, "suspended"):
		return []error{ErrForbidden, ErrSuspended}
	case strings.Contains(text, "archived"):
		return []error{ErrForbidden, ErrArchived}
	case strings.Contains(text, "app_id"), strings.Contains(text, "github app that created it"):
		return []error{ErrForbidden, ErrNotOurs}
	default:
		return []error{ErrForbidden}
	}
}

// wait reads how long to wait: Retry-After in seconds or as a date, else the
// reset of an exhausted primary limit, else a minute. Dates are compared with
// GitHub's own clock where the answer tells it.
func wait(h http.Header, now time.Time) *Limited {
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	after := h.Get("Retry-After")
	if n, err := strconv.ParseInt(after, 10, 64); err == nil {
		return limited(time.Duration(min(max(n, 0), int64(maxWait/time.Second))) * time.Second)
	}
	if at, err := http.ParseTime(after); err == nil {
		return limited(at.Sub(now))
	}
	if reset, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64); err == nil && h.Get("X-RateLimit-Remaining") == "0" {
		l := limited(time.Unix(reset, 0).Sub(now))
		l.primary = true
		return l
	}
	l := limited(bareWait)
	l.bare = true
	return l
}
