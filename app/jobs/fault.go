package jobs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
)

var (
	errNotFetched = errors.New("the file was not fetched")
	errPanicked   = errors.New("a part of cardkeeper panicked; the log has the place")
	// errLag: GitHub's API does not know the head yet that its event named (2A-7).
	errLag = errors.New("GitHub answers with another head than its event named")
	// errGone: the repository is not there, or not for us.
	errGone = errors.New("the repository does not exist any more, or the App may not see it")
	// errUnrelated: GitHub finds no commit that the head and its base have in common.
	errUnrelated = errors.New("no common commit of the head and its base")
	// errEndless: slice after slice got on, and no end came.
	errEndless = errors.New("more to read and scan than half an hour is enough for")
	// errRow: a stored verdict is damaged. The decoder's own error would quote it.
	errRow = errors.New("a stored verdict does not decode; push again, or re-run the check, to replace it")
)

// itoa writes line numbers.
func itoa(n int) string { return strconv.Itoa(n) }

// A hushed error shows a sentence of ours in place of its own text, which may
// quote what was read (law 8). What it is can still be asked.
type hushed struct{ error }

func (h hushed) Error() string { return why(h.error) }
func (h hushed) Unwrap() error { return h.error }

// hush wraps what comes back from reading a repository's files.
func hush(err error) error {
	if err == nil {
		return nil
	}
	return hushed{err}
}

// safe keeps names of files out of what the queue logs and stores, should an
// error have come by another way than [hush]. GitHub's and the store's hold none.
func safe(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) || errors.Is(err, tree.ErrUnreadable) {
		return hush(err)
	}
	return err
}

// over reports whether nothing can be done any more where the job would work.
func over(err error) bool {
	return errors.Is(err, github.ErrNoInstallation) || errors.Is(err, github.ErrArchived) || errors.Is(err, errGone)
}

// passing reports whether the error may be gone at the next try: GitHub's
// troubles and our own time-out, not what was read and is bad. A scan that did
// not end would not end next time either.
func passing(err error) bool {
	if errors.Is(err, secret.ErrNotScanned) {
		return false
	}
	return limit(err) != nil || errors.Is(err, github.ErrUnavailable) || errors.Is(err, github.ErrMoved) ||
		errors.Is(err, github.ErrNotFound) || errors.Is(err, github.ErrUnauthorized) || errors.Is(err, tree.ErrUnreadable) ||
		errors.Is(err, errLag) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// retried reports whether an error is for the queue and not yet a verdict: a
// limit and an unfinished slice always, what is over, and what may pass while
// there are attempts left.
func retried(err error, last bool) bool {
	return limit(err) != nil || over(err) || errors.Is(err, github.ErrSuspended) || errors.Is(err, errUnfinished) || passing(err) && !last
}

// why is the sentence of [cause], with how far the reading came where that is known (2A-62).
func why(err error) string {
	_, text := cause(err)
	var short *github.Short
	if errors.As(err, &short) {
		text += fmt.Sprintf(" %d of %d files were read.", short.Read, short.Wanted)
	}
	return text
}

// cause says in a word and in a sentence of ours what kept a check from its
// verdict, and what to do about it. It is the one table of it. The order matters:
// one error may be of several kinds, and the first that a person can mend counts.
func cause(err error) (word, text string) {
	switch {
	case errors.Is(err, extractor.ErrCollision):
		return "collision", "Two skills would share one card file on a system that ignores case or accents. Rename one of their folders; `cardkeeper build` names both."
	case errors.Is(err, secret.ErrFewRules):
		return "few_rules", "The secret scanner came up with too few rules. Reinstall cardkeeper."
	case errors.Is(err, secret.ErrNotScanned), errors.Is(err, secret.ErrNotWithheld):
		return "unscanned", "A text could not be scanned for secrets to the end: it is too large or took too long. Split the file."
	case errors.Is(err, tree.ErrConflict):
		return "conflict", "The tree holds a path twice, which git cannot have written."
	case errors.Is(err, github.ErrTooLarge), errors.Is(err, errEndless):
		return "too_large", "More was to be read than fits: move large files out of the skills."
	case errors.Is(err, errNotFetched), errors.Is(err, errPanicked):
		return "internal", "Cardkeeper itself failed over a file of this repository. Please report it with the App's log."
	case errors.Is(err, github.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		return "github_down", "GitHub did not answer as it should for too long."
	case errors.Is(err, tree.ErrUnreadable), errors.Is(err, fs.ErrNotExist):
		return "unreadable", "A file that the tree lists could not be read from GitHub."
	case errors.Is(err, errMoved):
		return "moved", "The branch moved again and again meanwhile."
	case errors.Is(err, github.ErrUngranted):
		return "ungranted", "The App lacks a permission here. The owner of the installation has to accept the App's new permissions."
	case errors.Is(err, errUnrelated):
		return "unrelated", "The branch and its base have no commit in common, so that what the branch changes cannot be told. Put its changes on the base branch (`git cherry-pick`, or `git merge --allow-unrelated-histories`)."
	case errors.Is(err, github.ErrForbidden), errors.Is(err, github.ErrUnauthorized), errors.Is(err, github.ErrNotFound):
		return "forbidden", "GitHub did not let the App read the repository. Compare its permissions with those that were accepted."
	}
	return "other", "It ended with an error that cardkeeper has no name for."
}
