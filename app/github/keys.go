package github

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

// refusal is GitHub's clock at a 401, and whether err is one.
func refusal(err error) (time.Time, bool) {
	var f *failure
	if !errors.As(err, &f) || f.status != http.StatusUnauthorized {
		return time.Time{}, false
	}
	return f.date, true
}

// again sends a request whose App token was refused with another one: by the
// corrected clock where GitHub's differs, then with each other key. Both may be
// the cause at once. It gives the last answer, and remembers the key that worked.
func (a *appGate) again(req *http.Request, token string, date time.Time) (*http.Response, error) {
	order := a.signer.order(token)
	if !a.signer.learn(date, token) {
		order = order[1:] // the clock is right, so this key is wrong
	}
	var resp *http.Response
	err := error(&failure{method: req.Method, status: http.StatusUnauthorized, date: date, kinds: []error{ErrUnauthorized}})
	for _, key := range order {
		next, ok := replay(req)
		token, failed := a.signer.sign(key)
		if !ok || failed != nil {
			break
		}
		next.Header.Set("Authorization", "Bearer "+token)
		resp, err = a.next.send(next, a.app)
		if _, refused := refusal(err); !refused {
			a.signer.settle(key, err)
			break
		}
	}
	return resp, err
}

// order is the places of all keys, the one that signed the token first. Another
// request may have changed the key in use meanwhile, so the token itself tells.
func (s *signer) order(token string) []int {
	var order []int
	for i := range s.keys {
		if s.signed(i, token) {
			order = append([]int{i}, order...)
		} else {
			order = append(order, i)
		}
	}
	return order
}

func (s *signer) signed(key int, token string) bool {
	end := strings.LastIndexByte(token, '.')
	return end > 0 && jwt.SigningMethodRS256.Verify(token[:end], token[end+1:], &s.keys[key].PublicKey) == nil
}

// settle makes the key that GitHub took the one that signs, and says so once a
// change. A failure that says nothing of the key, such as a broken connection,
// changes nothing.
func (s *signer) settle(key int, err error) {
	var f *failure
	if errors.As(err, &f) && f.status == 0 {
		return
	}
	if before := s.use.Swap(int32(key)); before != int32(key) && s.log != nil {
		s.log.Warn("github: the private key was refused, another of key_file is taken; remove the one that is no more valid",
			"refused", fmt.Sprintf("%d of %d", before+1, len(s.keys)), "taken", fmt.Sprintf("%d of %d", key+1, len(s.keys)))
	}
}

// note keeps GitHub's clock as the last answer to an App token told it.
func (s *signer) note(resp *http.Response, err error) {
	var f *failure
	date := time.Time{}
	switch {
	case errors.As(err, &f):
		date = f.date
	case resp != nil:
		date, _ = http.ParseTime(resp.Header.Get("Date"))
	}
	if !date.IsZero() {
		s.seen.Store(&clock{date.Sub(s.now())})
	}
}

// clock is a difference between two clocks.
type clock struct{ ahead time.Duration }

// Skew is how far GitHub's clock was ahead of ours at the last request as the
// App, to about a second and the time of the request; false before the first
// answer. App tokens are signed by GitHub's clock, so they bear any difference.
func (a *App) Skew() (time.Duration, bool) {
	c := a.signer.seen.Load()
	if c == nil {
		return 0, false
	}
	return c.ahead, true
}
