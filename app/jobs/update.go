package jobs

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/riverqueue/river"
)

// updateAction is what the button sends when it is pressed, at most 20 characters.
const updateAction = "update-cards"

// updateArgs say that a person pressed the button on a run.
type updateArgs struct {
	GUID         string `json:"guid"`
	Installation int64  `json:"installation"`
	Repository   int64  `json:"repository"`
	Head         string `json:"head"`
	CheckRun     int64  `json:"check_run"`
	Sender       int64  `json:"sender"`
}

func (updateArgs) Kind() string { return "update" }

// errMoved: the branch moved between two of our requests. The next attempt sees it.
var errMoved = errors.New("the branch moved meanwhile")

type updateWorker struct {
	river.WorkerDefaults[updateArgs]
	r *Runner
}

// Work commits rebuilt cards to the branch of the run that the button stands on.
func (w *updateWorker) Work(ctx context.Context, job *river.Job[updateArgs]) error {
	last := job.Attempt >= attempts
	err := w.r.tried(ctx, func(ctx context.Context) error { return w.r.updateHead(ctx, job.Args, last) })
	return w.r.settle(ctx, job.Args.GUID, last, err)
}

// updateHead does what the button says, or says in the run why it did not.
func (r *Runner) updateHead(ctx context.Context, a updateArgs, last bool) error {
	u := &update{r: r, args: a, client: r.reader(a.Installation, a.Repository)}
	words, err := u.alone(ctx)
	switch {
	case errors.Is(err, errHandedOn), stopped(ctx):
		return errors.Join(err, ctx.Err())
	case err != nil && (retried(err, last) || errors.Is(err, errMoved) && !last):
		return err
	case err != nil:
		r.complain(ctx, slog.LevelError, "could not update cards", err, "repository", a.Repository, "head", a.Head)
		words = "The cards could not be updated. " + why(err)
	}
	if words == "" {
		return nil
	}
	return r.note(ctx, a, words)
}

// What is said in the run where nothing is done. Nothing in it is of a person.
const (
	pressed        = "**" + checker.ButtonName + "** was pressed and did nothing: "
	noRole         = pressed + "it takes the right to write to this repository."
	noGrant        = pressed + "the owner of the installation has not let the App write Contents. Rebuild the cards with the command."
	toFork         = pressed + "the branch is in another repository, to which the App never writes. Rebuild the cards with the command."
	toDefault      = pressed + "the App commits no cards to the default branch in this way."
	manyBranches   = pressed + "several pull requests from different branches have this commit. Rebuild the cards with the command."
	ownHead        = pressed + "the last commit of the branch is the App's own, and it makes one for each push at most. Rebuild the cards with the command."
	noMerge        = pressed + "the cards conflict with the base branch, and the merge takes a person. Run the check again to see why."
	mergeRefusals  = pressed + "GitHub did not let the App commit the merge: the rules of the branch keep it, or it holds changes below .github/workflows, which take a permission that the App does not ask for. Merge by hand."
	nothingToMend  = pressed + "no card can be rebuilt any more as things stand. Run the check again to see what is left."
	branchRefusals = pressed + "GitHub did not let the App move the branch, which its rules or its protection keep. Rebuild the cards with the command."
)

// An update is one press of the button under way.
type update struct {
	r      *Runner
	args   updateArgs
	client *github.Client
	repo   github.Repo
}

// alone is do, once at a time: two that press at once make one commit.
func (u *update) alone(ctx context.Context) (words string, err error) {
	unlock, err := u.r.alone(ctx, u.key())
	if err != nil {
		return "", err
	}
	defer unlock()
	return u.do(ctx)
}

