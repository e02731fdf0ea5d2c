package jobs

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/cardkeeper/cardkeeper/app/github"
)

// The first look at a repository reads and scans everything, which may take
// longer than one attempt of a job may last: a longer one would be taken for
// stuck, or its rescue after a kill come later. So the work goes on in slices: what
// an attempt has read and scanned waits on a shelf for the next one. It is never
// written anywhere. After a kill the work begins anew.
const (
	// maxShelf bounds what waits, of all jobs, in bytes of blobs; what does not find
	// room is read again.
	maxShelf = 2 * maxSource
	// shelfTime is how long it waits. The next slice begins within seconds, and
	// GitHub's secondary limits are mostly of a minute.
	shelfTime = 5 * time.Minute
	// maxSlices ends a job that never comes to its end: half an hour.
	maxSlices = 36
)

// errUnfinished: the attempt's time is up and it got on; the next one goes on there.
var errUnfinished = errors.New("not finished in this slice")

// A shelf keeps sources between two attempts of a job.
type shelf struct {
	mu   sync.Mutex
	kept map[string]*source
}

// take gives what the last attempt left, for the client and name of today.
func (h *shelf) take(key string, client *github.Client, repo github.Repo) *source {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.expire(time.Now())
	s := h.kept[key]
	if s == nil {
		return newSource(client, repo)
	}
	delete(h.kept, key)
	s.client, s.repo = client, repo
	return s
}

// leave keeps a source where there is room. What came first stays, so that some
// job always gets to its end.
func (h *shelf) leave(key string, s *source) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.expire(time.Now())
	total := s.size
	for _, other := range h.kept {
		total += other.size
	}
	if total > maxShelf {
		return
	}
	if h.kept == nil {
		h.kept = map[string]*source{}
	}
	s.put = time.Now()
	h.kept[key] = s
}

func (h *shelf) expire(now time.Time) {
	maps.DeleteFunc(h.kept, func(_ string, s *source) bool { return now.Sub(s.put) > shelfTime })
}

// inSlices does a job's reading and checking until ctx ends, which is the attempt's
// time. It returns errUnfinished where that is up and the work got on.
func (r *Runner) inSlices(ctx context.Context, key string, client *github.Client, repo github.Repo, do func(*source) error) error {
	s := r.shelf.take(key, client, repo)
	before := s.done()
	err := do(s)
	late := errors.Is(ctx.Err(), context.DeadlineExceeded)
	if err == nil || s.done() == before || !passing(err) && !late {
		return err
	}
	if s.slices++; late && s.slices > maxSlices {
		return errEndless
	}
	r.shelf.leave(key, s)
	if late && limit(err) == nil {
		return errUnfinished
	}
	return err
}
