package secret

import "strings"

const (
	leastHex    = 32 // digits
	leastBase64 = 16 // characters
)

// encodedRuns are the runs of a text that gitleaks' decoder would decode, in
// order. Of two that meet, the one of the lesser encoding is left for the next
// layer.
func encodedRuns(text string) []encodedRun {
	var all []encodedRun
	for at := 0; at < len(text); {
		run, ok := nextRun(text, at)
		if !ok {
			break
		}
		all = append(all, run)
		at = run.end
	}
	kept := make([]encodedRun, 0, len(all))
	for i, run := range all {
		yields := i > 0 && all[i-1].end == run.start && all[i-1].encoding > run.encoding ||
			i+1 < len(all) && run.end == all[i+1].start && all[i+1].encoding > run.encoding
		if !yields {
			kept = append(kept, run)
		}
	}
	return kept
}

// nextRun is the first run that starts at a byte or after it.
func nextRun(text string, at int) (encodedRun, bool) {
	for i := at; i < len(text); {
		switch c := text[i]; {
		case c == '%':
			if end := percentEnd(text, i); end > 0 {
				return encodedRun{span{i, end}, inPercent}, true
			}
			i++
		case c == '\\':
			if end := escapesEnd(text, i); end > 0 {
				return encodedRun{span{i, end}, inEscapes}, true
			}
			i++
		case base64Byte[c]:
			run, end := wordRun(text, i)
			if run.end > 0 {
				return run, true
			}
			i = end
		default:
			i++
		}
	}
	return encodedRun{}, false
}

// wordRun looks at a run of letters, digits and the signs of base64, which starts
// at a byte. It returns what is encoded there, if anything, and the run's end.
func wordRun(text string, at int) (encodedRun, int) {
	end := at + 1
	for end < len(text) && base64Byte[text[end]] {
		end++
	}
	if stop := codePointsEnd(text, at); stop > 0 {
		return encodedRun{span{at, stop}, inEscapes}, end
	}
	digits := at
	for digits < end && unhex(text[digits]) >= 0 {
		digits++
	}
	switch {
	case digits-at >= leastHex:
		return encodedRun{span{at, digits}, inHex}, end
	case end-at >= leastBase64:
		for pads := 0; pads < 2 && end < len(text) && text[end] == '='; pads++ {
			end++
		}
		return encodedRun{span{at, end}, inBase64}, end
	}
	// U+0041 may end a short run: what follows it must be a space.
	if start := end - len("U+0041"); start > at {
		if stop := codePointsEnd(text, start); stop > 0 {
			return encodedRun{span{start, stop}, inEscapes}, end
		}
	}
	return encodedRun{}, end
}

// percentEnd is the end of what goes from one percent-encoded byte to the last
// one of its line, or 0.
func percentEnd(text string, at int) int {
	if !percent(text, at) {
		return 0
	}
	line := text[:lineEnd(text, at)]
	for last := strings.LastIndexByte(line, '%'); last > at+2; last = strings.LastIndexByte(line[:last], '%') {
		if percent(text, last) && last+3 <= len(line) {
			return last + 3
		}
	}
	return at + 3
}

func percent(text string, at int) bool {
	return at+2 < len(text) && text[at] == '%' && unhex(text[at+1]) >= 0 && unhex(text[at+2]) >= 0
}

// escapesEnd is the end of a run of \u0041 and \\u0041, or 0.
func escapesEnd(text string, at int) (end int) {
	for {
		i := at
		for i < len(text) && i < at+2 && text[i] == '\\' {
			i++
		}
		if i == at || i >= len(text) || text[i]|0x20 != 'u' || !fourHex(text, i+1) {
			return end
		}
		at = i + 5
		end = at
	}
}

// codePointsEnd is the end of a run of U+0041, each with a space behind, or 0.
func codePointsEnd(text string, at int) (end int) {
	for strings.HasPrefix(text[at:], "U+") && fourHex(text, at+2) {
		at += len("U+0041")
		if at == len(text) {
			return at
		}
		if strings.IndexByte(" \t\n\f\r", text[at]) < 0 {
			return end
		}
		at++
		end = at
	}
	return end
}

func fourHex(text string, at int) bool {
	for i := at; i < at+4; i++ {
		if i >= len(text) || unhex(text[i]) < 0 {
			return false
		}
	}
	return true
}

// base64Byte are the bytes of base64 in both its alphabets.
var base64Byte = func() (set [256]bool) {
	for c := range set {
		set[c] = alphanumeric(byte(c)) || strings.IndexByte("_/+-", byte(c)) >= 0
	}
	return set
}()
