package config

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/google/go-cmp/cmp"
)

const salt = "000102030405060708090a0b0c0d0e0f"

func TestParse(t *testing.T) {
	t.Parallel()
	with := func(change func(*Config)) Config {
		c := Default()
		change(&c)
		return c
	}
	for name, c := range map[string]struct {
		text string
		want Config
	}{
		"no text":             {"", Default()},
		"only comments":       {"# nothing\n---\n# yet\n", Default()},
		"empty parts":         {"policy:\nshape: ~\nask: null\n", Default()},
		"a byte order mark":   {"\ufeffpolicy:\n", Default()},
		"other line ends":     {"policy:\r\n  block: [stale]\r\n", with(func(c *Config) { c.Policy.AllowSecrets = true })},
		"nothing blocks":      {"policy: {block: []}\n", with(func(c *Config) { c.Policy = checker.Policy{AllowStale: true, AllowSecrets: true} })},
		"both block":          {"policy: {block: [stale, secrets]}\n", Default()},
		"references block":    {"policy: {block: [stale, secrets, references]}\n", with(func(c *Config) { c.Policy.BlockReferences = true })},
		"questions block":     {"policy: {questions: block}\n", with(func(c *Config) { c.Policy.BlockQuestions = true })},
		"questions warn":      {"policy: {questions: warn}\n", Default()},
		"questions are off":   {"policy: {questions: off}\n", with(func(c *Config) { c.Policy.NoQuestions = true })},
		"a salt":              {"policy: {salt: " + salt + "}\n", with(func(c *Config) { c.Salt = []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} })},
		"a salt of digits":    {"policy: {salt: 11111111111111111111111111111111}\n", with(func(c *Config) { c.Salt = []byte(strings.Repeat("\x11", 16)) })},
		"a salt like a float": {"policy: {salt: 1111111111111111111111111111e111}\n", with(func(c *Config) { c.Salt = append([]byte(strings.Repeat("\x11", 14)), 0xe1, 0x11) })},
		"a cards folder":      {"shape: {cards: docs/cards}\n", with(func(c *Config) { c.Shape.Cards = "docs/cards" })},
		"no excludes":         {"shape: {exclude: }\n", with(func(c *Config) { c.Shape.Exclude = nil })},
		"excludes":            {"shape:\n  exclude:\n    - a\n    - b/**/[cd]?\n    - /e/\n", with(func(c *Config) { c.Shape.Exclude = []string{"a", "b/**/[cd]?", "/e/"} })},
		"a vocabulary": {"shape:\n  vocabulary:\n    '## Red Flags': refusals\n", with(func(c *Config) {
			c.Shape.Vocabulary = map[string]card.Section{extractor.NormalHeading("## Red Flags"): card.Refusals}
		})},
		"a cap":                {"shape: {max_entries_per_file: 7}\n", with(func(c *Config) { c.Shape.MaxEntriesPerFile = 7 })},
		"who may ask":          {"ask: {who: admin}\n", with(func(c *Config) { c.Ask = "admin" })},
		"limits of questions":  {"ask: {per_person: 7, per_repository: 70}\n", with(func(c *Config) { c.Answers.PerPerson, c.Answers.PerRepository = 7, 70 })},
		"markers":              {"ask: {markers: ['(kept back)', ' ~~ ']}\n", with(func(c *Config) { c.Answers.Markers = []string{"(kept back)", "~~"} })},
		"no markers":           {"ask: {markers: []}\n", with(func(c *Config) { c.Answers.Markers = []string{} })},
		"names":                {"ask: {never: [Project Falcon, 猎鹰]}\n", with(func(c *Config) { c.Answers.Never = []string{"Project Falcon", "猎鹰"} })},
		"an anchor on a value": {"ask: {who: &a write}\n", with(func(c *Config) { c.Ask = "write" })},
	} {
		got, err := Parse([]byte(c.text))
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

// Each fault is told with file and line, and quotes nothing of the file (law 8).
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string // "line text", in order
	}{
		"another way to ask":            {"policy: {questions: QQQ}\n", []string{"1 questions must be one of: block, warn, off"}},
		"not a map":                     {"QQQ\n", []string{"1 expected keys and values"}},
		"a list":                        {"- QQQ\n", []string{"1 expected keys and values"}},
		"no YAML":                       {"policy:\n  block: []\nshape: QQQ: x\n", []string{"3 not valid YAML"}},
		"a tab":                         {"policy:\n\tQQQ: x\n", []string{"2 not valid YAML"}},
		"no UTF-8":                      {"ask: {who: \xffQQQ}\n", []string{"1 not valid YAML"}},
		"an unknown anchor":             {"ask: {who: *QQQ}\n", []string{"1 not valid YAML"}},
		"two documents":                 {"policy:\n---\nQQQ: 1\n", []string{"2 a second document"}},
		"a broken second document":      {"policy:\n---\n[QQQ\n", []string{"not valid YAML"}},
		"unknown keys":                  {"QQQ: 1\npolicy: {QQQ: 1}\nshape: {QQQ: 1}\nask: {QQQ: 1}\n", []string{"1 unknown key; known here: ask, policy, shape", "2 unknown key; known here: allow, block, questions, refresh, salt", "3 unknown key; known here: cards, exclude", "4 unknown key; known here: markers, never, per_person, per_repository, who"}},
		"a repeated key":                {"policy: {block: []}\npolicy: {block: [stale]}\n", []string{"2 the key stands twice"}},
		"a merge key":                   {"ask: &a {who: read}\nshape:\n  <<: *a\n", []string{"3 unknown key"}},
		"a part that is a value":        {"policy: QQQ\nshape: [QQQ]\n", []string{"1 expected keys and values", "2 expected keys and values"}},
		"a key that is a map":           {"? {QQQ: 1}\n: x\n", []string{"1 expected one value"}},
		"an alias for a value":          {"ask: {who: &read read}\nshape: {cards: *read}\n", []string{"2 write the value here"}},
		"an alias named like a word":    {"shape: {cards: &stale cards}\npolicy: {block: [*stale]}\n", []string{"2 write the value here"}},
		"an alias for a part":           {"ask: &a {who: read}\nshape: *a\n", []string{"2 expected keys and values"}},
		"an alias in the excludes":      {"shape: {cards: &QQQ x, exclude: [*QQQ]}\n", []string{"1 write the value here"}},
		"an alias for a section":        {"shape: {cards: &setup x, vocabulary: {h: *setup}}\n", []string{"1 write the value here"}},
		"unknown words in block":        {"policy: {block: [QQQ, {a: b}, ~]}\n", []string{"1 block knows: stale, secrets, references", "1 expected one value", "1 a value is missing"}},
		"block that is no list":         {"policy: {block: stale}\n", []string{"1 expected a list"}},
		"a short salt":                  {"policy:\n  salt: abcd\n", []string{"2 salt must be"}},
		"a salt that is no hex":         {"policy:\n  salt: QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ\n", []string{"2 salt must be"}},
		"no salt":                       {"policy: {salt: }\n", []string{"1 a value is missing"}},
		"a salt that is a list":         {"policy: {salt: [QQQ]}\n", []string{"1 expected one value"}},
		"cards above the root":          {"shape: {cards: ../QQQ}\n", []string{"1 cards must name"}},
		"cards from the top":            {"shape: {cards: /QQQ}\n", []string{"1 cards must name"}},
		"cards at the root":             {"shape: {cards: .}\n", []string{"1 cards must name"}},
		"cards in git's folder":         {"shape: {cards: .git/QQQ}\n", []string{"1 cards must name"}},
		"cards in git's folder below":   {"shape: {cards: a/.GIT}\n", []string{"1 cards must name"}},
		"cards with a trailing slash":   {"shape: {cards: QQQ/}\n", []string{"1 cards must name"}},
		"cards with a line break":       {"shape: {cards: \"QQQ\\n* filter=x\"}\n", []string{"1 cards must name"}},
		"cards with a blank":            {"shape: {cards: a QQQ}\n", []string{"1 cards must name"}},
		"cards that a shell would run":  {"shape: {cards: $(QQQ)}\n", []string{"1 cards must name"}},
		"cards like an option":          {"shape: {cards: --QQQ}\n", []string{"1 cards must name"}},
		"no cards":                      {"shape: {cards: ~}\n", []string{"1 a value is missing"}},
		"cards with nothing in it":      {"shape: {cards: ''}\n", []string{"1 cards must name"}},
		"malformed patterns":            {"shape:\n  exclude:\n    - '[QQQ'\n    - 'a/[b/c]'\n    - ''\n    - a//b\n    - ../QQQ\n    - /\n", []string{"3 exclude takes", "4 exclude takes", "5 exclude takes", "6 exclude takes", "7 exclude takes", "8 exclude takes"}},
		"an exclude that is a map":      {"shape: {exclude: [{QQQ: 1}]}\n", []string{"1 expected one value"}},
		"a section that is none":        {"shape:\n  vocabulary:\n    QQQ: notes\n", []string{"3 a heading maps to"}},
		"a section that is a list":      {"shape: {vocabulary: {QQQ: [setup]}}\n", []string{"1 expected one value"}},
		"one heading in two spellings":  {"shape:\n  vocabulary:\n    QQQ: setup\n    '**qqq**': commands\n", []string{"4 the heading has no words, or stands twice"}},
		"one heading twice":             {"shape:\n  vocabulary:\n    QQQ: setup\n    QQQ: commands\n", []string{"4 the key stands twice"}},
		"a heading without words":       {"shape: {vocabulary: {'***': setup}}\n", []string{"1 the heading has no words"}},
		"a cap of nothing":              {"shape: {max_entries_per_file: 0}\n", []string{"1 expected a whole number from 1 to 10000"}},
		"a cap that is no number":       {"shape: {max_entries_per_file: QQQ}\n", []string{"1 expected a whole number"}},
		"a cap that is a list":          {"shape: {max_entries_per_file: [QQQ]}\n", []string{"1 expected one value"}},
		"a cap beyond all numbers":      {"shape: {max_entries_per_file: 99999999999999999999}\n", []string{"1 expected a whole number"}},
		"somebody who may not be asked": {"ask: {who: QQQ}\n", []string{"1 who must be one of"}},
		"a file beyond its size":        {"# " + strings.Repeat("QQQ", 1<<19), []string{"1 the file is longer than"}},
		"limits that are none":          {"ask: {per_person: 0, per_repository: QQQ}\n", []string{"1 expected a whole number from 1", "1 expected a whole number from 1"}},
		"markers that are none":         {"ask:\n  markers: [Q, '', \"QQ\\nQQ\", " + strings.Repeat("Q", 65) + "]\n", []string{"2 markers, item 1: a marker is 2 to 64", "2 markers, item 2: a marker is 2 to 64", "2 markers, item 3: a marker is 2 to 64", "2 markers, item 4: a marker is 2 to 64"}},
		"too many markers":              {"ask:\n  markers: [" + strings.Repeat("QQQ,", 51) + "]\n", []string{"2 markers takes 50 at most"}},
		"names that are none":           {"ask:\n  never: [QQ, '--', 鹰, " + strings.Repeat("Q", 101) + "]\n", []string{"2 never, item 1: a name has 3 to 100", "2 never, item 2: a name has 3 to 100", "2 never, item 3: a name has 3 to 100", "2 never, item 4: a name has 3 to 100"}},
		"too many names":                {"ask:\n  never: [" + strings.Repeat("QQQ,", 501) + "]\n", []string{"2 never takes 500 names at most"}},
		"all of it at once": {"QQQ: 1\npolicy:\n  block: [QQQ]\n  salt: QQQ\nshape:\n  cards: /QQQ\n  exclude: ['[']\n  vocabulary: {QQQ: QQQ}\n  max_entries_per_file: -1\nask:\n  who: QQQ\n",
			[]string{"1 unknown", "3 block", "4 salt", "6 cards", "7 exclude", "8 a heading", "9 expected a whole", "11 who"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Parse([]byte(c.text))
			var faults Faults
			if !errors.As(err, &faults) {
				t.Fatalf("no faults but %v", err)
			}
			if diff := cmp.Diff(Config{}, got); diff != "" {
				t.Errorf("a faulty file gives a configuration:\n%s", diff)
			}
			if strings.Contains(strings.ToUpper(err.Error()), "QQQ") {
				t.Errorf("the file is quoted: %v", err)
			}
			if len(faults) != len(c.want) {
				t.Fatalf("%d faults, want %d:\n%v", len(faults), len(c.want), err)
			}
			for i, f := range faults {
				if one := fmt.Sprintf("%d %s", f.Line, f.Text); !strings.Contains(one, c.want[i]) {
					t.Errorf("fault %d is %q, want %q", i, one, c.want[i])
				}
				if !strings.HasPrefix(f.Error(), checker.ConfigFile+":") {
					t.Errorf("fault %d does not name its file: %v", i, f)
				}
			}
		})
	}
}

