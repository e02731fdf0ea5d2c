package embed

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Why a question is answered without meaning search. The texts name the setting to
// look at; they hold neither the address nor a word of the server's.
var (
	// ErrSettings: the same request will fail again until somebody changes something.
	ErrSettings = errors.New("meaning search is set up wrongly")
	// ErrServer: the server cannot be reached, is slow, or fails.
	ErrServer = errors.New("the embeddings server does not answer")
	// ErrAnswer: the server answers with something that is no list of vectors.
	ErrAnswer = errors.New("the embeddings server's answer cannot be used")
	// ErrPaused: it failed several times; nothing is sent for a while.
	ErrPaused = errors.New("the embeddings server failed several times and is not asked for a while")
	// ErrCapped: the budget is used up.
	ErrCapped = errors.New("the budget for embeddings is used up")

	errSlow = errors.New("no answer in time")
)

// A trouble is an error with what to do about it.
type trouble struct {
	error
	again bool          // the same request may succeed in a moment
	after time.Duration // as the server asks for; 0 is not asked for
	this  bool          // another request may well succeed now
}

func (t trouble) Unwrap() error { return t.error }

func settings(text string) trouble { return trouble{error: fmt.Errorf("%w: %s", ErrSettings, text)} }

func unusable(text string) trouble { return trouble{error: fmt.Errorf("%w: %s", ErrAnswer, text)} }

// refused says what a status means. Of the body only its form and a few machine
// words are read: the rest may quote what was sent.
func refused(status int, header http.Header, body []byte, now time.Time) trouble {
	code := codeOf(body)
	switch {
	case status >= 300 && status < 400:
		return settings("the server sends us elsewhere, which is not followed; write the address that it leads to as url")
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return settings("the server refuses the key (" + strconv.Itoa(status) + "); look at key_file")
	case status == http.StatusNotFound && code != "":
		return settings("the server does not have the model; look at model, or load the model there (ollama pull MODEL)")
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return settings("there is no embeddings endpoint at the address; look at url")
	case status == http.StatusNotImplemented:
		return settings("the server was not started for embeddings (llama.cpp: --embeddings); look there, or at url")
	case status == http.StatusTooManyRequests && code == "insufficient_quota":
		return settings("the account at the server has no quota left")
	case status == http.StatusTooManyRequests, status >= 500:
		text := fmt.Errorf("%w: status %d", ErrServer, status)
		return trouble{error: text, again: true, after: retryAfter(header, now)}
	}
	t := settings("the server refuses the request (" + strconv.Itoa(status) + "): look at batch, if it takes fewer texts at a time, and at model, if that is none for embeddings or takes only short texts")
	t.this = true
	return t
}

// codeOf is the machine word of an error in JSON, "error" where it has none that we
// know, and "" where the body is no error in JSON.
func codeOf(body []byte) string {
	var e struct {
		Error  json.RawMessage
		Object string
	}
	if json.Unmarshal(body, &e) != nil || len(e.Error) == 0 && e.Object != "error" {
		return ""
	}
	var inner struct{ Code, Type any }
	if json.Unmarshal(e.Error, &inner) == nil {
		for _, word := range []any{inner.Code, inner.Type} {
			if word == "insufficient_quota" {
				return "insufficient_quota"
			}
		}
	}
	return "error"
}

// retryAfter reads the header, in seconds or as a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(max(n, 0), int(longestPause/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(at.Sub(now), 0), longestPause)
	}
	return 0
}

// unreached says why no answer came. The library's own text holds the address.
func unreached(err error) trouble {
	var resolve *net.DNSError
	var dial *net.OpError
	text := "the connection broke"
	switch {
	case errors.Is(err, errSlow):
		text = "no answer within the setting timeout"
	case errors.As(err, &resolve):
		text = "its name is not known; look at url"
	case errors.As(err, &dial) && dial.Op == "dial":
		text = "nothing answers at its address; look at url, and whether it runs"
	case isTLS(err):
		return settings("its certificate is not accepted, or it does not speak TLS; look at url")
	}
	return trouble{error: fmt.Errorf("%w: %s", ErrServer, text), again: !errors.Is(err, errSlow)}
}

// isTLS goes by the words of the library, which has a type for each of many cases.
func isTLS(err error) bool {
	return slices.ContainsFunc([]string{"tls: ", "x509: ", "HTTP response to HTTPS client"}, func(s string) bool { return strings.Contains(err.Error(), s) })
}
