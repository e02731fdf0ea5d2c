// Package jobs does the work that deliveries want: it is the [webhooks.Inbox]
// that makes them durable, and the queue's workers that do them.
//
// A pull request is worked on in two steps. Evaluate, one job per pull request,
// reads both trees from GitHub, checks them and writes a verdict row; a newer
// event replaces an older one by raising the pull request's generation. Publish
// merges the verdicts of all open pull requests on one head, the worst first, and brings the
// commit's check run to what they say. Answer replies to a comment.
//
// Every step may be killed at any point and run again: an outside effect is
// written down under its key before it happens, and GitHub is asked for it
// before it is done again. What cannot be checked becomes a failing run that
// says so, never silence and never green.
package jobs