// A file that needs much memory or time is read as quickly as any other.
func TestHostileFilesEnd(t *testing.T) {
	t.Parallel()
	bomb := "a: &a [x, x]\n"
	for c := 'b'; c < 'z'; c++ {
		bomb += fmt.Sprintf("%c: &%c [*%c, *%c, *%c, *%c]\n", c, c, c-1, c-1, c-1, c-1)
	}
	for name, text := range map[string]string{
		"aliases of aliases": bomb,
		"deep nesting":       "shape: {exclude: " + strings.Repeat("[", 100_000),
		"deep maps":          strings.Repeat("{a: ", 20_000),
		"many faults":        strings.Repeat("q: 1\n", 10_000),
	} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s: no fault", name)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("policy: {block: [stale], salt: " + salt + "}\nshape: {cards: x, exclude: [a], vocabulary: {a: setup}}\nask: {who: read}\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Add([]byte("? \n:\n--- \n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := Parse(b)
		var faults Faults
		switch {
		case err != nil && !errors.As(err, &faults):
			t.Fatalf("an error that is no fault: %v", err)
		case err == nil && (!fs.ValidPath(c.Shape.Cards) || c.Shape.MaxEntriesPerFile < 1 || c.Ask == ""):
			t.Fatalf("not usable: %+v", c)
		}
		for _, one := range faults {
			if one.Line < 1 {
				t.Fatalf("line %d", one.Line)
			}
		}
	})
}

