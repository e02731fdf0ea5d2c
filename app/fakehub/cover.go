package fakehub

// Uncover takes the repository out of its account's installation: the App sees it no
// more, and gets no event of it but the one that says so.
func (r *Repo) Uncover() {
	h := r.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	i := r.install
	r.install = &installation{account: i.account, gone: true}
	h.emit(&event{name: "installation_repositories", action: "removed", install: i, sender: i.account, body: r.coverEvent(i, "repositories_removed")})
}

// Cover puts the repository into its account's installation again.
func (r *Repo) Cover() {
	h := r.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	i := h.install(r.owner)
	r.install = i
	h.emit(&event{name: "installation_repositories", action: "added", install: i, sender: i.account, body: r.coverEvent(i, "repositories_added")})
}

// coverEvent names the one repository that came or went, as these events do.
func (r *Repo) coverEvent(i *installation, list string) object {
	body := object{
		"installation": r.hub.installationShape(i), "repository_selection": "selected", "requester": nil,
		"repositories_added": []object{}, "repositories_removed": []object{},
	}
	body[list] = []object{{
		"id": r.id, "node_id": nodeID("R", r.id), "name": r.name, "full_name": r.fullName(), "private": r.private,
	}}
	return body
}
