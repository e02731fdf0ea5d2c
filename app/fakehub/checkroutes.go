package fakehub

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// runShape leaves an output's fields null until there is one.
func (h *Hub) runShape(r *Repo, run *CheckRun) object {
	self := fmt.Sprintf("%s/check-runs/%d", r.api(), run.ID)
	output := object{
		"title": nil, "summary": nil, "text": nil,
		"annotations_count": len(run.Annotations), "annotations_url": self + "/annotations",
	}
	if run.HasOutput {
		output["title"], output["summary"], output["text"] = orNull(run.Title), run.Summary, orNull(run.Text)
	}
	return object{
		"id": run.ID, "node_id": nodeID("CR", run.ID), "name": run.Name, "head_sha": run.HeadSHA,
		"external_id": run.ExternalID, "details_url": orNull(run.DetailsURL), "url": self,
		"html_url": fmt.Sprintf("%s/runs/%d", r.html(), run.ID), "status": run.Status, "conclusion": orNull(run.Conclusion),
		"started_at": maybe(run.Started), "completed_at": maybe(run.Completed), "output": output,
		"check_suite": object{"id": run.suite}, "app": h.runApp(run.AppID), "pull_requests": r.runPulls(run.HeadSHA),
	}
}

// runApp is the run's App: ours, or one that has only a number.
func (h *Hub) runApp(id int64) any {
	if id == h.opts.AppID {
		return h.appShape()
	}
	other := object{}
	_ = json.Unmarshal(h.appShape(), &other) // our own bytes
	other["id"], other["slug"], other["name"] = id, fmt.Sprintf("app-%d", id), fmt.Sprintf("app-%d", id)
	delete(other, "client_id")
	return other
}

// runPulls names the open pull requests of a head, never those from forks.
func (r *Repo) runPulls(sha string) []object {
	list := []object{}
	at := object{"id": r.id, "name": r.name, "url": r.api()}
	for _, p := range r.pulls {
		if _, _, fork := p.fork(); p.open && !fork && p.head == sha {
			list = append(list, object{
				"id": p.id, "number": p.number, "url": fmt.Sprintf("%s/pulls/%d", r.api(), p.number),
				"head": object{"ref": p.headBranch, "sha": p.head, "repo": at}, "base": object{"ref": p.baseBranch, "sha": p.base, "repo": at},
			})
		}
	}
	return list
}

// postCheckRun makes a run each time it is asked. Our own runs come back as
// events, which the App has to ignore.
func (h *Hub) postCheckRun(c *call) (reply, error) {
	var w runWrite
	if err := c.decode(&w); err != nil {
		return reply{}, err
	}
	if err := w.check(true); err != nil {
		return reply{}, err
	}
	if _, err := c.repo.git.commit(*w.HeadSHA); err != nil || !shaRE.MatchString(*w.HeadSHA) {
		return reply{}, problem(http.StatusUnprocessableEntity, "No commit found for the given head_sha")
	}
	run := c.repo.newRun(*w.HeadSHA, *w.Name, h.opts.AppID)
	w.apply(run, h.now())
	c.repo.emitRun(run, "created", h.bot(), object{})
	if run.Status == "completed" {
		c.repo.emitRun(run, "completed", h.bot(), object{})
	}
	return created(h.runShape(c.repo, run)), nil
}

// patchCheckRun refuses other Apps' runs before it looks at the body, with
// GitHub's words: the App knows this 403 by them from one for a limit.
func (h *Hub) patchCheckRun(c *call) (reply, error) {
	run, err := h.runOf(c)
	if err != nil {
		return reply{}, err
	}
	if run.AppID != h.opts.AppID {
		return reply{}, problem(http.StatusForbidden, fmt.Sprintf(
			"Invalid app_id `%d` - check run can only be modified by the GitHub App that created it.", h.opts.AppID))
	}
	var w runWrite
	if err := c.decode(&w); err != nil {
		return reply{}, err
	}
	if err := w.check(false); err != nil {
		return reply{}, err
	}
	before := run.Status
	w.apply(run, h.now())
	run.Updates++
	if run.Status == "completed" && before != "completed" {
		c.repo.emitRun(run, "completed", h.bot(), object{})
	}
	return reply{body: h.runShape(c.repo, run)}, nil
}

func (h *Hub) runOf(c *call) (*CheckRun, error) {
	id, _ := strconv.ParseInt(c.path("id"), 10, 64)
	if run := c.repo.run(id); run != nil {
		return run, nil
	}
	return nil, notFound()
}

func (h *Hub) oneCheckRun(c *call) (reply, error) {
	run, err := h.runOf(c)
	if err != nil {
		return reply{}, err
	}
	return reply{body: h.runShape(c.repo, run)}, nil
}

// listCheckRuns lists a commit's runs, newest first: of each App and name the
// latest one only, unless filter is all.
func (h *Hub) listCheckRuns(c *call) (reply, error) {
	sha, err := c.repo.git.resolve(c.path("ref"))
	if err != nil {
		return reply{}, problem(http.StatusUnprocessableEntity, "No commit found for the given ref")
	}
	list, seen := []object{}, map[string]bool{}
	for _, run := range slices.Backward(c.repo.runs) {
		key := fmt.Sprint(run.AppID, " ", run.Name)
		if run.HeadSHA != sha || !fits(c.query("check_name"), run.Name) || !fits(c.query("status"), run.Status) ||
			!fits(c.query("app_id"), fmt.Sprint(run.AppID)) || (c.query("filter") != "all" && seen[key]) {
			continue
		}
		seen[key] = true
		list = append(list, h.runShape(c.repo, run))
	}
	return paged(h, c, list, func(page any) any {
		return object{"total_count": len(list), "check_runs": page}
	}), nil
}

// listAnnotations lists them in the order in which they were added.
func (h *Hub) listAnnotations(c *call) (reply, error) {
	run, err := h.runOf(c)
	if err != nil {
		return reply{}, err
	}
	list := []object{}
	for _, a := range run.Annotations {
		list = append(list, object{
			"path": a.Path, "start_line": a.StartLine, "end_line": a.EndLine, "start_column": a.StartColumn, "end_column": a.EndColumn,
			"annotation_level": a.Level, "message": a.Message, "title": orNull(a.Title), "raw_details": orNull(a.RawDetails),
			"blob_href": c.repo.html() + "/blob/" + run.HeadSHA + "/" + escape(a.Path),
		})
	}
	return paged(h, c, list, nil), nil
}
