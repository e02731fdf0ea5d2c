package github

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	gh "github.com/google/go-github/v66/github"
)

const (
	listRuns = "GET /repos/o/r/commits/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/check-runs"
	postRun  = "POST /repos/o/r/check-runs"
	patchRun = "PATCH /repos/o/r/check-runs/"
)

func posted(id int, key, status string, notes int) object {
	return object{"id": id, "name": "cardkeeper", "external_id": key, "status": status, "app": object{"id": appID}, "output": object{"annotations_count": notes}}
}

func runs(list ...object) answer { return ok(object{"total_count": len(list), "check_runs": list}) }

func notes(n int) []Annotation {
	var list []Annotation
	for i := range n {
		list = append(list, Annotation{Path: "a.md", Start: i + 1, End: i + 1, Level: "failure", Message: fmt.Sprint("note ", i)})
	}
	return list
}

func aRun(key string, n int) Run {
	return Run{SHA: sha("a"), Name: "cardkeeper", Key: key, Conclusion: "failure", Title: "t", Summary: "s", Annotations: notes(n)}
}

// messages lists the annotations of all bodies sent to the routes, in order.
func messages(t *testing.T, h *hub, routes ...string) []string {
	t.Helper()
	var got []string
	for _, r := range routes {
		for _, body := range h.sent[r] {
			list := decode[gh.CreateCheckRunOptions](t, body).Output.Annotations
			if len(list) > batch {
				t.Errorf("%d annotations in one request", len(list))
			}
			for _, a := range list {
				got = append(got, a.GetMessage())
			}
		}
	}
	return got
}

// 2A-11: more than 50 annotations, none lost and none twice.
func TestAnnotationsGoInBatchesAndNeverTwice(t *testing.T) {
	t.Parallel()
	var all []string
	for _, n := range notes(120) {
		all = append(all, n.Message)
	}
	h := newHub(t)
	h.on(listRuns, runs())
	h.on(postRun, answer{201, nil, posted(3, "k", "completed", 50)})
	h.on(patchRun+"3", ok(object{}))
	id, err := h.client().PublishRun(t.Context(), here, aRun("k", 120))
	if err != nil || id != 3 {
		t.Fatal(id, err)
	}
	want(t, all, messages(t, h, postRun, patchRun+"3"))
	if h.count(postRun) != 1 || h.count(patchRun+"3") != 2 {
		t.Error(h.calls)
	}

	// The first attempt broke after one batch: the second finds 50 and goes on.
	h = newHub(t)
	h.on(listRuns, runs(posted(3, "k", "completed", 50)))
	h.on(patchRun+"3", ok(object{}))
	if _, err := h.client().PublishRun(t.Context(), here, aRun("k", 120)); err != nil {
		t.Fatal(err)
	}
	want(t, all[50:], messages(t, h, patchRun+"3"))

	// All are there: one request brings the text up to date.
	h = newHub(t)
	h.on(listRuns, runs(posted(3, "k", "completed", 120)))
	h.on(patchRun+"3", ok(object{}))
	if _, err := h.client().PublishRun(t.Context(), here, aRun("k", 120)); err != nil {
		t.Fatal(err)
	}
	if got := messages(t, h, patchRun+"3"); len(got) != 0 || h.count(patchRun+"3") != 1 {
		t.Errorf("%d annotations again", len(got))
	}
}

