package setup

import "strconv"

// State is what an examination says of one thing.
type State string

// The states, the best one first.
const (
	OK      State = "ok"
	Note    State = "note"    // worth knowing; nothing has to be done
	Unknown State = "unknown" // could not be asked, so nothing is known
	Mend    State = "mend"    // something is wrong
)

// What a [Finding] is about.
const (
	AboutApp          = "app"
	AboutKey          = "key"
	AboutClock        = "clock"
	AboutSecret       = "secret"
	AboutWebhook      = "webhook"
	AboutFile         = "file"
	AboutDatabase     = "database"
	AboutInstallation = "installation"
	AboutRepository   = "repository"
	AboutEmbeddings   = "embeddings"
)

// A Finding is what was seen of one thing. Subject, Text and Next can hold names
// of accounts and repositories: scan them before they are shown (law 8).
type Finding struct {
	About   string `json:"about"`
	Subject string `json:"subject,omitempty"` // the account or owner/name
	State   State  `json:"state"`
	Text    string `json:"text"`
	Next    string `json:"next,omitempty"` // what to do
}

// Report is an examination: the findings in the order in which they were made.
type Report struct {
	Conclusion State     `json:"conclusion"`
	Findings   []Finding `json:"findings"`
	LeftOut    int       `json:"left_out"` // repositories that were not looked at
}

// conclude takes the worst state: what is wrong before what is not known, and
// notes are well (law 13: what could not be asked is never well).
func (r *Report) conclude() {
	r.Conclusion = OK
	for _, f := range r.Findings {
		if f.State == Mend || f.State == Unknown && r.Conclusion == OK {
			r.Conclusion = f.State
		}
	}
}

// count is a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
