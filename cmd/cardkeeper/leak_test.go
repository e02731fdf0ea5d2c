package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/planted"
	"github.com/cardkeeper/cardkeeper/checker"
)

// A place is somewhere in a repository where text can stand.
type place struct {
	name string
	bare bool // only for a value that needs no label and fits into a name
	// plant returns files that hold the value; dir is a skill's folder of its own.
	plant func(dir string, k planted.Kind) map[string]string
}

// main makes a SKILL.md with a body.
func skillOf(dir, body string) map[string]string {
	return map[string]string{dir + "/SKILL.md": "# A skill\n\n## Commands\n\n- run it\n\n" + body}
}

// single quotes a text for YAML.
func single(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// places is the table of them: a new one is a line.
func places() []place {
	head := func(field, value, more string) string {
		return "---\nname: a\n" + field + ": " + value + "\n---\n# A skill\n\n- run it\n" + more
	}
	return []place{
		{"a statement", false, func(d string, k planted.Kind) map[string]string { return skillOf(d, "- "+k.Text+"\n") }},
		{"a block", false, func(d string, k planted.Kind) map[string]string { return skillOf(d, k.Block) }},
		{"a block of another file", false, func(d string, k planted.Kind) map[string]string {
			return map[string]string{d + "/SKILL.md": skillOf(d, "")[d+"/SKILL.md"], d + "/references/more.md": k.Block}
		}},
		{"a heading", false, func(d string, k planted.Kind) map[string]string {
			return skillOf(d, "## The "+k.Text+"\n\n- a statement\n")
		}},
		{"a lead-in", false, func(d string, k planted.Kind) map[string]string {
			return skillOf(d, "With "+k.Text+" now:\n\n- a statement\n")
		}},
		{"a parent item", false, func(d string, k planted.Kind) map[string]string { return skillOf(d, "- "+k.Text+"\n  - a child\n") }},
		{"a step", false, func(d string, k planted.Kind) map[string]string {
			return skillOf(d, "1. first\n2. "+k.Text+"\n3. third\n")
		}},
		{"a hidden comment", false, func(d string, k planted.Kind) map[string]string {
			return skillOf(d, "<!--\n"+k.Block+"-->\n\n- a statement\n")
		}},
		{"a table's head", false, func(d string, k planted.Kind) map[string]string {
			return skillOf(d, "| "+k.Text+" | b |\n|---|---|\n| c | d |\n")
		}},
		{"a table's cell", false, func(d string, k planted.Kind) map[string]string {
			return skillOf(d, "| a | b |\n|---|---|\n| c | "+k.Text+" |\n")
		}},
		{"a command line", false, func(d string, k planted.Kind) map[string]string {
			return skillOf(d, "```sh\nmake all\n"+k.Text+"\n```\n")
		}},
		{"an example", false, func(d string, k planted.Kind) map[string]string {
			return skillOf(d, "```python\nx = 1\n# "+k.Text+"\n```\n")
		}},
		{"the description", false, func(d string, k planted.Kind) map[string]string {
			return map[string]string{d + "/SKILL.md": head("description", single(k.Text), "")}
		}},
		{"another field of the head", false, func(d string, k planted.Kind) map[string]string {
			return map[string]string{d + "/SKILL.md": head("metadata", "\n  note: "+single(k.Text), "")}
		}},
		{"a broken head", false, func(d string, k planted.Kind) map[string]string {
			return map[string]string{d + "/SKILL.md": head("key", "[\n  "+k.Text, "")}
		}},
		{"a comment of a script", false, func(d string, k planted.Kind) map[string]string {
			return map[string]string{d + "/SKILL.md": skillOf(d, "")[d+"/SKILL.md"], d + "/run.sh": "#!/bin/sh\n# " + k.Text + "\ncase $1 in --fast) ;; esac\n"}
		}},
		{"the name", true, func(d string, k planted.Kind) map[string]string {
			return map[string]string{d + "/SKILL.md": head("title", "x", "")[:4] + "name: " + k.Bare + "\n---\n# A skill\n\n- run it\n"}
		}},
		{"a flag of a script", true, func(d string, k planted.Kind) map[string]string {
			return map[string]string{d + "/SKILL.md": skillOf(d, "")[d+"/SKILL.md"], d + "/run.sh": "#!/bin/sh\ncase $1 in --" + k.Bare + ") ;; esac\n"}
		}},
		{"a fence's language", true, func(d string, k planted.Kind) map[string]string { return skillOf(d, "```"+k.Bare+"\nx\n```\n") }},
		{"a file's name", true, func(d string, k planted.Kind) map[string]string {
			return map[string]string{d + "/SKILL.md": skillOf(d, "")[d+"/SKILL.md"], d + "/" + k.Bare + ".md": "- a statement\n"}
		}},
		{"a script's name", true, func(d string, k planted.Kind) map[string]string {
			return map[string]string{d + "/SKILL.md": skillOf(d, "")[d+"/SKILL.md"], d + "/" + k.Bare + ".sh": "case $1 in --fast) ;; esac\n"}
		}},
		{"a folder's name", true, func(d string, k planted.Kind) map[string]string { return skillOf(d+"/"+k.Bare, "") }},
		{"a dead link", true, func(d string, k planted.Kind) map[string]string {
			return skillOf(d, "- see [this]("+k.Bare+".md) and `scripts/"+k.Bare+".sh`\n")
		}},
		{"an orphan's name", true, func(_ string, k planted.Kind) map[string]string {
			return map[string]string{"cards/skills/" + k.Bare + ".md": "<!-- cardkeeper edition 1 -->\n# x\n"}
		}},
		{"what is no card", false, func(d string, k planted.Kind) map[string]string {
			return map[string]string{"cards/" + strings.ReplaceAll(d, "/", "-") + ".md": k.Block}
		}},
		{"a card written by hand", false, func(d string, k planted.Kind) map[string]string {
			out := skillOf(d, "")
			out["cards/"+d+".md"] = "<!-- cardkeeper edition 1 -->\n# a\n\n## Setup\n\n### SKILL.md › A skill\n\n- " + k.Text + "\n"
			return out
		}},
	}
}

// plot plants every kind, each in another place; turn moves the places on. It
// returns the files, those whose values may stand on cards left out of firm.
func plot(kinds []planted.Kind, turn int) map[string]string {
	files := map[string]string{}
	all := places()
	for i, k := range kinds {
		at := (i + turn*5) % len(all)
		for all[at].bare && k.Bare == "" {
			at = (at + 1) % len(all)
		}
		maps.Copy(files, all[at].plant(fmt.Sprintf("skills/s%02d", i), k))
	}
	return files
}

// quiet are the same skills without any value.
func quiet(kinds []planted.Kind) map[string]string {
	files := map[string]string{}
	for i := range kinds {
		maps.Copy(files, skillOf(fmt.Sprintf("skills/s%02d", i), ""))
	}
	return files
}

// A leakTest holds what commands say to the planted kinds.
type leakTest struct {
	sandbox
	kinds []planted.Kind
	at    func(k planted.Kind) string
}

// say runs a command and looks through all that it prints.
func (l leakTest) say(args ...string) outcome {
	l.t.Helper()
	o := l.run(args...)
	name := strings.Join(args[:min(2, len(args))], " ")
	for _, k := range l.kinds {
		for stream, text := range map[string]string{"stdout": o.stdout, "stderr": o.stderr} {
			if k.Shows(text) {
				l.t.Errorf("%s shows %s, planted in %s, on %s: %s", name, k.Name, l.at(k), stream, lineWith(k, text))
			}
		}
	}
	return o
}

// lineWith is the line of a text that shows a value.
func lineWith(k planted.Kind, text string) string {
	for line := range strings.Lines(text) {
		if k.Shows(line) {
			return line
		}
	}
	return "(over several lines)"
}

// whereIs names the place that plot gave a kind.
func whereIs(kinds []planted.Kind, turn int) func(planted.Kind) string {
	return func(k planted.Kind) string {
		all := places()
		at := (slices.IndexFunc(kinds, func(o planted.Kind) bool { return o.Name == k.Name }) + turn*5) % len(all)
		for all[at].bare && k.Bare == "" {
			at = (at + 1) % len(all)
		}
		return all[at].name
	}
}

// A turn is one way to go through everything. Each plants the kinds in other
// places, and shows the check in another format.
type turn struct {
	format string
	more   func(l leakTest)
}

func turns() []turn {
	return []turn{
		{"text", leakTest.builds}, {"json", leakTest.asks}, {"markdown", leakTest.shows},
		{"github", leakTest.scans}, {"sarif", leakTest.mistakes},
	}
}

// Law 8: whatever a repository holds, no piece of a value is printed or written,
// in any format, as it comes, as it stays and as it goes.
func TestNoCommandShowsAPlantedValue(t *testing.T) {
	t.Parallel()
	for n, turn := range turns() {
		t.Run(turn.format, func(t *testing.T) {
			t.Parallel()
			kinds := planted.Kinds(uint64(n))
			s := repository(t, map[string]string{checker.ConfigFile: "policy:\n"})
			l := leakTest{s, kinds, whereIs(kinds, n)}
			l.fill(quiet(kinds))
			l.expect(exitOK, "build")
			l.commit()
			l.git("tag", "clean")
			l.fill(plot(kinds, n))
			l.say("check", "--format", turn.format)
			l.commit()
			l.git("tag", "planted")
			l.say("check", "--base", "clean", "--format", turn.format)
			turn.more(l)
			l.git("rm", "-q", "-r", "-f", "skills", "cards")
			l.fill(quiet(kinds))
			l.say("check", "--base", "planted", "--format", turn.format)
		})
	}
}

func (l leakTest) fill(files map[string]string) {
	l.t.Helper()
	for name, text := range files {
		l.write(name, text)
	}
}

// builds writes cards and looks through those that it wrote, names and all. What
// only warns is what the file says and may stand on its card.
func (l leakTest) builds() {
	l.t.Helper()
	before := l.snapshot()
	l.say("build", "--all")
	l.say("init")
	for name, text := range l.snapshot() {
		if before[name] == text {
			continue
		}
		for _, k := range l.kinds {
			if k.Shows(name) || !k.Warned && k.Shows(text) {
				l.t.Errorf("a file that build wrote shows %s, planted in %s", k.Name, l.at(k))
			}
		}
	}
}

// asks puts questions that hold a value, and such as its statement answers.
func (l leakTest) asks() {
	l.t.Helper()
	var batch strings.Builder
	for i, k := range l.kinds {
		for _, q := range []string{k.Question(), k.Text, fmt.Sprintf("what does s%02d say of %s", i, k.Name)} {
			line, _ := json.Marshal(map[string]string{"id": k.Bare, "question": q}) // strings marshal
			batch.WriteString(string(line) + "\n")
		}
	}
	l.write("questions.jsonl", batch.String())
	l.say("ask", "--batch", l.path("questions.jsonl"))
	for i, k := range l.kinds {
		switch i % 9 {
		case 0:
			l.say("ask", k.Text)
		case 3:
			l.say("ask", "--explain", k.Question())
		case 6:
			l.say("ask", "--format", "json", k.Question())
		}
	}
	l.remove("questions.jsonl")
}

func (l leakTest) shows() {
	l.t.Helper()
	for i := 0; i < len(l.kinds); i += 2 {
		l.say("show", fmt.Sprintf("skills/s%02d", i))
	}
}

func (l leakTest) scans() {
	l.t.Helper()
	l.say("scan", l.dir)
	l.say("scan", "--format", "json", l.dir)
	for i, k := range l.kinds {
		if k.Bare != "" && i%5 == 0 {
			l.say("scan", l.path(k.Bare))
		}
	}
}

// mistakes are what people type and write wrongly: no error quotes it. Each kind
// goes into some of the forms, and each form gets many kinds.
func (l leakTest) mistakes() {
	l.t.Helper()
	for i, k := range l.kinds {
		text := k.Text
		if i%2 == 0 && k.Bare != "" {
			text = k.Bare
		}
		forms := [][]string{
			{text}, {"show", text}, {"check", "--base", text}, {"check", "--format", text}, {"ask", "--batch", text},
			{"check", "--" + text}, {"check", "-x" + text}, {"check", "--staged=" + text}, {"build", text}, {"serve", "--settings", text},
			{"show", "--base=" + text}, {"show", "a", text}, {"scan", "--format=" + text, "."},
		}
		for n := range 2 {
			l.say(forms[(i+n*6)%len(forms)]...)
		}
		configs := []string{
			"policy:\n  block: [" + single(k.Text) + "]\n", "policy:\n  salt: " + single(k.Text) + "\n", single(k.Text) + ": 1\n",
			"shape:\n  cards: " + single(k.Text) + "\n", "shape:\n  exclude: [" + single(k.Text) + ", '[']\n",
			"shape:\n  vocabulary:\n    " + single(k.Text) + ": elsewhere\n", "ask: {who: " + single(k.Text) + "}\n", "policy: [\n" + k.Block,
		}
		if i%2 == 0 {
			l.write(checker.ConfigFile, configs[i/2%len(configs)])
			l.say("show", "s00")
		}
	}
	l.write(checker.ConfigFile, "policy:\n")
}
