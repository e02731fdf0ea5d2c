package jobs

import (
	"github.com/cardkeeper/cardkeeper/app/github"
)

// Each kind of work has a client whose token opens one repository and gives no
// right that the work does not need: a hostile head is read without the right to
// write anything.

func (r *Runner) reader(installation, repository int64) *github.Client {
	return r.cfg.GitHub.For(installation, repository, github.Reading)
}

// background reads for what nobody waits for: it leaves the last tenth of an hour's
// requests to verdicts and replies.
func (r *Runner) background(installation, repository int64) *github.Client {
	return r.reader(installation, repository).Background()
}

func (r *Runner) publisher(installation, repository int64) *github.Client {
	return r.cfg.GitHub.For(installation, repository, github.Publishing)
}

func (r *Runner) replier(installation, repository int64) *github.Client {
	return r.cfg.GitHub.For(installation, repository, github.Replying)
}
