package store

import (
	"fmt"
	"strings"
)

// wordLimit bounds a machine word: event names, delivery ids, keys, hashes and
// model names are all far below it, and no useful text fits the alphabet.
const wordLimit = 200

// check returns [ErrInvalid] with the name of the first field that is not ok.
// The value is never part of the error (law 8).
func check(fields ...field) error {
	for _, f := range fields {
		if !f.ok {
			return fmt.Errorf("%w: %s", ErrInvalid, f.name)
		}
	}
	return nil
}

// field is a named verdict on one given value.
type field struct {
	name string
	ok   bool
}

// word is for a value that must be there: 1 to 200 of letters, digits and -_.:/@
func word(name, value string) field {
	return field{name, value != "" && isWord(value)}
}

// optional is word, or nothing.
func optional(name, value string) field { return field{name, isWord(value)} }

// commit is for a git object id in hex, SHA-1 or SHA-256, or nothing.
func commit(name, value string) field {
	length := len(value) == 0 || len(value) == 40 || len(value) == 64
	return field{name, length && strings.Trim(value, "0123456789abcdef") == ""}
}

// hash is for a SHA-256 in hex that must be there.
func hash(name, value string) field {
	return field{name, len(value) == 64 && strings.Trim(value, "0123456789abcdef") == ""}
}

// id is for a numeric id that must be there.
func id(name string, value int64) field { return field{name, value > 0} }

// maybeID is for a numeric id that an event may not have.
func maybeID(name string, value int64) field { return field{name, value >= 0} }

// text is for scanned text, which must be there; any bytes are kept.
func text(name string, value []byte) field { return field{name, len(value) > 0} }

// isWord holds no blank, so that a sentence cannot be stored by mistake.
func isWord(value string) bool {
	if len(value) > wordLimit {
		return false
	}
	for i := 0; i < len(value); i++ {
		c := value[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && strings.IndexByte("-_.:/@", c) < 0 {
			return false
		}
	}
	return true
}
