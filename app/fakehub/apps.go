package fakehub

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An installation is the App on one account, with all its repositories.
type installation struct {
	id          int64
	account     *user
	permissions map[string]string
	suspended   bool
	gone        bool // uninstalled; a new one has another id
	created     time.Time
}

// clientID is the App's other name, which may stand as the issuer of a JWT in
// place of the number.
func clientID(appID int64) string { return fmt.Sprintf("Iv23li%014d", appID) }

// install is the account's installation, made at its first repository.
func (h *Hub) install(owner string) *installation {
	for _, i := range h.installs {
		if !i.gone && strings.EqualFold(i.account.Login, owner) {
			return i
		}
	}
	i := &installation{
		id: h.id("installation", 50_000_000), account: h.user(owner),
		permissions: maps.Clone(h.opts.Permissions), created: h.now(),
	}
	h.installs = append(h.installs, i)
	return i
}

// Installation is the id of the App's installation on an account, 0 for none.
func (h *Hub) Installation(owner string) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, i := range h.installs {
		if !i.gone && strings.EqualFold(i.account.Login, owner) {
			return i.id
		}
	}
	return 0
}

// Suspend stops an installation, or starts it again: while it is suspended it
// gets no tokens, no answers and no events but the one that says so.
func (h *Hub) Suspend(owner string, on bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := h.install(owner)
	i.suspended = on
	action := map[bool]string{true: "suspend", false: "unsuspend"}[on]
	h.emit(&event{name: "installation", action: action, install: i, sender: i.account, body: h.installationEvent(i)})
}

// Reinstall removes the App from an account and installs it anew: the old id
// answers 404 from then on, and old tokens 401.
func (h *Hub) Reinstall(owner string) (id int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	old := h.install(owner)
	h.emit(&event{name: "installation", action: "deleted", install: old, sender: old.account, body: h.installationEvent(old)})
	old.gone = true
	i := h.install(owner)
	for _, r := range h.repos {
		if r.install == old {
			r.install = i
		}
	}
	h.emit(&event{name: "installation", action: "created", install: i, sender: i.account, body: h.installationEvent(i)})
	return i.id
}

// Uninstall removes the App from an account: the id answers 404 from then on, and
// so does the question which installation covers a repository.
func (h *Hub) Uninstall(owner string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := h.install(owner)
	h.emit(&event{name: "installation", action: "deleted", install: i, sender: i.account, body: h.installationEvent(i)})
	i.gone = true
}

// ExpireTokens ends every token that was given out, as the hour's end does: they
// are answered 401 from then on.
func (h *Hub) ExpireTokens() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.tokens)
}

// Tokens lists what the tokens that are good open, one line each, sorted:
// permissions, then the number of repositories, 0 for all.
func (h *Hub) Tokens() (lines []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range h.tokens {
		line := ""
		for _, name := range slices.Sorted(maps.Keys(t.permissions)) {
			line += name + ":" + t.permissions[name] + " "
		}
		lines = append(lines, fmt.Sprint(line, len(t.repos)))
	}
	slices.Sort(lines)
	return lines
}

// installationEvent names the repositories, as the events of an installation
// do; these have no repository field.
func (h *Hub) installationEvent(i *installation) object {
	list := []object{}
	for _, r := range h.repos {
		if r.install == i {
			list = append(list, object{
				"id": r.id, "node_id": nodeID("R", r.id), "name": r.name, "full_name": r.fullName(), "private": r.private,
			})
		}
	}
	return object{"installation": h.installationShape(i), "repositories": list}
}

func (h *Hub) appShape() json.RawMessage {
	return h.shape("app", map[string]any{
		"ID": h.opts.AppID, "Node": nodeID("A", h.opts.AppID), "Slug": h.opts.Slug, "Client": clientID(h.opts.AppID),
		"Owner": h.userShape(h.user("fakehub-owner")), "HTML": h.html() + "/apps/" + h.opts.Slug,
		"Permissions": h.opts.Permissions, "Events": h.opts.Events, "Count": len(h.installs),
	})
}

func (h *Hub) installationShape(i *installation) json.RawMessage {
	data := map[string]any{
		"ID": i.id, "API": fmt.Sprintf("%s/app/installations/%d", h.api(), i.id), "Base": h.api(),
		"HTML": fmt.Sprintf("%s/settings/installations/%d", h.html(), i.id), "Account": h.accountShape(i.account),
		"Target": i.account.ID, "App": h.opts.AppID, "Slug": h.opts.Slug, "Client": clientID(h.opts.AppID),
		"Permissions": i.permissions, "Events": h.opts.Events, "Created": stamp(i.created),
		"Suspended": json.RawMessage("null"), "By": json.RawMessage("null"),
	}
	if i.suspended {
		data["Suspended"], data["By"] = h.stamp(), h.userShape(i.account)
	}
	return h.shape("installation", data)
}