// brokenFS fails with something else than "does not exist".
type brokenFS struct{ error }

func (b brokenFS) Open(string) (fs.File, error) { return nil, b.error }

func TestLoad(t *testing.T) {
	t.Parallel()
	got, err := Load(fstest.MapFS{})
	if diff := cmp.Diff(Default(), got); err != nil || diff != "" {
		t.Errorf("no file: %v\n%s", err, diff)
	}
	got, err = Load(fstest.MapFS{checker.ConfigFile: {Data: []byte("ask: {who: read}\n")}})
	if err != nil || got.Ask != "read" {
		t.Errorf("a file: %v, %q", err, got.Ask)
	}
	broken := errors.New("broken")
	var faults Faults
	if _, err := Load(brokenFS{broken}); !errors.Is(err, broken) || errors.As(err, &faults) {
		t.Errorf("an unreadable file: %v", err)
	}
	if _, err := Load(fstest.MapFS{checker.ConfigFile + "/x": {}}); !errors.As(err, &faults) || faults[0].Line != 1 {
		t.Errorf("a folder in its place: %v", err)
	}
}

// The file that init writes, and nothing set, mean the same shape.
func TestTheDefaultIsStrict(t *testing.T) {
	t.Parallel()
	c := Default()
	if c.Policy.AllowStale || c.Policy.AllowSecrets {
		t.Error("something does not block by default")
	}
	if diff := cmp.Diff(extractor.DefaultShape(), c.Shape); diff != "" {
		t.Error(diff)
	}
}
