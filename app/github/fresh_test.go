package github

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// tagged is an answer with a tag.
func tagged(a answer, tag string) answer {
	a.header = map[string]string{"ETag": tag}
	return a
}

func unchanged() answer { return answer{status: 304} }

// What is asked for again costs nothing where it is as it was.
func TestWhatMayChangeIsAskedForByItsTag(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on(pullRoute, tagged(aPull(), `W/"1"`), unchanged(), tagged(ok(object{"number": 1, "head": object{"sha": sha("b")}}), `W/"2"`), unchanged())
	c := h.client()
	for _, want := range []string{sha("a"), sha("a"), sha("b"), sha("b")} {
		if p, err := c.Pull(t.Context(), here, 1); err != nil || p.Head.SHA != want {
			t.Errorf("head %q, %v, want %q", p.Head.SHA, err, want)
		}
	}
	if got := strings.Join(h.tags, " "); got != ` W/"1" W/"1" W/"2"` {
		t.Errorf("tags sent: %q", got)
	}
}

func TestEachPageHasItsTag(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	first := answer{200, map[string]string{"ETag": `"1"`, "Link": `<HUB/repos/o/r/pulls?page=2>; rel="next"`}, []object{{"number": 1}}}
	h.on("GET /repos/o/r/pulls", first, tagged(ok([]object{{"number": 2}}), `"2"`), unchanged(), tagged(ok([]object{{"number": 2}, {"number": 3}}), `"3"`))
	c := h.client()
	for _, want := range []int{2, 3} {
		list, err := c.OpenPulls(t.Context(), here)
		if err != nil || len(list) != want || list[0].Number != 1 {
			t.Errorf("%+v, %v, want %d", list, err, want)
		}
	}
}

func TestTagsAreOfOneTokenAndOneInstallation(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on(pullRoute, tagged(aPull(), `"1"`))
	a := h.app()
	for _, c := range []*Client{a.For(5, 9, Reading), a.For(5, 9, Publishing), a.For(6, 9, Reading)} {
		if _, err := c.Pull(t.Context(), here, 1); err != nil {
			t.Fatal(err)
		}
	}
	a.Forget(5)
	if _, err := a.For(5, 9, Reading).Pull(t.Context(), here, 1); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(h.tags, ""); got != "" {
		t.Errorf("tags sent: %q", got)
	}
	if _, err := a.For(6, 9, Reading).Background().Pull(t.Context(), here, 1); err != nil || h.tags[4] != `"1"` {
		t.Errorf("the installation that was not forgotten sends %q, %v", h.tags[4], err)
	}
}

// Comments are texts of people: they are read each time and kept nowhere.
func TestNothingIsKeptOfComments(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("GET /repos/o/r/issues/3/comments", tagged(ok([]object{{"id": 1, "body": "private words"}}), `"1"`))
	a := h.app()
	for range 2 {
		if _, err := a.Installation(5).Comments(t.Context(), here, 3); err != nil {
			t.Fatal(err)
		}
	}
	if h.tags[1] != "" || len(a.kept.items) != 0 {
		t.Errorf("tag %q, %d answers kept", h.tags[1], len(a.kept.items))
	}
}

// A 304 that nobody asked for says nothing.
func TestAnUnaskedUnchangedIsNoAnswer(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on(pullRoute, unchanged())
	if _, err := h.client().Pull(t.Context(), here, 1); !errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
}

func TestAMergeBaseIsAskedForOnce(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	route := "GET /repos/o/r/compare/" + sha("a") + "..." + sha("b")
	h.on(route, ok(object{"merge_base_commit": object{"sha": sha("c")}}))
	a := h.app()
	for _, duty := range []Duty{Reading, Committing} {
		if id, err := a.For(5, 9, duty).MergeBase(t.Context(), here, sha("a"), sha("b")); err != nil || id != sha("c") {
			t.Errorf("%s, %v", id, err)
		}
	}
	if n := h.count(route); n != 1 {
		t.Errorf("asked %d times", n)
	}
	other := here
	other.ID = 10 // another repository must ask for itself, whatever its name is now
	if _, err := a.For(5, 10, Reading).MergeBase(t.Context(), other, sha("a"), sha("b")); err != nil || h.count(route) != 2 {
		t.Errorf("asked %d times, %v", h.count(route), err)
	}
}

// 2A-67: one look-up for all that ask within a minute, also where there is nothing.
func TestAnInstallationIsLookedUpOnceAMinute(t *testing.T) {
	t.Parallel()
	h, a, clock := limitHub(t)
	h.on("GET /repositories/9/installation", ok(object{"id": 6}), ok(object{"id": 7}))
	h.on("GET /repositories/10/installation", refuse(404, "Not Found"))
	ask := func(want int64) {
		t.Helper()
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if id, err := a.InstallationOf(t.Context(), 9); err != nil || id != want {
					t.Errorf("%d, %v, want %d", id, err, want)
				}
				if _, err := a.InstallationOf(t.Context(), 10); !errors.Is(err, ErrNotFound) {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	ask(6)
	if n := len(h.calls); n != 2 {
		t.Errorf("%d look-ups, want one of each", n)
	}
	clock.pass(time.Minute)
	ask(7)
	if n := len(h.calls); n != 4 {
		t.Errorf("%d look-ups after a minute, want 4", n)
	}
	a.Forget(7)
	if _, err := a.InstallationOf(t.Context(), 9); err != nil || len(h.calls) != 5 {
		t.Errorf("%d look-ups after an event of the account, %v", len(h.calls), err)
	}
}

func TestWhatWasUsedLastIsKept(t *testing.T) {
	t.Parallel()
	c := newLRU[string](10, func(n int) int { return n })
	c.put("a", 4)
	c.put("b", 4)
	c.get("a")
	c.put("c", 4) // b goes
	c.put("huge", 11)
	for key, want := range map[string]bool{"a": true, "b": false, "c": true, "huge": false} {
		if _, ok := c.get(key); ok != want {
			t.Errorf("%s is kept: %v", key, ok)
		}
	}
	c.put("a", 1)
	if c.weight != 5 || c.order.Len() != 2 {
		t.Errorf("weight %d of %d", c.weight, c.order.Len())
	}
	if v := c.obtain("huge", func() int { return 11 }); v != 11 || c.order.Len() != 1 {
		t.Errorf("obtained %d, %d kept", v, c.order.Len())
	}
	c.drop(func(string) bool { return true })
	if c.weight != 0 || c.order.Len() != 0 {
		t.Errorf("weight %d of %d after all was dropped", c.weight, c.order.Len())
	}
}
