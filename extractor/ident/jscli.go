package ident

import "strings"

// The libraries whose calls declare a command line, by what a file imports.
func (f *jsFile) library(names ...string) bool {
	for _, name := range names {
		if f.words[name] {
			return true
		}
	}
	return f.fragment
}

func (f *jsFile) yargs() bool {
	return f.library("yargs", "yargs/yargs", "yargs/helpers")
}

// commander takes .option("-x, --long <v>"), .command("name <arg>") with its
// .alias("n"), new Option("--x") and new Command("name"), and what yargs makes of
// the first two.
func (f *jsFile) commander(i int) {
	if !f.is(i+1, "(") {
		return
	}
	j := i + 2
	switch name := f.toks[i].text; {
	case name == "Option":
		if f.is(i-1, "new") || f.is(i-2, "new") || f.is(i-3, "new") {
			f.optionFlags(i, j)
		}
	case name == "Command":
		f.newCommand(i, j)
	case !f.is(i-1, "."):
	case name == "options":
		if f.is(j, "{") && f.yargs() {
			f.keys(j, func(key, value int) { f.yargsOption(i, key, value) })
		}
	case name == "command":
		if f.is(j, "[") {
			j++
		}
		if f.library("commander", "yargs", "yargs/yargs", "cac", "sade", "@commander-js/extra-typings") || f.is(i-2, "program") {
			f.commandName(i, j)
		}
	case name == "alias": // yargs has one of its own, for flags
		if f.library("commander", "@commander-js/extra-typings") && !f.yargs() && f.is(i-2, ")") {
			f.commandName(i, j)
		}
	case f.kind(j, tokString) && strings.HasPrefix(f.toks[j].text, "-"):
		f.optionFlags(i, j)
	case name == "option" && f.kind(j, tokString) && f.yargs():
		f.yargsOption(i, j, j+2)
	}
}

// optionFlags takes the flags of "-x, --long <value>".
func (f *jsFile) optionFlags(i, j int) {
	if !f.kind(j, tokString) || len(f.toks[j].text) > maxName {
		return
	}
	for _, word := range strings.FieldsFunc(f.toks[j].text, func(r rune) bool { return r == ',' || r == '|' || r == ' ' }) {
		word, _, _ = strings.Cut(word, "=")
		if word, _, _ = strings.Cut(word, "["); flagForm.MatchString(word) {
			f.add(Flag, word, i, j)
		}
	}
}

// commandName takes the first word of "name <arg>".
func (f *jsFile) commandName(i, j int) {
	if !f.kind(j, tokString) || len(f.toks[j].text) > maxName {
		return
	}
	word, _, _ := strings.Cut(f.toks[j].text, " ")
	if shellWord.MatchString(word) {
		f.add(Subcommand, word, i, j)
	}
}

// newCommand takes new Command("name") where that is not the program itself.
func (f *jsFile) newCommand(i, j int) {
	k := i - 1
	if f.is(k, ".") {
		k -= 2
	}
	if !f.is(k, "new") || !f.library("commander", "@commander-js/extra-typings") {
		return
	}
	root := f.parsed[")"]
	if f.is(k-1, "=") && f.kind(k-2, tokName) {
		root = f.parsed[f.toks[k-2].text]
	}
	if !root {
		f.commandName(i, j)
	}
}

// yargsOption takes the name of an option and the aliases in its object.
func (f *jsFile) yargsOption(i, key, value int) {
	f.named(f.toks[key].text, i, key)
	if value == 0 || !f.is(value, "{") {
		return
	}
	f.keys(value, func(key, value int) {
		if f.toks[key].text != "alias" || value == 0 {
			return
		}
		last := value + 1
		if f.is(value, "[") {
			last = f.mate(value)
		}
		for j := value; j < last && j < value+reach; j++ {
			if f.kind(j, tokString) {
				f.named(f.toks[j].text, i, j)
			}
		}
	})
}

// named adds a flag by its name without dashes.
func (f *jsFile) named(name string, first, last int) {
	flag := "--" + name
	if len(name) == 1 {
		flag = "-" + name
	}
	if len(name) <= maxName && flagForm.MatchString(flag) {
		f.add(Flag, flag, first, last)
	}
}

// parseArgs takes the options of node's own parser.
func (f *jsFile) parseArgs(i int) {
	if !f.is(i+1, "(", "{") || !f.library("util", "node:util") {
		return
	}
	f.keys(i+2, func(key, value int) {
		if f.toks[key].text != "options" {
			return
		}
		if value == 0 {
			value = key
		}
		if f.kind(value, tokName) {
			value = f.objects[f.toks[value].text]
		}
		if f.is(value, "{") {
			f.keys(value, f.nodeOption)
		}
	})
}

// nodeOption takes one entry: its key is the flag, "short" the letter.
func (f *jsFile) nodeOption(key, value int) {
	if value == 0 || !f.is(value, "{") {
		return
	}
	name := f.toks[key].text
	if flag := "--" + name; len(name) <= maxName && flagForm.MatchString(flag) {
		f.add(Flag, flag, key, key)
	}
	f.keys(value, func(inner, short int) {
		if f.toks[inner].text == "short" && f.kind(short, tokString) && len(f.toks[short].text) == 1 {
			f.named(f.toks[short].text, key, short)
		}
	})
}
