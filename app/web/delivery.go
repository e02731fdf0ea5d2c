package web

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/cardkeeper/cardkeeper/app/store"
)

// delivery shows one delivery with its jobs.
func (p *Pages) delivery(rw http.ResponseWriter, v visit) {
	guid := v.PathValue("guid")
	d, err := p.cfg.Store.Delivery(v.Context(), guid)
	if errors.Is(err, store.ErrNotFound) {
		p.complain(rw, http.StatusNotFound, v.form, "This delivery is not kept: it never came, wanted no work, or is over a month old.")
		return
	}
	if err != nil {
		p.broken(rw, v, err)
		return
	}
	jobs, err := p.cfg.Store.Jobs(v.Context(), store.AllJobs, d.GUID, 0, rows)
	if err != nil {
		p.broken(rw, v, err)
		return
	}
	p.sheets.Show(rw, http.StatusOK, "delivery", page{Title: "Delivery", Active: "deliveries", Form: v.form, Said: said(v), Data: map[string]any{
		"Delivery": d, "Jobs": shown(jobs),
	}})
}

// deliveryAgain is the button beside a delivery that failed.
func (p *Pages) deliveryAgain(rw http.ResponseWriter, v visit) {
	guid := v.PathValue("guid")
	p.again(rw, v, p.cfg.Work.RunAgain(v.Context(), guid), "/operator/deliveries/"+url.PathEscape(guid))
}

// jobAgain is the button beside a job that gave up.
func (p *Pages) jobAgain(rw http.ResponseWriter, v visit) {
	id, ok := number(v.PathValue("id"))
	if !ok || id == 0 {
		p.complain(rw, http.StatusNotFound, v.form, "There is no such job.")
		return
	}
	p.again(rw, v, p.cfg.Work.RunJobAgain(v.Context(), id), "/operator/jobs")
}

// again goes back to where the button stands and says what came of it.
func (p *Pages) again(rw http.ResponseWriter, v visit, err error, back string) {
	word := "again"
	switch {
	case errors.Is(err, store.ErrNotFailed), errors.Is(err, store.ErrNotFound):
		word = "over"
	case errors.Is(err, store.ErrNotKept):
		word = "gone"
	case err != nil:
		p.broken(rw, v, err)
		return
	}
	http.Redirect(rw, v.Request, back+"?said="+word, http.StatusSeeOther)
}
