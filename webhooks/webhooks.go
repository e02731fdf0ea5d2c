// Package webhooks answers GitHub's deliveries: [Handler] checks a delivery and hands it to an [Inbox]; [Plan] says what it
// wants done. The work itself happens elsewhere, later, since GitHub gives up on an answer after ten seconds.
//
// Every answer is decided by what is durable: 202 means that the [Inbox] has stored the delivery with its work. GitHub does not
// retry by itself, so anything that is not stored is answered with an error, which its list of failed deliveries keeps.
package webhooks

import (
	"context"

	"github.com/cardkeeper/cardkeeper/webhooks/event"
)

// Delivery is what is stored of a delivery (law 12): ids, names out of closed sets, and one commit id. It holds no text of a
// person: no login, title, body or ref. An id that the event does not have is zero.
type Delivery struct {
	GUID   string // the X-GitHub-Delivery header; a redelivery has the same
	Event  string // the X-GitHub-Event header
	Action string // may be empty

	Installation int64
	Repository   int64
	Pull         int // number of the pull request
	Comment      int64
	CheckRun     int64
	Sender       int64
	Head         string // 40 or 64 hex digits, or empty
}

// Inbox makes a delivery and its work durable, in one transaction.
type Inbox interface {
	// Accept reports whether the delivery was new. Of several calls with one GUID, concurrent ones too, exactly one is
	// told so, until that work has failed for good: then the next one is (a redelivery by hand is how people recover).
	// An error means that nothing was stored. The context ends before GitHub's patience does.
	Accept(ctx context.Context, d Delivery, work []Work) (fresh bool, err error)
}

// App is who we are, to tell our own echoes from what people do.
type App struct {
	ID int64 // the GitHub App's id
}

// delivery keeps the ids of an event.
func delivery(guid string, e event.Event) Delivery {
	return Delivery{
		GUID: guid, Event: e.Name, Action: e.Action,
		Installation: e.Installation, Repository: e.Repository, Pull: e.Pull,
		Comment: e.Comment.ID, CheckRun: e.CheckRun.ID, Sender: e.Sender.ID, Head: head(e),
	}
}

// head is the commit that the event is about. An event has at most one of these.
func head(e event.Event) string {
	for _, sha := range []string{e.PullState.Head, e.CheckRun.Head, e.CheckSuite.Head, e.MergeGroup.Head} {
		if sha != "" {
			return sha
		}
	}
	if e.Push.Deleted {
		return ""
	}
	return e.Push.After
}
