package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// digits are a hash as the file has it.
func digits(n int) string { return fmt.Sprintf("%064x", n) }

func hashOf(t rapid.TB, text string) secret.Hash {
	h, ok := secret.ParseHash(text)
	if !ok {
		t.Fatalf("no hash: %s", text)
	}
	return h
}

func TestWithheldValues(t *testing.T) {
	t.Parallel()
	c, err := Parse([]byte("policy:\n  withhold_check: " + digits(9) + "\n  withhold:\n    - hash: " + digits(1) +
		"\n      reason: a client\n      added: 2026-01-31\n    - {hash: " + strings.ToUpper(digits(0xabc)) + ", reason: ' another '}\n"))
	want := Withheld{Check: hashOf(t, digits(9)), Values: []WithheldValue{
		{hashOf(t, digits(1)), "a client", time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)}, {Hash: hashOf(t, digits(0xabc)), Reason: "another"},
	}}
	if diff := cmp.Diff(want, c.Withheld); err != nil || diff != "" || !c.Withheld.Any() {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, none := range []string{"policy: {withhold: }\n", "policy: {withhold: []}\n", "policy: {withhold_check: " + digits(1) + "}\n"} {
		if c, err := Parse([]byte(none)); err != nil || c.Withheld.Any() {
			t.Errorf("%q: %v", none, err)
		}
	}
}

func TestFaultsOfWithheldValues(t *testing.T) {
	t.Parallel()
	good := "policy:\n  withhold_check: " + digits(9) + "\n  withhold:\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a hash that is none":    {good + "    - hash: QQQ\n      reason: x\n", []string{"4 expected the 64 hex digits"}},
		"a hash that is short":   {good + "    - hash: abcd\n      reason: x\n", []string{"4 expected the 64 hex digits"}},
		"no hash":                {good + "    - reason: QQQ\n", []string{"4 hash is missing"}},
		"no reason":              {good + "    - hash: " + digits(1) + "\n", []string{"4 reason is missing"}},
		"a reason of blanks":     {good + "    - hash: " + digits(1) + "\n      reason: ' '\n", []string{"4 reason is missing"}},
		"a reason that is a map": {good + "    - hash: " + digits(1) + "\n      reason: {QQQ: 1}\n", []string{"5 expected one value"}},
		"one hash twice":         {good + "    - {hash: " + digits(0xa) + ", reason: x}\n    - {hash: " + strings.ToUpper(digits(0xa)) + ", reason: y}\n", []string{"5 the hash stands twice"}},
		"a day that is none":     {good + "    - {hash: " + digits(1) + ", reason: x, added: QQQ}\n", []string{"4 added must be a day"}},
		"an unknown key":         {good + "    - {hash: " + digits(1) + ", reason: x, value: QQQ}\n", []string{"4 unknown key"}},
		"an entry that is text":  {good + "    - QQQ\n", []string{"4 expected keys and values"}},
		"no list":                {"policy: {withhold: QQQ}\n", []string{"1 expected a list"}},
		"a check that is none":   {"policy: {withhold_check: QQQ}\n", []string{"1 expected the 64 hex digits"}},
		"no check":               {"policy:\n  withhold:\n    - {hash: " + digits(1) + ", reason: x}\n", []string{"3 withhold_check is missing"}},
	} {
		var faults Faults
		if _, err := Parse([]byte(c.text)); !errors.As(err, &faults) || len(faults) != len(c.want) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, f := range faults {
			if got := fmt.Sprint(f.Line, " ", f.Text); !strings.HasPrefix(got, c.want[i]) || strings.Contains(got, "QQQ") {
				t.Errorf("%s: %q, want %q", name, got, c.want[i])
			}
		}
	}
}

// A base with faults must not lose its list in silence.
func TestABaseWithFaultsMayWithhold(t *testing.T) {
	t.Parallel()
	s, err := secret.New(secret.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]error{
		"policy: {block: [x]}\n":                        nil,
		"policy: {block: [x], withhold: [{hash: a}]}\n": ErrUnread,
		"policy: [\nwithhold\n":                         ErrUnread,
	} {
		c := Strictest(fstest.MapFS{checker.ConfigFile: {Data: []byte(text)}})
		if got, err := c.Scanner(s); !errors.Is(err, want) || got == nil || c.Withheld.Any() != (want != nil) {
			t.Errorf("%q: %v", text, err)
		}
		c.Withheld, c.Answers.Unread = Withheld{}, false
		if diff := cmp.Diff(Default(), c); diff != "" {
			t.Error(diff)
		}
	}
	if c := Strictest(fstest.MapFS{checker.ConfigFile + "/x": {}}); c.Withheld.Any() {
		t.Error("a folder in its place withholds something")
	}
	if c := Strictest(brokenFS{errors.New("broken")}); !c.Withheld.Any() {
		t.Error("a file that cannot be read withholds nothing")
	}
}

