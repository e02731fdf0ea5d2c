package fakehub

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// hookConfig is where events go: the registered address, or the target that a
// test has set. The secret is shown as stars, as GitHub shows it.
func (h *Hub) hookConfig(*call) (reply, error) {
	address := h.hook
	if address == "" {
		address = h.opts.Target
	}
	return reply{body: object{"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": address}}, nil
}

func (h *Hub) deliveryShape(d *Delivery) object {
	out := object{
		"id": d.ID, "guid": d.GUID, "delivered_at": stamp(d.At), "redelivery": d.Redelivery,
		"duration": d.duration.Seconds(), "status": d.Status, "status_code": d.StatusCode, "event": d.Event,
		"action": orNull(d.Action), "installation_id": d.event.install.id, "repository_id": nil, "throttled_at": nil,
	}
	if d.event.repo != nil {
		out["repository_id"] = d.event.repo.id
	}
	return out
}

// kept are the deliveries that are young enough to be listed and redelivered,
// newest first.
func (h *Hub) kept() []*Delivery {
	var list []*Delivery
	for _, d := range slices.Backward(h.deliveries) {
		if h.now().Sub(d.At) <= deliveryDays {
			list = append(list, d)
		}
	}
	return list
}

// listDeliveries pages by cursor: the id of the last delivery of the page
// before.
func (h *Hub) listDeliveries(c *call) (reply, error) {
	size := bounded(c.query("per_page"), 30, 100)
	var cursor int64
	if s := c.query("cursor"); s != "" {
		var err error
		if cursor, err = strconv.ParseInt(s, 10, 64); err != nil {
			return reply{}, problem(http.StatusBadRequest, "Invalid cursor")
		}
	}
	want := c.query("status")
	var list []*Delivery
	for _, d := range h.kept() {
		ok := d.Status == "OK"
		if (cursor == 0 || d.ID < cursor) && (want == "" || (want == "success") == ok) {
			list = append(list, d)
		}
	}
	out := reply{}
	if len(list) > size {
		list = list[:size]
		q := c.r.URL.Query()
		q.Set("cursor", fmt.Sprint(list[size-1].ID))
		out.header = http.Header{"Link": {fmt.Sprintf("<%s?%s>; rel=\"next\"", h.self(c), q.Encode())}}
	}
	shapes := []object{}
	for _, d := range list {
		shapes = append(shapes, h.deliveryShape(d))
	}
	out.body = shapes
	return out, nil
}

func (h *Hub) deliveryOf(c *call) (*Delivery, error) {
	for _, d := range h.kept() {
		if fmt.Sprint(d.ID) == c.path("id") {
			return d, nil
		}
	}
	return nil, notFound()
}

// oneDelivery adds what was sent and answered, as the App's settings page
// shows it.
func (h *Hub) oneDelivery(c *call) (reply, error) {
	d, err := h.deliveryOf(c)
	if err != nil {
		return reply{}, err
	}
	headers := object{}
	for key := range h.deliveryHeader(d) {
		headers[key] = h.deliveryHeader(d).Get(key)
	}
	body := h.deliveryShape(d)
	body["request"] = object{"headers": headers, "payload": json.RawMessage(d.event.payload)}
	body["response"] = object{"headers": object{}, "payload": d.answer}
	return reply{body: body}, nil
}

// redeliver queues the event again, under its own GUID, and answers at once.
func (h *Hub) redeliver(c *call) (reply, error) {
	d, err := h.deliveryOf(c)
	if err != nil {
		return reply{}, err
	}
	h.again(d)
	return reply{status: http.StatusAccepted, body: object{}}, nil
}
