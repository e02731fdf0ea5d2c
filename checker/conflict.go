package checker

import "strings"

// A Conflict says that cards of a change cannot be merged into its base: both
// sides changed them, each in its own way. The zero Conflict says that there is none.
type Conflict struct {
	Cards  int    // that both sides changed
	Others int    // other paths that both sides changed
	Why    string // no merge is offered although cards alone conflict: a sentence
	Merge  bool   // the button makes the merge
}

// The commands that a person runs instead. The base's name is left to them: it is
// a text of the repository.
const (
	mergeCommand = "git fetch origin && git merge origin/BASE   # BASE: the branch that this goes into"
	buildCommand = "cardkeeper build                            # also writes the cards that conflict"
)

// step tells the conflict, and what to do about it; "" where there is none.
// addable is what to give to git add.
func (c Conflict) step(addable string) string {
	if c.Cards == 0 {
		return ""
	}
	head := "**" + c.title() + "**"
	switch {
	case c.Merge:
		head += ", and nothing else does. Press **" + ButtonName + "**, which merges the base branch into this one and rebuilds the cards, or do it by hand:"
	case c.Others > 0:
		head += ", and so " + plural(c.Others, "does ", "do ") + count(c.Others, "other path") + ": both sides changed them, or one of them removed or moved them. That is for a person to merge:"
	default:
		head += ", and nothing else does. " + strings.TrimSpace(c.Why+" Merge by hand:")
	}
	return head + "\n\n" + fenced("sh", []string{mergeCommand, buildCommand, "git add -- " + addable + " && git commit --no-edit"})
}

// title is the conflict in a few words.
func (c Conflict) title() string {
	return count(c.Cards, "card") + plural(c.Cards, " conflicts", " conflict") + " with the base branch"
}

func plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// Settles reports whether a report on a merge lets it be committed: nothing that
// must not be there was found, nobody failed to look, and each of those cards is
// fresh or can be rebuilt.
func (r Report) Settles(cards []string) bool {
	if r.Leaky() || r.Unlooked != "" {
		return false
	}
	open := map[string]bool{}
	for _, c := range r.Cards {
		open[c.Card] = true
	}
	for _, m := range r.Mends {
		delete(open, m.Card)
	}
	for _, card := range cards {
		if open[card] {
			return false
		}
	}
	return true
}

// Leaky reports whether something was found that must not enter the index.
func (r Report) Leaky() bool { return r.leaks()+r.withheldValues() > 0 }
