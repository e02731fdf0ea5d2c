package secret

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestScanFinds(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(1)
	pat, jwt := m.pat(), m.jwt()
	uuid := fmt.Sprintf("%s-%s-4%s-a%s-%s", m.pick(hexes, 8), m.pick(hexes, 4), m.pick(hexes, 3), m.pick(hexes, 3), m.pick(hexes, 12))
	falsy := "ghp" + "_" + m.pick(alnum, 16) + "False" + m.pick(alnum, 15)
	teams := "https://acme.webhook" + ".office.com/webhookb2/" + uuid + "@" + uuid + "/IncomingWebhook/" + m.pick(hexes, 32) + "/" + uuid
	tests := map[string]struct {
		text string
		want []string
	}{
		"a token in a bullet":                      {"- Clone with `" + pat + "` for now.\n", []string{"github-pat block"}},
		"a token at the very end, no line end":     {"use " + pat, []string{"github-pat block"}},
		"a token that holds the word false":        {"- key: " + falsy + "\n", []string{"github-pat block"}},                  // ungrouped allow expression
		"a token with an allow comment":            {"`" + pat + "` <!-- gitleaks:allow -->\n", []string{"github-pat block"}}, // 2A-37
		"the same token after a label, as one":     {"api_token = \"" + pat + "\"\n", []string{"github-pat block"}},
		"a JWT in a curl header, as one":           {"curl -H \"Authorization: Bearer " + jwt + "\" https://api.example.com\n", []string{"curl-auth-header block"}},
		"a stateless installation token":           {"GITHUB_TOKEN=ghs" + "_123456_" + jwt + "\n", []string{"github-app-token-stateless block"}},
		"a key block whole":                        {"Key:\n\n" + m.pem(6) + "\n", []string{"private-key block"}},
		"a key block at the end, no line end":      {"Key:\n" + m.pem(6), []string{"private-key block"}},
		"a token in base64":                        {"blob: " + base64.StdEncoding.EncodeToString([]byte("x "+pat+" y")) + "\n", []string{"github-pat block"}},
		"a token in hex, in base64":                {"blob: " + base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString([]byte(pat)))) + "\n", []string{"github-pat block"}},
		"a random password after a strong label":   {"client_secret: \"" + m.pick(alnum, 32) + "\"\n", []string{"labelled-token block"}}, // 2A-58
		"a UUID after a label warns":               {"token=" + uuid + "\n", []string{"labelled-token warn"}},
		"a digest after a name for no secret":      {"cache_key: " + m.pick(hexes, 64) + "\n", nil},
		"a placeholder after a strong label":       {"client_secret: \"{{secret}}\"\n", nil}, // 2A-58
		"a webhook whose rule groups a part":       {"- post to " + teams + "\n", []string{"microsoft-teams-webhook block"}},
		"plain prose":                              {"# Setup\n\n- Run `make` and read the key features.\n", nil},
		"nothing":                                  {"", nil},
		"bytes that are no UTF-8 around the token": {"\xff\xfe " + pat + " \xc3\x28", []string{"github-pat block"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, rulesOf(mustScan(t, s, tc.text))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// Fault: the library counts lines from 0, and columns one too high after the
// first line.
func TestPlacesCountFromOneInBytes(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(2)
	pat, pem := m.pat(), m.pem(3)
	type place struct{ First, FirstCol, Last, LastCol int }
	encoded := base64.StdEncoding.EncodeToString([]byte("token " + pat + " end"))
	tests := map[string]struct {
		text string
		want []place
	}{
		"first line":              {pat + "\n", []place{{1, 1, 1, 40}}},
		"first line, no end":      {"ab " + pat, []place{{1, 4, 1, 43}}},
		"third line":              {"a\n\nxy " + pat + "\n", []place{{3, 4, 3, 43}}},
		"after wide characters":   {"a\n日本 " + pat + "\n", []place{{2, 8, 2, 47}}},
		"after CRLF":              {"a\r\nb\r\n" + pat + "\r\n", []place{{3, 1, 3, 40}}},
		"two on one line, sorted": {"x\n" + pat + " " + pat + "\n", []place{{2, 1, 2, 40}, {2, 42, 2, 81}}},
		"over lines":              {"a\n" + pem + "\nb\n", []place{{2, 1, 6, 25}}},
		"over lines to the end":   {"a\n" + pem, []place{{2, 1, 6, 25}}},
		"an encoded run":          {"a\nb: " + encoded + "\n", []place{{2, 4, 2, 3 + len(encoded)}}},
		"value below its label":   {"a\napi_key:\n  " + pat + "\n", []place{{3, 3, 3, 42}}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []place
			for _, f := range mustScan(t, s, tc.text) {
				got = append(got, place{f.First, f.FirstCol, f.Last, f.LastCol})
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}

// Fault: the library's rules are a Go map, so findings come in another order
// each time; and its decoding passes find one value twice.
func TestFindingsHaveOneOrderAndNoDuplicates(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(3)
	var b strings.Builder
	for range 4 {
		fmt.Fprintf(&b, "token: %s %s %s\n", m.pat(), url.QueryEscape("a b "+m.pat()+" c"), m.jwt())
	}
	first := mustScan(t, s, b.String())
	if len(first) != 12 {
		t.Fatalf("%d findings, want 12: %v", len(first), rulesOf(first))
	}
	for range 10 {
		if diff := cmp.Diff(first, mustScan(t, s, b.String())); diff != "" {
			t.Fatalf("another order:\n%s", diff)
		}
	}
}

func TestTwoValuesInOneEncodedRunStayTwo(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(4)
	text := base64.StdEncoding.EncodeToString([]byte(m.pat() + " and " + m.pat()))
	found := mustScan(t, s, text)
	if len(found) != 2 || found[0].Fingerprint == found[1].Fingerprint {
		t.Errorf("got %v", found)
	}
}

func TestFingerprints(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(5)
	a, b := m.pat(), m.pat()
	one := mustScan(t, s, "x "+a+"\n")
	moved := mustScan(t, s, "# Other\n\n- `"+a+"`\n- `"+b+"`\n")
	if len(one) != 1 || len(moved) != 2 {
		t.Fatal(one, moved)
	}
	if one[0].Fingerprint != moved[0].Fingerprint || len(one[0].Fingerprint) != 32 {
		t.Error("the fingerprint did not follow its value")
	}
	if moved[0].Fingerprint == moved[1].Fingerprint {
		t.Error("two values have one fingerprint")
	}
	other := newScanner(t, Options{Salt: []byte("another salt")})
	if mustScan(t, other, "x "+a)[0].Fingerprint == one[0].Fingerprint {
		t.Error("the salt changes nothing")
	}
	if string(parts("ab", "c")) == string(parts("a", "bc")) {
		t.Error("two lists of parts give the same bytes")
	}
}

// Faults: a cancelled context gives no findings and no error; so does a rule
// set that came to nothing. 2A-56: a panic is not a clean scan. 2A-62.
func TestWhatWasNotScannedIsNeverClean(t *testing.T) {
	t.Parallel()
	token := newMint(6).pat()
	text := "use " + token + "\n"
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	healthy := newScanner(t, Options{})
	tests := map[string]struct {
		ctx   context.Context
		s     *Scanner
		cause error
	}{
		"cancelled":         {gone, healthy, context.Canceled},
		"past the deadline": {t.Context(), newScanner(t, Options{Deadline: time.Nanosecond}), nil},
		"too long":          {t.Context(), newScanner(t, Options{MaxBytes: len(text) - 1}), nil},
		"a panic":           {t.Context(), &Scanner{rules: &sieve{}, labels: &sieve{}, opts: healthy.opts}, nil},
		"rules lost":        {t.Context(), &Scanner{rules: &sieve{}, labels: &sieve{}, least: 1, opts: healthy.opts}, ErrFewRules},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := tc.s.Scan(tc.ctx, text)
			if !errors.Is(err, ErrNotScanned) || found != nil {
				t.Errorf("Scan: %v, %v; want ErrNotScanned", found, err)
			}
			if tc.cause != nil && !errors.Is(err, tc.cause) {
				t.Errorf("Scan: %v does not say %v", err, tc.cause)
			}
			out, err := tc.s.Withhold(tc.ctx, text, nil)
			if !errors.Is(err, ErrNotScanned) || out != "" {
				t.Errorf("Withhold: %q, %v; want no text", out, err)
			}
		})
	}
	if _, err := healthy.Scan(gone, ""); !errors.Is(err, ErrNotScanned) {
		t.Error("even an empty text was not looked at by a cancelled scan")
	}
}

// 2A-61: detection must not depend on where the token stands.
func TestATokenIsFoundAtEveryOffset(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	token := newMint(7).pat()
	filler := strings.Repeat("plain words in a row. ", 10_000)
	offsets := []int{0, 1, 2, 3}
	for _, edge := range []int{63, 64, 255, 256, 1023, 1024, 4095, 4096, 8192, 10_000, 32_768, 65_535, 65_536, 100_000, 131_072, 200_000} {
		offsets = append(offsets, edge-1, edge, edge+1)
	}
	for _, at := range offsets {
		found := mustScan(t, s, filler[:at]+"\n"+token+"\n"+filler[at:])
		if len(found) != 1 || found[0].First != 2 || found[0].FirstCol != 1 {
			t.Fatalf("offset %d: %v", at, found)
		}
	}
}

// 2A-60: a file of one line, the token at its end.
func TestALongLineIsScannedWithinTheDeadline(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{Deadline: 5 * time.Minute}) // the race detector is slow
	token := newMint(8).pat()
	text := strings.Repeat("one long line of words without a break ", 2<<20/39) + token
	if found := mustScan(t, s, text); len(found) != 1 || found[0].First != 1 {
		t.Fatalf("got %v", found)
	}
	out, err := s.Withhold(t.Context(), text, nil)
	if err != nil || !strings.HasSuffix(out, " [withheld: line 1]") {
		t.Errorf("withheld: %v", err)
	}
}

// Fault: tags with spare capacity race; one detector must serve many goroutines.
func TestOneScannerServesManyGoroutines(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(9)
	pat := m.pat()
	text := "a " + base64.StdEncoding.EncodeToString([]byte(pat+" x")) + "\n`" + pat + "`\n" + m.pem(4) + "\n"
	want := mustScan(t, s, text)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 3 {
				found, err := s.Scan(t.Context(), text)
				if diff := cmp.Diff(want, found); err != nil || diff != "" {
					t.Errorf("%v\n%s", err, diff)
				}
			}
		})
	}
	wg.Go(func() { // building one more meanwhile must not disturb
		if _, err := New(Options{}); err != nil {
			t.Error(err)
		}
	})
	wg.Wait()
}