func value(t rapid.TB, n int, reason string) WithheldValue {
	return WithheldValue{hashOf(t, digits(n)), reason, time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)}
}

// What is added stands at the end of the list, and no other byte moves.
func TestAddingAWithheldValue(t *testing.T) {
	t.Parallel()
	check := "withhold_check: " + digits(9)
	entry := func(indent string) string {
		return indent + "- hash: " + digits(2) + "\n" + indent + "  reason: \"it's \\\"so\\\": # yes\"\n" + indent + "  added: 2026-02-03\n"
	}
	old := "- {hash: " + digits(1) + ", reason: x}"
	for name, c := range map[string]struct{ before, after string }{
		"an empty file":       {"", "policy:\n  " + check + "\n  withhold:\n" + entry("    ")},
		"comments alone":      {"# nothing", "# nothing\npolicy:\n  " + check + "\n  withhold:\n" + entry("    ")},
		"no policy":           {"ask: {who: read}\n", "ask: {who: read}\npolicy:\n  " + check + "\n  withhold:\n" + entry("    ")},
		"an empty policy":     {"policy: # none\nask:\n  who: read\n", "policy: # none\n  " + check + "\n  withhold:\n" + entry("    ") + "ask:\n  who: read\n"},
		"a policy":            {"policy:\n    block: [stale] # why\n\n# shape\nshape:\n", "policy:\n    block: [stale] # why\n    " + check + "\n    withhold:\n" + entry("      ") + "\n# shape\nshape:\n"},
		"a policy at the end": {"policy:\n  block:\n  - stale", "policy:\n  block:\n  - stale\n  " + check + "\n  withhold:\n" + entry("    ")},
		"an empty list":       {"policy:\n  withhold: [] # none\n  block: []\n", "policy:\n  withhold: # none\n" + entry("    ") + "  block: []\n  " + check + "\n"},
		"a list of nothing":   {"policy:\n  withhold:\n  block: []\n", "policy:\n  withhold:\n" + entry("    ") + "  block: []\n  " + check + "\n"},
		"a list":              {"policy:\n  " + check + "\n  withhold:\n    " + old + " # one\n\n  # next\n  block: []\n", "policy:\n  " + check + "\n  withhold:\n    " + old + " # one\n" + entry("    ") + "\n  # next\n  block: []\n"},
		"a list not indented": {"policy:\n  " + check + "\n  withhold:\n  " + old + "\n  block: []\n", "policy:\n  " + check + "\n  withhold:\n  " + old + "\n" + entry("  ") + "  block: []\n"},
		"an entry of lines":   {"policy:\n  " + check + "\n  withhold:\n    - hash: " + digits(1) + "\n      reason: >\n        a\n\n        b\n      # end\nask:\n", "policy:\n  " + check + "\n  withhold:\n    - hash: " + digits(1) + "\n      reason: >\n        a\n\n        b\n      # end\n" + entry("    ") + "ask:\n"},
		"another key before":  {"policy:\n  withhold_check: " + digits(7) + " # old\n", "policy:\n  " + check + " # old\n  withhold:\n" + entry("    ")},
		"a byte order mark":   {"\ufeffpolicy:\n  block: []\n", "\ufeffpolicy:\n  block: []\n  " + check + "\n  withhold:\n" + entry("    ")},
		"other line ends":     {"policy:\r\n  block: []\r\n", "policy:\r\n  block: []\r\n  " + check + "\r\n  withhold:\r\n" + strings.ReplaceAll(entry("    "), "\n", "\r\n")},
	} {
		got, err := AddWithheld([]byte(c.before), value(t, 2, `it's "so": # yes`), hashOf(t, digits(9)))
		if diff := cmp.Diff(c.after, string(got)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	for name, text := range map[string]string{
		"a policy in braces":     "policy: {block: []}\n",
		"a list in brackets":     "policy:\n  " + check + "\n  withhold: [{hash: " + digits(1) + ", reason: x}]\n",
		"a file in braces":       "{policy: {}}\n",
		"an end of document":     "policy:\n  block: []\n...\n",
		"an anchor in its place": "policy: &p\nask:\n  who: read\n",
	} {
		got, err := AddWithheld([]byte(text), value(t, 2, "x"), hashOf(t, digits(9)))
		if err == nil { // edited all the same: then it must be right
			c, failed := Parse(got)
			if failed != nil || len(c.Withheld.Values) == 0 {
				t.Errorf("%s: %v\n%s", name, failed, got)
			}
		} else if !errors.Is(err, ErrEdit) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var faults Faults
	if _, err := AddWithheld([]byte("QQQ: 1\n"), value(t, 2, "x"), secret.Hash{}); !errors.As(err, &faults) {
		t.Errorf("a file with faults: %v", err)
	}
}

func TestRemovingAWithheldValue(t *testing.T) {
	t.Parallel()
	head := "# a\npolicy:\n  withhold_check: " + digits(9) + "\n  withhold: # b\n"
	first, second := "    - hash: "+digits(1)+"\n      reason: x # c\n\n", "    - {hash: "+digits(2)+", reason: y}\n"
	tail := "  block: []\n# d\n"
	for n, want := range map[int]string{1: head + "\n" + second + tail, 2: head + first + tail, 3: head + first + second + tail} {
		got, err := RemoveWithheld([]byte(head+first+second+tail), hashOf(t, digits(n)))
		if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
			t.Errorf("entry %d: %v\n%s", n, err, diff)
		}
	}
	got, err := RemoveWithheld([]byte(head+second+tail), hashOf(t, digits(2)))
	if diff := cmp.Diff(head+tail, string(got)); err != nil || diff != "" {
		t.Errorf("the last entry: %v\n%s", err, diff)
	}
}

// Adding values and removing them again, in any order, gives the first bytes.
func TestWhatIsAddedCanBeRemoved(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start := "# top\npolicy:\n  block: [stale] # b\n  withhold_check: " + digits(9) + "\n  # c\n  withhold:\n  # d\nshape:\n  cards: cards\n"
		text := []byte(start)
		order := rapid.Permutation([]int{1, 2, 3, 4}).Draw(t, "order")
		for _, n := range order {
			var err error
			if text, err = AddWithheld(text, value(t, n, rapid.StringMatching(`[ -~äö\x{200b}]{1,20}x`).Draw(t, "reason")), hashOf(t, digits(9))); err != nil {
				t.Fatal(err)
			}
		}
		for _, n := range rapid.Permutation(order).Draw(t, "out") {
			var err error
			if text, err = RemoveWithheld(text, hashOf(t, digits(n))); err != nil {
				t.Fatal(err)
			}
		}
		if string(text) != start {
			t.Fatalf("left over:\n%s", text)
		}
	})
}

