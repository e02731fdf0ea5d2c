//go:build !race

package jobs

// manySkills is what the costs are held to; a repository of that many skills in one
// folder is near what GitHub lists at once.
const manySkills = 10_000

// burstRate is how many deliveries come in a second of a burst.
const burstRate = 500
