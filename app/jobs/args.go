package jobs

// Arguments of jobs are ids and commit ids: no text of a person is ever queued.
// A job that works for no delivery of its own has no GUID.

// evaluateArgs ask for a verdict on one generation of a pull request.
type evaluateArgs struct {
	GUID         string `json:"guid"`
	Installation int64  `json:"installation"`
	Repository   int64  `json:"repository"`
	Pull         int    `json:"pull"`
	Generation   int64  `json:"generation"`
	Again        bool   `json:"again,omitempty"`  // a person asked for it and wants to see that it began
	Policy       string `json:"policy,omitempty"` // the changed policy that is the reason, as a blob id
	Late         bool   `json:"late,omitempty"`   // nobody told of it: it was found, and yields to what was told
}

func (evaluateArgs) Kind() string { return "evaluate" }

// publishArgs ask to bring the run on a head to what the verdicts say.
type publishArgs struct {
	GUID         string `json:"guid"`
	Installation int64  `json:"installation"`
	Repository   int64  `json:"repository"`
	Head         string `json:"head"`
}

func (publishArgs) Kind() string { return "publish" }

// answerArgs ask for a reply to a comment.
type answerArgs struct {
	GUID         string `json:"guid"`
	Installation int64  `json:"installation"`
	Repository   int64  `json:"repository"`
	Pull         int    `json:"pull"`
	Comment      int64  `json:"comment"`
}

func (answerArgs) Kind() string { return "answer" }

// commitArgs ask for a verdict on a commit that is no pull request's head: a
// merge group's, with its base, or the default branch's, without.
type commitArgs struct {
	GUID         string `json:"guid"`
	Installation int64  `json:"installation"`
	Repository   int64  `json:"repository"`
	Head         string `json:"head"`
	Base         string `json:"base"`
}

func (commitArgs) Kind() string { return "commit" }

// recheckArgs ask to find out what a commit is the head of, and to look at that again.
type recheckArgs struct {
	GUID         string `json:"guid"`
	Installation int64  `json:"installation"`
	Repository   int64  `json:"repository"`
	Head         string `json:"head"`
}

func (recheckArgs) Kind() string { return "recheck" }

// repolicyArgs ask to look again at the red pull requests of a repository whose
// policy may have changed.
type repolicyArgs struct {
	Installation int64  `json:"installation"`
	Repository   int64  `json:"repository"`
	Policy       string `json:"policy,omitempty"` // that the rounds so far were for
	Round        int    `json:"round,omitempty"`  // of this policy
	Idle         int    `json:"idle,omitempty"`   // rounds in a row that only waited
}

func (repolicyArgs) Kind() string { return "repolicy" }
