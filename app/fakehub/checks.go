package fakehub

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// A CheckRun is one run as it stands. Empty texts are fields that were never
// given, but for output, where HasOutput tells.
type CheckRun struct {
	ID                             int64
	AppID                          int64
	Name, HeadSHA, ExternalID      string
	DetailsURL, Status, Conclusion string
	Title, Summary, Text           string
	HasOutput                      bool
	Annotations                    []Annotation
	Actions                        []Action
	Started, Completed             time.Time // zero where not known
	Updates                        int       // PATCH requests it took
	suite                          int64
}

// An Annotation is one line of remarks. Columns are nil where not given.
type Annotation struct {
	Path        string `json:"path"`
	StartLine   int    `json:"start_line"`
	EndLine     int    `json:"end_line"`
	StartColumn *int   `json:"start_column"`
	EndColumn   *int   `json:"end_column"`
	Level       string `json:"annotation_level"`
	Message     string `json:"message"`
	Title       string `json:"title"`
	RawDetails  string `json:"raw_details"`
}

// An Action is a button under a completed run.
type Action struct {
	Label       string `json:"label"`
	Description string `json:"description"`
	Identifier  string `json:"identifier"`
}

// CheckRuns returns all runs of a commit, of every App, oldest first.
func (h *Hub) CheckRuns(r *Repo, sha string) []CheckRun {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []CheckRun
	for _, run := range r.runs {
		if run.HeadSHA == sha {
			c := *run
			c.Annotations, c.Actions = slices.Clone(run.Annotations), slices.Clone(run.Actions)
			list = append(list, c)
		}
	}
	return list
}

// AddForeignRun puts a completed run of another App on a commit, under any name.
func (r *Repo) AddForeignRun(sha, name, conclusion string, appID int64) (id int64, err error) {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	if _, err := r.git.commit(sha); err != nil {
		return 0, errors.New("fakehub: no such commit")
	}
	run := r.newRun(sha, name, appID)
	run.Status, run.Conclusion, run.Completed = "completed", conclusion, r.hub.now()
	return run.ID, nil
}

// newRun makes a run, always: equal names, commits and external ids do not make
// it the same one.
func (r *Repo) newRun(sha, name string, appID int64) *CheckRun {
	key := fmt.Sprint(appID, sha)
	if r.suites[key] == 0 {
		r.suites[key] = r.hub.id("suite", 1<<35)
	}
	run := &CheckRun{
		ID: r.hub.id("check run", 1<<36), AppID: appID, Name: name, HeadSHA: sha, Status: "queued",
		Started: r.hub.now(), suite: r.suites[key],
	}
	r.runs = append(r.runs, run)
	return run
}

func (r *Repo) run(id int64) *CheckRun {
	for _, run := range r.runs {
		if run.ID == id {
			return run
		}
	}
	return nil
}

// Click presses a button of a completed run: check_run.requested_action.
func (r *Repo) Click(runID int64, identifier, login string) error {
	return r.withRun(runID, func(run *CheckRun) error {
		if run.Status != "completed" || !slices.ContainsFunc(run.Actions, func(a Action) bool { return a.Identifier == identifier }) {
			return errors.New("fakehub: the run shows no such button")
		}
		r.emitRun(run, "requested_action", r.hub.user(login), object{"requested_action": object{"identifier": identifier}})
		return nil
	})
}

// Rerequest presses Re-run: check_run.rerequested, and the run stays as it is.
func (r *Repo) Rerequest(runID int64, login string) error {
	return r.withRun(runID, func(run *CheckRun) error {
		r.emitRun(run, "rerequested", r.hub.user(login), object{})
		return nil
	})
}

// RerequestAll presses "Re-run all checks": check_suite.rerequested.
func (r *Repo) RerequestAll(sha, login string) error {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	suite := r.suites[fmt.Sprint(r.hub.opts.AppID, sha)]
	if suite == 0 {
		return errors.New("fakehub: the App has no check suite on that commit")
	}
	r.emit("check_suite", "rerequested", r.hub.user(login), object{"check_suite": r.suiteShape(suite, sha)})
	return nil
}

func (r *Repo) withRun(id int64, do func(*CheckRun) error) error {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	run := r.run(id)
	if run == nil {
		return fmt.Errorf("fakehub: no check run %d", id)
	}
	return do(run)
}