// 2A-15, 2A-16, 2A-19, 2A-66: which run is changed, and when a new one is made.
func TestOurOwnRunIsAdopted(t *testing.T) {
	t.Parallel()
	other := posted(90, "k", "completed", 0)
	other["app"] = object{"id": 1}
	for _, tc := range []struct {
		name       string
		found      []object
		conclusion string
		want       string // the one write
	}{
		{"no run yet", nil, "success", postRun},
		{"the answer to the POST was lost", []object{posted(3, "k", "completed", 0)}, "success", patchRun + "3"},
		{"an older verdict without annotations", []object{posted(3, "old", "completed", 0)}, "success", patchRun + "3"},
		{"an older verdict with annotations", []object{posted(3, "old", "completed", 2)}, "success", postRun},
		{"the newest id wins in any order", []object{posted(3, "k", "completed", 0), posted(8, "k", "completed", 0), posted(5, "k", "completed", 0)}, "success", patchRun + "8"},
		{"a run of another App", []object{other}, "success", postRun},
		{"a run in progress is completed", []object{posted(3, "start", "in_progress", 0)}, "failure", patchRun + "3"},
		{"re-run of a completed one", []object{posted(3, "old", "completed", 0)}, "", postRun},
		{"a late word of a beginning", []object{posted(3, "k", "completed", 0)}, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t)
			h.on(listRuns, runs(tc.found...))
			for _, id := range []string{"3", "5", "8"} {
				h.on(patchRun+id, ok(object{}))
			}
			h.on(postRun, answer{201, nil, posted(100, "k", "completed", 0)})
			r := aRun("k", 0)
			r.Conclusion = tc.conclusion
			if _, err := h.client().PublishRun(t.Context(), here, r); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(h.calls[1:], " "); got != tc.want {
				t.Errorf("wrote %q, want %q", got, tc.want)
			}
			if !strings.Contains(h.calls[0], "filter=all") || !strings.Contains(h.calls[0], "app_id=77") {
				t.Error(h.calls[0])
			}
		})
	}
}

func TestARunOfAnEarlierRegistrationIsReplacedButALimitIsNot(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on(listRuns, runs(posted(3, "old", "completed", 0)))
	h.on(patchRun+"3", refuse(403, "Invalid app_id `1` - check run can only be modified by the GitHub App that created it."))
	h.on(postRun, answer{201, nil, posted(4, "k", "completed", 0)})
	if id, err := h.client().PublishRun(t.Context(), here, aRun("k", 1)); err != nil || id != 4 {
		t.Errorf("%d, %v", id, err)
	}
	h = newHub(t)
	h.on(listRuns, runs(posted(3, "old", "completed", 0)))
	h.on(patchRun+"3", refuse(403, "You have exceeded a secondary rate limit"))
	var l *Limited
	if _, err := h.client().PublishRun(t.Context(), here, aRun("k", 1)); !errors.As(err, &l) {
		t.Error(err)
	}
}

// 2A-13: a refusal of the annotations does not leave the run open.
func TestRefusedAnnotationsMoveToTheSummary(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on(listRuns, runs())
	h.on(postRun, answer{201, nil, posted(3, "k", "completed", 50)})
	h.on(patchRun+"3", answer{422, nil, object{"message": "Invalid request", "errors": []object{{"resource": "CheckRun", "code": "invalid", "field": "annotations"}}}}, ok(object{}))
	if _, err := h.client().PublishRun(t.Context(), here, aRun("k", 60)); err != nil {
		t.Fatal(err)
	}
	last := decode[gh.UpdateCheckRunOptions](t, h.sent[patchRun+"3"][1])
	sum := last.Output.GetSummary()
	if len(last.Output.Annotations) != 0 || last.GetConclusion() != "failure" || !strings.Contains(sum, "note 50") || !strings.Contains(sum, "note 59") || strings.Contains(sum, "note 49") {
		t.Errorf("%+v", sum)
	}
	h = newHub(t)
	h.on(listRuns, runs())
	h.on(postRun, refuse(422, "No commit found for SHA"))
	if _, err := h.client().PublishRun(t.Context(), here, aRun("k", 1)); !errors.Is(err, ErrInvalid) || h.count(postRun) != 2 {
		t.Errorf("a refusal for another reason: %v after %d requests", err, h.count(postRun))
	}
}