// accountShape adds to a user what only an enterprise has: the published schema
// of the installations list asks for both at once.
func (h *Hub) accountShape(u *user) json.RawMessage {
	account := object{}
	_ = json.Unmarshal(h.userShape(u), &account) // our own bytes
	account["name"], account["slug"] = u.Login, strings.ToLower(u.Login)
	account["created_at"], account["updated_at"] = h.stamp(), h.stamp()
	data, _ := json.Marshal(account)
	return data
}

// app is what the App's self-check reads: the permissions and events of the
// registration, which an installation's owner may not have accepted yet.
func (h *Hub) app(*call) (reply, error) { return reply{body: h.appShape()}, nil }

func (h *Hub) listInstallations(c *call) (reply, error) {
	var list []json.RawMessage
	for _, i := range h.installs {
		if !i.gone {
			list = append(list, h.installationShape(i))
		}
	}
	return paged(h, c, list, nil), nil
}

// installationByID does not find an installation that was removed: it is 404
// for ever.
func (h *Hub) installationByID(id string) *installation {
	for _, i := range h.installs {
		if !i.gone && strconv.FormatInt(i.id, 10) == id {
			return i
		}
	}
	return nil
}

func (h *Hub) oneInstallation(c *call) (reply, error) {
	if i := h.installationByID(c.path("id")); i != nil {
		return reply{body: h.installationShape(i)}, nil
	}
	return reply{}, notFound()
}

// repoInstallation is how the App finds its way back after it was installed
// anew.
func (h *Hub) repoInstallation(c *call) (reply, error) {
	if c.repo.install.gone {
		return reply{}, notFound()
	}
	return reply{body: h.installationShape(c.repo.install)}, nil
}

// installationRepos lists what the token covers.
func (h *Hub) installationRepos(c *call) (reply, error) {
	var list []json.RawMessage
	for _, r := range h.repos {
		if c.token.covers(r) {
			list = append(list, h.repoShape(r))
		}
	}
	return paged(h, c, list, func(page any) any {
		return object{"total_count": len(list), "repository_selection": "all", "repositories": page}
	}), nil
}

// A tokenRequest narrows a token: at most 500 repositories, and no permission
// that the installation does not have.
type tokenRequest struct {
	Repositories  []string          `json:"repositories"`
	RepositoryIDs []int64           `json:"repository_ids"`
	Permissions   map[string]string `json:"permissions"`
}

// mintToken takes an empty body for a token of everything. A body of null is
// refused by the published schema, and so by the validator; it is what a
// library sends whose options were left nil.
func (h *Hub) mintToken(c *call) (reply, error) {
	i := h.installationByID(c.path("id"))
	if i == nil {
		return reply{}, notFound()
	}
	if i.suspended {
		return reply{}, problem(http.StatusForbidden, "This installation has been suspended")
	}
	var want tokenRequest
	if len(strings.TrimSpace(string(c.body))) > 0 {
		if err := c.decode(&want); err != nil {
			return reply{}, err
		}
	}
	t := &token{value: newTokenValue(h.opts.AppID), installation: i, expires: h.now().Add(time.Hour)}
	if err := h.narrow(t, want); err != nil {
		return reply{}, err
	}
	h.tokens[t.value] = t
	body := object{
		"token": t.value, "expires_at": stamp(t.expires), "permissions": t.permissions, "repository_selection": "all",
	}
	if t.repos != nil {
		var list []json.RawMessage
		for _, r := range h.repos {
			if t.covers(r) {
				list = append(list, h.repoShape(r))
			}
		}
		body["repository_selection"], body["repositories"] = "selected", list
	}
	return reply{status: http.StatusCreated, body: body}, nil
}

// narrow refuses more than the installation has. Metadata can be read with any
// token.
func (h *Hub) narrow(t *token, want tokenRequest) error {
	t.permissions = maps.Clone(t.installation.permissions)
	if want.Permissions != nil {
		t.permissions = map[string]string{"metadata": "read"} // every token reads metadata
	}
	for name, level := range want.Permissions {
		have := t.installation.permissions[name]
		if have == "" || (level != "read" && level != have) {
			return problem(http.StatusUnprocessableEntity, "The permissions requested are not granted to this installation.")
		}
		t.permissions[name] = level
	}
	for _, r := range h.repos {
		if r.install == t.installation && (slices.Contains(want.RepositoryIDs, r.id) || slices.Contains(want.Repositories, r.name)) {
			t.repos = append(t.repos, r.id)
		}
	}
	asked := len(want.RepositoryIDs) + len(want.Repositories)
	if asked > 500 || len(t.repos) < asked {
		return problem(http.StatusUnprocessableEntity, "There is at least one repository that does not exist or is not accessible to the parent installation.")
	}
	return nil
}

// Accept sets what an account's owner has accepted of the permissions that the
// App asks for.
func (h *Hub) Accept(owner string, permissions map[string]string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.install(owner).permissions = maps.Clone(permissions)
}
