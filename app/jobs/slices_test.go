package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// A first look that takes longer than one attempt may goes on where it stopped: no
// attempt is used up, and what was read is not read again.
func TestALongLookGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	const skills = 600 // with their cards more than one portion and less than two
	w.big(skills)
	w.runner.limit = 10 * time.Second
	whole := portion / 100                                    // queries of a hundred blobs
	w.hub.Fail(fakehub.Fault{Path: "/graphql", Times: whole}) // these pass
	w.hub.Fail(fakehub.Fault{Path: "/graphql", Hold: make(chan struct{})})
	must(w.repo.OpenPull("main", "bare", "mallory", fakehub.PullOptions{}))(t)
	w.deliver()
	w.start()
	w.settled()
	w.want(w.main, "success", "")
	if n := w.count("river_job WHERE attempt > 1"); n != 0 {
		t.Errorf("%d jobs used up an attempt", n)
	}
	if !strings.Contains(w.log.String(), "Job snoozed") {
		t.Error("it was done in one slice")
	}
	rest := (2*skills + 99) / 100 // all of them once, and those that were on their way
	if n := w.hub.Counts()["POST /graphql"]; n > rest+4 {
		t.Errorf("%d queries, %d are enough", n, rest)
	}
	if len(w.runner.shelf.kept) != 0 {
		t.Error("what the job read is still there")
	}
}

func TestSlices(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	stop, cancelled := context.WithCancel(t.Context())
	cancelled()
	grow := func(s *source) { s.made++ }
	still := func(*source) {}
	limited := &github.Limited{After: time.Minute}
	for _, tc := range []struct {
		sentence string
		ctx      context.Context
		work     func(*source)
		err      error
		want     error
		kept     bool
	}{
		{"done", t.Context(), grow, nil, nil, false},
		{"the time is up", ended, grow, context.DeadlineExceeded, errUnfinished, true},
		{"the time is up in the midst of a scan", ended, grow, errors.New("not scanned"), errUnfinished, true},
		{"the time is up and nothing was done", ended, still, context.DeadlineExceeded, context.DeadlineExceeded, false},
		{"a limit on the way", t.Context(), grow, limited, limited, true},
		{"a limit when the time is up", ended, grow, limited, limited, true},
		{"a passing trouble", t.Context(), grow, github.ErrUnavailable, github.ErrUnavailable, true},
		{"what is read is bad", t.Context(), grow, tree.ErrConflict, tree.ErrConflict, false},
		{"the service stops", stop, grow, context.Canceled, context.Canceled, true},
	} {
		r := &Runner{}
		err := r.inSlices(tc.ctx, "k", nil, github.Repo{}, func(s *source) error { tc.work(s); return tc.err })
		if !errors.Is(err, tc.want) || tc.want == nil && err != nil {
			t.Errorf("%s: %v", tc.sentence, err)
		}
		if kept := r.shelf.kept["k"] != nil; kept != tc.kept {
			t.Errorf("%s: kept %v", tc.sentence, kept)
		}
	}
	r := &Runner{}
	for n := range maxSlices + 1 {
		err := r.inSlices(ended, "k", nil, github.Repo{}, func(s *source) error { s.made++; return context.DeadlineExceeded })
		if want := map[bool]error{true: errUnfinished, false: errEndless}[n < maxSlices]; !errors.Is(err, want) {
			t.Fatalf("slice %d: %v", n+1, err)
		}
	}
	if retried(errEndless, false) || why(errEndless) != why(github.ErrTooLarge) {
		t.Error("what has no end is tried again, or has no words")
	}
}

// What came first stays: two jobs that push each other off would both never end.
func TestAShelfHasAnEnd(t *testing.T) {
	t.Parallel()
	var h shelf
	h.leave("first", &source{size: maxShelf - 10})
	h.leave("second", &source{size: 11})
	h.leave("third", &source{size: 10})
	for key, want := range map[string]bool{"first": true, "second": false, "third": true} {
		if got := h.kept[key] != nil; got != want {
			t.Errorf("%s is kept: %v", key, got)
		}
	}
	repo := github.Repo{Name: "new"}
	if s := h.take("first", nil, repo); s.size != maxShelf-10 || s.repo.Name != "new" || len(h.kept) != 1 {
		t.Errorf("taken: %d bytes under the name %q", s.size, s.repo.Name)
	}
	h.expire(time.Now().Add(shelfTime + time.Minute))
	if len(h.kept) != 0 {
		t.Error("it waits for ever")
	}
}

