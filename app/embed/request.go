package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

const (
	// tries of one request, with a pause of firstWait before the second and twice that
	// before the third, or as long as the server asks for; never past the timeout.
	tries     = 3
	firstWait = 200 * time.Millisecond
	// mostAnswer bounds an answer, in bytes: 32 vectors of 8,192 numbers of 25 digits
	// are 7 MB.
	mostAnswer = 16 << 20
	// mostRefusal bounds what is read of an answer that is an error.
	mostRefusal = 64 << 10
)

// vectors makes one vector for each text, all of one length. On an error it returns
// those of the parts that came before it: a server that is too slow for one question
// has them for the next.
func (c *Client) vectors(ctx context.Context, texts []string) (out []Vector, err error) {
	began := c.o.Now()
	if !c.pause.over(began) {
		c.count("paused", 0, 0)
		return nil, ErrPaused
	}
	for part := range slices.Chunk(texts, c.cfg.Batch) {
		got, err := c.part(ctx, part)
		if err == nil && len(out) > 0 && len(got[0]) != len(out[0]) {
			err = unusable("vectors of one model differ in length")
		}
		if err != nil {
			c.fail(ctx, err, len(texts), began)
			return out, err
		}
		out = append(out, got...)
	}
	c.pause.worked()
	c.count("made", len(texts), c.o.Now().Sub(began))
	return out, nil
}

// fail counts a failure, unless it is the caller's own or the budget's.
func (c *Client) fail(ctx context.Context, err error, texts int, began time.Time) {
	now := c.o.Now()
	switch {
	case errors.Is(err, ErrCapped):
		c.count("capped", 0, 0)
	case ctx.Err() == nil || errors.Is(context.Cause(ctx), errSlow):
		var t trouble
		if errors.As(err, &t); !t.this {
			c.pause.failed(now, t.after)
		}
		c.count("failed", texts, now.Sub(began))
	}
}

func (c *Client) count(outcome string, texts int, took time.Duration) {
	if c.o.Meter != nil {
		c.o.Meter.Embedded(outcome, texts, took)
	}
}

// part sends one request, again where that may help and there is time.
func (c *Client) part(ctx context.Context, texts []string) ([]Vector, error) {
	for try := 1; ; try++ {
		got, err := c.once(ctx, texts)
		var t trouble
		if err == nil || !errors.As(err, &t) || !t.again || try == tries {
			return got, err
		}
		pause := max(firstWait<<(try-1), t.after)
		if end, ok := ctx.Deadline(); ok && time.Until(end) <= pause {
			return nil, err
		}
		if c.o.Wait(ctx, pause) != nil {
			return nil, c.ended(ctx, err)
		}
	}
}

// ended is the error of a context that ended: ours where the time is up.
func (c *Client) ended(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errSlow) {
		return ctx.Err()
	}
	return err
}

// tokensIn is the most tokens that texts can have: no tokenizer makes more of a
// text than it has bytes, but for two that begin and end it.
func tokensIn(texts []string) (n int) {
	for _, t := range texts {
		n += len(t) + 2
	}
	return n
}

// once sends one request within the budget.
func (c *Client) once(ctx context.Context, texts []string) ([]Vector, error) {
	most := tokensIn(texts)
	if c.o.Budget != nil {
		if err := c.o.Budget.Reserve(ctx, most); err != nil {
			return nil, ErrCapped
		}
	}
	got, used, err := c.send(ctx, texts)
	if c.o.Budget != nil {
		if used <= 0 || used > most {
			used = most // the server does not say, or cannot be right
		}
		c.o.Budget.Settle(context.WithoutCancel(ctx), most, used)
	}
	return got, err
}

// send sends one request and reads its answer, and says how many tokens the server
// counted, 0 where it does not say.
func (c *Client) send(ctx context.Context, texts []string) (_ []Vector, used int, err error) {
	encoding := "float"
	if c.cfg.Base64 {
		encoding = "base64"
	}
	body, err := json.Marshal(map[string]any{"model": c.cfg.Model, "input": texts, "encoding_format": encoding})
	if err != nil {
		return nil, 0, fmt.Errorf("embed: write the request: %w", err) // unreachable: strings always marshal
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return nil, 0, ErrAddress
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "cardkeeper")
	if c.cfg.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.cfg.Key)
	}
	status, header, answer, err := c.exchange(r)
	switch {
	case err != nil:
		return nil, 0, err
	case status != http.StatusOK:
		return nil, 0, refused(status, header, answer, c.o.Now())
	}
	return read(answer, len(texts))
}

// exchange is one round trip with a bounded answer.
func (c *Client) exchange(r *http.Request) (int, http.Header, []byte, error) {
	response, err := c.http.Do(r)
	if err != nil {
		return 0, nil, nil, c.broken(r.Context(), err)
	}
	defer response.Body.Close()
	most := int64(mostAnswer)
	if response.StatusCode != http.StatusOK {
		most = mostRefusal
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	switch {
	case err != nil:
		return 0, nil, nil, c.broken(r.Context(), err)
	case int64(len(body)) > most && response.StatusCode == http.StatusOK:
		return 0, nil, nil, unusable("it is longer than 16 MB")
	}
	return response.StatusCode, response.Header, body, nil
}

// broken is the error of a round trip that came to no end.
func (c *Client) broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		if cause := context.Cause(ctx); errors.Is(cause, errSlow) {
			return unreached(errSlow)
		}
		return ctx.Err()
	}
	return unreached(err)
}
