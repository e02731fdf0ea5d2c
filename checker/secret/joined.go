package secret

import "strings"

// leastJoined is the shortest run that is worth a look, shorter than any token
// with a form of its own.
const leastJoined = 20

// joinedLines is the view of runs that go over the end of a line: the last run
// of one line with the first of the next, and with all lines between that are
// nothing but one run. A token that was wrapped at 80 columns and base64 in lines
// of 76 both become one.
func joinedLines(raw string) *view {
	v := &view{}
	begun, parts := 0, 0
	for start := 0; start < len(raw); {
		end := lineEnd(raw, start)
		first, last := trimLine(raw, start, end)
		headEnd, tailStart := first, last
		for headEnd < last && runByte(raw[headEnd]) {
			headEnd++
		}
		for tailStart > first && runByte(raw[tailStart-1]) {
			tailStart--
		}
		if parts > 0 && headEnd > first {
			v.keep(raw, first, headEnd, false)
			parts++
		}
		if parts == 0 || headEnd < last || first == last {
			v.close(begun, parts)
			begun, parts = len(v.text), 0
			if tailStart < last {
				v.keep(raw, tailStart, last, false)
				parts = 1
			}
		}
		start = end + 1
	}
	v.close(begun, parts)
	return v
}

// close ends a run, or drops it when it is of one line or too short or
// nothing but letters.
func (v *view) close(begun, parts int) {
	n := len(v.text)
	if parts < 2 || n-begun < leastJoined || !strings.ContainsAny(string(v.text[begun:]), "0123456789_-") {
		v.cut(begun)
		return
	}
	end := v.origin(n - 1).end
	v.add("\n", end, end)
}

// trimLine leaves out what begins and ends a line beside its text: indents, marks
// of quotations and comments, quotes, and what says that a line goes on.
func trimLine(raw string, start, end int) (first, last int) {
	for start < end && strings.IndexByte(" \t>|#*\"'`", raw[start]) >= 0 {
		start++
	}
	for end > start && strings.IndexByte(" \t\r\\|*\"'`+", raw[end-1]) >= 0 {
		end--
	}
	return start, end
}

// runByte reports the bytes that tokens and base64 are made of.
func runByte(c byte) bool {
	return alphanumeric(c) || strings.IndexByte("_-+/=.~:", c) >= 0
}
