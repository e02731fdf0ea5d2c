package embed

import (
	"sync"
	"time"
)

const (
	// pauseAfter failures in a row nothing is sent for the time pauseFor: a person
	// who asks shall not wait each time for a server that is down.
	pauseAfter = 3
	pauseFor   = time.Minute
	// longestPause bounds what a server may ask for.
	longestPause = 10 * time.Minute
)

// A pause keeps us from asking a server that fails. After it the next question is
// a trial: if that fails too, there is another pause.
type pause struct {
	mu       sync.Mutex
	failures int // in a row
	until    time.Time
}

// over reports whether the server may be asked.
func (p *pause) over(now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !now.Before(p.until)
}

// worked ends the row of failures.
func (p *pause) worked() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures, p.until = 0, time.Time{}
}

// failed counts a failure. A server that asks for time gets it.
func (p *pause) failed(now time.Time, after time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failures++; p.failures >= pauseAfter {
		after = max(after, pauseFor)
	}
	if until := now.Add(after); after > 0 && until.After(p.until) {
		p.until = until
	}
}
