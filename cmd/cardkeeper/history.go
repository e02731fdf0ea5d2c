package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
)

// history looks at the commits that HEAD has and the base has not. What it finds
// warns, and what it cannot read is said and no more: a check needs the trees of
// the two sides alone.
func history(ctx context.Context, ws *workspace, base string, in checker.Input) (checker.History, error) {
	log, err := ws.local.Past(ctx, base, checker.MaxCommits)
	if err != nil {
		return unread(ctx, err)
	}
	past := checker.Past{Base: *in.Base, Head: in.Head, Total: log.Total, Scanner: in.Scanner, Allow: in.Policy.Allow, Today: in.Today}
	for _, c := range log.Commits {
		one := checker.Commit{ID: c.ID, Files: c.Files}
		for _, p := range c.Parents {
			one.Parents = append(one.Parents, p)
		}
		past.Commits = append(past.Commits, one)
	}
	h, err := checker.Trace(ctx, past)
	if err != nil {
		return unread(ctx, err)
	}
	return h, nil
}

// unread says why the commits were not looked at. Only an interruption is an error.
func unread(ctx context.Context, err error) (checker.History, error) {
	switch {
	case ctx.Err() != nil:
		return checker.History{}, fmt.Errorf("look at the commits: %w", ctx.Err())
	case errors.Is(err, tree.ErrShallow):
		return checker.Unread(0, "the clone is shallow and lacks commits between the base and HEAD; fetch them (git fetch --unshallow), or leave them out (--no-history)"), nil
	case errors.Is(err, tree.ErrNoRevision):
		return checker.Unread(0, "the base or HEAD names no commit; leave the commits out (--no-history)"), nil
	}
	return checker.Unread(0, "git could not read the commits between the base and HEAD; in a partial clone fetch them first, or leave them out (--no-history)"), nil
}
