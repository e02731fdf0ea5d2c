package meter

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// queueLimit bounds what a scrape asks of the database.
const queueLimit = 5 * time.Second

// A Depth is how many jobs of a kind are in a state, and the age of the oldest.
type Depth struct {
	Kind, State string
	Jobs        int
	Oldest      time.Duration
}

// Watch asks depths for the queue at each scrape: the numbers are those of the
// database, so every replica shows the same, and none is counted up.
func (m *Meter) Watch(depths func(context.Context) ([]Depth, error)) {
	q := &queue{depths: depths, descs: map[string]*prometheus.Desc{}}
	for _, d := range Metrics() {
		if isQueue(d.Name) {
			q.descs[d.Name] = prometheus.NewDesc(d.Name, d.Help, d.Labels, nil)
		}
	}
	m.registry.MustRegister(q)
}

func isQueue(name string) bool { return name == QueueJobs || name == QueueOldest || name == QueueUp }

// queue reads the depths when it is scraped.
type queue struct {
	depths func(context.Context) ([]Depth, error)
	descs  map[string]*prometheus.Desc
}

var _ prometheus.Collector = (*queue)(nil)

// Describe names the metrics.
func (q *queue) Describe(out chan<- *prometheus.Desc) {
	for _, d := range q.descs {
		out <- d
	}
}

// Collect asks for them. A database that does not answer is a number, not an error.
func (q *queue) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), queueLimit)
	defer cancel()
	list, err := q.depths(ctx)
	q.gauge(out, QueueUp, map[bool]float64{true: 1}[err == nil])
	oldest := map[string]time.Duration{}
	for _, d := range list {
		q.gauge(out, QueueJobs, float64(d.Jobs), d.Kind, d.State)
		oldest[d.Kind] = max(oldest[d.Kind], d.Oldest)
	}
	for kind, age := range oldest {
		q.gauge(out, QueueOldest, age.Seconds(), kind)
	}
}

func (q *queue) gauge(out chan<- prometheus.Metric, name string, value float64, labels ...string) {
	out <- prometheus.MustNewConstMetric(q.descs[name], prometheus.GaugeValue, value, words(labels)...)
}
