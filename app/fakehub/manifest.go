package fakehub

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
)

// ManifestCode is what the registration page hands back to the App's setup:
// good for one conversion.
func (h *Hub) ManifestCode() string {
	code := rand.Text()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.codes[code] = true
	return code
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
