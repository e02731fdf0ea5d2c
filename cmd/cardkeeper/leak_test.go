package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/planted"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// A leakTest holds what commands say to the planted kinds.
type leakTest struct {
	sandbox
	kinds []planted.Kind
	watch *planted.Watch
	field planted.Field
}

// say runs a command and looks through all that it prints.
func (l leakTest) say(args ...string) outcome {
	l.t.Helper()
	o := l.run(args...)
	for stream, text := range map[string]string{"stdout": o.stdout, "stderr": o.stderr} {
		for _, k := range l.watch.Seen(text) {
			l.t.Errorf("%.40q shows %s, planted in %s, on %s", args, k.Name, l.field.Place(k), stream)
		}
	}
	return o
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
			field := planted.Spread(kinds, n)
			l := leakTest{s, kinds, planted.NewWatch(kinds), field}
			l.fill(field.Before)
			l.expect(exitOK, "build")
			l.commit()
			l.git("tag", "clean")
			l.fill(field.After)
			l.say("check", "--format", turn.format)
			l.commit()
			l.git("tag", "planted")
			l.say("check", "--base", "clean", "--format", turn.format)
			turn.more(l)
			l.git("rm", "-q", "-r", "-f", "skills", "cards")
			l.fill(field.Before)
			l.say("check", "--base", "planted", "--format", turn.format)
			l.commit() // what the commits in between held is told of too
			l.say("check", "--base", "clean", "--format", turn.format)
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
				l.t.Errorf("a file that build wrote shows %s, planted in %s", k.Name, l.field.Place(k))
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
	l.evaluates()
}

// evaluates puts values into questions as tests, and saves questions that hold one
// or that a fact beside one answers.
func (l leakTest) evaluates() {
	l.t.Helper()
	for i, k := range l.kinds {
		if i%4 != 0 {
			continue
		}
		line, _ := json.Marshal(map[string]any{"id": "a", "question": k.Question(), "expect": []string{k.Text}, "note": k.Bare}) // strings marshal
		l.write(suite.File, string(line)+"\n")
		l.say("eval")
		l.say("eval", "--format", "json", l.path(suite.File))
		l.remove(suite.File)
		l.say("ask", "--save", k.Question())
		l.say("ask", "--save", "--format", "json", fmt.Sprintf("what does s%02d say of %s", i, k.Name))
		l.say("eval", k.Text)
		if l.has(suite.File) {
			for _, seen := range l.watch.Seen(l.read(suite.File)) {
				l.t.Errorf("%s is saved", seen.Name)
			}
			l.say("eval")
			l.remove(suite.File)
		}
	}
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
			{"withhold", "remove", text}, {"withhold", text}, {"build", "--withhold-key-file", text},
		}
		for n := range 2 {
			l.say(forms[(i+n*6)%len(forms)]...)
		}
		configs := []string{
			"policy:\n  block: [" + planted.Single(k.Text) + "]\n", "policy:\n  salt: " + planted.Single(k.Text) + "\n", planted.Single(k.Text) + ": 1\n",
			"shape:\n  cards: " + planted.Single(k.Text) + "\n", "shape:\n  exclude: [" + planted.Single(k.Text) + ", '[']\n",
			"shape:\n  vocabulary:\n    " + planted.Single(k.Text) + ": elsewhere\n", "ask: {who: " + planted.Single(k.Text) + "}\n", "policy: [\n" + k.Block,
		}
		if i%2 == 0 {
			l.write(checker.ConfigFile, configs[i/2%len(configs)])
			l.say("show", "s00")
		}
	}
	l.write(checker.ConfigFile, "policy:\n")
}
