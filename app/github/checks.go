package github

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	gh "github.com/google/go-github/v66/github"
)

// batch is the most annotations that GitHub takes in one request (2A-11).
const batch = 50

// Run is a check run as it should stand on a commit.
type Run struct {
	SHA, Name string
	// Key marks what this run says. It is written to GitHub with the run, and a
	// second PublishRun with the same Key goes on where the first one stopped. ""
	// makes one of the run's content.
	Key        string
	Conclusion string // "success", "failure" and so on; "" is a run in progress
	Title      string // cut to 255 characters
	Summary    string // Markdown, cut to 65,535 bytes
	Text       string // Markdown, cut to 65,535 bytes
	Details    string // address of a page about the run, or ""
	// Still is asked right before each request that writes; no means [ErrOvertaken],
	// and nothing more is written. Nil is a yes.
	Still func(context.Context) (bool, error) `json:"-"`

	Annotations []Annotation
	Actions     []Action // at most 3
}

// Action is a button on a completed run.
type Action struct {
	Label       string // at most 20 characters
	Description string // at most 40
	ID          string // at most 20; comes back as requested_action.identifier
}

// OwnRun is a run of this App that GitHub has.
type OwnRun struct {
	ID          int64
	Key         string
	Status      string // "queued", "in_progress" or "completed"
	Conclusion  string
	Annotations int // how many are attached
	Completed   time.Time
}

var errActions = errors.New("a check run takes 3 actions with a label of 20, a description of 40 and an id of 20 characters")

const runsRoute = "/check-runs"

// OwnRuns lists this App's runs of one name on a commit, newest first. The newest
// is the one with the highest id, whatever the order of GitHub's answer (2A-66).
func (c *Client) OwnRuns(ctx context.Context, repo Repo, sha, name string) ([]OwnRun, error) {
	k := call{route: "/commits/{ref}/check-runs", args: []any{sha}, query: url.Values{
		"check_name": {name}, "app_id": {strconv.FormatInt(c.app.id, 10)}, "filter": {"all"},
	}}
	runs, err := pages(ctx, c, repo, k, func(page *gh.ListCheckRunsResults) (runs []OwnRun, _ error) {
		for _, r := range page.CheckRuns {
			if r.GetApp().GetID() == c.app.id && r.GetName() == name {
				runs = append(runs, OwnRun{
					ID: r.GetID(), Key: r.GetExternalID(), Status: r.GetStatus(), Conclusion: r.GetConclusion(),
					Annotations: r.GetOutput().GetAnnotationsCount(), Completed: r.GetCompletedAt().Time,
				})
			}
		}
		return runs, nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(runs, func(a, b OwnRun) int { return cmp.Compare(b.ID, a.ID) })
	return runs, nil
}

// PublishRun brings the commit's run of that name to what r says and returns the
// run's id. It may be repeated after any failure: it first looks for a run of
// this App and changes that one, and it counts the annotations that are there
// already (law 12). The conclusion travels with the first request, so a run is
// never left open for the sake of its annotations.
//
// A new run is made where there is none; where the newest one carries the
// annotations of another Key, which GitHub cannot take away; where it is
// completed and r is in progress, as after "Re-run" (2A-15); and where it was
// made by another App (2A-19).
//
// Annotations without a file or line stand in the summary. If GitHub refuses the
// annotations, all that were not sent stand there as well (2A-13).
func (c *Client) PublishRun(ctx context.Context, repo Repo, r Run) (int64, error) {
	if err := r.check(); err != nil {
		return 0, err
	}
	if r.Key == "" {
		r.Key = r.contentKey()
	}
	runs, err := c.OwnRuns(ctx, repo, r.SHA, r.Name)
	if err != nil {
		return 0, err
	}
	id, done := adopt(runs, r)
	if done {
		return id, nil
	}
	p := &publication{client: c, repo: repo, run: r, id: id}
	var rest []Annotation
	p.wire, p.notes, rest = place(r.Annotations)
	p.run.Summary += list("Notes that have no line to stand at:", rest)
	if id != 0 && runs[0].Key == r.Key {
		p.sent = min(runs[0].Annotations, len(p.wire))
	}
	return p.send(ctx)
}

// adopt picks the run to change, 0 for a new one. done says that nothing is left
// to do: the same work was completed, and this is a late word of its beginning.
func adopt(runs []OwnRun, r Run) (id int64, done bool) {
	if len(runs) == 0 {
		return 0, false
	}
	newest := runs[0]
	same, reopen := newest.Key == r.Key, newest.Status == "completed" && r.Conclusion == ""
	switch {
	case same && reopen:
		return newest.ID, true
	case reopen, !same && newest.Annotations > 0:
		return 0, false
	default:
		return newest.ID, false
	}
}

// check refuses what GitHub would refuse and what cannot be mended by cutting.
func (r Run) check() error {
	bad := len(r.Actions) > 3
	for _, a := range r.Actions {
		bad = bad || a.Label == "" || a.Description == "" || a.ID == "" || utf8.RuneCountInString(a.Label) > 20 ||
			utf8.RuneCountInString(a.Description) > 40 || utf8.RuneCountInString(a.ID) > 20
	}
	if bad {
		return fmt.Errorf("github.PublishRun: %w: %w", ErrInvalid, errActions)
	}
	if !objectID(r.SHA) || r.Name == "" {
		return fmt.Errorf("github.PublishRun: %w: a run needs a name and a full commit id", ErrInvalid)
	}
	return nil
}

// contentKey is a key that equal runs share.
func (r Run) contentKey() string {
	data, _ := json.Marshal(r) // strings and numbers always marshal
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}
