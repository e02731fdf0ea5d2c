package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"
)

// A result is what one engine did.
type result struct {
	name          string
	facts         int
	build         time.Duration
	p50, p99, max time.Duration
	right, asked  int
	empty         int // questions without any hit
	held          int // bytes on Go's heap, of package answer alone beside the facts
}

func (r result) String() string {
	return fmt.Sprintf("| %d | %s | %s | %s | %s | %s | %.3f | %.3f | %s |", r.facts, r.name, round(r.build), round(r.p50), round(r.p99), round(r.max),
		float64(r.right)/float64(max(1, r.asked)), float64(r.empty)/float64(max(1, r.asked)), r.each())
}

func (r result) each() string {
	if r.held == 0 {
		return "-"
	}
	return fmt.Sprint(r.held / max(1, r.facts))
}

const header = "| facts | engine | build | p50 | p99 | max | right@5 | no hit | heap bytes a fact |\n|---|---|---|---|---|---|---|---|---|"

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

// measure builds one engine and asks it everything, once to warm up with a part
// and once to be timed.
func measure(name string, e engine, docs []doc, asked []query) (r result, err error) {
	r = result{name: name, facts: len(docs), asked: len(asked)}
	before := heap()
	start := time.Now()
	if err := e.build(docs); err != nil {
		return r, fmt.Errorf("%s: build: %w", name, err)
	}
	r.build = time.Since(start)
	if held := heap() - before; held > 0 && name == nameOurs {
		r.held = held
	}
	for _, q := range asked[:len(asked)/10] {
		if _, err := e.ask(q.text); err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
	}
	var times []time.Duration
	for _, q := range asked {
		start := time.Now()
		found, err := e.ask(q.text)
		times = append(times, time.Since(start))
		if err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
		if len(found) == 0 {
			r.empty++
		}
		if slices.ContainsFunc(found[:min(mostHits, len(found))], func(i int) bool { return q.right(docs[i]) }) {
			r.right++
		}
	}
	slices.Sort(times)
	n := len(times)
	r.p50, r.p99, r.max = times[n/2], times[n*99/100], times[n-1]
	return r, e.close()
}
