package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/cardkeeper/cardkeeper/checker/answer"
)

// A result is what one engine did.
type result struct {
	name          string
	facts         int
	build         time.Duration
	p50, p99, max time.Duration
	right, asked  int
	empty         int // questions without any hit
	held          int // bytes on Go's heap, of package answer alone: it holds the facts as well
	stored        int // bytes
	load          time.Duration
}

func (r result) String() string {
	return fmt.Sprintf("| %d | %s | %s | %s | %s | %s | %s | %.3f | %.3f | %s | %s |", r.facts, r.name, round(r.build), r.loaded(),
		round(r.p50), round(r.p99), round(r.max), float64(r.right)/float64(max(1, r.asked)), float64(r.empty)/float64(max(1, r.asked)),
		r.each(r.held), r.each(r.stored))
}

func (r result) loaded() string {
	if r.load == 0 {
		return "-"
	}
	return round(r.load).String()
}

func (r result) each(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n / max(1, r.facts))
}

const header = "| facts | engine | build | load | p50 | p99 | max | right@5 | no hit | heap bytes a fact | stored bytes a fact |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|"

func round(d time.Duration) time.Duration {
	switch {
	case d > 10*time.Second:
		return d.Round(time.Second)
	case d > 10*time.Millisecond:
		return d.Round(time.Millisecond / 10)
	}
	return d.Round(time.Microsecond)
}

// heap is what Go holds after it cleaned up.
func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// repeats is how often all questions are asked, one after the other. The shortest time
// of each counts: what another program on the machine took away is no engine's.
const repeats = 3

// timed asks all questions and returns what was found the last time.
func timed(e engine, asked []query) (found [][]int, times []time.Duration, err error) {
	found, times = make([][]int, len(asked)), make([]time.Duration, len(asked))
	for round := range repeats {
		for i, q := range asked {
			start := time.Now()
			found[i], err = e.ask(q.text)
			took := time.Since(start)
			if err != nil {
				return nil, nil, err
			}
			if round == 0 || took < times[i] {
				times[i] = took
			}
		}
	}
	return found, times, nil
}

// measure builds one engine and asks it everything.
func measure(name string, e engine, docs []doc, asked []query) (r result, err error) {
	r = result{name: name, facts: len(docs), asked: len(asked)}
	answer.NewIndex(nil) // the word tables are of the process, and no index's
	before := heap()
	start := time.Now()
	if err := e.build(docs); err != nil {
		return r, fmt.Errorf("%s: build: %w", name, err)
	}
	r.build = time.Since(start)
	if held := heap() - before; held > 0 && name == nameOurs {
		r.held = held
	}
	if o, ok := e.(*ours); ok {
		if r.stored, r.load, err = o.reload(); err != nil {
			return r, fmt.Errorf("%s: load: %w", name, err)
		}
	}
	found, times, err := timed(e, asked)
	if err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	for i, q := range asked {
		if len(found[i]) == 0 {
			r.empty++
		}
		if slices.ContainsFunc(found[i][:min(mostHits, len(found[i]))], func(i int) bool { return q.right(docs[i]) }) {
			r.right++
		}
	}
	slices.Sort(times)
	n := len(times)
	r.p50, r.p99, r.max = times[n/2], times[n*99/100], times[n-1]
	return r, e.close()
}
