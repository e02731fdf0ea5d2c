package web

import (
	"crypto/hmac"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/app/store"
)

func equal(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }

// what was just done, by the word in the address that shows it.
func said(v visit) string {
	switch v.URL.Query().Get("said") {
	case "again":
		return "It runs again."
	case "over":
		return "It has not failed, or runs again already."
	case "gone":
		return "What it wanted is not kept any more. Use Redeliver on the App's settings page at GitHub."
	case "deleted":
		return "It was deleted."
	case "undone":
		return "It is not there any more."
	}
	return ""
}

// A pager is the way through a list: addresses of its first and next part, "" where
// there is none.
type pager struct{ First, Next string }

// parts keeps the view on the way. next is what the next part begins after, "" on
// the last one.
func parts(path, key, view, next string, paged bool) pager {
	at := func(key, value string) string {
		q := url.Values{}
		if value != "" {
			q.Set(key, value)
		}
		if view != "" {
			q.Set("show", view)
		}
		if len(q) == 0 {
			return path
		}
		return path + "?" + q.Encode()
	}
	var p pager
	if paged {
		p.First = at("", "")
	}
	if next != "" {
		p.Next = at(key, next)
	}
	return p
}

// overview is the first page: what an operator asks first.
func (p *Pages) overview(rw http.ResponseWriter, v visit) {
	ctx := v.Context()
	counts, err := p.cfg.Store.CountDeliveries(ctx)
	if err != nil {
		p.broken(rw, v, err)
		return
	}
	depths, err := p.cfg.Store.Depths(ctx)
	if err != nil {
		p.broken(rw, v, err)
		return
	}
	dead, err := p.cfg.Store.CountDead(ctx)
	if err != nil {
		p.broken(rw, v, err)
		return
	}
	last, err := p.cfg.Store.DeliveriesBefore(ctx, "", store.Delivery{}, 10)
	if err != nil {
		p.broken(rw, v, err)
		return
	}
	for i := range depths {
		depths[i].Oldest = depths[i].Oldest.Round(time.Second)
	}
	p.sheets.Show(rw, http.StatusOK, "overview", page{Title: "Overview", Active: "overview", Form: v.form, Said: said(v), Data: map[string]any{
		"Failed": counts[store.Failed], "Accepted": counts[store.Accepted], "Done": counts[store.Done],
		"Dead": dead, "Depths": depths, "Last": last, "Build": p.cfg.Build,
	}})
}

// deliveries lists them, newest first.
func (p *Pages) deliveries(rw http.ResponseWriter, v visit) {
	view := v.URL.Query().Get("show")
	after, ok := deliveryCursor(v.URL.Query().Get("before"))
	if !ok || !slices.Contains([]store.State{"", store.Accepted, store.Done, store.Failed}, store.State(view)) {
		p.complain(rw, http.StatusBadRequest, v.form, "There is no such part of the list.")
		return
	}
	list, err := p.cfg.Store.DeliveriesBefore(v.Context(), store.State(view), after, rows+1)
	if err != nil {
		p.broken(rw, v, err)
		return
	}
	next := ""
	if len(list) > rows {
		list = list[:rows]
		end := list[rows-1]
		next = strconv.FormatInt(end.ReceivedAt.UnixMilli(), 10) + "." + end.GUID
	}
	p.sheets.Show(rw, http.StatusOK, "deliveries", page{Title: "Deliveries", Active: "deliveries", Form: v.form, Said: said(v), Data: map[string]any{
		"View": view, "List": list, "Parts": parts("/operator/deliveries", "before", view, next, !after.ReceivedAt.IsZero()),
	}})
}

// deliveryCursor reads the end of the page before: a time and an id.
func deliveryCursor(text string) (d store.Delivery, ok bool) {
	if text == "" {
		return d, true
	}
	at, guid, _ := strings.Cut(text, ".")
	millis, err := strconv.ParseInt(at, 10, 64)
	return store.Delivery{GUID: guid, ReceivedAt: time.UnixMilli(millis)}, err == nil && millis > 0 && len(guid) <= 64
}

// jobs lists the queue's rows, newest first.
func (p *Pages) jobs(rw http.ResponseWriter, v visit) {
	view := store.JobView(v.URL.Query().Get("show"))
	if view == "" {
		view = store.AllJobs
	}
	before, ok := number(v.URL.Query().Get("before"))
	if !ok || !slices.Contains([]store.JobView{store.AllJobs, store.Waiting, store.Running, store.Dead, store.Ended}, view) {
		p.complain(rw, http.StatusBadRequest, v.form, "There is no such part of the list.")
		return
	}
	list, err := p.cfg.Store.Jobs(v.Context(), view, "", before, rows+1)
	if err != nil {
		p.broken(rw, v, err)
		return
	}
	next := ""
	if len(list) > rows {
		list = list[:rows]
		next = strconv.FormatInt(list[rows-1].ID, 10)
	}
	p.sheets.Show(rw, http.StatusOK, "jobs", page{Title: "Jobs", Active: "jobs", Form: v.form, Said: said(v), Data: map[string]any{
		"View": string(view), "List": shown(list), "Parts": parts("/operator/jobs", "before", string(view), next, before > 0),
	}})
}

// number reads an id out of an address; none is 0.
func number(text string) (n int64, ok bool) {
	if text == "" {
		return 0, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n > 0
}

// A jobRow is a job, and whether it can be run again.
type jobRow struct {
	store.Job
	Dead bool
}

// shown tells the jobs that gave up from those that newer work replaced.
func shown(list []store.Job) []jobRow {
	out := make([]jobRow, len(list))
	for i, j := range list {
		out[i] = jobRow{j, (j.State == "cancelled" || j.State == "discarded") && j.Error != "" && j.Error != "stopped"}
	}
	return out
}

// installations lists them by id.
func (p *Pages) installations(rw http.ResponseWriter, v visit) {
	after, ok := number(v.URL.Query().Get("after"))
	if !ok {
		p.complain(rw, http.StatusBadRequest, v.form, "There is no such part of the list.")
		return
	}
	list, err := p.cfg.Store.Installations(v.Context(), after, rows+1)
	if err != nil {
		p.broken(rw, v, err)
		return
	}
	next := ""
	if len(list) > rows {
		list = list[:rows]
		next = strconv.FormatInt(list[rows-1].ID, 10)
	}
	p.sheets.Show(rw, http.StatusOK, "installations", page{Title: "Installations", Active: "installations", Form: v.form, Data: map[string]any{
		"List": list, "Parts": parts("/operator/installations", "after", "", next, after > 0),
	}})
}