// 2A-13, 2A-14: what GitHub would refuse never leaves.
func TestBadAnnotationsAreMendedOrListed(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on(listRuns, runs())
	h.on(postRun, answer{201, nil, posted(3, "k", "completed", 1)})
	r := aRun("k", 0)
	r.Annotations = []Annotation{
		{Path: "", Start: 1, Message: "no file"},
		{Path: "a`b.md", Start: 0, Message: "no line"},
		{Path: "c.md", Start: 5, End: 3, Level: "error", Message: ""},
		{Path: "pem.md", Start: 1, End: 9, StartColumn: 2, EndColumn: 4, Level: "failure", Message: "many lines"},
		{Path: "lone.md", Start: 2, End: 2, StartColumn: 7, Level: "notice", Message: "a lone column"},
		{Path: "back.md", Start: 2, End: 2, StartColumn: 7, EndColumn: 3, Level: "notice", Message: "backwards"},
		{Path: "good.md", Start: 2, End: 2, StartColumn: 3, EndColumn: 7, Level: "warning", Title: strings.Repeat("t", 300), Message: strings.Repeat("é", 70_000)},
	}
	if _, err := h.client().PublishRun(t.Context(), here, r); err != nil {
		t.Fatal(err)
	}
	out := decode[gh.CreateCheckRunOptions](t, h.sent[postRun][0]).Output
	var got []string
	for _, a := range out.Annotations {
		got = append(got, fmt.Sprintf("%s %d-%d %d-%d %s", a.GetPath(), a.GetStartLine(), a.GetEndLine(), a.GetStartColumn(), a.GetEndColumn(), a.GetAnnotationLevel()))
		if a.GetMessage() == "" || len(a.GetMessage()) >= 64<<10 || !utf8.ValidString(a.GetMessage()) || len(a.GetTitle()) > 255 {
			t.Errorf("%s: message of %d bytes, title of %d", a.GetPath(), len(a.GetMessage()), len(a.GetTitle()))
		}
	}
	want(t, []string{"c.md 5-5 0-0 warning", "pem.md 1-9 0-0 failure", "lone.md 2-2 0-0 notice", "back.md 2-2 0-0 notice", "good.md 2-2 3-7 warning"}, got)
	for _, part := range []string{"- no file: no file", "- `` a`b.md ``: no line"} {
		if !strings.Contains(out.GetSummary(), part) {
			t.Errorf("the summary lacks %q:\n%s", part, out.GetSummary())
		}
	}
}

func TestTooManyAnnotationsAreNamedInTheSummary(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on(listRuns, runs())
	h.on(postRun, answer{201, nil, posted(3, "k", "completed", 50)})
	h.on(patchRun+"3", ok(object{}))
	if _, err := h.client().PublishRun(t.Context(), here, aRun("k", maxAnnotations+2)); err != nil {
		t.Fatal(err)
	}
	if got := messages(t, h, postRun, patchRun+"3"); len(got) != maxAnnotations {
		t.Errorf("%d annotations", len(got))
	}
	if sum := decode[gh.CreateCheckRunOptions](t, h.sent[postRun][0]).Output.GetSummary(); !strings.Contains(sum, "note 501") {
		t.Error(sum)
	}
}

// 2A-10: the limit is in bytes, and the verdict is posted whatever the size.
func TestOutputIsCutByBytes(t *testing.T) {
	t.Parallel()
	for _, big := range []string{strings.Repeat("🙂", 30_000), strings.Repeat("x", 70_000), strings.Repeat("\xffa", 40_000), "a" + strings.Repeat("é", 40_000)} {
		h := newHub(t)
		h.on(listRuns, runs())
		h.on(postRun, answer{201, nil, posted(3, "k", "completed", 0)})
		r := aRun("k", 0)
		r.Title, r.Summary, r.Text = big, big, big
		if _, err := h.client().PublishRun(t.Context(), here, r); err != nil {
			t.Fatal(err)
		}
		out := decode[gh.CreateCheckRunOptions](t, h.sent[postRun][0]).Output
		for _, s := range []string{out.GetSummary(), out.GetText()} {
			if len(s) > 65_535 || len(s) < 65_000 || !utf8.ValidString(s) || !strings.HasSuffix(s, cutNote) {
				t.Errorf("%d bytes, valid %v, end %q", len(s), utf8.ValidString(s), s[len(s)-20:])
			}
		}
		if n := utf8.RuneCountInString(out.GetTitle()); n > 255 {
			t.Errorf("title of %d characters", n)
		}
	}
}

