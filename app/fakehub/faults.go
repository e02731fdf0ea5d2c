package fakehub

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// FaultHeader marks an answer that a [Fault] gave, which need not be one that
// GitHub would give.
const FaultHeader = "X-Fakehub-Fault"

// A Fault is misbehaviour on order. Faults are kept in one list: the first that
// fits a request and is not used up acts.
type Fault struct {
	Method string // "" fits all
	Path   string // the path after the prefix, unescaped; * stands for any run of characters

	Status int // answer this and do no work; 0 does the work
	Header http.Header
	Body   string

	Drop bool            // do the work, then break the connection instead of answering
	Hold <-chan struct{} // first wait until this is closed, or the client has gone

	Times int // how often it acts; 0 means once, -1 for ever
}

// Fail adds faults at the end of the list.
func (h *Hub) Fail(faults ...Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range faults {
		f.Times = max(f.Times, -1)
		if f.Times == 0 {
			f.Times = 1
		}
		f.Header = maps.Clone(f.Header)
		h.faults = append(h.faults, &f)
	}
}

// Heal empties the list.
func (h *Hub) Heal() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults = nil
}

// SecondaryLimit is a secondary rate limit for all paths: 403 or 429, with
// retry-after in seconds, or with the message alone where retry is 0.
func SecondaryLimit(status int, retry time.Duration) Fault {
	body, _ := json.Marshal(object{ // strings only
		"message":           "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
		"documentation_url": "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api",
	})
	f := Fault{Path: "*", Status: status, Body: string(body), Header: http.Header{}}
	if retry > 0 {
		f.Header.Set("Retry-After", strconv.Itoa(int(retry/time.Second)))
	}
	return f
}

// faultFor takes the first fault that fits, and counts it as used even if the
// client goes away while it is held.
func (h *Hub) faultFor(r *http.Request) *Fault {
	h.mu.Lock()
	defer h.mu.Unlock()
	path := strings.TrimPrefix(r.URL.Path, h.opts.Prefix)
	for _, f := range h.faults {
		if f.Times != 0 && (f.Method == "" || f.Method == r.Method) && glob(f.Path, path) {
			if f.Times > 0 {
				f.Times--
			}
			return f
		}
	}
	return nil
}

// glob matches a pattern in which * stands for any run of characters, slashes
// too.
func glob(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, parts[0])
	for _, p := range parts[1 : len(parts)-1] {
		at := strings.Index(s, p)
		if at < 0 {
			return false
		}
		s = s[at+len(p):]
	}
	return ok && strings.HasSuffix(s, parts[len(parts)-1])
}

// answer lays the fault's headers over the usual ones.
func (f *Fault) answer(header http.Header) (int, http.Header, []byte) {
	for k, v := range f.Header {
		header[http.CanonicalHeaderKey(k)] = v
	}
	header.Set(FaultHeader, "1")
	return f.Status, header, []byte(f.Body)
}
