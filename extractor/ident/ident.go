// Package ident reads source files for the identifiers they declare: what a
// person can type or set to use a script, and the functions it defines.
//
// It looks at forms, not at meaning: an argparse argument, a case arm, a default
// for an environment variable. A name inside a comment, a docstring or another
// string is none. Nothing is run, and nothing of a file but the names is kept.
//
// Python, shell, JavaScript, TypeScript, Go and PowerShell are read; some others
// are recognised and give no names. A language more is one file with a miner, a
// line in minerFor and one in languages.
package ident

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// A Kind says what a name is for.
type Kind string

// The kinds that Mine gives.
const (
	Subcommand Kind = "subcommand"
	Flag       Kind = "flag"
	Env        Kind = "env"
	Function   Kind = "function"

	class Kind = "class" // shown for fenced code only
)

// An Ident is a declared name, with the lines from the declaration's first word
// to the name, counted from 1, both ends included.
type Ident struct {
	Kind  Kind
	Name  string
	First int
	Last  int
}

// A Result is what a file declares. Language is empty for files that are no text
// or of no known language.
type Result struct {
	Language string
	Idents   []Ident
}

// MaxBytes is the longest file that is read. Scripts that people write are far
// below; above stand bundles, which declare nothing to a reader.
const MaxBytes = 1 << 20

// maxFence is how many names of a fenced example are worth a line on a card.
const maxFence = 12

var (
	// ErrTooLong means that a file is over MaxBytes and was not read.
	ErrTooLong = errors.New("the file is too long to look for identifiers")
	// ErrSyntax means that a file could not be parsed. The names that a plain
	// look at its lines found come with it.
	ErrSyntax = errors.New("the file does not parse")
)

// A miner reads one language. It gives names in any order, with or without
// doubles. A fragment is an example cut from a file: its imports may be missing.
type miner func(src []byte, fragment bool) ([]Ident, error)

func minerFor(language string) miner {
	switch language {
	case "python":
		return minePython
	case "shell":
		return mineShell
	case "javascript", "typescript":
		return mineJavaScript
	case "go":
		return mineGo
	case "powershell":
		return minePowerShell
	}
	return nil
}

// Mine returns what the file declares, sorted by line, kind and name. A flag or
// subcommand that is declared at several lines comes once a line; a variable
// that is read at several comes once, at the first. Of the name only the ending
// counts: it tells the language where the content does not, and a test, which
// declares nothing to a user (x_test.go, x.test.ts, x.Tests.ps1).
//
// Errors wrap ErrTooLong or ErrSyntax, name lines and no text, and leave the
// Result usable. Time is linear in the size of the file.
func Mine(name string, src []byte) (Result, error) {
	r := Result{Language: language(name, src)}
	mine := minerFor(r.Language)
	if mine == nil || isTest(path.Base(name)) {
		return r, nil
	}
	if len(src) > MaxBytes {
		return r, fmt.Errorf("ident.Mine: %w: over %d bytes", ErrTooLong, MaxBytes)
	}
	found, err := mine(bytes.TrimPrefix(src, []byte("\ufeff")), false)
	r.Idents = tidy(found)
	if err != nil {
		return r, fmt.Errorf("ident.Mine: %w", err)
	}
	return r, nil
}

// Fence returns the names worth showing for a fenced code example, at most 12,
// sorted, each once: functions, classes and types, flags and environment
// variables; none for a language that is not read. lang is the fence's info
// string.
func Fence(lang string, code []byte) []string {
	mine := minerFor(fenceLanguage(lang))
	if mine == nil || len(code) > MaxBytes {
		return nil
	}
	found, _ := mine(code, true) // an example that does not parse still shows its names
	var names []string
	for _, id := range found {
		if id.Kind != Subcommand {
			names = append(names, id.Name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return names[:min(len(names), maxFence)]
}

// tidy sorts the names, drops doubles and what only fences show.
func tidy(found []Ident) []Ident {
	slices.SortFunc(found, func(a, b Ident) int {
		return cmp.Or(a.First-b.First, strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Name, b.Name), a.Last-b.Last)
	})
	type key struct {
		kind Kind
		name string
		line int
	}
	seen := map[key]bool{}
	var out []Ident
	for _, id := range found {
		k := key{id.Kind, id.Name, id.First}
		if id.Kind == Env {
			k.line = 0
		}
		if id.Kind != class && !seen[k] {
			seen[k] = true
			out = append(out, id)
		}
	}
	return out
}
