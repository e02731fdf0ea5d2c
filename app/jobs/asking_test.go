package jobs

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/checker"
)

// hands is a clock that a test moves.
type hands struct {
	mu sync.Mutex
	at time.Time
}

func (h *hands) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at
}

func (h *hands) move(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = h.at.Add(d)
}

// Over the limit a person is told once when to ask again, and then nothing until then.
func TestOneWhoAsksTooMuchIsToldOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		clock := &hands{at: time.Date(2026, 3, 1, 12, 0, 30, 0, time.UTC)}
		w := newWorld(t, options{url: url, asking: store.AskLimits{Person: 2, Repository: 6}, now: clock.now})
		number, _ := w.open("topic", docs("x"))
		check(t, w.repo.SetPermission("triager", "triage"))
		w.settled()
		for i, step := range []struct {
			after       time.Duration
			login, body string
			want        string // a piece of the new reply; "" is silence
		}{
			{0, "mallory", question, "refuses every other"},
			{time.Minute, "mallory", question + "\n/ask Which PostgreSQL is needed?\n/ask", "**Question 3**"}, // begun below the limit
			{time.Minute, "mallory", question, "Ask again from 13:02 UTC on"},
			{time.Minute, "mallory", question, ""},
			{0, "ada", question, "refuses every other"}, // another person
			{0, "ada", question, "refuses every other"},
			{time.Minute, "triager", question, "Ask again from 13:01 UTC on"}, // the repository's limit
			{0, "triager", question, ""},
			{58 * time.Minute, "mallory", question, "refuses every other"},
		} {
			clock.move(step.after)
			before := len(w.replies(number))
			id := must(w.repo.Comment(number, step.login, step.body))(t)
			guid := w.settled()
			w.wantState(guid, store.Done)
			got := w.replies(number)[before:]
			if want := step.want != ""; len(got) > 1 || want != (len(got) == 1) || want && !strings.Contains(got[0], step.want) {
				t.Fatalf("step %d: %q, want %q; the log:\n%s", i, got, step.want, w.log)
			}
			if eyes := len(w.hub.Reactions(id)) > 0; eyes != (step.want != "" && !strings.Contains(step.want, "again")) {
				t.Errorf("step %d: seen: %v", i, eyes)
			}
		}
	})
}

// What is kept of an asking is numbers: no login, no word.
func TestOfAnAskingNumbersAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", docs("x"))
	must(w.repo.Comment(number, "mallory", question))(t)
	w.settled()
	var delivery string
	var person int64
	check(t, w.store.DB().QueryRow(`SELECT delivery, person FROM askings`).Scan(&delivery, &person))
	if person == 0 || strings.Contains(delivery, " ") || w.count("askings") != 1 {
		t.Errorf("kept: %q of %d", delivery, person)
	}
}

// The base may allow less than the operator does, and nothing more; the head nothing.
func TestTheBaseLowersTheLimits(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ operator, base, head, want int }{{3, 1, 9, 1}, {1, 9, 9, 1}, {0, 1, 9, 1}, {2, 0, 1, 2}} {
		w := newWorld(t, options{asking: store.AskLimits{Person: tc.operator}})
		limit := func(n int) map[string]fakehub.File {
			if n == 0 {
				return docs("none")
			}
			return map[string]fakehub.File{checker.ConfigFile: fakehub.Text("ask:\n  per_person: " + itoa(n) + "\n")}
		}
		w.main = w.commit("main", limit(tc.base))
		w.hub.Lose()
		number, _ := w.open("topic", limit(tc.head))
		answered := 0
		for range 4 {
			must(w.repo.Comment(number, "mallory", question))(t)
			w.settled()
		}
		for _, text := range w.replies(number) {
			if strings.Contains(text, "refuses every other") {
				answered++
			}
		}
		if n := len(w.replies(number)); answered != tc.want || n != tc.want+1 {
			t.Errorf("%+v: %d answers in %d replies", tc, answered, n)
		}
	}
}

