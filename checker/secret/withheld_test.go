package secret

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// newKey makes a key that no other seed has.
func newKey(t testing.TB, seed uint64) Key {
	t.Helper()
	sum := sha256.Sum256([]byte(fmt.Sprint("a key for tests ", seed)))
	k, err := ParseKey(hex.EncodeToString(sum[:]))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func mustHash(t testing.TB, s Seal, value string) Hash {
	t.Helper()
	h, err := s.Hash(value)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return h
}

// watching is a scanner that withholds values.
func watching(t testing.TB, s *Scanner, values ...string) *Scanner {
	t.Helper()
	key := newKey(t, 1)
	seal := key.Seal(s.opts.Salt)
	list := Withheld{Check: seal.Check()}
	for _, v := range values {
		list.Hashes = append(list.Hashes, mustHash(t, seal, v))
	}
	out, err := s.WithWithheld(list, key)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The scheme is written down, so that another program can make the same hashes.
func TestTheHashIsTheOneThatIsWrittenDown(t *testing.T) {
	t.Parallel()
	raw := sha256.Sum256([]byte("x"))
	key, err := ParseKey(hex.EncodeToString(raw[:]))
	if err != nil {
		t.Fatal(err)
	}
	of := func(key []byte, message string) []byte {
		m := hmac.New(sha256.New, key)
		m.Write([]byte(message))
		return m.Sum(nil)
	}
	repository := of(raw[:], "cardkeeper withheld 1\x00"+"the salt")
	seal := key.Seal([]byte("the salt"))
	if got, want := mustHash(t, seal, "**Straße** 7-FALCON"), Hash(of(repository, "value\x00strasse 7 falcon")); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	if got, want := seal.Check(), Hash(of(repository, "check\x00")); got != want {
		t.Errorf("check %s, want %s", got, want)
	}
	other := key.Seal([]byte("another"))
	if mustHash(t, seal, "Falcon") == mustHash(t, other, "Falcon") || seal.Check() == other.Check() {
		t.Error("two repositories give one value one hash")
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	raw := sha256.Sum256([]byte("a key"))
	seal := func(text string) Hash {
		k, err := ParseKey(text)
		if err != nil {
			t.Fatalf("%v", err)
		}
		return k.Seal(nil).Check()
	}
	want := seal(hex.EncodeToString(raw[:]))
	for name, text := range map[string]string{
		"upper case":           strings.ToUpper(hex.EncodeToString(raw[:])),
		"with a line break":    " " + hex.EncodeToString(raw[:]) + "\r\n",
		"base64":               base64.StdEncoding.EncodeToString(raw[:]),
		"base64 for addresses": base64.RawURLEncoding.EncodeToString(raw[:]),
	} {
		if seal(text) != want {
			t.Errorf("%s: another key", name)
		}
	}
	for name, text := range map[string]string{
		"nothing":                   " ",
		"31 bytes":                  hex.EncodeToString(raw[:31]),
		"hex that base64 could be":  hex.EncodeToString(raw[:22]),
		"31 bytes in base64":        base64.StdEncoding.EncodeToString(raw[:31]),
		"no encoding":               "QQQ " + hex.EncodeToString(raw[:]),
		"one byte again and again":  strings.Repeat("51", 32),
		"the digits in their order": strings.Repeat("0123456789abcdef", 4),
	} {
		if _, err := ParseKey(text); !errors.Is(err, ErrBadKey) || strings.Contains(err.Error(), "QQQ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	k := newKey(t, 3)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		if got := fmt.Sprintf(verb, k); got != "[key]" {
			t.Errorf("%s prints %s", verb, got)
		}
	}
}

func TestValuesThatAreRefused(t *testing.T) {
	t.Parallel()
	seal := newKey(t, 1).Seal(nil)
	for value, want := range map[string]string{
		"":         "no letter and no digit",
		" -- *** ": "no letter and no digit",
		"one two three four five six seven eight nine": "more than 8 words",
		"abc":          "fewer than 4",
		"a-b-c":        "fewer than 4",
		"隼":            "fewer than 4",
		"2026":         "of digits alone",
		"12-34-5":      "of digits alone",
		"<!-- -->":     "no letter",
		"\u200b\u00ad": "no letter",
	} {
		if _, err := seal.Hash(value); !errors.Is(err, ErrUnfit) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", value, err)
		}
	}
	for _, value := range []string{"Acme", "x.y.z-1", "隼計画", "はやぶさ", "+49 (170) 12", "123456", "one two three four five six seven eight"} {
		if _, err := seal.Hash(value); err != nil {
			t.Errorf("%q: %v", value, err)
		}
	}
}

// A key that does not fit is another thing than a value that is not there.
func TestWithoutTheRightKey(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	right, wrong := newKey(t, 1), newKey(t, 2)
	seal := right.Seal(s.opts.Salt)
	list := Withheld{Hashes: []Hash{mustHash(t, seal, "Project Falcon")}, Check: seal.Check()}
	for name, c := range map[string]struct {
		list Withheld
		salt string
		keys []Key
		want error
	}{
		"no key":                      {list: list, want: ErrNoKey},
		"a wrong one":                 {list: list, keys: []Key{wrong}, want: ErrWrongKey},
		"another salt":                {list: list, salt: "other", keys: []Key{right}, want: ErrWrongKey},
		"no check":                    {list: Withheld{Hashes: list.Hashes}, keys: []Key{right}, want: ErrWrongKey},
		"the right one":               {list: list, keys: []Key{right}},
		"the right one among several": {list: list, keys: []Key{wrong, right}},
		"nothing listed":              {},
		"nothing listed, a check":     {list: Withheld{Check: list.Check}, keys: []Key{wrong}},
	} {
		from := s
		if c.salt != "" {
			from = s.WithSalt([]byte(c.salt))
		}
		got, err := from.WithWithheld(c.list, c.keys...)
		if !errors.Is(err, c.want) || got == nil {
			t.Fatalf("%s: %v", name, err)
		}
		found := len(mustScan(t, got, "About project falcon.\n"))
		if want := len(c.list.Hashes) > 0 && c.want == nil; (found == 1) != want {
			t.Errorf("%s: %d findings", name, found)
		}
	}
	had := watching(t, s, "Project Falcon")
	if cleared, err := had.WithWithheld(Withheld{}); err != nil || len(mustScan(t, cleared, "project falcon")) != 0 {
		t.Errorf("an empty list keeps the old one: %v", err)
	}
}

func TestAWithheldFinding(t *testing.T) {
	t.Parallel()
	s := watching(t, newScanner(t, Options{}), "Project Falcon", "Falcon", "+49 170 1234567")
	text := "# Plan\n\nAsk **Project**\n> FALCON, or\ncall +49 (170) 1234567.\n"
	got := mustScan(t, s, text)
	if len(got) != 3 {
		t.Fatalf("findings: %+v", got)
	}
	prints := map[string]bool{}
	for i, f := range got {
		prints[f.Fingerprint] = len(f.Fingerprint) == 32
		got[i].Fingerprint = ""
	}
	want := []Finding{
		{Rule: WithheldRule, Tier: Block, First: 3, FirstCol: 7, Last: 4, LastCol: 8},
		{Rule: WithheldRule, Tier: Block, First: 4, FirstCol: 3, Last: 4, LastCol: 8},
		{Rule: WithheldRule, Tier: Block, First: 5, FirstCol: 7, Last: 5, LastCol: 22},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(prints) != 3 {
		t.Errorf("fingerprints: %v", prints)
	}
	a, b := mustScan(t, s, "falcon")[0], mustScan(t, s, "x\ny FALCON")[0]
	if a.Fingerprint != b.Fingerprint || a.Fingerprint == mustScan(t, s.WithSalt([]byte("other")), "falcon")[0].Fingerprint {
		t.Error("the fingerprint does not follow value and salt alone")
	}
	if other := watching(t, newScanner(t, Options{}), "Falcon"); mustScan(t, other, "falcon")[0].Fingerprint != a.Fingerprint {
		t.Error("the fingerprint depends on the rest of the list")
	}
	// Whoever reads a fingerprint and the salt must not be able to try words.
	if guess := newPrinter(t.Context(), s.opts.Salt).of(WithheldRule, "falcon"); guess == a.Fingerprint {
		t.Error("the fingerprint can be guessed without the key")
	}
}

// A secret and a withheld value at one place are two findings: what allows the
// one does not allow the other.
func TestAWithheldValueInASecretIsAFindingOfItsOwn(t *testing.T) {
	t.Parallel()
	m := newMint(70)
	pat := m.pat()
	s := watching(t, newScanner(t, Options{}), strings.ReplaceAll(pat, "_", " "))
	if diff := cmp.Diff([]string{"github-pat block", "withheld-value block"}, rulesOf(mustScan(t, s, "use "+pat+" now\n"))); diff != "" {
		t.Error(diff)
	}
	if only := rulesOf(mustScan(t, s.WithheldOnly(), "use "+pat+" now\n")); len(only) != 1 || only[0] != "withheld-value block" {
		t.Errorf("only withheld values: %v", only)
	}
}

func TestWithholdTakesTheWholeWindow(t *testing.T) {
	t.Parallel()
	s := watching(t, newScanner(t, Options{}), "Project Falcon", "withheld", "falcon line")
	pat := newMint(71).pat()
	for name, c := range map[string]struct{ text, want string }{
		"the words and what is between": {"On **Project** _Falcon_ day.\n", "On **[withheld: a.md:1]_ day.\n"},
		"over a wrap":                   {"a project\n  falcon b\n", "a [withheld: a.md:1]\n b\n"},
		"one of the words alone stays":  {"falcon, a project\n", "falcon, a project\n"},
		"every time":                    {"Project Falcon, project-falcon\n", "[withheld: a.md:1], [withheld: a.md:1]\n"},
		"in a link, the target too":     {"[Project](x/y.md) Falcon!\n", "[[withheld: a.md:1]!\n"},
		"beside a secret":               {"Project Falcon: " + pat + "\n", "[withheld: a.md:1]: [withheld: a.md:1]\n"},
		"a listed word of the mark":     {"it is withheld\nb\n", "it is [withheld: a.md:1]\nb\n"},
	} {
		got, err := s.Withhold(t.Context(), c.text, at("a.md"))
		if strings.Contains(got, "[withheld: line 1]") { // the mark's own word is listed: its line goes whole
			got = strings.ReplaceAll(got, "[withheld: line 1]", "LINE")
			c.want = "LINE\n" + strings.SplitN(c.want, "\n", 2)[1]
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %q, want %q", name, err, got, c.want)
		}
	}
	plain := watching(t, newScanner(t, Options{}), "Project Falcon")
	got, err := plain.Withhold(t.Context(), "see project falcon and go\nb\n", at("skills/project-falcon/SKILL.md"))
	if err != nil || len(mustScan(t, plain, got)) > 0 || !strings.HasSuffix(got, "\nb\n") {
		t.Errorf("a place that holds the value: %v, %q", err, got)
	}
}

func TestALateOrLongTextIsNotScannedForWithheldValues(t *testing.T) {
	t.Parallel()
	s := watching(t, newScanner(t, Options{MaxBytes: 100}), "Project Falcon").WithheldOnly()
	if _, err := s.Scan(t.Context(), strings.Repeat("a ", 51)); !errors.Is(err, ErrNotScanned) {
		t.Errorf("too long: %v", err)
	}
	late := watching(t, newScanner(t, Options{Deadline: time.Nanosecond}), "Project Falcon").WithheldOnly()
	if got, err := late.Scan(t.Context(), "project falcon"); !errors.Is(err, ErrNotScanned) || got != nil {
		t.Errorf("too late: %v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if out, err := s.Withhold(ctx, "project falcon", nil); !errors.Is(err, context.Canceled) || out != "" {
		t.Errorf("cancelled: %v, %q", err, out)
	}
}

func TestAWatchIsShared(t *testing.T) {
	t.Parallel()
	s := watching(t, newScanner(t, Options{}), "Project Falcon").WithheldOnly()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			text := strings.Repeat("word\n", i) + "Ａ **project**\u200b fal\u200bcon Ü\n"
			if got, err := s.Scan(t.Context(), text); err != nil || len(got) != 1 || got[0].First != i+1 {
				t.Errorf("%d: %v, %+v", i, err, got)
			}
		})
	}
	group.Wait()
}
