package jobs

import (
	"context"
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	"github.com/cardkeeper/cardkeeper/app/store"
)

// alone lets one holder of a key pass at a time: in this process, and on
// PostgreSQL in all replicas. Two that publish on one head at once would both
// find no run there and both make one.
func (r *Runner) alone(ctx context.Context, key string) (unlock func(), err error) {
	here, err := r.single.lock(ctx, key)
	if err != nil || r.cfg.Store.Dialect() != store.Postgres {
		return here, err
	}
	everywhere, err := r.advise(ctx, key)
	if err != nil {
		here()
		return nil, err
	}
	return func() { everywhere(); here() }, nil
}

// unlockTime is for giving up a lock when the job's own time is up.
const unlockTime = 5 * time.Second

// advise takes PostgreSQL's advisory lock of the key. The lock belongs to a
// connection, which is held meanwhile; at most one for each worker. Two keys with
// one hash wait for each other, and that is all.
func (r *Runner) advise(ctx context.Context, key string) (unlock func(), err error) {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(key)) // never fails
	number := int64(hash.Sum64())
	conn, err := r.cfg.Store.DB().Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("jobs: connect for a lock: %w", err)
	}
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, number); err != nil {
		_ = conn.Close() // a connection that broke off took its lock with it
		return nil, fmt.Errorf("jobs: wait for another replica: %w", err)
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unlockTime)
		defer cancel()
		_, _ = conn.ExecContext(ctx, `SELECT pg_advisory_unlock($1)`, number)
		_ = conn.Close()
	}, nil
}

// keyed lets one holder of a key pass at a time. It keeps nothing of a key that
// nobody holds.
type keyed struct {
	mu   sync.Mutex
	held map[string]chan struct{}
}

// lock waits for the key or the end of ctx, and returns what gives it back.
func (k *keyed) lock(ctx context.Context, key string) (unlock func(), err error) {
	for {
		k.mu.Lock()
		if k.held == nil {
			k.held = map[string]chan struct{}{}
		}
		wait, taken := k.held[key]
		if !taken {
			done := make(chan struct{})
			k.held[key] = done
			k.mu.Unlock()
			return func() {
				k.mu.Lock()
				delete(k.held, key)
				k.mu.Unlock()
				close(done)
			}, nil
		}
		k.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