// 2A-48: whether somebody may ask says GitHub's list of roles, at the moment; where
// it does not say, nobody gets in and nobody is told.
func TestWhoMayAskAtTheEdges(t *testing.T) {
	t.Parallel()
	const permission = "*/collaborators/*/permission"
	w := newWorld(t, options{loose: true})
	check(t, w.repo.SetPermission("helper", "write"))
	number, _ := w.open("topic", docs("x"))
	w.settled()
	roles := func(role, permission string) string {
		return `{"permission":"` + permission + `","role_name":"` + role + `","user":{"login":"helper","id":1}}`
	}
	for sentence, tc := range map[string]struct {
		login string
		fault fakehub.Fault
		want  bool
	}{
		"the author, whatever the role":           {"mallory", fakehub.Fault{Path: permission, Status: 404, Body: "{}", Times: -1}, true},
		"the author in another spelling":          {"Mallory", fakehub.Fault{Path: permission, Status: 404, Body: "{}", Times: -1}, true},
		"an outside collaborator who may write":   {"helper", fakehub.Fault{Path: "/none"}, true},
		"a role that the organisation has made":   {"helper", fakehub.Fault{Path: permission, Status: 200, Body: roles("release-captain", "write"), Times: -1}, true},
		"one that folds to reading":               {"helper", fakehub.Fault{Path: permission, Status: 200, Body: roles("release-captain", "read"), Times: -1}, false},
		"a role that nobody knows":                {"helper", fakehub.Fault{Path: permission, Status: 200, Body: roles("root", "owner"), Times: -1}, false},
		"an answer without a role":                {"helper", fakehub.Fault{Path: permission, Status: 200, Body: "{}", Times: -1}, false},
		"none":                                    {"helper", fakehub.Fault{Path: permission, Status: 200, Body: roles("none", "none"), Times: -1}, false},
		"nobody whom GitHub knows":                {"helper", fakehub.Fault{Path: permission, Status: 404, Body: "{}", Times: -1}, false},
		"a question that GitHub does not answer":  {"helper", fakehub.Fault{Path: permission, Status: 500, Times: -1}, false},
		"one that it forbids":                     {"helper", fakehub.Fault{Path: permission, Status: 403, Body: `{"message":"Resource not accessible by integration"}`, Times: -1}, false},
		"a base that cannot be read, for a guest": {"helper", fakehub.Fault{Path: "*/branches/main", Status: 500, Times: -1}, false},
	} {
		before := len(w.replies(number))
		w.hub.Fail(tc.fault)
		must(w.repo.Comment(number, tc.login, question))(t)
		w.settled()
		w.hub.Heal()
		if got := w.replies(number)[before:]; (len(got) == 1) != tc.want || tc.want && !strings.Contains(got[0], "refuses every other") {
			t.Errorf("%s: %q", sentence, got)
		}
	}
}

// A failed answer about who may ask is not kept: the next question is answered.
func TestAFailedAnswerAboutARoleIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	check(t, w.repo.SetPermission("helper", "write"))
	number, _ := w.open("topic", docs("x"))
	w.settled()
	w.hub.Fail(fakehub.Fault{Path: "*/collaborators/*/permission", Status: 500, Times: attempts})
	must(w.repo.Comment(number, "helper", question))(t)
	w.wantState(w.settled(), store.Failed)
	must(w.repo.Comment(number, "helper", question))(t)
	w.settled()
	if got := w.replies(number); len(got) != 1 {
		t.Errorf("replies: %q", got)
	}
}

// asked are the gaps that are kept, with how often each was asked for.
func (w *world) gaps() (out []string) {
	w.t.Helper()
	for _, g := range must(w.store.Gaps(w.t.Context(), w.repo.ID()))(w.t) {
		out = append(out, itoa(g.Asked)+" "+g.Question)
	}
	slices.Sort(out)
	return out
}

// A question that is not documented is kept without who asked it, and ends when the
// base branch answers it.
func TestGapsAreKeptUntilTheyAreDocumented(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		number, _ := w.open("topic", docs("x"))
		token := "gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3)
		const wanted = "How many people may share one mailbox?"
		for _, body := range []string{
			"/ask " + wanted, "/ask " + wanted + "\n/ask", question, "/ask", "/ask is " + token + " the zebra?",
			"/ask Which telescope does @ada or ann@example.org use on +49 30 1234567?", "/ask @ada @mallory",
		} {
			must(w.repo.Comment(number, "mallory", body))(t)
			w.wantState(w.settled(), store.Done)
		}
		want := []string{"1 Which telescope does [name] or [address] use on [number]?", "2 " + wanted}
		if got := w.gaps(); !slices.Equal(got, want) {
			t.Errorf("kept: %q", got)
		}
		// The pull request documents it; the base does not yet.
		said := w.text(mail, "## Do not\n", "- Three people may share one mailbox.\n\n## Do not\n")
		w.commit("topic", w.fresh(map[string]string{mail: said}))
		must(w.repo.Comment(number, "mallory", "/ask "+wanted))(t)
		w.settled()
		replies := w.replies(number)
		if last := replies[len(replies)-1]; !strings.Contains(last, "Three people") || !strings.Contains(last, "**new in this pull request**") {
			t.Errorf("the reply: %s", last)
		}
		if got := w.gaps(); !slices.Equal(got, want) {
			t.Errorf("before the merge: %q", got)
		}
		w.commit("main", w.fresh(map[string]string{mail: said}))
		must(w.repo.Comment(number, "mallory", "/ask how many PEOPLE may share a mailbox"))(t)
		w.settled()
		if got := w.gaps(); !slices.Equal(got, want[:1]) {
			t.Errorf("after it: %q; the last reply: %s", got, w.replies(number)[len(replies)])
		}
	})
}

// An attempt that is repeated counts a gap once, and nothing is kept where the
// operator wants none.
func TestAGapIsCountedOnce(t *testing.T) {
	t.Parallel()
	for _, forget := range []bool{false, true} {
		w := newWorld(t, options{forget: forget})
		number, _ := w.open("topic", docs("x"))
		must(w.repo.Comment(number, "mallory", "/ask Which telescope shows the moons?"))(t)
		w.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/issues/1/comments", Drop: true})
		guid := w.settled()
		check(t, w.hub.Repeat(guid))
		w.settled()
		want := []string{"1 Which telescope shows the moons?"}
		if forget {
			want = nil
		}
		if got := w.gaps(); !slices.Equal(got, want) || len(w.replies(number)) != 1 {
			t.Errorf("kept: %q, replies %q", got, w.replies(number))
		}
	}
}
