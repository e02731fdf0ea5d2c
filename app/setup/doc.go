// Package setup registers the App and looks after its registration.
//
// A [Wizard] is a small site for one person and one purpose: it sends a manifest
// to GitHub, takes the code that comes back, and writes key, secret and settings
// to files. Whoever opens it must know its token. It holds no session: a form's
// token or state is all that a request brings.
//
// [Examine] compares a running App with what the code needs and says of each
// thing what it found and what to do. It changes nothing.
package setup
