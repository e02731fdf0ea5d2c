package web

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/cardkeeper/cardkeeper/app/ask"
)

// gapRepositories lists the repositories with questions that are not documented.
func (p *Pages) gapRepositories(rw http.ResponseWriter, v visit) {
	from, ok := offset(v)
	if !ok {
		p.complain(rw, http.StatusBadRequest, v.form, "There is no such part of the list.")
		return
	}
	list, err := p.cfg.Store.CountGaps(v.Context(), from, rows+1)
	if err != nil {
		p.broken(rw, v, err)
		return
	}
	list, next := cutPart(list, from)
	p.sheets.Show(rw, http.StatusOK, "gap-repositories", page{Title: "Gaps", Active: "gaps", Form: v.form, Said: said(v), Data: map[string]any{
		"List": list, "Parts": parts("/operator/gaps", "from", "", next, from > 0),
	}})
}

// gaps lists what people asked for in one repository and did not find.
func (p *Pages) gaps(rw http.ResponseWriter, v visit) {
	repository, known := number(v.PathValue("repository"))
	from, ok := offset(v)
	if !ok || !known || repository == 0 {
		p.complain(rw, http.StatusBadRequest, v.form, "There is no such part of the list.")
		return
	}
	kept, err := p.cfg.Store.Gaps(v.Context(), repository)
	if err != nil {
		p.broken(rw, v, err)
		return
	}
	all := ask.Gaps(kept)
	list := all[min(from, len(all)):min(from+rows+1, len(all))]
	list, next := cutPart(list, from)
	if err := ask.Show(v.Context(), p.cfg.Scan, list); err != nil {
		p.broken(rw, v, err)
		return
	}
	path := "/operator/gaps/" + strconv.FormatInt(repository, 10)
	p.sheets.Show(rw, http.StatusOK, "gaps", page{Title: "Gaps", Active: "gaps", Form: v.form, Said: said(v), Data: map[string]any{
		"Repository": repository, "Count": len(all), "List": list, "Parts": parts(path, "from", "", next, from > 0),
	}})
}

// offset reads how many rows of a list were shown before.
func offset(v visit) (int, bool) {
	n, ok := number(v.URL.Query().Get("from"))
	return int(min(n, 1<<30)), ok
}

// cutPart takes the one row away that says that there is a next part.
func cutPart[T any](list []T, from int) (part []T, next string) {
	if len(list) <= rows {
		return list, ""
	}
	return list[:rows], strconv.Itoa(from + rows)
}

// dropGap is the button beside a gap: all its wordings go.
func (p *Pages) dropGap(rw http.ResponseWriter, v visit) {
	repository, ok := number(v.PathValue("repository"))
	if !ok || repository == 0 {
		p.complain(rw, http.StatusNotFound, v.form, "There is no such gap.")
		return
	}
	kept, err := p.cfg.Store.Gaps(v.Context(), repository)
	if err != nil {
		p.broken(rw, v, err)
		return
	}
	word := "undone"
	for _, g := range ask.Gaps(kept) {
		if !slices.Contains(g.IDs(), v.PathValue("id")) {
			continue
		}
		n, err := p.cfg.Store.DropGaps(v.Context(), repository, g.IDs()...)
		if err != nil {
			p.broken(rw, v, err)
			return
		}
		if n > 0 {
			word = "deleted"
		}
	}
	http.Redirect(rw, v.Request, "/operator/gaps/"+strconv.FormatInt(repository, 10)+"?said="+word, http.StatusSeeOther)
}

// dropGaps is the button below the gaps of a repository.
func (p *Pages) dropGaps(rw http.ResponseWriter, v visit) {
	repository, ok := number(v.PathValue("repository"))
	if !ok || repository == 0 {
		p.complain(rw, http.StatusNotFound, v.form, "There is no such repository.")
		return
	}
	if _, err := p.cfg.Store.DropAllGaps(v.Context(), repository); err != nil {
		p.broken(rw, v, err)
		return
	}
	http.Redirect(rw, v.Request, "/operator/gaps?said=deleted", http.StatusSeeOther)
}
