package meter

import (
	"strconv"
	"time"
)

// Delivery counts a delivery of GitHub's and the time until its answer. The event
// is one that we know, or "".
func (m *Meter) Delivery(event, outcome string, took time.Duration) {
	m.count(Deliveries, event, outcome)
	m.observe(Accepting, took)
}

// Job counts one attempt of a job.
func (m *Meter) Job(kind, outcome string, took time.Duration) {
	m.count(Jobs, kind, outcome)
	m.observe(JobTime, took, kind)
}

// Verdict counts a verdict that was kept or said.
func (m *Meter) Verdict(conclusion string) { m.count(Verdicts, conclusion) }

// Unable counts a verdict that says that nothing could be checked.
func (m *Meter) Unable(reason string) { m.count(Unchecked, reason) }

// Published tells how long after its delivery a check run stood at GitHub.
func (m *Meter) Published(delay time.Duration) { m.observe(PublishDelay, max(delay, 0)) }

// Request counts a request to GitHub. The route is a method and a pattern of ours,
// without a name or an id; status 0 means that no answer came.
func (m *Meter) Request(route string, status int, took time.Duration) {
	m.count(Requests, route, strconv.Itoa(status))
	m.observe(RequestTime, took)
}

// Limited tells of a wait that a rate limit asked for.
func (m *Meter) Limited(wait time.Duration) { m.observe(LimitWaits, wait) }

// Token counts a new installation token.
func (m *Meter) Token() { m.count(Tokens) }

// Left tells how many requests an installation has left. Beyond 200 installations
// new ones are not shown.
func (m *Meter) Left(installation int64, requests int) {
	if m == nil || installation <= 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.installations[installation] && len(m.installations) >= maxInstallations {
		return
	}
	m.installations[installation] = true
	m.gauges[Budget].WithLabelValues(strconv.FormatInt(installation, 10)).Set(float64(requests))
}

// Forget drops what is shown of an installation.
func (m *Meter) Forget(installation int64) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.installations, installation)
	m.gauges[Budget].DeleteLabelValues(strconv.FormatInt(installation, 10))
}

// Scan counts one text that was looked through for secrets.
func (m *Meter) Scan(outcome string, bytes int, took time.Duration) {
	m.count(Scans, outcome)
	m.counted(ScanBytes, float64(bytes))
	m.observe(ScanTime, took)
}

// Finding counts a secret that was found.
func (m *Meter) Finding(tier string) { m.count(Findings, tier) }

// Answer counts a question by what was replied.
func (m *Meter) Answer(outcome string) { m.count(Answers, outcome) }

// Embedded counts a call for embeddings: how it ended, how many texts were sent for
// it, and how long the question waited.
func (m *Meter) Embedded(outcome string, texts int, took time.Duration) {
	m.count(Embeddings, outcome)
	m.counted(EmbedTexts, float64(texts))
	if texts > 0 {
		m.observe(EmbedTime, took)
	}
}
