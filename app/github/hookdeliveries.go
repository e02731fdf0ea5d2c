package github

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A HookDelivery is one attempt of GitHub's to hand us an event. Attempts at one event
// share its GUID.
type HookDelivery struct {
	ID           int64
	GUID         string
	At           time.Time // by GitHub's clock
	OK           bool      // we answered 2xx in time
	Installation int64     // 0 where the event has none
	Repository   int64
}

// wireDelivery is read by our own type: the library keeps the cursor of the next page, but ids
// are above 2^53 and the text of the status is GitHub's to change.
type wireDelivery struct {
	ID           int64     `json:"id"`
	GUID         string    `json:"guid"`
	At           time.Time `json:"delivered_at"`
	Status       string    `json:"status"`
	Code         int       `json:"status_code"`
	Installation int64     `json:"installation_id"`
	Repository   int64     `json:"repository_id"`
}

// HookDeliveries reads a page of a hundred deliveries to the App, newest first, and the
// cursor of the next page, "" at the end. failed limits the list to those that
// failed where GitHub can tell, else to those that succeeded; look at OK all the same.
// Source: GET /app/hook/deliveries, which lists some three days.
func (a *App) HookDeliveries(ctx context.Context, failed bool, cursor string) (list []HookDelivery, next string, err error) {
	const route = "/app/hook/deliveries"
	query := url.Values{"per_page": {strconv.Itoa(perPage)}, "status": {"success"}}
	if failed {
		query.Set("status", "failure")
	}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	var page []wireDelivery
	r, err := a.own.send(ctx, call{route: route, query: query, out: &page})
	if err != nil {
		return nil, "", err
	}
	for _, w := range page {
		if w.ID <= 0 || w.GUID == "" {
			return nil, "", odd(http.MethodGet, route)
		}
		list = append(list, HookDelivery{
			ID: w.ID, GUID: w.GUID, At: w.At, OK: w.Code/100 == 2 || w.Status == "OK",
			Installation: w.Installation, Repository: w.Repository,
		})
	}
	return list, r.cursor, nil
}

// Redeliver asks GitHub to deliver an event again. [ErrNotFound] or [ErrInvalid] mean that it is too
// old: three days on github.com, seven on an Enterprise Server.
func (a *App) Redeliver(ctx context.Context, delivery int64) error {
	_, err := a.own.do(ctx, call{
		method: http.MethodPost, route: "/app/hook/deliveries/{delivery_id}/attempts", args: []any{delivery},
	})
	return err
}
