package secret

import (
	"encoding/base64"
	"unicode/utf8"
)

// leastPacked is the shortest run that is tried as base 64: eighteen bytes, a
// name and a short password.
const leastPacked = 24

// unpacked is the view of what stands in base 64, each run a line or more of
// its own. The library undoes encodings for its rules; this is for the names.
func unpacked(raw string) *view {
	v := &view{}
	for i := 0; i < len(raw); i++ {
		start := i
		for i < len(raw) && packed(raw[i]) {
			i++
		}
		if i-start < leastPacked {
			continue
		}
		if text, ok := plainText(raw[start:i]); ok {
			v.add(text, start, i)
			v.add("\n", i-1, i)
		}
	}
	return v
}

// plainText decodes base 64 of a text.
func plainText(run string) (string, bool) {
	if text, err := base64.RawStdEncoding.DecodeString(run[:leastPacked]); err != nil || !readable(text[:16]) {
		return "", false // an image, a key: most of them
	}
	text, err := base64.RawStdEncoding.DecodeString(run)
	return string(text), err == nil && utf8.Valid(text) && readable(text)
}

// readable reports text of any script without control characters.
func readable(text []byte) bool {
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7F {
			return false
		}
	}
	return true
}
