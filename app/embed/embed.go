// Package embed asks a server how near texts are to a question in meaning. It
// speaks POST {base}/v1/embeddings, as OpenAI defined it and as Ollama, llama.cpp,
// vLLM and hosted services serve it. It is off unless an operator names a server.
//
// What comes out only puts facts in order (law 9), so nothing here ever stops an
// answer: each error means that the question is answered without it. What goes in
// must have been scanned by the caller (law 8); it leaves the machine as it is.
//
// # What the servers do differently
//
//   - The base stands with or without "/v1" and a slash at its end. Some have the
//     endpoint under another path; an address that ends in /embeddings is taken
//     as it is.
//   - "usage" may be missing, and then what was sent is counted.
//   - The vectors may come in any order, which "index" tells, or without "index"
//     and then in the order of the texts.
//   - Text Embeddings Inference takes 32 texts in one request and llama.cpp as many as
//     it has room for; too many are refused with 400, 413, 422 or 500.
//   - A model that is not there is 404 with an error in JSON; an address that is not
//     there is 404 without. llama.cpp serves the one model that it was started
//     with whatever is asked for, and says 501 if that was not for embeddings.
//   - A vector that could not be made holds null (llama.cpp), or is all zeros.
//   - Vectors differ in length: not all are of unit length.
//
// # What is promised
//
// One question costs one request of at most 32 texts of at most 600 bytes, in parts
// where the server takes fewer at a time; vectors of facts are kept, so that
// it is mostly fewer. A second request is sent only where the model was exchanged
// under its name. Redirects are not followed: the key and the texts go to the one
// address that the operator wrote down. Error texts hold neither the key nor a word
// of the server's, which may quote what it was sent.
package embed

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// Defaults and bounds of the settings.
const (
	// DefaultWeight makes a cosine of 1 worth as much as the keyword score of the
	// best fact: halves, as they were measured best among weighted sums.
	DefaultWeight = 100
	// MostWeight lets meaning alone decide between facts that pass the floor.
	MostWeight = 1000
	// DefaultBatch is the least limit among the usual servers, and as many texts as
	// one question has.
	DefaultBatch = 32
	// MostBatch is far more than a question has.
	MostBatch = 2048
	// DefaultTimeout is for a small model on a machine without a graphics card.
	DefaultTimeout = 5 * time.Second
	// MostTimeout leaves room for the three slow questions after which there is a
	// pause, within the fifty seconds that the App has for a comment.
	MostTimeout = 10 * time.Second
)

// Config says which server is asked, and how. The zero value is none.
type Config struct {
	URL     string        // the server's base address, with or without /v1
	Model   string        // the model's name at the server
	Key     string        // sent as a bearer token; "" is none
	Weight  int           // of the cosine beside the keyword score, in hundredths
	Batch   int           // texts in one request
	Timeout time.Duration // for all that one question asks for

	// QuestionPrefix and FactPrefix stand before each text: some models want to be
	// told which is which, such as "search_query: " and "search_document: ".
	QuestionPrefix, FactPrefix string
	Base64                     bool // ask for vectors as base64, which is half as long
}

// On reports whether a server is named.
func (c Config) On() bool { return c.URL != "" }

// A Budget bounds what is spent, in tokens. Nobody needs one; with one, no request
// is sent that it does not allow.
type Budget interface {
	// Reserve is called before a request with the most that it can cost. An error
	// means that nothing is sent.
	Reserve(ctx context.Context, tokens int) error
	// Settle is called after it with what was reserved and what the server counted.
	Settle(ctx context.Context, reserved, used int)
}

// A Meter counts what is asked of the server: an outcome (made, failed, paused,
// capped), how many texts were sent, and how long it took.
type Meter interface {
	Embedded(outcome string, texts int, took time.Duration)
}

// Options are what a Client may be given beside its settings. All may be left out.
type Options struct {
	Budget Budget
	Meter  Meter
	Now    func() time.Time                                 // nil is time.Now
	Wait   func(ctx context.Context, d time.Duration) error // between two tries; nil waits
}

// A Client asks one server. It is safe for concurrent use, and is shared by all who
// ask, so that one pause holds for all.
type Client struct {
	cfg     Config
	address string
	http    *http.Client
	o       Options
	pause   pause
}

// New makes a client. Nothing is sent before the first question.
func New(cfg Config, o Options) (*Client, error) {
	address, err := Address(cfg.URL)
	if err != nil {
		return nil, fmt.Errorf("embed.New: %w", err)
	}
	if cfg.Key != "" && (!Sendable(cfg.Key) || Plain(cfg.URL)) {
		return nil, fmt.Errorf("embed.New: %w", ErrKey)
	}
	if cfg.Batch <= 0 {
		cfg.Batch = DefaultBatch
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = 64 << 10
	transport.MaxConnsPerHost = mostConnections
	return &Client{cfg: cfg, address: address, o: o, http: &http.Client{
		Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// mostConnections keeps a burst of questions from being a burst for a small server.
const mostConnections = 4

// wait sleeps, unless ctx ends first.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
