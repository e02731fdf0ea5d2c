package fakehub

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// A Delivery is one attempt to hand an event to the target.
type Delivery struct {
	ID         int64  // the attempt's, above 2^53
	GUID       string // the event's: a redelivery has the same
	Event      string // "pull_request"
	Action     string // "opened"; "" for events that have none, as push
	Redelivery bool
	At         time.Time // when it was over, by the hub's clock
	StatusCode int       // 0 where there was no answer
	Status     string    // "OK", or what went wrong in GitHub's manner

	event    *event
	duration time.Duration
	answer   string
}

// GitHub's terms for a delivery: an answer within ten seconds, payloads up to 25
// MB (a larger event is not sent at all), and a log that is good for three days.
const (
	deliveryTimeout = 10 * time.Second
	payloadLimit    = 25 << 20
	deliveryDays    = 3 * 24 * time.Hour
)

// errTarget keeps the hub from talking to anything but this machine.
var errTarget = errors.New("fakehub: the delivery target must be an http URL with a loopback address such as 127.0.0.1")

// SetTarget sets where deliveries go from now on.
func (h *Hub) SetTarget(target string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.opts.Target = target
}

// Sign is the value of X-Hub-Signature-256 for a body.
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// Deliver sends all pending events in the order in which they happened, with
// those that arise meanwhile, and returns the attempts it made. A target that
// refuses is no error: the attempt says so and stays in the log. An error means
// that ctx ended or that the target is not on this machine.
func (h *Hub) Deliver(ctx context.Context) ([]Delivery, error) {
	var made []Delivery
	for {
		e, target := h.next()
		if e == nil {
			return made, nil
		}
		if !loopback(target) {
			return made, errTarget
		}
		d := &Delivery{GUID: e.guid, Event: e.name, Action: e.action, Redelivery: e.redelivery, event: e}
		h.attempt(ctx, target, d)
		made = append(made, h.keep(d))
		if err := ctx.Err(); err != nil {
			return made, err
		}
	}
}

// Run delivers events as they happen until ctx ends.
func (h *Hub) Run(ctx context.Context) error {
	for {
		if err := h.wait(ctx); err != nil {
			return nil // ended on request
		}
		if _, err := h.Deliver(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// Pending says how many events wait.
func (h *Hub) Pending() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.pending)
}

// Lose forgets the waiting events and returns how many: they will never be
// delivered, as happens at GitHub.
func (h *Hub) Lose() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := len(h.pending)
	h.pending = nil
	return n
}

// Repeat queues a delivery's event again under the same GUID.
func (h *Hub) Repeat(guid string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range h.deliveries {
		if d.GUID == guid {
			h.again(d)
			return nil
		}
	}
	return errors.New("fakehub: no delivery has that GUID")
}

// again copies the event: the payload stays as it was when it happened, and
// may be out of date by now.
func (h *Hub) again(d *Delivery) {
	e := *d.event
	e.redelivery = true
	h.queue(&e)
}

// Deliveries returns the log, oldest first.
func (h *Hub) Deliveries() []Delivery {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []Delivery
	for _, d := range h.deliveries {
		list = append(list, *d)
	}
	return list
}

// next takes an event from the queue and forgets those above the limit.
func (h *Hub) next() (*event, string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.pending) > 0 {
		e := h.pending[0]
		h.pending = h.pending[1:]
		if len(e.payload) <= payloadLimit {
			return e, h.opts.Target
		}
	}
	return nil, ""
}

// keep numbers an attempt when it is over, so that the log is in order of
// time.
func (h *Hub) keep(d *Delivery) Delivery {
	h.mu.Lock()
	defer h.mu.Unlock()
	d.ID, d.At = h.id("delivery", 1<<53), h.now()
	h.deliveries = append(h.deliveries, d)
	return *d
}

// loopback takes addresses and no names: what a name stands for can change
// between this look and the connection.
func loopback(target string) bool {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "http" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return ip != nil && ip.IsLoopback()
}

// attempt posts one event. A redirect is not followed and counts as a failure.
func (h *Hub) attempt(ctx context.Context, target string, d *Delivery) {
	ctx, cancel := context.WithTimeout(ctx, deliveryTimeout)
	defer cancel()
	d.Status = "failed to connect to host"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(d.event.payload))
	if err != nil {
		return
	}
	req.Header = h.deliveryHeader(d)
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	start := time.Now()
	resp, err := client.Do(req)
	d.duration = time.Since(start)
	if errors.Is(err, context.DeadlineExceeded) {
		d.Status = "timed out"
	}
	if err != nil {
		return
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	d.answer, d.StatusCode, d.Status = string(answer), resp.StatusCode, "OK"
	if resp.StatusCode/100 != 2 {
		d.Status = fmt.Sprintf("Invalid HTTP Response: %d", resp.StatusCode)
	}
}

// deliveryHeader has no X-Hub-Signature: the App must not fall back to SHA-1.
func (h *Hub) deliveryHeader(d *Delivery) http.Header {
	header := http.Header{}
	for key, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "GitHub-Hookshot/fakehub", "Accept": "*/*",
		"X-GitHub-Event": d.Event, "X-GitHub-Delivery": d.GUID, "X-GitHub-Hook-ID": "1",
		"X-GitHub-Hook-Installation-Target-ID":   fmt.Sprint(h.opts.AppID),
		"X-GitHub-Hook-Installation-Target-Type": "integration",
		"X-Hub-Signature-256":                    Sign(h.opts.Secret, d.event.payload),
	} {
		header.Set(key, value)
	}
	if h.opts.Prefix != "" { // an Enterprise server says so
		header.Set("X-GitHub-Enterprise-Host", "127.0.0.1")
		header.Set("X-GitHub-Enterprise-Version", enterpriseVersion)
	}
	return header
}
