package github

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"
)

// A Crew does pieces of work at once, so many at most. The first error ends the
// others' context and is what Wait returns. A panic in one of them goes on in
// Wait: in a goroutine of its own it would end the process, and print its value,
// which may quote what was read.
type Crew struct{ group *errgroup.Group }

// NewCrew makes a crew of at most limit at once, and the context of its work.
func NewCrew(ctx context.Context, limit int) (*Crew, context.Context) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(limit)
	return &Crew{group}, ctx
}

// panicked carries what a piece of work panicked with to Wait.
type panicked struct{ value any }

func (panicked) Error() string { return "a part of the work panicked" }

// Go begins a piece of work, once there is room for it.
func (c *Crew) Go(work func() error) {
	c.group.Go(func() (err error) {
		defer func() {
			if v := recover(); v != nil {
				err = panicked{v}
			}
		}()
		return work()
	})
}

// Wait waits until all have ended.
func (c *Crew) Wait() error {
	err := c.group.Wait()
	var p panicked
	if errors.As(err, &p) {
		panic(p.value)
	}
	return err
}
