package github

import (
	"context"
	"errors"
	"net/http"

	gh "github.com/google/go-github/v66/github"
)

// publication is one PublishRun under way.
type publication struct {
	client *Client
	repo   Repo
	run    Run
	id     int64 // 0 until the run exists
	wire   []*gh.CheckRunAnnotation
	notes  []Annotation // those of wire, for the summary if need be
	sent   int          // of wire
}

// send makes the requests: the first with the verdict and up to 50 annotations,
// then one for each further 50.
func (p *publication) send(ctx context.Context) (int64, error) {
	for first := true; first || p.sent < len(p.wire); first = false {
		upto := min(p.sent+batch, len(p.wire))
		err := p.request(ctx, p.wire[p.sent:upto])
		if errors.Is(err, ErrInvalid) && upto > p.sent {
			// Which one is bad is not said; a run without line notes is better than one
			// that stays open.
			p.run.Summary += list("GitHub refused these as notes at their lines:", p.notes[p.sent:])
			p.wire, upto = nil, 0
			err = p.request(ctx, nil)
		}
		if err != nil {
			return 0, err
		}
		p.sent = upto
	}
	return p.id, nil
}

// request changes the run, or makes it if it is not there or not ours.
func (p *publication) request(ctx context.Context, notes []*gh.CheckRunAnnotation) error {
	if p.run.Still != nil {
		if still, err := p.run.Still(ctx); err != nil {
			return err
		} else if !still {
			return ErrOvertaken
		}
	}
	if p.id != 0 {
		err := p.patch(ctx, notes)
		if !errors.Is(err, ErrNotOurs) && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return p.post(ctx, notes)
}

// post makes a new run, which GitHub does at every POST: request comes here only
// where no run of ours can be changed (2A-16).
func (p *publication) post(ctx context.Context, notes []*gh.CheckRunAnnotation) error {
	var made gh.CheckRun
	in := gh.CreateCheckRunOptions{
		Name: p.run.Name, HeadSHA: p.run.SHA, ExternalID: &p.run.Key, Status: p.status(),
		Conclusion: optional(p.run.Conclusion), DetailsURL: optional(p.run.Details),
		Output: p.output(notes), Actions: p.actions(),
	}
	if _, err := p.client.in(ctx, p.repo, call{method: http.MethodPost, route: runsRoute, in: in, out: &made}); err != nil {
		return err
	}
	if p.id = made.GetID(); p.id == 0 {
		return odd(http.MethodPost, repoRoute+runsRoute)
	}
	return nil
}

// A runChange is the body of a changed run. The library leaves an empty list of
// actions out, and what is left out stays: the buttons of another verdict would.
type runChange struct {
	gh.UpdateCheckRunOptions
	Actions []*gh.CheckRunAction `json:"actions"` // hides the field of the same name
}

// patch changes the run. GitHub appends the annotations to those that are there,
// and puts the actions in the place of those.
func (p *publication) patch(ctx context.Context, notes []*gh.CheckRunAnnotation) error {
	in := runChange{gh.UpdateCheckRunOptions{
		Name: p.run.Name, ExternalID: &p.run.Key, Status: p.status(),
		Conclusion: optional(p.run.Conclusion), DetailsURL: optional(p.run.Details),
		Output: p.output(notes),
	}, p.actions()}
	_, err := p.client.in(ctx, p.repo, call{method: http.MethodPatch, route: runsRoute + "/{check_run_id}", args: []any{p.id}, in: in})
	return err
}

// status is never "queued": whoever publishes is at work.
func (p *publication) status() *string {
	if p.run.Conclusion != "" {
		return optional("completed")
	}
	return optional("in_progress")
}

// output is the run's text. Every request repeats it: GitHub wants title and
// summary wherever there are annotations.
func (p *publication) output(notes []*gh.CheckRunAnnotation) *gh.CheckRunOutput {
	title := line(p.run.Title, maxTitle)
	if title == "" {
		title = line(p.run.Name, maxTitle)
	}
	summary := fit(p.run.Summary, maxOutput, cutNote)
	if summary == "" {
		summary = title // GitHub wants one
	}
	return &gh.CheckRunOutput{Title: &title, Summary: &summary, Text: optional(fit(p.run.Text, maxOutput, cutNote)), Annotations: notes}
}

// actions are the buttons; none are an empty list and not nil.
func (p *publication) actions() []*gh.CheckRunAction {
	list := []*gh.CheckRunAction{}
	for _, a := range p.run.Actions {
		list = append(list, &gh.CheckRunAction{Label: a.Label, Description: a.Description, Identifier: a.ID})
	}
	return list
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
