package meter

// The names of all metrics. They are part of what operators build on, so one that
// is here stays; the README's table is compared with [Metrics] by a test.
const (
	Deliveries   = "cardkeeper_deliveries_total"
	Accepting    = "cardkeeper_delivery_accept_seconds"
	QueueJobs    = "cardkeeper_queue_jobs"
	QueueOldest  = "cardkeeper_queue_oldest_seconds"
	QueueUp      = "cardkeeper_queue_up"
	Jobs         = "cardkeeper_jobs_total"
	JobTime      = "cardkeeper_job_seconds"
	Verdicts     = "cardkeeper_verdicts_total"
	Unchecked    = "cardkeeper_could_not_check_total"
	PublishDelay = "cardkeeper_publish_delay_seconds"
	Requests     = "cardkeeper_github_requests_total"
	RequestTime  = "cardkeeper_github_request_seconds"
	LimitWaits   = "cardkeeper_github_limit_wait_seconds"
	Budget       = "cardkeeper_github_budget_remaining"
	Tokens       = "cardkeeper_github_tokens_total"
	Scans        = "cardkeeper_secret_scans_total"
	ScanBytes    = "cardkeeper_secret_scan_bytes_total"
	ScanTime     = "cardkeeper_secret_scan_seconds"
	Findings     = "cardkeeper_secret_findings_total"
	Answers      = "cardkeeper_answers_total"
	Embeddings   = "cardkeeper_embeddings_total"
	EmbedTexts   = "cardkeeper_embeddings_texts_total"
	EmbedTime    = "cardkeeper_embeddings_seconds"
	BuildInfo    = "cardkeeper_build_info"
)

// Kind is how a metric moves, in Prometheus' words.
type Kind string

// The kinds that are used here.
const (
	Counter   Kind = "counter"
	Gauge     Kind = "gauge"
	Histogram Kind = "histogram"
)

// A Metric is one line of the table: what is counted, and by which labels. Each
// label has a closed set of values, or a bounded one ([Budget]); none holds the
// name of a repository or a word of a person.
type Metric struct {
	Name   string
	Kind   Kind
	Labels []string
	Help   string

	buckets []float64
}

// Buckets end where the answer changes: GitHub gives up on a delivery after ten
// seconds, a job after sixty, and a person on a check after some minutes.
func accepting() []float64 { return []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10} }
func working() []float64   { return []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30, 60} }
func publishing() []float64 {
	return []float64{.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 900, 3600}
}
func waiting() []float64   { return []float64{1, 10, 60, 300, 900, 1800, 3600} }
func embedding() []float64 { return []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10} }
func scanning() []float64  { return []float64{.001, .005, .025, .1, .5, 1, 2.5, 5, 10, 30, 60} }

// Metrics lists all metrics of ours. Those of Go and of the process are beside them.
func Metrics() []Metric {
	return []Metric{
		{Deliveries, Counter, []string{"event", "outcome"}, "Deliveries by GitHub's event and what was answered: fresh, duplicate, nothing, or why it was refused.", nil},
		{Accepting, Histogram, nil, "Time from the first byte of a delivery to its answer. GitHub waits ten seconds.", accepting()},
		{QueueJobs, Gauge, []string{"kind", "state"}, "Jobs that are not over.", nil},
		{QueueOldest, Gauge, []string{"kind"}, "Age of the oldest job that is not over.", nil},
		{QueueUp, Gauge, nil, "1 where the database answered this scrape, else 0, and the two above are missing.", nil},
		{Jobs, Counter, []string{"kind", "outcome"}, "Attempts of jobs: done, retried, postponed, failed for good, or stopped.", nil},
		{JobTime, Histogram, []string{"kind"}, "Time of one attempt of a job.", working()},
		{Verdicts, Counter, []string{"conclusion"}, "Verdicts that were made, by conclusion.", nil},
		{Unchecked, Counter, []string{"reason"}, "Verdicts that say that nothing could be checked, by cause. Each of them blocks a merge.", nil},
		{PublishDelay, Histogram, nil, "Time from a delivery to the check run that it caused.", publishing()},
		{Requests, Counter, []string{"route", "status"}, "Requests to GitHub by route and status; status 0 is no answer.", nil},
		{RequestTime, Histogram, nil, "Time of one request to GitHub until its headers came.", working()},
		{LimitWaits, Histogram, nil, "Waits that GitHub's rate limits asked for.", waiting()},
		{Budget, Gauge, []string{"installation"}, "Requests that GitHub still allows an installation in this hour, by its last answer; at most 200 installations.", nil},
		{Tokens, Counter, nil, "Installation tokens that GitHub made for us.", nil},
		{Scans, Counter, []string{"outcome"}, "Texts that were looked through for secrets: clean, found, or unfinished.", nil},
		{ScanBytes, Counter, nil, "Bytes that were looked through for secrets.", nil},
		{ScanTime, Histogram, nil, "Time of one look for secrets.", scanning()},
		{Findings, Counter, []string{"tier"}, "Secrets found in all scans, by tier. One that stays in a file is counted at each scan.", nil},
		{Answers, Counter, []string{"outcome"}, "Questions by what was replied: answered, refused, secret, withheld, help, limited, or failed.", nil},
		{Embeddings, Counter, []string{"outcome"}, "Questions for which the embeddings server was wanted: made, failed, paused, or capped by a budget.", nil},
		{EmbedTexts, Counter, nil, "Texts that were sent to the embeddings server.", nil},
		{EmbedTime, Histogram, nil, "Time that a question waited for the embeddings server.", embedding()},
		{BuildInfo, Gauge, []string{"version", "edition", "rules"}, "Always 1: the build, the edition of its cards, the number of its secret rules.", nil},
	}
}
