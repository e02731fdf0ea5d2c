package extractor

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

// mentions judges the files and flags that a page's code spans and commands name.
func (j *judge) mentions(p *page) error {
	for _, s := range p.trace.Spans {
		text := strings.ReplaceAll(s.Text, "\n", " ")
		if !strings.ContainsAny(text, " \t") {
			if err := j.path(p, text, s.Line, false); err != nil {
				return err
			}
			continue
		}
		if err := j.commands(p, []markdown.CodeLine{{Text: text, Line: s.Line}}); err != nil {
			return err
		}
	}
	for _, b := range p.shell {
		if err := j.commands(p, b.Code); err != nil {
			return err
		}
	}
	return nil
}

// ownPath is a path in a folder that skills keep for themselves, with the name of a file at its end.
var ownPath = regexp.MustCompile(`^(?:\./)?(scripts|references?|assets|templates|resources)/(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z][A-Za-z0-9]{0,5}$`)

// Names and words that tell an example or a file of the past from a file that should be there.
var (
	exampleName = regexp.MustCompile(`^(?:(?:foo|bar|baz|x+|file|filename|name|script|script_name|tool|helper|guide|example|sample|output)|(?:my|your|new|some|example)[-_].*)\.\w+$`)
	exampleCue  = regexp.MustCompile(`(?i)(?:\b(?:create[sd]?|creating|saved?|write|written|add(?:ed)?|generates?|outputs?|deleted?|removed?|renamed?|moved|ported|e\.g\.|example|such as|like|skills?(?:'s)?|should|instead of|was)\b|->|→|✅|❌)[^.]{0,40}$`)
	exampleLine = regexp.MustCompile(`(?i)\bexamples?\b[*_ ]*:|\be\.g\.|\bfor example\b|\bwould be\b`)
	history     = regexp.MustCompile(`(?i)(?:change-?log|evolution-log|history|releases?|migration)[^/]*$`)
)

// path judges a word that looks like a file of the skill. The folder of a link at
// the same line to the same target was judged with the link.
func (j *judge) path(p *page, word string, line int, run bool) error {
	m := ownPath.FindStringSubmatch(word)
	if m == nil || template(word) || exampleName.MatchString(path.Base(word)) || history.MatchString(p.file) {
		return nil
	}
	text := p.text(line)
	head, _, _ := strings.Cut(text, word)
	head = strings.Trim(head[max(0, len(head)-100):], "` ")
	if !run && (p.linked(word, line) || exampleLine.MatchString(text) || exampleCue.MatchString(head)) {
		return nil
	}
	own, err := j.owned(p, m[1], run)
	if err != nil || !own {
		return err
	}
	found, err := j.somewhere(p, word)
	if err != nil {
		return err
	}
	j.tell(p, FileReference, line, word, !found)
	return nil
}

// linked reports whether a link of the line has the word for its target.
func (p *page) linked(word string, line int) bool {
	return p.links[markdown.Mark{Text: strings.TrimPrefix(word, "./"), Line: line}]
}

// maxCued is the longest line that is searched for what stands around a word, in
// bytes. All but 103 lines of the measured collections are shorter; a bound keeps the search linear.
const maxCued = 2_000

// text is a line as written, "" for one that is too long.
func (p *page) text(line int) string {
	if line < 1 || line > len(p.lines) || len(p.lines[line-1]) > maxCued {
		return ""
	}
	return p.lines[line-1]
}

// owned reports whether a folder is the skill's rather than one of the project
// that it works on: the skill has one of that name. Of scripts that are nowhere,
// half belong to a project, but not those that SKILL.md itself starts.
func (j *judge) owned(p *page, folder string, run bool) (bool, error) {
	if folder == "assets" || strings.HasPrefix(folder, "reference") || folder == "scripts" && run && p.file == j.files.Main {
		return true, nil
	}
	for _, dir := range []string{j.files.Path, p.folder()} {
		if found, err := j.names.at(path.Join(dir, folder)); err != nil || found != absent {
			return true, err
		}
	}
	return false, nil
}

