package github

import (
	"context"
	"errors"
	"strconv"
	"time"
)

// Limited says that GitHub's rate limit is reached. Going on before After has
// passed prolongs the limit.
type Limited struct {
	After time.Duration // at least a second

	bare    bool // no time was named
	primary bool // the hour's requests are used up
}

func (l *Limited) Error() string {
	return "rate limit reached; wait " + l.After.Round(time.Second).String()
}

// failure is a request that GitHub did not answer with success.
type failure struct {
	method string
	route  string // pattern, without any name or id; "" until the operation fills it
	status int    // 0 where no answer came
	kinds  []error
	date   time.Time // GitHub's clock at the answer, zero if not said
	token  bool      // the request was for an installation token
}

func (f *failure) Error() string {
	s := f.method + " " + f.route
	if f.status != 0 {
		s += ": " + strconv.Itoa(f.status)
	}
	for _, k := range f.kinds[max(0, len(f.kinds)-1):] {
		s += ": " + k.Error()
	}
	return s
}

func (f *failure) Unwrap() []error { return f.kinds }

// explain turns any error of the layers below into one that shows the call and
// nothing else. Their own texts hold addresses and quote answers.
func explain(ctx context.Context, method, route string, err error) error {
	if err == nil {
		return nil
	}
	var f *failure
	if errors.As(err, &f) {
		own := *f
		if own.route == "" {
			own.method, own.route = method, route
		}
		if ctx.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
			own.kinds = []error{ErrUnavailable} // our own time-out, not the caller's
		}
		return &own
	}
	kind := ErrUnavailable
	switch {
	case ctx.Err() != nil:
		kind = ctx.Err()
	case errors.Is(err, ErrTooLarge):
		kind = ErrTooLarge
	}
	return &failure{method: method, route: route, kinds: []error{kind}}
}
