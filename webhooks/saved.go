package webhooks

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/cardkeeper/cardkeeper/webhooks/event"
)

// ErrSaved means a file that holds no delivery. The error says what is missing and quotes nothing of the file.
var ErrSaved = errors.New("no saved delivery")

// Saved is a delivery out of a file, to be handed over once more. Its body is a person's text and stays in memory.
type Saved struct {
	GUID  string
	Event string
	Body  []byte
}

// saved are the forms of a file. GitHub's API answers GET /app/hook/deliveries/{id} with the outer one, in which request
// holds the inner one; its page of deliveries shows the same headers and payload.
type saved struct {
	GUID    string            `json:"guid"`
	Event   string            `json:"event"`
	Request *saved            `json:"request"`
	Headers map[string]string `json:"headers"`
	Payload json.RawMessage   `json:"payload"`
}

// ReadSaved reads a saved delivery: {"headers": {...}, "payload": {...}}, or what GitHub's API answers for one, or, where
// name gives the event, the bare payload. A delivery id that the file lacks is made. The signature in the file is not looked
// at: it was made over bytes that a file of JSON does not keep.
func ReadSaved(file []byte, name string) (Saved, error) {
	var f saved
	if err := json.Unmarshal(file, &f); err != nil {
		return Saved{}, fmt.Errorf("%w: %s", ErrSaved, event.JSONFault(err))
	}
	if f.Request != nil {
		f.Headers, f.Payload = f.Request.Headers, f.Request.Payload
	}
	s := Saved{GUID: f.GUID, Event: f.Event, Body: f.Payload}
	for key, value := range f.Headers {
		switch http.CanonicalHeaderKey(strings.TrimSpace(key)) {
		case "X-Github-Event":
			s.Event = value
		case "X-Github-Delivery":
			s.GUID = value
		}
	}
	if name != "" {
		s.Event = name
	}
	if len(f.Payload) == 0 && len(f.Headers) == 0 && name != "" {
		s = Saved{Event: name, Body: file} // the payload alone; its own "event" or "guid" would be no words of GitHub's
	}
	if s.GUID == "" {
		s.GUID = newGUID()
	}
	return s, s.check()
}

// check says what is missing, the first thing first.
func (s Saved) check() error {
	switch {
	case len(s.Body) == 0 || string(s.Body) == "null":
		return fmt.Errorf("%w: payload is missing; the file must be {\"headers\": {...}, \"payload\": {...}}, what GitHub's API answers for a delivery, or a bare payload beside --event", ErrSaved)
	case len(s.Body) > MaxBody:
		return fmt.Errorf("%w: the payload is over 25 MiB", ErrSaved)
	case s.Event == "":
		return fmt.Errorf("%w: the header X-GitHub-Event is missing; name the event with --event", ErrSaved)
	case !word(s.Event, maxEvent, "_"):
		return fmt.Errorf("%w: the event is no name of GitHub's, such as pull_request", ErrSaved)
	case !isGUID(s.GUID):
		return fmt.Errorf("%w: the header X-GitHub-Delivery is no id of GitHub's; leave it out to have one made", ErrSaved)
	}
	return nil
}

// Renewed is the same delivery under an id of its own, so that work that was done is done again.
func (s Saved) Renewed() Saved {
	s.GUID = newGUID()
	return s
}

// newGUID is shaped as GitHub's.
func newGUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	h := hex.EncodeToString(b[:])
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

// Plan is what would be stored of the delivery, and the work that it would want. An event that is not read here wants none.
func (s Saved) Plan(self App) (Delivery, []Work, error) {
	e, err := event.Parse(s.Event, s.Body)
	if errors.Is(err, event.ErrUnknown) {
		return Delivery{GUID: s.GUID, Event: s.Event}, nil, nil
	}
	if err != nil {
		return Delivery{}, nil, err
	}
	return delivery(s.GUID, e), Plan(e, self), nil
}

// Request is the delivery as GitHub would send it to an address, signed with the secret.
func (s Saved) Request(ctx context.Context, address, secret string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(s.Body))
	if err != nil {
		return nil, errors.New("webhooks.Request: the address is no URL")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-GitHub-Delivery", s.GUID)
	r.Header.Set("X-GitHub-Event", s.Event)
	r.Header.Set("X-Hub-Signature-256", Sign(secret, s.Body))
	return r, nil
}
