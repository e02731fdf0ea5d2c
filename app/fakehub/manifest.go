package fakehub

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// ManifestCode is what the registration page hands back to the App's setup:
// good for one conversion.
func (h *Hub) ManifestCode() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.newCode()
}

func (h *Hub) newCode() string {
	code := rand.Text()
	h.codes[code] = true
	return code
}

// Hook is the webhook's address as the last manifest named it, "" before.
func (h *Hub) Hook() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.hook
}

// A manifest is what the registration page takes.
type manifest struct {
	Name   string `json:"name"`
	URL    string `json:"url"`
	Hook   hook   `json:"hook_attributes"`
	Back   string `json:"redirect_url"`
	About  string `json:"description"`
	Public bool   `json:"public"`

	Events      []string          `json:"default_events"`
	Permissions map[string]string `json:"default_permissions"`
}

type hook struct {
	URL    string `json:"url"`
	Active bool   `json:"active"`
}

// registration finds GitHub's page for new Apps, a person's or an organisation's.
var registration = regexp.MustCompile(`^(/organizations/[A-Za-z0-9-]+)?/settings/apps/new$`)

// serveRegistration plays the page on which a person registers an App from a
// manifest, as though that person had pressed the button at once: it answers
// with the way back. From then on the App is the manifest's.
func (h *Hub) serveRegistration(w http.ResponseWriter, r *http.Request) {
	var m manifest
	dec := json.NewDecoder(strings.NewReader(r.PostFormValue("manifest")))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); r.Method != http.MethodPost || err != nil {
		http.Error(w, "Error: the manifest is no JSON object of the known fields", http.StatusUnprocessableEntity)
		return
	}
	back, err := url.Parse(m.Back)
	if words := m.refused(); words != "" || err != nil {
		http.Error(w, "Error: "+words, http.StatusUnprocessableEntity)
		return
	}
	h.mu.Lock()
	h.opts.Slug, h.hook = slug(m.Name), m.Hook.URL
	h.opts.Permissions, h.opts.Events = maps.Clone(m.Permissions), m.Events
	h.opts.Permissions["metadata"] = "read"
	back.RawQuery = url.Values{"code": {h.newCode()}, "state": {r.URL.Query().Get("state")}}.Encode()
	h.mu.Unlock()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func slug(name string) string {
	return strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(name), "-"), "-")
}

// refused is what GitHub finds wrong with a manifest, in its manner.
func (m manifest) refused() string {
	backing := map[string]string{
		"pull_request": "pull_requests", "issue_comment": "issues", "merge_group": "merge_queues", "push": "contents",
		"repository": "metadata", "check_run": "checks", "check_suite": "checks",
	}
	var bad []string
	for _, e := range m.Events {
		if m.Permissions[backing[e]] == "" && e != "repository" {
			bad = append(bad, e)
		}
	}
	slices.Sort(bad)
	switch {
	case len(bad) > 0:
		return fmt.Sprintf("Default events are not supported by permissions: %s", strings.Join(bad, ", "))
	case slug(m.Name) == "" || len(m.Name) > 34:
		return "Name is missing or too long (maximum is 34 characters)"
	case m.URL == "" || m.Hook.URL == "" || m.Back == "":
		return "url, hook_attributes.url and redirect_url must be set"
	}
	return ""
}

// convertManifest gives the App's identity for a code. GitHub asks for no
// credential here: the code is one.
func (h *Hub) convertManifest(c *call) (reply, error) {
	if !h.codes[c.path("code")] {
		return reply{}, notFound()
	}
	delete(h.codes, c.path("code"))
	key, err := h.rsaKey()
	if err != nil {
		return reply{}, err
	}
	body := object{}
	if err := json.Unmarshal(h.appShape(), &body); err != nil {
		return reply{}, err
	}
	body["pem"], body["webhook_secret"] = string(pemBytes(key)), h.opts.Secret
	body["client_id"], body["client_secret"] = clientID(h.opts.AppID), rand.Text()
	return reply{status: http.StatusCreated, body: body}, nil
}
