package webhooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/webhooks/event"
)

const (
	// MaxBody is GitHub's own cap on a payload, 25 MB, read as the larger 25 MiB. An event beyond it is not sent at all.
	MaxBody = 25 << 20

	// acceptTimeout leaves two of GitHub's ten seconds for the network. An Enterprise Server waits for thirty.
	acceptTimeout = 8 * time.Second

	// retryAfter, in seconds, is for whatever stands between; GitHub itself does not retry.
	retryAfter = "30"

	maxEvent = 64 // the longest today has 36
)

// The keys of the log lines. There is no other text in them: no login, no body, no header that was not checked.
const (
	LogDelivery     = "delivery"
	LogEvent        = "event"
	LogInstallation = "installation"
	LogRepository   = "repository"
	LogStatus       = "status"
	LogWork         = "work"
	LogReason       = "reason"
	LogStack        = "stack"
)

var (
	// ErrSecret means that a handler without a proper secret was asked for. It would take anybody's word.
	ErrSecret = errors.New("the webhook secret is missing or blank: set the one from the App's settings page")

	// ErrApp means that our own App id is missing, without which our echoes cannot be told from a person's wish.
	ErrApp = errors.New("the App id is missing: set the number from the App's settings page")
)

// Handler answers GitHub's deliveries. Several secrets may be valid at once, so that one can be replaced without a gap; each
// must be non-blank ([ErrSecret], which names the place in the list and not the value).
//
// The answers: 202 stored, 200 stored before, 204 nothing to do; 405 no POST, 413 over [MaxBody], 401 not signed, 400 not a
// delivery of an App, 503 could not store it, 500 a fault of ours. They are short plain text and repeat nothing that came in.
// A body is read only if the request carries a signature, and parsed only if it is the right one. It must be reachable
// without a redirect, which GitHub counts as a failure. Each answer is told to all of watch before it is sent.
func Handler(secrets []string, self App, inbox Inbox, log *slog.Logger, watch ...func(Answered)) (http.Handler, error) {
	h := &handler{self: self, inbox: inbox, log: log, watch: watch}
	if len(secrets) == 0 {
		return nil, fmt.Errorf("webhooks.Handler: %w", ErrSecret)
	}
	for i, s := range secrets {
		if strings.TrimSpace(s) == "" {
			return nil, fmt.Errorf("webhooks.Handler: secret %d of %d: %w", i+1, len(secrets), ErrSecret)
		}
		h.secrets = append(h.secrets, []byte(s))
	}
	if self.ID <= 0 {
		return nil, fmt.Errorf("webhooks.Handler: %w", ErrApp)
	}
	return h, nil
}

// handler is safe for concurrent use: nothing in it changes after it was built.
type handler struct {
	secrets [][]byte
	self    App
	inbox   Inbox
	log     *slog.Logger
	watch   []func(Answered)
}

// reply is an answer and the log line that goes with it. The attributes are ids and words that were checked, nothing else.
type reply struct {
	status  int
	outcome Outcome
	text    string
	attrs   []any
	event   string // one that is known, or ""
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begun := time.Now()
	out := h.answer(w, r)
	for _, tell := range h.watch {
		tell(Answered{Event: out.event, Outcome: out.outcome, Took: time.Since(begun)})
	}
	head := w.Header()
	head.Set("X-Content-Type-Options", "nosniff")
	switch out.status {
	case http.StatusMethodNotAllowed:
		head.Set("Allow", http.MethodPost)
	case http.StatusServiceUnavailable:
		head.Set("Retry-After", retryAfter)
	}
	if out.text != "" {
		head.Set("Content-Type", "text/plain; charset=utf-8")
	}
	h.log.Log(r.Context(), level(out.status), "delivery", append(out.attrs, LogStatus, out.status)...)
	w.WriteHeader(out.status)
	_, _ = io.WriteString(w, out.text) // a caller that has gone away is no matter of ours
}

// level keeps the many deliveries that want nothing out of an ordinary log, and makes what an operator must mend stand out.
func level(status int) slog.Level {
	switch {
	case status >= 500:
		return slog.LevelError
	case status >= 400:
		return slog.LevelWarn
	case status == http.StatusNoContent:
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// answer goes from the cheap to the dear: nothing is read, parsed or stored for a caller who failed before.
func (h *handler) answer(w http.ResponseWriter, r *http.Request) (out reply) {
	defer func() {
		if v := recover(); v != nil {
			// The value may quote its input; its type and the stack do not.
			out = reply{status: http.StatusInternalServerError, outcome: Panicked, text: "internal error\n",
				attrs: []any{LogReason, fmt.Sprintf("panic: %T", v), LogStack, string(debug.Stack())}}
		}
	}()
	body, refusal := h.verified(w, r)
	if refusal != nil {
		return *refusal
	}
	guid, name := r.Header.Get("X-GitHub-Delivery"), r.Header.Get("X-GitHub-Event")
	if !isGUID(guid) || !word(name, maxEvent, "_") {
		return refuse(http.StatusBadRequest, Malformed, "X-GitHub-Delivery or X-GitHub-Event is missing or no such header of GitHub's")
	}
	e, err := event.Parse(name, body)
	switch {
	case errors.Is(err, event.ErrUnknown):
		return nothing(guid, plain(name))
	case err != nil:
		out = refuse(http.StatusBadRequest, Malformed, err.Error()+advice(r), LogDelivery, guid, LogEvent, name)
	default:
		out = h.store(r.Context(), guid, e)
	}
	out.event = name
	return out
}

// advice names the one cause of a malformed body that a person can mend.
func advice(r *http.Request) string {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/x-www-form-urlencoded" {
		return ": set the webhook's content type to application/json"
	}
	return ""
}

// store plans and hands over. Where nothing is wanted no row is written: most deliveries of a busy account are of that kind,
// and there is nothing that a redelivery of them could repeat.
func (h *handler) store(ctx context.Context, guid string, e event.Event) reply {
	work := Plan(e, h.self)
	if len(work) == 0 {
		return nothing(guid, e.String())
	}
	attrs := []any{LogDelivery, guid, LogEvent, e.String(), LogInstallation, e.Installation, LogRepository, e.Repository, LogWork, work[0].Kind}
	ctx, cancel := context.WithTimeout(ctx, acceptTimeout)
	defer cancel()
	fresh, err := h.inbox.Accept(ctx, delivery(guid, e), work)
	switch {
	case err != nil:
		// What was to be stored holds no text, so the error of storing it can quote none.
		return reply{status: http.StatusServiceUnavailable, outcome: Unstored, text: "not stored: deliver it again\n", attrs: append(attrs, LogReason, err.Error())}
	case fresh:
		return reply{status: http.StatusAccepted, outcome: Fresh, text: "stored\n", attrs: attrs}
	}
	return reply{status: http.StatusOK, outcome: Duplicate, text: "stored before\n", attrs: attrs}
}

// nothing is the answer to what is fine and wants no work. A status of 2xx, or GitHub would list it as failed.
func nothing(guid, name string) reply {
	return reply{status: http.StatusNoContent, outcome: Nothing, attrs: []any{LogDelivery, guid, LogEvent, name}}
}

// refuse tells the caller and the log the same; the text is ours.
func refuse(status int, o Outcome, text string, attrs ...any) reply {
	return reply{status: status, outcome: o, text: text + "\n", attrs: append(attrs, LogReason, text)}
}