// somewhere reports whether a path leads to anything from the page's folder or
// one above it: the skill's, a plugin's or the repository's.
func (j *judge) somewhere(p *page, word string) (bool, error) {
	for dir := p.folder(); ; dir = path.Dir(dir) {
		found, err := j.names.at(path.Join(dir, word))
		if err != nil || found != absent {
			return true, err
		}
		if dir == "." {
			return false, nil
		}
	}
}

// commands judges the scripts that command lines run, and their flags.
func (j *judge) commands(p *page, lines []markdown.CodeLine) error {
	for _, words := range simpleCommands(lines) {
		if words[0].text == "cd" || words[0].text == "pushd" {
			return nil // what follows runs elsewhere
		}
		i, launched, ok := scriptWord(words)
		if !ok {
			continue
		}
		if err := j.path(p, words[i].text, words[i].line, launched); err != nil {
			return err
		}
		if file := j.script(p, words[i].text); file != "" {
			j.flags(p, file, words[i].text, words[i+1:])
		}
	}
	return nil
}

var (
	assignment = regexp.MustCompile(`^[A-Za-z_]\w*=`)
	scriptName = regexp.MustCompile(`\.(?:py|sh|bash|zsh|js|mjs|cjs|ts|mts|tsx|ps1|go)$`)
	launcher   = regexp.MustCompile(`^(?:sudo|env|time|nohup|exec|command|python[0-9.]*|uv|uvx|run|pipx|poetry|bash|sh|zsh|source|\.|node|bun|bunx|npx|pnpm|deno|tsx|ts-node|pwsh|powershell)$`)
)

// scriptWord finds the word of a command that names the script it runs: the
// first, or the first with a script's name after words that start one.
func scriptWord(words []shellWord) (at int, launched, ok bool) {
	for i, w := range words {
		switch {
		case assignment.MatchString(w.text):
		case launcher.MatchString(path.Base(w.text)):
			launched = true
		case scriptName.MatchString(w.text):
			return i, launched, true
		case !launched:
			return i, false, i == 0 && strings.Contains(w.text, "/")
		case w.text == "-c" || w.text == "-m" || w.text == "-e":
			return 0, false, false
		}
	}
	return 0, false, false
}

// homePrefix is what stands for the skill's folder in a path: a variable or placeholder.
var homePrefix = regexp.MustCompile(`^(?:\$\{?\w+\}?|\{\w+\}|<[\w -]+>)/`)

// script finds the skill's script that a word names, or "".
func (j *judge) script(p *page, word string) string {
	word = homePrefix.ReplaceAllString(word, "")
	tries := []string{path.Join(p.folder(), word), path.Join(j.files.Path, word), path.Join(j.files.Path, "scripts", word), path.Clean(word)}
	if _, below, ok := strings.Cut(word, "/"+path.Base(j.files.Path)+"/"); ok {
		tries = append(tries, path.Join(j.files.Path, below))
	}
	for _, t := range tries {
		if m, ok := j.mined[t]; ok && len(m.flags) > 0 && m.closed() {
			return t
		}
	}
	return ""
}

// longFlag is a flag of a documented command.
var longFlag = regexp.MustCompile(`^--[a-z][A-Za-z0-9_-]*$`)

// flags judges the words after a script.
func (j *judge) flags(p *page, file, script string, words []shellWord) {
	for _, w := range words {
		text, _, _ := strings.Cut(strings.Trim(w.text, "[](){},.…"), "=")
		if text == "--" {
			return
		}
		if !longFlag.MatchString(text) || slices.ContainsFunc([]string{"--flag", "--flags", "--option", "--options", "--args"}, func(s string) bool { return s == text }) {
			continue
		}
		j.tell(p, FlagReference, w.line, script+" "+text, !j.takes(file, text))
	}
}
