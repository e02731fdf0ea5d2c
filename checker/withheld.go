package checker

import "github.com/cardkeeper/cardkeeper/checker/secret"

// TakeOut is what a person does about a withheld value. There is nothing to
// rotate: it is a value that everybody may know who reads the sources, and that
// must not stand in the index.
const TakeOut = "The policy says that this must not be indexed: take it out"

// cannotLook opens title and step where withheld values were not looked for.
const cannotLook = "Could not look for withheld values"

// Withheld reports whether the finding is a value that the policy withholds.
func (f Finding) Withheld() bool { return f.Rule == secret.WithheldRule }

// withheldValues counts the findings that are withheld values.
func (r Report) withheldValues() int {
	n := 0
	for _, f := range r.Secrets {
		if f.Withheld() {
			n++
		}
	}
	return n
}

// blind says why withheld values were not looked for, where there was something
// to look at: a change that touches no skill brings nothing into the index (law 6).
func (c *check) blind() string {
	if c.base != nil && !c.brought && len(c.touched) == 0 {
		return ""
	}
	return c.in.Blind
}

// inBase is the note on a finding that the base holds already.
func inBase(f Finding) string {
	if f.Withheld() {
		return "a withheld value that the base holds already; the policy says that it must not be indexed: take it out"
	}
	return "a secret (" + f.Rule + ") that the base holds already; rotate it, then remove it"
}

// says is what to do about a finding, for an annotation.
func (f Finding) says() string {
	if f.Withheld() {
		return TakeOut + "."
	}
	return "This looks like a secret. Rotate it first, then remove it from the file."
}

// label is the title of a finding's annotation.
func (f Finding) label() string {
	if f.Withheld() {
		return "Withheld value"
	}
	return "Secret: " + f.Rule
}

// plain is a finding on a line of a terminal, without its place.
func (f Finding) plain() string {
	if f.Withheld() {
		return "withheld value, fingerprint " + f.Fingerprint + from(f.Commit) + ". " + TakeOut
	}
	return "secret (" + f.Rule + ", " + string(f.Tier) + "), fingerprint " + f.Fingerprint + from(f.Commit) + ". Rotate it first, then remove it"
}

// blindAnnotation stands at the head's configuration, if there is one.
func (r Report) blindAnnotation() []Annotation {
	if r.Unlooked == "" || !r.configured {
		return nil
	}
	return []Annotation{{ConfigFile, 1, 1, Error, cannotLook, r.Unlooked}}
}
