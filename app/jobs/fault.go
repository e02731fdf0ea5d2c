package jobs

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"time"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/riverqueue/river"
)

func itoa(n int) string { return strconv.Itoa(n) }

// limitedPause is the wait for a limit that does not say how long it lasts:
// GitHub's documentation asks for a minute at least.
const limitedPause = time.Minute

// again turns an error into what the queue does about it: a rate limit puts the
// job off without using up an attempt, what no retry can mend ends it, and the
// rest is tried again.
func again(err error) error {
	var limited *github.Limited
	switch {
	case err == nil:
		return nil
	case errors.As(err, &limited):
		return river.JobSnooze(max(limited.After, time.Second))
	case over(err):
		return river.JobCancel(safe(err))
	}
	return safe(err)
}

// safe keeps names of files out of what the queue logs and stores (law 8).
// GitHub's and the store's errors hold none.
func safe(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) || errors.Is(err, tree.ErrUnreadable) {
		return errors.New(why(err))
	}
	return err
}

// over reports whether nothing can be done any more where the job would work.
func over(err error) bool {
	return errors.Is(err, github.ErrNoInstallation) || errors.Is(err, github.ErrSuspended) || errors.Is(err, github.ErrArchived)
}

// passing reports whether the error may be gone at the next try: GitHub's
// troubles and our own time-out, not what was read and is bad.
func passing(err error) bool {
	var limited *github.Limited
	return errors.As(err, &limited) || errors.Is(err, github.ErrUnavailable) || errors.Is(err, github.ErrMoved) ||
		errors.Is(err, github.ErrNotFound) || errors.Is(err, github.ErrUnauthorized) || errors.Is(err, tree.ErrUnreadable) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// why says in a sentence of ours what kept a check from its verdict. It is the
// one table of it.
func why(err error) string {
	switch {
	case errors.Is(err, extractor.ErrCollision):
		return "Two skills would share one card file on a system that ignores case or accents. Rename one of their folders; `cardkeeper build` names both."
	case errors.Is(err, secret.ErrFewRules):
		return "The secret scanner came up with too few rules. Reinstall cardkeeper."
	case errors.Is(err, secret.ErrNotScanned), errors.Is(err, secret.ErrNotWithheld):
		return "A text could not be scanned for secrets to the end: it is too large or took too long. Split the file."
	case errors.Is(err, tree.ErrConflict):
		return "The tree holds a path twice, which git cannot have written."
	case errors.Is(err, github.ErrTooLarge):
		return "More was to be read than fits: move large files out of the skills."
	case errors.Is(err, tree.ErrUnreadable), errors.Is(err, fs.ErrNotExist):
		return "A file that the tree lists could not be read from GitHub."
	case errors.Is(err, github.ErrForbidden), errors.Is(err, github.ErrUnauthorized), errors.Is(err, github.ErrNotFound):
		return "GitHub did not let the App read the repository. Compare its permissions with those that were accepted."
	}
	return "GitHub did not answer as it should for too long."
}
