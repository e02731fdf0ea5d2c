package github

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// maxBare bounds the wait for limits that name no time and come again and
	// again: GitHub asks for a longer wait each time, and for an end of it.
	maxBare = time.Hour
	// spare is the share of an hour's requests that background work leaves to
	// verdicts: one in ten. An installation has at least 5,000, so that 500 are
	// left, some 50 checks.
	spare = 10
	// atOnce is how many requests of an installation are on their way at once. GitHub
	// allows 100 for all that the App does there; two replicas stay below that.
	atOnce = 48
	// sameHour is how far two statements of one reset may lie apart: the header
	// has whole seconds, and so has the Date that it is measured by.
	sameHour = 5 * time.Second
)

// A bucket is what is known of one caller's limits: an installation's, or the
// App's own. All clients of an installation share it, so that one request that
// meets a limit stops the others before they are sent.
type bucket struct {
	installation int64 // 0 is the App itself
	now          func() time.Time
	slots        chan struct{} // one for each request on its way

	mu      sync.Mutex
	until   time.Time // of a secondary limit: nothing is sent before
	strikes int       // secondary limits without a time, one after the other
	rates   map[string]rate
}

// A rate is one primary limit, as the last answer told it.
type rate struct {
	limit, left int
	reset       time.Time // by our clock
}

func newBucket(installation int64, now func() time.Time) *bucket {
	return &bucket{installation: installation, now: now, slots: make(chan struct{}, atOnce), rates: map[string]rate{}}
}

// enter waits for a free slot and refuses what would run into a known limit, one
// that was met while it waited included.
func (b *bucket) enter(req *http.Request) error {
	select {
	case b.slots <- struct{}{}:
	case <-req.Context().Done():
		return req.Context().Err()
	}
	if l := b.closed(resource(req)); l != nil {
		b.leave()
		return l
	}
	return nil
}

func (b *bucket) leave() { <-b.slots }

// resource is what GitHub counts a request to.
func resource(req *http.Request) string {
	if strings.HasSuffix(req.URL.Path, "/graphql") {
		return "graphql"
	}
	return "core"
}

// closed is the limit that a request would run into, nil for none.
func (b *bucket) closed(resource string) *Limited {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if now.Before(b.until) {
		return limited(b.until.Sub(now))
	}
	if r, ok := b.rates[resource]; ok && r.left == 0 && now.Before(r.reset) {
		return limited(r.reset.Sub(now))
	}
	return nil
}

// scarce is the wait of background work: until the reset, once less than the
// spare part is left.
func (b *bucket) scarce() *Limited {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	for _, r := range b.rates {
		if r.left*spare < r.limit && now.Before(r.reset) {
			return limited(r.reset.Sub(now))
		}
	}
	return nil
}

// learn takes over what an answer says of the primary limit. Answers overtake
// each other: within one hour the lowest figure counts.
func (b *bucket) learn(resource string, h http.Header) {
	limit, err1 := strconv.Atoi(h.Get("X-RateLimit-Limit"))
	left, err2 := strconv.Atoi(h.Get("X-RateLimit-Remaining"))
	reset, err3 := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64)
	if err1 != nil || err2 != nil || err3 != nil {
		return // an Enterprise Server has its limits switched off
	}
	if named := h.Get("X-RateLimit-Resource"); named != "" {
		resource = named
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	theirs := now
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		theirs = date
	}
	next := rate{limit, max(left, 0), now.Add(min(time.Unix(reset, 0).Sub(theirs), maxWait))}
	if old, ok := b.rates[resource]; ok && next.reset.Sub(old.reset).Abs() < sameHour {
		next.left = min(next.left, old.left)
	}
	b.rates[resource] = next
}

// good notes a success: the next limit without a time is a first one again, unless
// the request was on its way when one was met.
func (b *bucket) good() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.now().Before(b.until) {
		b.strikes = 0
	}
}

// hit notes a limit that an answer told. One that names no time is waited for
// twice as long each time.
func (b *bucket) hit(l *Limited, resource string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if r := b.rates[resource]; l.primary && r.left == 0 && now.Before(r.reset) {
		return // the rate says it, for its resource alone
	}
	if l.bare {
		if now.Before(b.until) { // one of those that were on their way already
			l.After = max(l.After, b.until.Sub(now))
			return
		}
		l.After = min(bareWait<<min(b.strikes, 10), maxBare)
		b.strikes++
	}
	if until := now.Add(l.After); until.After(b.until) {
		b.until = until
	}
}

// A Budget is what is left of an hour's requests.
type Budget struct {
	Limit, Left int
	Reset       time.Time // by our clock
}

// Budget is what the last answers told of an installation's requests to the REST
// interface. It is false where nothing is known, or the hour is over.
func (a *App) Budget(installation int64) (Budget, bool) {
	b := a.bucket(installation)
	b.mu.Lock()
	defer b.mu.Unlock()
	r, ok := b.rates["core"]
	return Budget{r.limit, r.left, r.reset}, ok && b.now().Before(r.reset)
}

// bucket is the one of an installation; 0 is the App itself. They are never
// dropped: a limit outlives the tokens.
func (a *App) bucket(installation int64) *bucket {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := a.buckets[installation]
	if b == nil {
		b = newBucket(installation, a.now)
		a.buckets[installation] = b
	}
	return b
}
