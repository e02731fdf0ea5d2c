package github

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// 2A-28: how long to wait, by status, headers and body.
func TestLimitsSayHowLongToWait(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	date := now.UTC().Format(http.TimeFormat)
	for _, tc := range []struct {
		name   string
		status int
		header map[string]string
		body   string
		want   time.Duration
	}{
		{"retry-after to the second", 403, map[string]string{"Retry-After": "137"}, "", 137 * time.Second},
		{"retry-after on 429", 429, map[string]string{"Retry-After": "7"}, "", 7 * time.Second},
		{"retry-after wins over the reset", 429, map[string]string{"Retry-After": "7", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700001000"}, "", 7 * time.Second},
		{"retry-after as a date", 429, map[string]string{"Retry-After": now.Add(90 * time.Second).UTC().Format(http.TimeFormat)}, "", 90 * time.Second},
		{"reset of the primary limit", 403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000600"}, "", 600 * time.Second},
		{"a reset that has passed", 403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1600000000"}, "", time.Second},
		{"bare text of a secondary limit", 403, nil, `{"message":"You have exceeded a secondary rate limit."}`, time.Minute},
		{"bare text of the old wording", 403, nil, `{"message":"You have triggered an abuse detection mechanism."}`, time.Minute},
		{"bare 429", 429, nil, "<html>", time.Minute},
		{"a reset with calls left is no wait", 429, map[string]string{"X-RateLimit-Remaining": "12", "X-RateLimit-Reset": "1700000600"}, "", time.Minute},
		{"an absurd wait", 429, map[string]string{"Retry-After": "999999999999"}, "", 24 * time.Hour},
		{"a negative wait", 429, map[string]string{"Retry-After": "-5"}, "", time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t)
			h.now = func() time.Time { return now }
			head := map[string]string{"Date": date}
			for k, v := range tc.header {
				head[k] = v
			}
			h.on("POST /app/installations/5/access_tokens", answer{201, nil, object{"token": token(1), "expires_at": time.Now().Add(time.Hour)}})
			h.on("GET /repos/o/r/pulls/1", answer{tc.status, head, tc.body})
			_, err := h.client().Pull(t.Context(), here, 1)
			var l *Limited
			if !errors.As(err, &l) || l.After != tc.want {
				t.Errorf("got %v, want a wait of %v", err, tc.want)
			}
			if n := h.count("GET /repos/o/r/pulls/1"); n != 1 {
				t.Errorf("%d calls: going on while limited prolongs the limit", n)
			}
		})
	}
}

func TestStatusesBecomeErrorsThatSayNothingElse(t *testing.T) {
	t.Parallel()
	const secret = "confidential words"
	for _, tc := range []struct {
		status  int
		message string
		want    error
		not     error
	}{
		{403, "Resource not accessible by integration", ErrForbidden, ErrSuspended},
		{403, "Repository was archived so is read-only.", ErrArchived, ErrSuspended},
		{403, "This installation has been suspended", ErrSuspended, ErrArchived},
		{403, "Invalid app_id `1` - check run can only be modified by the GitHub App that created it.", ErrNotOurs, ErrArchived},
		{404, "Not Found", ErrNotFound, ErrForbidden},
		{410, "Gone", ErrNotFound, nil},
		{409, "Git Repository is empty.", ErrConflict, ErrNotFound},
		{422, "Validation Failed", ErrInvalid, nil},
		{406, "too large", ErrInvalid, nil},
		{451, "DMCA", ErrForbidden, nil},
		{500, "oops", ErrUnavailable, ErrNotFound},
		{502, "Bad Gateway", ErrUnavailable, nil},
		{304, "", ErrUnavailable, nil},
	} {
		h := newHub(t)
		h.on("GET /repos/o/r/pulls/1", refuse(tc.status, tc.message+" "+secret))
		_, err := h.client().Pull(t.Context(), here, 1)
		if !errors.Is(err, tc.want) || tc.not != nil && errors.Is(err, tc.not) {
			t.Errorf("%d %q: %v", tc.status, tc.message, err)
		}
		if tc.status == 403 && !errors.Is(err, ErrForbidden) {
			t.Errorf("%q is not ErrForbidden", tc.message)
		}
		for _, leak := range []string{secret, token(1), h.srv.URL, "/o/r", "Bearer"} {
			if strings.Contains(err.Error(), leak) {
				t.Errorf("%d: the error shows %q: %v", tc.status, leak, err)
			}
		}
		if !strings.HasPrefix(err.Error(), "GET /repos/{owner}/{repo}/pulls/{pull_number}: ") {
			t.Errorf("%d: the error does not name the call: %v", tc.status, err)
		}
	}
}

// 2A-31: the library underneath would follow a redirected POST as a GET.
func TestAMovedWriteArrivesOnceAsAWrite(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 303, 307, 308} {
		h := newHub(t)
		moved := answer{status, map[string]string{"Location": "HUB/repositories/9/issues/comments/3/reactions"}, object{"message": "Moved Permanently"}}
		h.on("POST /repos/o/r/issues/comments/3/reactions", moved)
		h.on("GET /repositories/9", ok(object{"id": 9, "name": "new", "owner": object{"login": "org"}}))
		h.on("POST /repos/org/new/issues/comments/3/reactions", answer{201, nil, object{}})
		if err := h.client().React(t.Context(), here, 3, "eyes"); err != nil {
			t.Errorf("%d: %v", status, err)
		}
		want := []string{"POST /repos/o/r/issues/comments/3/reactions", "GET /repositories/9", "POST /repos/org/new/issues/comments/3/reactions"}
		if strings.Join(h.calls, "\n") != strings.Join(want, "\n") {
			t.Errorf("%d: calls %q", status, h.calls)
		}
		if got := h.sent["POST /repos/org/new/issues/comments/3/reactions"][0]; !strings.Contains(got, "eyes") {
			t.Errorf("%d: body %q", status, got)
		}
	}
}

func TestAMovedWriteThatStaysMovedIsAnError(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("POST /repos/o/r/issues/comments/3/reactions", answer{301, map[string]string{"Location": "HUB/x"}, nil})
	h.on("GET /repositories/9", ok(object{"id": 9, "name": "r", "owner": object{"login": "o"}}))
	c := h.client()
	if err := c.React(t.Context(), here, 3, "eyes"); !errors.Is(err, ErrMoved) {
		t.Error(err)
	}
	nameless := here
	nameless.ID = 0
	if err := c.React(t.Context(), nameless, 3, "eyes"); !errors.Is(err, ErrMoved) {
		t.Error(err)
	}
}

func TestReadsFollowWithinTheHostOnly(t *testing.T) {
	t.Parallel()
	seen := make(chan string, 10)
	foreign := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen <- r.Header.Get("Authorization") }))
	t.Cleanup(foreign.Close)
	h := newHub(t)
	h.on("GET /repos/o/r/pulls/1", answer{301, map[string]string{"Location": "/repositories/9/pulls/1"}, nil})
	h.on("GET /repositories/9/pulls/1", ok(object{"number": 1, "head": object{"sha": sha("a")}}))
	h.on("GET /repos/o/r/pulls/2", answer{302, map[string]string{"Location": foreign.URL + "/steal"}, nil})
	h.on("GET /repos/o/r/pulls/3", answer{302, map[string]string{"Location": "/repos/o/r/pulls/3"}, nil})
	h.on("GET /repos/o/r/pulls/4", answer{302, nil, nil})
	c := h.client()
	if p, err := c.Pull(t.Context(), here, 1); err != nil || p.Number != 1 {
		t.Errorf("a redirect within the host: %+v, %v", p, err)
	}
	for _, n := range []int{2, 3, 4} {
		if _, err := c.Pull(t.Context(), here, n); !errors.Is(err, ErrMoved) {
			t.Errorf("pull %d: %v", n, err)
		}
	}
	if len(seen) > 0 {
		t.Errorf("another host was asked, with credentials %q", <-seen)
	}
	if n := h.count("GET /repos/o/r/pulls/3"); n != maxHops+1 {
		t.Errorf("a redirect loop was followed %d times", n)
	}
}

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("GET /repositories/9", ok(`{"id":9,"name":"`+strings.Repeat("x", int(maxBody))+`"}`))
	if _, err := h.client().Repository(t.Context(), 9); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}

func TestAnAnswerThatMakesNoSenseIsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "null", "{}", "[]", "<html>", `{"number":1,"head":{"sha":"main"}}`, `{"number":1,"head":{"sha":"` + sha("a")} {
		h := newHub(t)
		h.on("GET /repos/o/r/pulls/1", ok(body))
		if _, err := h.client().Pull(t.Context(), here, 1); !errors.Is(err, ErrUnavailable) {
			t.Errorf("body %q: %v", body, err)
		}
	}
}

func TestABrokenConnectionIsUnavailableAndACancelIsTheCallers(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	c := h.client()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Pull(ctx, here, 1); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnavailable) {
		t.Errorf("cancelled: %v", err)
	}
	h.srv.Close()
	if _, err := c.Pull(t.Context(), here, 1); !errors.Is(err, ErrUnavailable) || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("no connection: %v", err)
	}
}

func TestNamesCannotLeaveTheirPlaceInThePath(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("GET /repos/o/r/collaborators/a%2F..%2Fb/permission", ok(object{"permission": "read"}))
	c := h.client()
	if _, err := c.Permission(t.Context(), here, "a/../b"); err != nil {
		t.Error(err)
	}
	for _, login := range []string{"", ".", ".."} {
		if _, err := c.Permission(t.Context(), here, login); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", login, err)
		}
	}
}