func TestAnEmptyRunStillHasTitleAndSummary(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on(listRuns, runs())
	h.on(postRun, answer{201, nil, posted(3, "k", "in_progress", 0)})
	if _, err := h.client().PublishRun(t.Context(), here, Run{SHA: sha("a"), Name: "cardkeeper"}); err != nil {
		t.Fatal(err)
	}
	in := decode[gh.CreateCheckRunOptions](t, h.sent[postRun][0])
	if in.Output.GetTitle() == "" || in.Output.GetSummary() == "" || in.GetStatus() != "in_progress" || in.GetExternalID() == "" || in.Conclusion != nil {
		t.Errorf("%+v", in)
	}
}

func TestARunThatGitHubWouldRefuseIsNotSent(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	for name, mod := range map[string]func(*Run){
		"no name":            func(r *Run) { r.Name = "" },
		"a branch as commit": func(r *Run) { r.SHA = "main" },
		"four buttons":       func(r *Run) { r.Actions = make([]Action, 4) },
		"a long label":       func(r *Run) { r.Actions = []Action{{strings.Repeat("x", 21), "d", "id"}} },
		"a nameless button":  func(r *Run) { r.Actions = []Action{{"l", "d", ""}} },
	} {
		r := aRun("k", 0)
		mod(&r)
		if _, err := h.client().PublishRun(t.Context(), here, r); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	h.on(listRuns, runs())
	h.on(postRun, answer{201, nil, posted(3, "k", "completed", 0)})
	r := aRun("k", 0)
	r.Actions = []Action{{"Update cards", "Commit the new cards to the branch", "update_cards"}}
	if _, err := h.client().PublishRun(t.Context(), here, r); err != nil || !strings.Contains(h.sent[postRun][0], `"identifier":"update_cards"`) {
		t.Error(err)
	}
}

// A changed run is told that it has no buttons: what is left out of the request
// stays at GitHub, and an old button with it.
func TestAButtonIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, actions := range map[string][]Action{"": nil, "id": {{"label", "what it does", "id"}}} {
		h := newHub(t)
		h.on(listRuns, runs(posted(3, "k", "completed", 0)))
		h.on(patchRun+"3", ok(object{}))
		r := aRun("k", 0)
		r.Actions = actions
		if _, err := h.client().PublishRun(t.Context(), here, r); err != nil {
			t.Fatal(err)
		}
		sent := decode[map[string]any](t, h.sent[patchRun+"3"][0])
		if list, given := sent["actions"].([]any); !given || len(list) != len(actions) || name != "" && list[0].(map[string]any)["identifier"] != name {
			t.Errorf("%d buttons: sent %v", len(actions), sent["actions"])
		}
		if sent["conclusion"] != "failure" || sent["external_id"] != "k" {
			t.Errorf("the rest was lost: %v", sent)
		}
	}
}

// What was overtaken while the request before it was on its way is not written.
func TestNothingIsWrittenThatIsNotTrueAnyMore(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		there  answer
		yes    int // how often it is still true
		notes  int
		writes int
	}{
		"before a new run":            {runs(), 0, 1, 0},
		"before a run is changed":     {runs(posted(3, "other", "completed", 0)), 0, 1, 0},
		"between two batches":         {runs(), 1, 120, 1},
		"never: all of it is written": {runs(), 3, 120, 3},
	} {
		h := newHub(t)
		h.on(listRuns, tc.there)
		h.on(postRun, answer{201, nil, posted(3, "k", "completed", 0)})
		h.on(patchRun+"3", ok(object{}))
		r := aRun("k", tc.notes)
		asked := 0
		r.Still = func(context.Context) (bool, error) { asked++; return asked <= tc.yes, nil }
		_, err := h.client().PublishRun(t.Context(), here, r)
		if overtaken := tc.writes < 3; errors.Is(err, ErrOvertaken) != overtaken || !overtaken && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := h.count(postRun) + h.count(patchRun+"3"); n != tc.writes {
			t.Errorf("%s: %d requests wrote, want %d", name, n, tc.writes)
		}
	}
	h := newHub(t)
	h.on(listRuns, runs())
	r := aRun("k", 1)
	failed := errors.New("the database does not answer")
	r.Still = func(context.Context) (bool, error) { return true, failed }
	if _, err := h.client().PublishRun(t.Context(), here, r); !errors.Is(err, failed) {
		t.Errorf("an answer that could not be had: %v", err)
	}
}
