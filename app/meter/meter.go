// Package meter counts what an operator asks about a running App, for Prometheus:
// what came in, what became of it, what waits, and what GitHub still allows.
//
// A [Meter] is handed to those who have something to count. A nil one counts
// nothing, so that nobody needs one. What is counted and by which labels stands in
// [Metrics]. A value that is no short machine word becomes "other": should text of
// a repository ever get here by mistake, no label shows it (law 8).
package meter

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const (
	// maxInstallations bounds the one label that grows with the world.
	maxInstallations = 200
	// maxWord is longer than any event, kind or route of ours.
	maxWord = 80
	// scrapeLimit and scrapes keep a scraper from holding the database.
	scrapeLimit = 10 * time.Second
	scrapes     = 4
)

// A Build says what runs.
type Build struct {
	Version string
	Edition int // of the cards
	Rules   int // of the secret scanner
}

// A Meter keeps the numbers of one process. It is safe for concurrent use.
type Meter struct {
	registry   *prometheus.Registry
	counters   map[string]*prometheus.CounterVec
	gauges     map[string]*prometheus.GaugeVec
	histograms map[string]*prometheus.HistogramVec

	mu            sync.Mutex
	installations map[int64]bool // that have a budget
}

// New makes a meter with all metrics of [Metrics] but those of the queue, which
// [Meter.Watch] adds.
func New(b Build) *Meter {
	m := &Meter{
		registry: prometheus.NewRegistry(), counters: map[string]*prometheus.CounterVec{}, gauges: map[string]*prometheus.GaugeVec{},
		histograms: map[string]*prometheus.HistogramVec{}, installations: map[int64]bool{},
	}
	for _, d := range Metrics() {
		m.add(d)
	}
	m.gauges[BuildInfo].WithLabelValues(b.Version, strconv.Itoa(b.Edition), strconv.Itoa(b.Rules)).Set(1)
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// add registers a metric. Two of one name, or a bad name, are mistakes of the table.
func (m *Meter) add(d Metric) {
	switch {
	case isQueue(d.Name): // asked for at each scrape
	case d.Kind == Counter:
		m.counters[d.Name] = prometheus.NewCounterVec(prometheus.CounterOpts{Name: d.Name, Help: d.Help}, d.Labels)
		m.registry.MustRegister(m.counters[d.Name])
	case d.Kind == Gauge:
		m.gauges[d.Name] = prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: d.Name, Help: d.Help}, d.Labels)
		m.registry.MustRegister(m.gauges[d.Name])
	default:
		m.histograms[d.Name] = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: d.Name, Help: d.Help, Buckets: d.buckets}, d.Labels)
		m.registry.MustRegister(m.histograms[d.Name])
	}
}

// Handler answers a scrape. Who may ask is for the caller to decide.
func (m *Meter) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: scrapes, Timeout: scrapeLimit,
	})
}

func (m *Meter) count(name string, labels ...string) { m.counted(name, 1, labels...) }

func (m *Meter) counted(name string, n float64, labels ...string) {
	if m != nil {
		m.counters[name].WithLabelValues(words(labels)...).Add(n)
	}
}

func (m *Meter) observe(name string, took time.Duration, labels ...string) {
	if m != nil {
		m.histograms[name].WithLabelValues(words(labels)...).Observe(took.Seconds())
	}
}

// words lets short machine words through, and makes "other" of the rest.
func words(labels []string) []string {
	out := make([]string, len(labels))
	for i, l := range labels {
		if out[i] = l; l == "" || len(l) > maxWord || strings.Trim(l, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/{} ") != "" {
			out[i] = "other"
		}
	}
	return out
}
