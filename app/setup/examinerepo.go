package setup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
)

const (
	// choosable is how long after a run GitHub offers a check as one to require.
	choosable = 7 * 24 * time.Hour
	// maxHeads bounds the commits on which a run is looked for: the branch's tip and
	// the newest pull requests. GitHub has no list of all runs of a repository.
	maxHeads = 5
)

// patient is one repository under examination.
type patient struct {
	client *github.Client
	repo   github.Repo
	check  string
	app    int64
	now    time.Time
	keys   []secret.Key // of withheld values
}

// examine says whether the check blocks anything in the repository, and if not,
// why. Of several reasons the first to mend is told. An error means that GitHub
// did not answer, so nothing is known.
func (p patient) examine(ctx context.Context) (Finding, error) {
	if p.repo.Archived {
		return Finding{State: Note, Text: "it is archived: nothing is checked there"}, nil
	}
	tip, err := p.client.Branch(ctx, p.repo, p.repo.DefaultBranch)
	if errors.Is(err, github.ErrNotFound) {
		return Finding{State: Note, Text: "it has no commit on its default branch yet"}, nil
	}
	if err != nil {
		return Finding{}, err
	}
	has, err := p.state(ctx, tip)
	if err != nil {
		return Finding{}, err
	}
	required, err := p.client.Requirements(ctx, p.repo, p.repo.DefaultBranch)
	if err != nil {
		return Finding{}, err
	}
	ours, others := p.sort(required)
	// A faulty configuration comes first: with it the check fails whoever requires it.
	switch {
	case has.faults > 0:
		return Finding{State: Mend, Text: checker.ConfigFile + " has " + count(has.faults, "mistake", "mistakes") + ", so every check fails", Next: "run cardkeeper check in it; it names them with their lines"}, nil
	case has.blind:
		return Finding{State: Mend, Text: "its policy withholds values, and the App has no key that fits: every check of a skill fails and no question is answered", Next: "name the key's file as withhold_key_file in the settings"}, nil
	case len(ours) == 0 && len(others) > 0:
		return p.bound(others[0]), nil
	case len(ours) == 0 && !has.on:
		return Finding{State: Note, Text: "installed, but not switched on", Next: "where it has skills, run cardkeeper init in it and merge what it makes"}, nil
	case len(ours) == 0:
		return p.unblocked(ctx, tip)
	case !has.on:
		return Finding{State: Note, Text: "the check is required, but not switched on: it passes without looking", Next: "run cardkeeper init in it and merge what it makes"}, nil
	case has.lenient:
		return Finding{State: Note, Text: "the check is required, and the policy lets everything pass", Next: "name what blocks under policy.block in " + checker.ConfigFile}, nil
	}
	return p.blocking(ours, others), nil
}

// sort keeps the requirements of our check: those that our result meets, and
// those that another App's alone does.
func (p patient) sort(list []github.Requirement) (ours, others []github.Requirement) {
	for _, r := range list {
		switch {
		case r.Name != p.check:
		case r.AppID == 0 || r.AppID == p.app:
			ours = append(ours, r)
		default:
			others = append(others, r)
		}
	}
	return ours, others
}

// bound tells of an earlier registration: its id stays in the rule, and nobody
// posts under it any more.
func (p patient) bound(r github.Requirement) Finding {
	return Finding{
		State: Mend, Text: fmt.Sprintf("the check is required by a %s from App %d, and this is App %d: no pull request can be merged", r.By, r.AppID, p.app),
		Next: "edit the rule and choose this App as the source of the check",
	}
}

// blocking tells of a check that is required as it should be, or nearly so.
func (p patient) blocking(ours, others []github.Requirement) Finding {
	if len(others) > 0 {
		return p.bound(others[0]) // both must be met
	}
	for _, r := range ours {
		if r.AppID == p.app {
			return Finding{State: OK, Text: "the check is required on " + p.repo.DefaultBranch + " by a " + r.By}
		}
	}
	return Finding{
		State: Note, Text: "the check is required on " + p.repo.DefaultBranch + " by a " + ours[0].By + ", from any source: whoever may write statuses can fake it",
		Next: "edit the rule and choose this App as the source of the check",
	}
}

