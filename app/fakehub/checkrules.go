package fakehub

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A runWrite is the body of a new or changed run. Absent fields are nil.
type runWrite struct {
	Name        *string      `json:"name"`
	HeadSHA     *string      `json:"head_sha"`
	DetailsURL  *string      `json:"details_url"`
	ExternalID  *string      `json:"external_id"`
	Status      *string      `json:"status"`
	Conclusion  *string      `json:"conclusion"`
	StartedAt   *time.Time   `json:"started_at"`
	CompletedAt *time.Time   `json:"completed_at"`
	Output      *outputWrite `json:"output"`
	Actions     []Action     `json:"actions"`
}

type outputWrite struct {
	Title       *string      `json:"title"`
	Summary     *string      `json:"summary"`
	Text        *string      `json:"text"`
	Annotations []Annotation `json:"annotations"`
	Images      []object     `json:"images"`
}

// Limits of the reference. Those of summary and text count bytes, although the
// reference says characters: the API's error says "bytesize".
const (
	maxOutputBytes     = 65_535
	maxAnnotations     = 50 // a request
	maxAnnotationBytes = 64 << 10
	maxAnnotationTitle = 255
	maxActions         = 3
)

// checkRun holds a request to the rules; isNew is whether it makes a run.
func (w *runWrite) check(isNew bool) error {
	if isNew && (value(w.Name) == "" || value(w.HeadSHA) == "") {
		return missing("name and head_sha are needed")
	}
	if !isNew && w.HeadSHA != nil {
		return missing("head_sha is not a permitted key")
	}
	if err := w.checkState(); err != nil {
		return err
	}
	if w.Output != nil {
		if err := w.Output.check(isNew); err != nil {
			return err
		}
	}
	return checkActions(w.Actions)
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// missing is the 422 of a request that the published schema already forbids.
// It names no resource.
func missing(words string) error {
	return problem(http.StatusUnprocessableEntity, "Invalid request.\n\n"+words+".")
}

// checkState: a conclusion makes a run completed, and a completed one needs a
// conclusion. "stale" is GitHub's to give, and three statuses are for GitHub's
// own Actions.
func (w *runWrite) checkState() error {
	if w.Status != nil && !slices.Contains([]string{"queued", "in_progress", "completed"}, *w.Status) {
		return invalid("CheckRun", "invalid", "status", "")
	}
	conclusions := []string{"action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"}
	if w.Conclusion != nil && !slices.Contains(conclusions, *w.Conclusion) {
		return invalid("CheckRun", "invalid", "conclusion", "")
	}
	if value(w.Status) == "completed" && w.Conclusion == nil {
		return invalid("CheckRun", "missing_field", "conclusion", "")
	}
	return nil
}

func (o *outputWrite) check(isNew bool) error {
	if o.Summary == nil || (isNew && o.Title == nil) {
		return missing("output needs a title and a summary")
	}
	for field, text := range map[string]string{"summary": value(o.Summary), "text": value(o.Text)} {
		if len(text) > maxOutputBytes {
			return invalid("CheckRun", "custom", field, fmt.Sprintf("%s exceeds a maximum bytesize of %d", field, maxOutputBytes))
		}
	}
	if n := len(o.Annotations); n > maxAnnotations {
		return missing(fmt.Sprintf("No more than %d items are allowed; %d were supplied", maxAnnotations, n))
	}
	for _, a := range o.Annotations {
		if !a.valid() {
			return invalid("CheckRun", "invalid", "annotations", "") // which one, GitHub does not say
		}
	}
	return nil
}

// valid: lines count from 1, the end does not come before the start, columns
// stand both or not at all and only on one line.
func (a Annotation) valid() bool {
	columns := a.StartColumn == nil && a.EndColumn == nil
	if a.StartColumn != nil && a.EndColumn != nil {
		columns = a.StartLine == a.EndLine && *a.StartColumn >= 1 && *a.EndColumn >= *a.StartColumn
	}
	return columns && a.Path != "" && !strings.HasPrefix(a.Path, "/") && a.StartLine >= 1 && a.EndLine >= a.StartLine &&
		slices.Contains([]string{"notice", "warning", "failure"}, a.Level) && a.Message != "" &&
		len(a.Message) <= maxAnnotationBytes && len(a.RawDetails) <= maxAnnotationBytes &&
		utf8.RuneCountInString(a.Title) <= maxAnnotationTitle
}

// checkActions counts characters here, and not bytes: these limits stand in
// the schema, which counts so.
func checkActions(actions []Action) error {
	if n := len(actions); n > maxActions {
		return missing(fmt.Sprintf("No more than %d items are allowed; %d were supplied", maxActions, n))
	}
	for _, a := range actions {
		for _, rule := range []struct {
			field, text string
			limit       int
		}{{"label", a.Label, 20}, {"description", a.Description, 40}, {"identifier", a.Identifier, 20}} {
			if n := utf8.RuneCountInString(rule.text); n == 0 || n > rule.limit {
				return missing(fmt.Sprintf("actions: %s must have 1 to %d characters; %d were supplied", rule.field, rule.limit, n))
			}
		}
	}
	return nil
}

// apply writes the given fields over the run's. Annotations are added to those
// that are there; nothing removes one.
func (w *runWrite) apply(run *CheckRun, now time.Time) {
	for _, f := range []struct {
		from *string
		to   *string
	}{{w.Name, &run.Name}, {w.DetailsURL, &run.DetailsURL}, {w.ExternalID, &run.ExternalID}} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	w.applyState(run, now)
	if w.StartedAt != nil {
		run.Started = *w.StartedAt
	}
	if w.Actions != nil {
		run.Actions = w.Actions
	}
	if o := w.Output; o != nil {
		run.HasOutput = true
		run.Summary, run.Text = value(o.Summary), value(o.Text)
		if o.Title != nil {
			run.Title = *o.Title
		}
		run.Annotations = append(run.Annotations, o.Annotations...)
	}
}

// applyState leaves completed_at alone where a completed run gets another
// conclusion, as a live trace showed.
func (w *runWrite) applyState(run *CheckRun, now time.Time) {
	if w.Status != nil {
		run.Status = *w.Status
	}
	switch {
	case w.Conclusion != nil:
		run.Status, run.Conclusion = "completed", *w.Conclusion
		if run.Completed.IsZero() {
			run.Completed = now
		}
		if w.CompletedAt != nil {
			run.Completed = *w.CompletedAt
		}
	case w.Status != nil && *w.Status != "completed":
		run.Conclusion, run.Completed = "", time.Time{}
	}
}
