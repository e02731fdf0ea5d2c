package secret

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Texts made to be slow end in time, with findings or as not scanned; a search
// that took more than a long text's share would not end before the tests do.
func TestHostileTextsEnd(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{Deadline: 4 * time.Second})
	m := newMint(50)
	var tokens, runs, wrapped strings.Builder
	for range 10_000 {
		tokens.WriteString(m.pat() + " ")
		runs.WriteString(base64.StdEncoding.EncodeToString([]byte("key: "+hex.EncodeToString([]byte("token "+m.pick(alnum, 9))))) + "\n")
		wrapped.WriteString(m.pick(alnum, 20) + "\n")
	}
	nested := tokens.String()
	for range decodeDepth {
		nested = base64.StdEncoding.EncodeToString([]byte(nested))
	}
	words := crowd(t, newMint(51), 1<<20)
	tests := map[string]string{
		"each rule's keywords":          words,
		"the same in one line":          strings.ReplaceAll(words, "\n", " "),
		"each keyword with a value":     strings.ReplaceAll(words, " ", " = "+m.pick(alnum, 24)+"\n")[:1<<20],
		"values in one line":            strings.ReplaceAll(words, " ", "="+m.pick(alnum, 24)+" ")[:1<<20],
		"tokens in one line":            tokens.String(),
		"one run of many tokens":        base64.StdEncoding.EncodeToString([]byte(tokens.String())),
		"one run in a run in a run":     nested[:min(len(nested), 1<<20)],
		"many runs with runs in them":   runs.String(),
		"percent signs":                 strings.Repeat("%41%zz ghp%5f", 80_000),
		"one line of percent encoding":  strings.Repeat("a", 300_000) + strings.Repeat("%41", 100_000),
		"escapes":                       strings.Repeat(`\u0041`, 170_000),
		"code points":                   strings.Repeat("U+0041 ", 150_000),
		"heads of keys without an end":  strings.Repeat("-----BEGIN "+"PRIVATE KEY----- \n", 30_000),
		"heads of tokens":               strings.Repeat("ey", 500_000),
		"heads of tokens with dots":     strings.Repeat("eyJ.ey", 170_000),
		"calls of curl in one line":     strings.Repeat("curl -H ", 130_000),
		"addresses without an end":      strings.Repeat("://a:", 200_000),
		"labels without values":         strings.Repeat("key key_", 130_000),
		"tags and entities":             strings.Repeat("<b&amp;<!-- &#x41;", 60_000),
		"a run over every line's end":   wrapped.String(),
		"invalid bytes and wide ones":   strings.Repeat("\xff\u212aey\u017f=", 120_000),
		"quotes that hold nothing else": strings.Repeat(`"'`+"`", 350_000),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := s.Scan(t.Context(), text)
			if err != nil && (!errors.Is(err, ErrNotScanned) || found != nil) {
				t.Errorf("%d findings, %v", len(found), err)
			}
			t.Logf("%d bytes, %d findings, %v", len(text), len(found), err)
		})
	}
}

// More values than a minute has time to fingerprint are told at once; a text with
// fewer, but too many for its deadline, is not clean either.
func TestTooManyFindingsAreNotScanned(t *testing.T) {
	t.Parallel()
	m := newMint(52)
	var text strings.Builder
	for i := range mostValues + 1 {
		fmt.Fprintf(&text, "%d. %s\n", i, m.pat())
	}
	for name, tc := range map[string]struct {
		deadline time.Duration
		text     string
		want     string
	}{
		"too many at all":           {time.Hour, text.String(), "more than 4000 secrets"},
		"too many for the deadline": {2 * time.Second, text.String()[:mostValues/2*46], "not done within"},
	} {
		found, err := newScanner(t, Options{Deadline: tc.deadline}).Scan(t.Context(), tc.text)
		if !errors.Is(err, ErrNotScanned) || !strings.Contains(err.Error(), tc.want) || found != nil {
			t.Errorf("%s: %d findings, %v", name, len(found), err)
		}
	}
}