// unblocked says what has to be done before the check can be required, which
// depends on whether GitHub offers it.
func (p patient) unblocked(ctx context.Context, tip string) (Finding, error) {
	last, err := p.lastRun(ctx, tip)
	f := Finding{
		State: Mend, Text: "installed, but nothing is blocked: the check is not required on " + p.repo.DefaultBranch,
		Next: "require the check " + p.check + " in the branch rules and choose this App as its source",
	}
	if p.now.Sub(last) > choosable {
		f.Text += ", and it did not complete there in the last 7 days"
		f.Next = "open or update a pull request, since GitHub offers only checks of the last 7 days; then " + f.Next
	}
	return f, err
}

// lastRun is when our check completed last on the branch's tip or on a pull
// request that changed lately; zero where it did not. The first recent one ends
// the search.
func (p patient) lastRun(ctx context.Context, tip string) (last time.Time, err error) {
	pulls, err := p.client.RecentPulls(ctx, p.repo)
	if err != nil {
		return last, err
	}
	heads := []string{tip}
	for _, pull := range pulls {
		heads = append(heads, pull.Head.SHA)
	}
	for _, head := range heads[:min(len(heads), maxHeads)] {
		runs, err := p.client.OwnRuns(ctx, p.repo, head, p.check)
		if err != nil {
			return last, err
		}
		for _, r := range runs {
			if r.Status == "completed" && r.Completed.After(last) {
				last = r.Completed
			}
		}
		if p.now.Sub(last) <= choosable {
			break
		}
	}
	return last, nil
}

// contents is what a repository's default branch says of us.
type contents struct {
	on      bool // a configuration or cards are there
	faults  int  // mistakes in the configuration
	lenient bool // its policy blocks nothing
	blind   bool // its policy withholds values that no key of ours fits
}

// state reads the tip of the default branch, and of it only the folders on the
// way to the configuration.
func (p patient) state(ctx context.Context, tip string) (contents, error) {
	root, err := p.client.Level(ctx, p.repo, tip)
	if err != nil {
		return contents{}, err
	}
	_, cards := entry(root, extractor.DefaultShape().Cards)
	file, there, err := p.find(ctx, root, checker.ConfigFile)
	switch {
	case err != nil || !there:
		return contents{on: cards}, err
	case file.Mode != tree.Regular && file.Mode != tree.Executable:
		return contents{on: true, faults: 1}, nil // a link or a folder in its place
	}
	blobs, err := p.client.Blobs(ctx, p.repo, []string{file.ID})
	if err != nil {
		return contents{}, err
	}
	c, err := config.Parse(blobs[file.ID])
	var wrong config.Faults
	if errors.As(err, &wrong) {
		return contents{on: true, faults: len(wrong)}, nil
	}
	return contents{on: true, lenient: c.Policy.AllowStale && c.Policy.AllowSecrets && !c.Policy.BlockReferences, blind: p.blind(c)}, err
}

// blind reports whether a policy withholds values that none of the keys was made for.
func (p patient) blind(c config.Config) bool {
	return c.Withheld.Any() && !slices.ContainsFunc(p.keys, func(k secret.Key) bool { return k.Seal(c.Salt).Check() == c.Withheld.Check })
}

// find walks from a listed folder down to a path.
func (p patient) find(ctx context.Context, level []tree.Entry, name string) (tree.Entry, bool, error) {
	first, rest, deeper := strings.Cut(name, "/")
	e, there := entry(level, first)
	if !there || !deeper || e.Mode != tree.Directory {
		return e, there && !deeper, nil
	}
	below, err := p.client.Level(ctx, p.repo, e.ID)
	if err != nil {
		return tree.Entry{}, false, err
	}
	return p.find(ctx, below, rest)
}

// entry finds a name in a listed folder.
func entry(list []tree.Entry, name string) (tree.Entry, bool) {
	for _, e := range list {
		if e.Path == name {
			return e, true
		}
	}
	return tree.Entry{}, false
}