// A text is scanned once in a job, under one policy, and an unfinished scan is none.
func TestAScanIsRemembered(t *testing.T) {
	t.Parallel()
	s := newSource(nil, github.Repo{})
	r := &Runner{cfg: Config{Scanner: must(scanning())(t)}}
	under := func(salt string) checker.Scanner {
		scanner, blind := r.remembering(s, config.Config{Salt: []byte(salt)})
		if blind != "" {
			t.Fatal(blind)
		}
		return scanner
	}
	text := "the key is gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := under("0123456789abcdef").Scan(ended, text); err == nil || s.done() != 0 {
		t.Fatalf("an ended scan: %v, %d remembered", err, s.done())
	}
	first := must(under("0123456789abcdef").Scan(t.Context(), text))(t)
	again, err := under("0123456789abcdef").Scan(ended, text)
	if err != nil || len(first) != 1 || fmt.Sprint(again) != fmt.Sprint(first) {
		t.Errorf("%v, then %v, %v", first, again, err)
	}
	other := must(under("fedcba9876543210").Scan(t.Context(), text))(t)
	if len(other) != 1 || other[0].Fingerprint == first[0].Fingerprint {
		t.Errorf("under another salt: %v", other)
	}
	if string(policyKey(config.Config{})) == string(policyKey(config.Config{Withheld: config.Withheld{Values: []config.WithheldValue{{}}}})) {
		t.Error("a policy that withholds more has the same key")
	}
}

// A job's blobs have a bound, whatever the number of its portions.
func TestASourceHasABound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	client := w.runner.reader(w.hub.Installation("ada"), w.repo.ID())
	repo := must(client.Repository(t.Context(), w.repo.ID()))(t)
	s := newSource(client, repo)
	s.size = maxSource
	err := s.fetch(t.Context(), []string{blob(w, w.main, mail)})
	if !errors.Is(err, github.ErrTooLarge) {
		t.Error(err)
	}
}

// A skill is read once in a job, by its commit, shape and folder; when the time is
// up, nothing more is begun.
func TestASkillIsReadOnceInAJob(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	client := w.runner.reader(w.hub.Installation("ada"), w.repo.ID())
	s := newSource(client, must(client.Repository(t.Context(), w.repo.ID()))(t))
	shape := extractor.DefaultShape()
	head := must(take(t.Context(), s, w.main))(t)
	check(t, head.fetch(t.Context(), mail, backup))
	skills := must(extractor.Discover(head.Tree, shape))(t).Skills
	ended, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	if _, err := s.reader(ended)(skills[0], head, shape); !errors.Is(err, context.DeadlineExceeded) || s.done() != 2 {
		t.Fatalf("begun when the time was up: %v, %d done", err, s.done())
	}
	first := must(s.reader(t.Context())(skills[0], head, shape))(t)
	head.release(mail, backup) // what is remembered needs no file
	again := must(s.reader(ended)(skills[0], head, shape))(t)
	if len(first.Facts) == 0 || len(again.Facts) != len(first.Facts) {
		t.Errorf("%d facts, then %d", len(first.Facts), len(again.Facts))
	}
	if _, err := s.reader(t.Context())(skills[1], head, shape); !errors.Is(err, errNotFetched) {
		t.Errorf("another skill: %v", err)
	}
	other := shape
	other.MaxEntriesPerFile++
	if _, err := s.reader(t.Context())(skills[0], head, other); !errors.Is(err, errNotFetched) {
		t.Errorf("another shape: %v", err)
	}
	if _, err := s.reader(t.Context())(skills[0], must(take(t.Context(), s, w.commit("x", docs("x"), w.main)))(t), shape); !errors.Is(err, errNotFetched) {
		t.Errorf("another commit: %v", err)
	}
}
