package jobs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// skillFile and skillText are one of many small skills.
func skillFile(n int) string { return fmt.Sprintf("skills/skill-%05d/SKILL.md", n) }

func skillText(n int, wait string) string {
	return fmt.Sprintf(`---
name: skill-%05d
description: Keeps the queue number %d of the post room short.
---

# Queue %d

## Commands

- `+"`queue%d drain`"+` sends what waits and stops at the first refusal.

## Troubleshooting

- "queue %d is full": wait %s, then drain it again.
`, n, n, n, n, n, wait)
}

// big fills the branch "bare" with many skills, and main with their cards as well.
func (w *world) big(skills int) {
	w.t.Helper()
	files, bare := map[string][]byte{}, map[string]fakehub.File{
		".github": fakehub.Removed(), "cards": fakehub.Removed(), "skills/mail": fakehub.Removed(), "skills/backup": fakehub.Removed(),
	}
	for n := range skills {
		text := skillText(n, "one minute")
		files[skillFile(n)], bare[skillFile(n)] = []byte(text), fakehub.Text(text)
	}
	edits := map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy:\n  block: [stale, secrets]\n")}
	shape := extractor.DefaultShape()
	for _, s := range must(extractor.Extract(tree.Memory(files), shape))(w.t).Skills {
		edits[card.File(shape.Cards, s.Path)] = fakehub.File{Data: card.Render(s.Card)}
	}
	w.main = w.commit("main", edits, w.commit("bare", bare, w.main))
	w.hub.Lose()
}

// touch opens a pull request that changes one skill and not its card.
func (w *world) touch(branch string, n int) (number int, head string) {
	w.t.Helper()
	return w.open(branch, map[string]fakehub.File{skillFile(n): fakehub.Text(skillText(n, "ten minutes"))})
}

// A bill is what a piece of work cost.
type bill struct {
	paid, free int // requests; those that were answered 304 cost nothing
	graph      int // of paid, those to GraphQL, whose hour is another one
	cpu, wall  time.Duration
}

// cost does a piece of work to its end and prints what it cost by route. The time
// of the processors is this whole process's, the hub's and its checks' included.
func (w *world) cost(name string, work func()) (b bill) {
	w.t.Helper()
	w.hub.ForgetRequests()
	cpu, wall := processors(w.t), time.Now()
	work()
	w.settled()
	b.cpu, b.wall = processors(w.t)-cpu, time.Since(wall)
	counts, free := w.hub.Counts(), w.hub.Unchanged()
	var lines strings.Builder
	for _, route := range slices.Sorted(maps.Keys(counts)) {
		b.paid += counts[route]
		fmt.Fprintf(&lines, "\n  %5d  %s", counts[route], route)
	}
	for _, route := range slices.Sorted(maps.Keys(free)) {
		b.free += free[route]
		fmt.Fprintf(&lines, "\n  %5d  %s (304)", free[route], route)
	}
	b.graph = counts["POST /graphql"]
	w.t.Logf("%s: %d requests, %d of them GraphQL, and %d free; %.1f s of processors in %.1f s%s", name, b.paid, b.graph, b.free, b.cpu.Seconds(), b.wall.Seconds(), lines.String())
	return b
}

func processors(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	check(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// within holds a bill to a number of requests.
func (b bill) within(t *testing.T, name string, most int) {
	t.Helper()
	if b.paid == 0 || b.paid > most {
		t.Errorf("%s cost %d requests, want at most %d", name, b.paid, most)
	}
}

// What one changed skill costs follows the change and not the number of skills: in
// a process that saw the base before at most 12 requests and the changed files, in
// a new one at most 24 and the files of the touched skills. Both hold where GitHub
// cuts the list of the whole repository.
func TestWhatAChangeCostsInALargeRepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.big(manySkills)
	n := 0
	changed := func(name string, most int) bill {
		n++
		b := w.cost(name, func() {
			_, head := w.touch(fmt.Sprint("change-", n), n)
			w.settled()
			w.want(head, "failure", "1 card stale")
		})
		b.within(t, name, most)
		return b
	}
	const filesTouched = 2 // SKILL.md and the card; SKILL.md has two sides
	changed("cold", 24+filesTouched)
	warm := changed("warm", 12+1)
	docs := w.cost("warm, no skill touched", func() { w.open("docs", docs("x")) })
	docs.within(t, "no skill touched", warm.paid-1)

	w.hub.SetTreeLimit(manySkills*2 + manySkills/2) // one of the two folders fits
	w.restart()
	changed("cold, the list of the whole is cut", 24+filesTouched)
	changed("warm, the list of the whole is cut", 12+1)

	w.hub.SetTreeLimit(manySkills / 2) // neither does
	w.restart()
	const perQuery = 100
	changed("cold, the list of each folder is cut", 24+filesTouched+manySkills/perQuery+1)
	changed("warm, the list of each folder is cut", 12+1)
}

// The first look answers for everything. Its files are asked for a hundred at a time.
func TestWhatTheFirstLookCosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	const skills = manySkills / 5 // each costs the same
	w.big(skills)
	first := w.cost("the change that adds all cards", func() {
		must(w.repo.OpenPull("main", "bare", "mallory", fakehub.PullOptions{}))(t)
		w.settled()
		w.want(w.main, "success", "")
	})
	const perQuery = 100
	first.within(t, "the first look", 24+2*skills/perQuery)

	number, _ := w.open("topic", docs("x"))
	w.settled()
	ask := func(name, question string, most int) bill {
		before := len(w.replies(number))
		b := w.cost(name, func() { must(w.repo.Comment(number, "mallory", "/ask "+question))(t) })
		b.within(t, name, most)
		if got := w.replies(number); len(got) != before+1 || !strings.Contains(got[before], "skills/skill-00077/SKILL.md:10") {
			t.Errorf("%s: replies %q", name, got)
		}
		return b
	}
	const what = "What does queue77 drain do?"
	ask("the first question", what, 24+skills/perQuery)
	ask("the second question", what, 12)
	w.restart()
	ask("a question to a new process", what, 16)
}

// A push that comes before the last one was looked at replaces it.
func TestWhatAHundredPushesCost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	const pushes = 100
	_, head := w.open("topic", docs("0"))
	push := func(n int) {
		head = w.commit("topic", docs(fmt.Sprint(n)))
		w.deliver()
	}
	w.deliver()
	burst := w.cost("a hundred pushes at once", func() {
		for n := range pushes {
			push(n + 1)
		}
		w.start()
	})
	burst.within(t, "a burst", 24) // its hundred commits among them
	w.want(head, "success", "No cards affected")
	const looks = 20
	slow := w.cost("twenty pushes one after the other", func() {
		for n := range looks {
			push(n + 1000)
			w.settled()
		}
	})
	slow.within(t, "twenty looks", 12*looks) // half of it for the commits, which are more than a hundred by now
	w.want(head, "success", "No cards affected")
}
