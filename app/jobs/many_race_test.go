//go:build race

package jobs

// manySkills is few: the race detector makes everything ten times as slow, and the
// costs are the same.
const manySkills = 400

// burstRate is how many deliveries come in a second, for the same reason.
const burstRate = 100