func TestKeysOfTheService(t *testing.T) {
	t.Parallel()
	const good = "app_id: 7\nkey_file: KEY\nwebhook_secret_file: SECRET\n"
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	random := func(seed string) string {
		sum := sha256.Sum256([]byte(seed))
		return hex.EncodeToString(sum[:])
	}
	one, two, none := write("one", random("1")+"\n"), write("two", random("2")), write("none", "QQQ")
	for text, want := range map[string]int{
		"": 0, "withhold_key_file: " + one + "\n": 1, "withhold_key_file: [" + one + ", " + two + "]\n": 2,
	} {
		s, err := LoadSettings(settingsFile(t, good+text))
		if err != nil || len(s.WithholdKeys) != want {
			t.Errorf("%q: %v, %d keys", text, err, len(s.WithholdKeys))
		}
		if printed := fmt.Sprintf("%+v", s); strings.Contains(printed, random("1")[:8]) {
			t.Errorf("the key is printed: %s", printed)
		}
	}
	for text, want := range map[string]string{
		"withhold_key_file: " + none + "\n":       "holds no key",
		"withhold_key_file: [" + dir + "/gone]\n": "does not exist",
		"withhold_key_file: {a: QQQ}\n":           "expected one value",
	} {
		_, err := LoadSettings(settingsFile(t, good+text))
		var faults Faults
		if !errors.As(err, &faults) || len(faults) != 1 || faults[0].Line != 4 || !strings.Contains(faults[0].Text, want) || strings.Contains(err.Error(), "QQQ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Names that no answer may hold, in a file with faults, are not none.
func TestTheNamesOfAFileWithFaults(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"ask:\n  never: [one\n": true, "ask:\n  who: nobody\n": false} {
		c := Strictest(fstest.MapFS{checker.ConfigFile: {Data: []byte(text)}})
		if c.Answers.Unread != want || c.Withheld.Any() {
			t.Errorf("%q: %+v", text, c.Answers)
		}
	}
}
