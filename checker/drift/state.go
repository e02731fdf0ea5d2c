package drift

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A State is how a committed card stands to the extracted one.
type State string

// The states.
const (
	Fresh   State = "fresh"   // equal bytes
	Stale   State = "stale"   // other bytes
	Missing State = "missing" // a skill without a card
	Orphan  State = "orphan"  // a card without a skill
	Older   State = "older edition"
	Newer   State = "newer edition"
)

// A Verdict is what [Judge] says of one card.
type Verdict struct {
	State  State
	Reason string       // one plain sentence, with what mends it; empty where fresh
	Old    []card.Entry // what the committed card says; nil where it could not be read
	Title  string       // the committed card's title and description, where it could be read
	About  string
}

// Judge compares the bytes of a committed card with those that the sources give.
// A nil committed card is a missing one.
func Judge(wanted, committed []byte) Verdict { return JudgeAs(card.Edition, wanted, committed) }

// JudgeAs is Judge for a build that writes another edition: what a coming one would say.
func JudgeAs(current int, wanted, committed []byte) Verdict {
	if committed == nil {
		return Verdict{State: Missing, Reason: "The skill has no card yet. Run: cardkeeper build"}
	}
	if bytes.Equal(wanted, committed) {
		return Verdict{State: Fresh}
	}
	if bytes.Equal(wanted, bytes.ReplaceAll(committed, []byte("\r\n"), []byte("\n"))) {
		return Verdict{State: Stale, Reason: "Only the line endings differ: the card was committed with CRLF. " +
			"Give the cards folder \"text eol=lf\" in .gitattributes and run: cardkeeper build"}
	}
	edition, err := card.EditionOf(committed)
	switch {
	case errors.Is(err, card.ErrConflict):
		return Verdict{State: Stale, Reason: "The card holds conflict markers. Do not merge cards by hand; run: cardkeeper build"}
	case err != nil:
		return Verdict{State: Stale, Reason: "The file is no card: its first line does not name an edition. Run: cardkeeper build"}
	case edition < current:
		return Verdict{State: Older, Reason: fmt.Sprintf("The card is of edition %d; this cardkeeper writes edition %d. Run: cardkeeper build --all", edition, current)}
	case edition > current:
		return Verdict{State: Newer, Reason: fmt.Sprintf("The card is of edition %d, which this cardkeeper (edition %d) cannot read. Upgrade cardkeeper", edition, current)}
	}
	return judgeText(committed)
}

// judgeText reads a stale card of this edition.
func judgeText(committed []byte) Verdict {
	c, err := card.Parse(committed)
	var syntax *card.SyntaxError
	if errors.As(err, &syntax) {
		return Verdict{State: Stale, Reason: fmt.Sprintf("The card was edited by hand: line %d is not as cardkeeper writes it. Run: cardkeeper build", syntax.Line)}
	}
	return Verdict{
		State: Stale, Reason: "The card does not say what the skill's files say. Run: cardkeeper build",
		Old: c.Entries, Title: c.Title, About: c.Description,
	}
}
