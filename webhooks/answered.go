package webhooks

import "time"

// Outcome is what became of a delivery, in a word.
type Outcome string

// The outcomes, beside the status that each is answered with.
const (
	Fresh     Outcome = "fresh"      // 202
	Duplicate Outcome = "duplicate"  // 200
	Nothing   Outcome = "nothing"    // 204, fine and wants no work
	NoPost    Outcome = "no_post"    // 405
	TooLarge  Outcome = "too_large"  // 413
	Unsigned  Outcome = "unsigned"   // 401, no signature or no such one
	Missigned Outcome = "missigned"  // 401, the signature is not of our secret
	BrokenOff Outcome = "broken_off" // 400, the body ended early
	Malformed Outcome = "malformed"  // 400, headers or payload are no delivery of an App
	Unstored  Outcome = "unstored"   // 503
	Panicked  Outcome = "panic"      // 500
)

// Answered is one answered request, for who counts them. It holds no word of the request: Event is a name that is read here,
// out of a delivery that was signed, or empty.
type Answered struct {
	Event   string
	Outcome Outcome
	Took    time.Duration
}
