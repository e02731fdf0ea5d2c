package ident

import "strings"

// call notes which arguments a function of the file gets.
func (f *jsFile) call(i int) {
	if !f.quiet || !f.is(i+1, "(") || f.is(i-1, "function") || f.is(i-1, ".") && !f.is(i-2, "this") || controls(f.toks[i].text) {
		return
	}
	end := f.mate(i + 1)
	for j, n := i+2, 0; j < end && n < maxParams; n++ {
		at := j
		if f.is(at, "...") {
			at++
		}
		p := jsParam{f.toks[i].text, n}
		if part, next := f.value(at); part != argNone && f.ends(next) {
			if old := f.passed[p]; old != argNone && old != part {
				part = max(old, part) // the one that says less
			}
			f.passed[p] = part
		}
		for steps := 0; j < end && !f.is(j, ",") && steps < reach; steps++ {
			j = f.step(j)
		}
		j++
	}
}

// declared adds the string at j as what it is on a command line.
func (f *jsFile) declared(part argPart, first, j int) {
	if !f.kind(j, tokString) {
		return
	}
	if first > j {
		first = j
	}
	switch text := f.toks[j].text; {
	case len(text) > maxName:
	case flagForm.MatchString(text):
		f.add(Flag, text, first, j)
	case part == argFirst && shellWord.MatchString(text):
		f.add(Subcommand, text, first, j)
	case strings.HasSuffix(text, "=") && flagForm.MatchString(text[:len(text)-1]):
		f.add(Flag, text[:len(text)-1], first, j)
	}
}

// lookedUp takes the flag at j that is looked for among the arguments, or notes
// that the function at hand gets its name.
func (f *jsFile) lookedUp(first, j int) {
	f.declared(argEach, first, j)
	how := takesFlag
	if f.kind(j, tokOther) && f.toks[j].text == "--" && f.is(j+1, "${") {
		j, how = j+2, takesName
	}
	if p := f.bound(j).param; p.function != "" && (f.is(j+1, ")") || f.is(j+1, "}")) {
		f.takers[p] = how
	}
}

// taken takes the flags that a call hands to a function that looks them up.
func (f *jsFile) taken(i int) {
	if !f.is(i+1, "(") || f.is(i-1, "function") {
		return
	}
	j := i + 2
	for n := 0; n < 2 && f.kind(j, tokString) && (f.is(j+1, ",") || f.is(j+1, ")")); n++ {
		switch text := f.toks[j].text; f.takers[jsParam{f.toks[i].text, n}] {
		case takesFlag:
			f.declared(argEach, i, j)
		case takesName:
			if wordForm.MatchString(text) && len(text) < maxName {
				f.add(Flag, "--"+text, i, j)
			}
		}
		j += 2
	}
}
