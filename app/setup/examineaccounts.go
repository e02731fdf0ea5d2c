package setup

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/github"
)

// workers is how many repositories are looked at at once. Each takes about eight
// requests, and GitHub asks for no more than a few at a time.
const workers = 4

// installations looks at each account that has the App, and at its repositories.
// The bound counts over all accounts: an App can be on thousands of repositories,
// and each takes a share of its account's hourly limit.
func (e *examiner) installations(ctx context.Context) {
	list, err := e.app.Installations(ctx)
	if err != nil {
		e.say(AboutInstallation, "", Unknown, "the installations could not be listed: "+err.Error(), "try again")
		return
	}
	if len(list) == 0 {
		e.say(AboutInstallation, "", Mend, "the App is installed nowhere", "install it: "+strings.TrimRight(e.self.Page, "/")+"/installations/new")
	}
	left := e.MaxRepositories
	for _, in := range list {
		if in.Suspended {
			e.say(AboutInstallation, in.Account, Note, "the installation is suspended: GitHub sends nothing and answers nothing for it", "whoever suspended it can take that back: "+in.Page)
			continue
		}
		e.accepted(in)
		left -= e.repositories(ctx, in, left)
	}
	if e.report.LeftOut > 0 {
		e.say(AboutRepository, "", Note, "left out: "+count(e.report.LeftOut, "repository", "repositories"), "raise --max-repositories to look at more")
	}
}

// accepted compares what the owner has accepted with what the App asks for. What
// the App itself lacks was told before.
func (e *examiner) accepted(in github.Installed) {
	var asked []Permission
	for _, p := range Permissions(e.self.Permissions["contents"] == "write") {
		if len(lacking([]Permission{p}, e.self.Permissions)) == 0 {
			asked = append(asked, p)
		}
	}
	missing := lacking(asked, in.Permissions)
	for _, name := range Events() {
		if slices.Contains(e.self.Events, name) && !slices.Contains(in.Events, name) {
			missing = append(missing, "event "+name)
		}
	}
	if len(missing) > 0 {
		e.say(AboutInstallation, in.Account, Mend, "its owner has not accepted: "+strings.Join(missing, ", "), "an owner of the account accepts it at "+in.Page)
		return
	}
	e.say(AboutInstallation, in.Account, OK, "its owner has accepted all permissions and events", "")
}

// repositories looks at no more than left of an installation's repositories and
// returns at how many.
func (e *examiner) repositories(ctx context.Context, in github.Installed, left int) int {
	client := e.app.Installation(in.ID)
	list, total, err := client.Repositories(ctx, left)
	if err != nil {
		e.say(AboutInstallation, in.Account, Unknown, "its repositories could not be listed: "+err.Error(), "try again")
		return 0
	}
	e.report.LeftOut += total - len(list)
	found := make([]Finding, len(list))
	errs := make([]error, len(list))
	group, _ := github.NewCrew(ctx, workers)
	for i, repo := range list {
		group.Go(func() error { // in any order; the findings are told in the list's
			p := patient{client: client, repo: repo, check: e.Check, app: e.self.ID, now: e.Now(), keys: e.Settings.WithholdKeys}
			found[i], errs[i] = p.examine(ctx)
			return nil
		})
	}
	_ = group.Wait() // each has its own error
	e.take(list, found, errs)
	return len(list)
}

// take adds what was found. Once GitHub's limit is reached every request fails,
// so that is said once.
func (e *examiner) take(list []github.Repo, found []Finding, errs []error) {
	limit := 0
	for i, repo := range list {
		full := repo.Owner + "/" + repo.Name
		switch {
		case errors.As(errs[i], new(*github.Limited)):
			limit++
		case errs[i] != nil:
			e.say(AboutRepository, full, Unknown, "it could not be looked at: "+errs[i].Error(), "try again")
		default:
			f := found[i]
			e.say(AboutRepository, full, f.State, f.Text, f.Next)
		}
	}
	if limit > 0 {
		e.say(AboutRepository, "", Unknown, "GitHub's rate limit is reached; not looked at: "+count(limit, "repository", "repositories"), "try again within the hour, with a smaller --max-repositories")
	}
}
