package fakehub

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestCheckRunLimits holds each documented limit from both sides (2A-10, 2A-11,
// 2A-13, 2A-14). The validator is off: some of these the document forbids too.
func TestCheckRunLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, true)
	note := func(fields string) string {
		return `{"title":"t","summary":"s","annotations":[{"path":"a.md","annotation_level":"notice","message":"m",` + fields + `}]}`
	}
	notes := func(n int) string {
		one := `{"path":"a.md","annotation_level":"notice","message":"m","start_line":1,"end_line":1}`
		return `{"title":"t","summary":"s","annotations":[` + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + `]}`
	}
	action := func(label, description, identifier int) string {
		x := func(n int) string { return strings.Repeat("é", n) }
		return fmt.Sprintf(`"actions":[{"label":%q,"description":%q,"identifier":%q}]`, x(label), x(description), x(identifier))
	}
	text := func(field, unit string, n int) string {
		out := map[string]string{"title": "t", "summary": "s"}
		out[field] = strings.Repeat(unit, n)
		return `"output":` + mustJSON(out)
	}
	for _, tc := range []struct {
		name, fields string
		ok           bool
	}{
		{"a summary of 65,535 bytes fits", text("summary", "x", 65_535), true},
		{"a summary of 65,536 bytes does not", text("summary", "x", 65_536), false},
		{"bytes count and not characters", text("summary", "é", 32_768), false},
		{"the text is counted the same way", text("text", "é", 32_768), false},
		{"fifty annotations fit", `"output":` + notes(50), true},
		{"fifty-one do not", `"output":` + notes(51), false},
		{"line 0 is refused", `"output":` + note(`"start_line":0,"end_line":1`), false},
		{"an end before the start is refused", `"output":` + note(`"start_line":2,"end_line":1`), false},
		{"a lone column is refused", `"output":` + note(`"start_line":1,"end_line":1,"start_column":1`), false},
		{"columns over two lines are refused", `"output":` + note(`"start_line":1,"end_line":2,"start_column":1,"end_column":2`), false},
		{"columns on one line fit", `"output":` + note(`"start_line":1,"end_line":1,"start_column":1,"end_column":2`), true},
		{"an output without a title is refused", `"output":{"summary":"s"}`, false},
		{"a misspelt field is refused", `"output":{"title":"t","sumary":"s","summary":"s"}`, false},
		{"completed needs a conclusion", `"status":"completed"`, false},
		{"a conclusion alone completes", `"conclusion":"success"`, true},
		{"stale is GitHub's own", `"conclusion":"stale"`, false},
		{"waiting is GitHub's own", `"status":"waiting"`, false},
		{"a full button fits", action(20, 40, 20), true},
		{"a label of 21 characters is refused", action(21, 1, 1), false},
		{"a description of 41 is refused", action(1, 41, 1), false},
		{"an identifier of 21 is refused", action(1, 1, 21), false},
		{"four buttons are refused", `"actions":[` + strings.Repeat(`{"label":"l","description":"d","identifier":"i"},`, 3) + `{"label":"l","description":"d","identifier":"i"}]`, false},
	} {
		a := w.in("POST", "/check-runs", fmt.Sprintf(`{"name":"cardkeeper","head_sha":%q,%s}`, w.base, tc.fields))
		if ok := a.status == http.StatusCreated; ok != tc.ok || (!ok && a.status != 422) {
			t.Errorf("%s: status %d: %s", tc.name, a.status, a.body)
		}
	}
}

func TestABadAnnotationIsNotNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	a := w.in("POST", "/check-runs", fmt.Sprintf(`{"name":"n","head_sha":%q,"output":{"title":"t","summary":"s","annotations":[
		{"path":"ok.md","start_line":1,"end_line":1,"annotation_level":"notice","message":"m"},
		{"path":"bad.md","start_line":0,"end_line":1,"annotation_level":"notice","message":"m"}]}}`, w.base))
	if a.status != 422 || a.str("errors", 0, "field") != "annotations" || strings.Contains(string(a.body), "bad.md") {
		t.Errorf("got %d %s", a.status, a.body)
	}
	if n := len(w.hub.CheckRuns(w.repo, w.base)); n != 0 {
		t.Errorf("the refused request left %d runs", n)
	}
}

