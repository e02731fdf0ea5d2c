package fakehub

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A user is an account. Accounts come into being when they are first named.
type user struct {
	ID    int64
	Login string
}

// Kind is "Bot" for an App's account and "User" for all others. Organisations
// play no part here.
func (u *user) Kind() string {
	if strings.HasSuffix(u.Login, "[bot]") {
		return "Bot"
	}
	return "User"
}

// user finds or makes an account. Logins are compared without regard to case,
// and shown as they were first written.
func (h *Hub) user(login string) *user {
	key := strings.ToLower(login)
	if h.users[key] == nil {
		h.users[key] = &user{h.id("user", 1_000), login}
	}
	return h.users[key]
}

// UserID is the number of an account, which comes into being where it was not there.
func (h *Hub) UserID(login string) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.user(login).ID
}

// bot is the App's own account, which writes its comments.
func (h *Hub) bot() *user { return h.user(h.opts.Slug + "[bot]") }

// nodeID is an id in the form of the GraphQL API. Its contents mean nothing to
// anyone but GitHub, so code must not take it apart.
func nodeID(kind string, id int64) string {
	return kind + "_" + base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprint(id)))
}

// userShape is an account, or null. The brackets of an App's login are escaped
// in addresses, as GitHub escapes them.
func (h *Hub) userShape(u *user) json.RawMessage {
	if u == nil {
		return json.RawMessage("null")
	}
	path := strings.NewReplacer("[", "%5B", "]", "%5D").Replace(u.Login)
	return h.shape("user", map[string]any{
		"ID": u.ID, "Node": nodeID("U", u.ID), "Login": u.Login, "Kind": u.Kind(),
		"API": h.api() + "/users/" + path, "HTML": h.html() + "/" + path,
	})
}

// account is a public profile by its number. What a profile says of the person is
// all null or nothing here.
func (h *Hub) account(c *call) (reply, error) {
	for _, u := range h.users {
		if strconv.FormatInt(u.ID, 10) != c.path("id") {
			continue
		}
		profile := object{}
		if err := json.Unmarshal(h.userShape(u), &profile); err != nil {
			return reply{}, err
		}
		for _, field := range []string{"name", "company", "blog", "location", "email", "hireable", "bio"} {
			profile[field] = nil
		}
		for _, field := range []string{"public_repos", "public_gists", "followers", "following"} {
			profile[field] = 0
		}
		profile["created_at"], profile["updated_at"] = h.stamp(), h.stamp()
		return reply{body: profile}, nil
	}
	return reply{}, notFound()
}

// roles in rising order; GitHub's answers fold them to read, write and admin.
func roles() []string { return []string{"none", "read", "triage", "write", "maintain", "admin"} }

func atLeast(role, floor string) bool {
	return slices.Index(roles(), role) >= slices.Index(roles(), floor)
}

// SetPermission gives a person a role: none, read, triage, write, maintain or
// admin.
func (r *Repo) SetPermission(login, role string) error {
	if !validLogin(login) || !slices.Contains(roles(), role) {
		return fmt.Errorf("fakehub: permission: bad login or role; roles are %s", strings.Join(roles(), ", "))
	}
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	r.hub.user(login)
	r.roles[strings.ToLower(login)] = role
	return nil
}

// role is what a person may do. On a public repository everybody reads.
func (r *Repo) role(login string) string {
	if role, ok := r.roles[strings.ToLower(login)]; ok {
		return role
	}
	switch {
	case strings.EqualFold(login, r.owner):
		return "admin"
	case r.private:
		return "none"
	}
	return "read"
}

// permission answers whether somebody may ask or press a button. An account
// that nobody has heard of is 404, which means no; one without a role on a
// private repository is "none". The field permission knows read, write and
// admin only; role_name says which of the five it is.
func (h *Hub) permission(c *call) (reply, error) {
	u := h.users[strings.ToLower(c.path("username"))]
	if u == nil {
		return reply{}, notFound()
	}
	role := c.repo.role(u.Login)
	folded := map[string]string{"triage": "read", "maintain": "write"}[role]
	if folded == "" {
		folded = role
	}
	account := object{}
	if err := json.Unmarshal(h.userShape(u), &account); err != nil {
		return reply{}, err
	}
	account["role_name"] = role
	account["permissions"] = object{
		"admin": role == "admin", "maintain": atLeast(role, "maintain"), "push": atLeast(role, "write"),
		"triage": atLeast(role, "triage"), "pull": atLeast(role, "read"),
	}
	return reply{body: object{"permission": folded, "role_name": role, "user": account}}, nil
}

// association is how a comment's or pull's author stands to the repository, as
// the API says it. It is never MEMBER: private members are under-reported too.
func (r *Repo) association(u *user) string {
	switch {
	case u == nil:
		return "NONE"
	case strings.EqualFold(u.Login, r.owner):
		return "OWNER"
	case r.roles[strings.ToLower(u.Login)] != "" && r.role(u.Login) != "none":
		return "COLLABORATOR"
	}
	return "NONE"
}