// do returns words for the run where nothing was done and the person is to know.
// Everything is read from GitHub first: what the delivery said may be long past.
func (u *update) do(ctx context.Context) (words string, err error) {
	work, cancel := context.WithTimeout(ctx, u.r.limit)
	defer cancel()
	if u.repo, err = repository(work, u.client, u.args.Repository); err != nil || u.repo.Archived {
		return "", err
	}
	if own, err := u.ownRun(work); err != nil || !own {
		return "", err
	}
	if words, err = u.mayPress(work); err != nil || words != "" {
		return words, err
	}
	pulls, moved, err := u.pulls(work)
	if err != nil {
		return "", err
	}
	if len(pulls) == 0 {
		return "", u.adoptAny(work, moved) // what has another head by now has a run of its own there
	}
	if words := u.refusal(pulls); words != "" {
		return words, nil
	}
	head, words, err := u.head(work, pulls[0])
	if err != nil || words != "" || head.ID == "" {
		return words, err
	}
	mends, m, err := u.mends(work, pulls)
	switch {
	case err != nil:
		return "", err
	case m.conflict.Merge:
		return u.merge(work, pulls[0], head, m)
	case len(mends) == 0 && m.conflict.Cards > 0:
		return noMerge, nil
	case len(mends) == 0:
		return nothingToMend, nil
	}
	return u.commit(work, cardCommit{branch: pulls[0].Head.Ref, tree: head.Tree, parents: []string{head.ID}, changes: cardChanges(mends)})
}

// ownRun reports whether the run that the button stands on is ours and on that head.
func (u *update) ownRun(ctx context.Context) (bool, error) {
	client := u.r.publisher(u.args.Installation, u.args.Repository)
	runs, err := client.OwnRuns(ctx, u.repo, u.args.Head, CheckName)
	for _, run := range runs {
		if run.ID == u.args.CheckRun {
			return true, nil
		}
	}
	return false, err
}

// mayPress asks what the person may do who pressed, not who opened the pull request.
func (u *update) mayPress(ctx context.Context) (words string, err error) {
	login, person, err := u.client.User(ctx, u.args.Sender)
	if errors.Is(err, github.ErrNotFound) {
		return noRole, nil
	}
	if err != nil {
		return "", err
	}
	role, err := u.client.Permission(ctx, u.repo, login)
	if err != nil {
		return "", err
	}
	if !person || rank(role) < rank("write") {
		return noRole, nil
	}
	return "", nil
}

// pulls are the open pull requests whose head is the run's commit, as GitHub has
// them now, and those whose head it was a moment ago.
func (u *update) pulls(ctx context.Context) (list, moved []github.Pull, err error) {
	known, err := u.r.cfg.Store.PullsAt(ctx, u.args.Repository, u.args.Head)
	if err != nil {
		return nil, nil, err
	}
	var all []github.Pull
	if len(known) == 0 {
		if all, err = u.client.OpenPulls(ctx, u.repo); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range known {
		pull, err := u.client.Pull(ctx, u.repo, int(p.Number))
		if err != nil {
			return nil, nil, err
		}
		if pull.Head.SHA != u.args.Head {
			moved = append(moved, pull)
		}
		all = append(all, pull)
	}
	for _, p := range all {
		if p.State == "open" && p.Head.SHA == u.args.Head {
			list = append(list, p)
		}
	}
	return list, moved, nil
}

// refusal says where the App never commits.
func (u *update) refusal(pulls []github.Pull) (words string) {
	for _, p := range pulls {
		switch {
		case p.Fork:
			return toFork
		case p.Head.Ref == u.repo.DefaultBranch:
			return toDefault
		case p.Head.Ref != pulls[0].Head.Ref:
			return manyBranches
		}
	}
	return ""
}

// head reads the commit that the cards go upon. It is the zero Commit where there
// is nothing left to do: an attempt that was killed had committed, or somebody
// pushed meanwhile, and then that head is looked at anew.
func (u *update) head(ctx context.Context, pull github.Pull) (_ github.Commit, words string, err error) {
	tip, err := u.client.Branch(ctx, u.repo, pull.Head.Ref)
	if errors.Is(err, github.ErrNotFound) {
		return github.Commit{}, "", nil
	}
	if err != nil {
		return github.Commit{}, "", err
	}
	if tip != u.args.Head {
		return github.Commit{}, "", u.overtaken(ctx, pull, tip)
	}
	head, err := u.client.Commit(ctx, u.repo, tip)
	if err != nil {
		return github.Commit{}, "", err
	}
	ours, err := u.r.made(ctx, u.args.Repository, tip)
	if err == nil && (ours || head.Mark != "") {
		return github.Commit{}, ownHead, nil
	}
	return head, "", err
}

// adopt finds the commit of an attempt that was killed between the head and the tip
// of the branch (law 12).
func (u *update) adopt(ctx context.Context, tip string) (found bool, err error) {
	e, err := u.r.cfg.Store.Effect(ctx, u.key())
	if errors.Is(err, store.ErrNotFound) || err == nil && e.Done {
		return err == nil, nil
	}
	if err != nil {
		return false, err
	}
	h, err := u.client.History(ctx, u.repo, u.args.Head, tip, checker.MaxCommits)
	if err != nil && !errors.Is(err, github.ErrNotFound) {
		return false, err
	}
	for _, c := range h.Commits {
		if c.Mark == effectMark(u.key()) {
			return true, u.r.finishEffect(ctx, u.args.Repository, u.key(), c.ID)
		}
	}
	return false, nil
}

// adoptAny is adopt for pull requests that have another head by now.
func (u *update) adoptAny(ctx context.Context, moved []github.Pull) error {
	for _, p := range moved {
		if found, err := u.adopt(ctx, p.Head.SHA); err != nil || found {
			return err
		}
	}
	return nil
}

// overtaken has the pull request looked at as it is now, unless it was our own
// commit that moved the branch.
func (u *update) overtaken(ctx context.Context, pull github.Pull, tip string) error {
	if found, err := u.adopt(ctx, tip); err != nil || found {
		return err
	}
	err := u.r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return u.r.evaluate(ctx, tx, evaluateArgs{GUID: u.args.GUID}, store.Pull{
			Installation: u.args.Installation, Repository: u.args.Repository, Number: int64(pull.Number), Head: tip,
		})
	})
	if err != nil {
		return err
	}
	return errHandedOn
}

