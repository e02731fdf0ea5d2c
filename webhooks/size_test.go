package webhooks

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// endless is a body that counts what is read of it.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

// 2A-5: what GitHub can send is taken, and of more no byte beyond the limit is read.
func TestBodySizes(t *testing.T) {
	t.Parallel()
	pad := func(size int) []byte {
		body := opened(t)
		body = body[:bytes.LastIndexByte(body, '}')]
		body = append(body, `, "padding": "`...)
		body = append(body, bytes.Repeat([]byte("x"), size-len(body)-2)...)
		return append(body, `"}`...)
	}
	t.Run("24 MB are taken", func(t *testing.T) {
		if w := post(serving(t, &memory{}, quiet()), request("pull_request", pad(24_000_000))); w.Code != 202 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
	t.Run("the limit itself is taken, chunked too", func(t *testing.T) {
		r := request("pull_request", pad(MaxBody))
		r.ContentLength = -1
		if w := post(serving(t, &memory{}, quiet()), r); w.Code != 202 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
	t.Run("26 MiB are refused unread", func(t *testing.T) {
		r, body := request("pull_request", nil), &endless{}
		r.Body, r.ContentLength = io.NopCloser(body), 26<<20
		if w := post(serving(t, &memory{}, quiet()), r); w.Code != 413 || body.read != 0 {
			t.Errorf("%d after %d bytes", w.Code, body.read)
		}
	})
	t.Run("an endless chunked body is refused at the limit", func(t *testing.T) {
		r, body := request("pull_request", nil), &endless{}
		r.Body, r.ContentLength = io.NopCloser(body), -1
		if w := post(serving(t, &memory{}, quiet()), r); w.Code != 413 || body.read > MaxBody+1 {
			t.Errorf("%d after %d bytes", w.Code, body.read)
		}
	})
	t.Run("a chunked body over the limit is refused on the wire", func(t *testing.T) {
		server := httptest.NewServer(serving(t, &memory{}, quiet()))
		defer server.Close()
		// The server stops reading and closes, so that the client may see its own write fail first: either is right.
		r, err := http.NewRequest(http.MethodPost, server.URL, io.LimitReader(&endless{}, 40<<20))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = request("pull_request", nil).Header
		if answer, err := server.Client().Do(r); err == nil {
			answer.Body.Close()
			if answer.StatusCode != 413 {
				t.Errorf("%d", answer.StatusCode)
			}
		}
	})
	t.Run("an unsigned body is not read", func(t *testing.T) {
		r, body := request("pull_request", nil), &endless{}
		r.Body, r.ContentLength = io.NopCloser(body), -1
		r.Header.Del("X-Hub-Signature-256")
		if w := post(serving(t, &memory{}, quiet()), r); w.Code != 401 || body.read != 0 {
			t.Errorf("%d after %d bytes", w.Code, body.read)
		}
	})
	t.Run("a body that breaks off is refused", func(t *testing.T) {
		r := request("pull_request", nil)
		r.Body, r.ContentLength = io.NopCloser(io.MultiReader(strings.NewReader("{"), broken{})), -1
		if w := post(serving(t, &memory{}, quiet()), r); w.Code != 400 {
			t.Errorf("%d", w.Code)
		}
	})
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
