// Package drift compares the card that a skill's sources give with the one that
// is committed, and says what differs, entry by entry.
//
// Equal bytes are fresh; nothing else is. What differs is told in the words of
// a person: added, removed, changed, moved to another context, renumbered. Apart
// from cards, [Added] tells which lines of a text an older one has not.
package drift