// mends are the cards that the check says would mend it, of all pull requests with
// that head: each answers for what differs from its own base. A merge is one with
// the base of all of them; where they have several there is none.
func (u *update) mends(ctx context.Context, pulls []github.Pull) (list []checker.Mend, m merge, err error) {
	key := fmt.Sprintf("update %d/%s", u.args.Repository, u.args.Head)
	mixed := false
	err = u.r.inSlices(ctx, key, u.client, u.repo, func(from *source) error {
		list = nil
		seen := map[string]bool{}
		for _, p := range pulls {
			found, with, err := u.r.mendPull(ctx, from, p)
			if err != nil {
				return err
			}
			if m = with; p.Base.Ref != pulls[0].Base.Ref {
				mixed = true
			}
			for _, m := range found {
				if !seen[m.Card] {
					seen[m.Card] = true
					list = append(list, m)
				}
			}
		}
		return nil
	})
	m.conflict.Merge = m.conflict.Merge && !mixed
	return list, m, err
}

func (u *update) key() string { return store.UpdateKey(u.args.Repository, u.args.Head) }

// commit writes the key, makes the commit and moves the branch, in this order: a
// commit that no branch has is nobody's, and one on the branch carries the key.
func (u *update) commit(ctx context.Context, c cardCommit) (words string, err error) {
	if err := u.r.begin(ctx, u.key(), u.args.Installation, u.args.Repository); err != nil {
		return "", err
	}
	c.installation, c.repo, c.key = u.args.Installation, u.repo, u.key()
	made, err := u.r.commitCards(ctx, c)
	switch {
	case errors.Is(err, github.ErrBehind):
		return "", errMoved
	case errors.Is(err, github.ErrUngranted):
		return noGrant, nil
	case c.message == mergeMessage && errors.Is(err, github.ErrForbidden) && !retried(err, false), c.message == mergeMessage && errors.Is(err, errRefused):
		return mergeRefusals, nil
	case errors.Is(err, errRefused):
		return branchRefusals, nil
	case err != nil:
		return "", err
	}
	return "", u.r.finishEffect(ctx, u.args.Repository, u.key(), made)
}

// effectMark is an effect's key as a commit carries it.
func effectMark(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}

// note puts words above the verdicts on a head and has them published. Where there
// is no verdict any more, nobody reads that run.
func (r *Runner) note(ctx context.Context, a updateArgs, words string) error {
	verdicts, err := r.cfg.Store.VerdictsAt(ctx, a.Repository, a.Head)
	if err != nil {
		return err
	}
	noted := false
	for _, v := range verdicts {
		kept, err := r.reword(ctx, v, a.GUID, func(out *outcome) { out.Note = words })
		if err != nil {
			return err
		}
		noted = noted || kept
	}
	if noted {
		return errHandedOn
	}
	return nil
}
