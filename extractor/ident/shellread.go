package ident

import (
	"errors"
	"io"
	"runtime"
	"strings"
)

const (
	// maxFrames is how many calls deep the shell parser may be when it asks for
	// more text. It goes deeper with every bracket and has no limit: some hundred
	// kB of "((" overflow the stack, which ends the process and cannot be caught.
	// Five thousand are some hundreds of nested commands.
	maxFrames = 5_000
	// readBytes is how much text it gets at once, so how much deeper it can go
	// between two looks.
	readBytes = 512
)

var errDeep = errors.New("nested too deep")

// A shallowReader gives a script to the parser, as long as that is not too deep
// in calls of itself.
type shallowReader struct {
	src    []byte
	frames [maxFrames]uintptr
}

func (r *shallowReader) Read(p []byte) (int, error) {
	if len(r.src) == 0 {
		return 0, io.EOF
	}
	if runtime.Callers(1, r.frames[:]) == maxFrames {
		return 0, errDeep
	}
	n := copy(p[:min(len(p), readBytes)], r.src)
	r.src = r.src[n:]
	return n, nil
}

// armsByLine finds the flags of case arms in a script that does not parse: lines
// that begin with "--name)" or "-n|--name)", outside of here-documents.
func armsByLine(src []byte) []Ident {
	var out []Ident
	until := "" // the word that ends the here-document at hand
	line := 0
	for text := range strings.Lines(string(src)) {
		line++
		text = strings.TrimSpace(text)
		if until != "" {
			if text == until {
				until = ""
			}
			continue
		}
		until = hereWord(text)
		arm, _, ok := strings.Cut(text, ")")
		if !ok {
			continue
		}
		for _, p := range strings.Split(strings.TrimPrefix(arm, "("), "|") {
			p = strings.TrimRight(strings.Trim(strings.TrimSpace(p), `"'`), "*?")
			if p = strings.TrimSuffix(p, "="); flagForm.MatchString(p) {
				out = append(out, Ident{Flag, p, line, line})
			}
		}
	}
	return out
}

// hereWord returns the word after "<<" that ends a here-document, or nothing.
func hereWord(line string) string {
	_, rest, ok := strings.Cut(line, "<<")
	if !ok || strings.HasPrefix(rest, "<") || strings.HasPrefix(line, "#") {
		return ""
	}
	fields := strings.Fields(strings.TrimPrefix(rest, "-"))
	if len(fields) == 0 {
		return ""
	}
	word := strings.Trim(fields[0], `"'\;|&)`)
	if !envForm.MatchString(word) {
		return ""
	}
	return word
}