// TestPostIsNeverIdempotent is 2A-16: equal requests make two runs, and the
// list's latest filter shows the newer one.
func TestPostIsNeverIdempotent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	body := fmt.Sprintf(`{"name":"cardkeeper","head_sha":%q,"external_id":"k","conclusion":"success"}`, w.base)
	w.want(201, "POST", "/check-runs", body)
	second := w.want(201, "POST", "/check-runs", body).str("id")
	at := "/commits/" + w.base + "/check-runs?check_name=cardkeeper&app_id=" + itoa(w.hub.AppID())
	if a := w.want(200, "GET", at, ""); a.len("check_runs") != 1 || a.str("check_runs", 0, "id") != second {
		t.Errorf("latest: %s", a.body)
	}
	if a := w.want(200, "GET", at+"&filter=all", ""); a.len("check_runs") != 2 {
		t.Errorf("all: %d runs", a.len("check_runs"))
	}
	if a := w.want(200, "GET", at+"1", ""); a.len("check_runs") != 0 {
		t.Errorf("another App's number found %d runs", a.len("check_runs"))
	}
}

func TestPatchAppendsAnnotationsAndKeepsTheCompletionTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	one := `"output":{"title":"t","summary":"s","annotations":[{"path":"a.md","start_line":1,"end_line":1,"annotation_level":"notice","message":"m"}]}`
	run := w.want(201, "POST", "/check-runs", fmt.Sprintf(`{"name":"n","head_sha":%q,"conclusion":"failure",%s}`, w.base, one))
	now := w.hub.clock()
	w.hub.SetClock(func() time.Time { return now.Add(time.Minute) })
	later := w.want(200, "PATCH", "/check-runs/"+run.str("id"), `{"conclusion":"success",`+one+`}`)
	if later.str("output", "annotations_count") != "2" || later.str("conclusion") != "success" {
		t.Errorf("got %s", later.body)
	}
	if later.str("completed_at") != run.str("completed_at") {
		t.Error("the completion time moved")
	}
	kept := w.hub.CheckRuns(w.repo, w.base)
	if len(kept) != 1 || len(kept[0].Annotations) != 2 || kept[0].Updates != 1 {
		t.Errorf("kept: %+v", kept)
	}
}

// TestOtherAppsRunsAreReadOnly is 2A-19, with GitHub's words.
func TestOtherAppsRunsAreReadOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	id, err := w.repo.AddForeignRun(w.base, "cardkeeper", "success", 99)
	if err != nil {
		t.Fatal(err)
	}
	a := w.in("PATCH", "/check-runs/"+itoa(id), `{"conclusion":"failure"}`)
	if a.status != 403 || !strings.Contains(a.str("message"), "can only be modified by the GitHub App that created it") {
		t.Errorf("got %d %s", a.status, a.body)
	}
	w.want(200, "GET", "/check-runs/"+itoa(id), "")
}

func TestButtonsAndReruns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.hub.Lose()
	run := w.want(201, "POST", "/check-runs", fmt.Sprintf(
		`{"name":"n","head_sha":%q,"conclusion":"failure","actions":[{"label":"Update cards","description":"d","identifier":"update"}]}`, w.base))
	kept := w.hub.CheckRuns(w.repo, w.base)[0]
	if run.str("id") != itoa(kept.ID) || kept.ID <= 1<<32 {
		t.Errorf("run id %d", kept.ID)
	}
	if err := w.repo.Click(kept.ID, "other", "tess"); err == nil {
		t.Error("a button that is not there was pressed")
	}
	for _, err := range []error{
		w.repo.Click(kept.ID, "update", "tess"), w.repo.Rerequest(kept.ID, "tess"), w.repo.RerequestAll(w.base, "tess"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, e := range w.hub.pending {
		got = append(got, e.name+"."+e.action)
	}
	want := "check_run.created check_run.completed check_run.requested_action check_run.rerequested check_suite.rerequested"
	if strings.Join(got, " ") != want {
		t.Errorf("events: %v", got)
	}
}
