package secret

import (
	"context"
	"strings"
	"testing"
)

// A key that only its id gives away is withheld from a text that holds the key
// alone, once a scan under the same context has seen both.
func TestWhatWasFoundElsewhereIsWithheld(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(70)
	key := m.pick(alnum, 38) + "+/"
	file := "- AK" + "IA" + m.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16) + "\n- " + key + "\n"
	quote := "added: " + key + "\nother words\n"
	ctx := Remember(t.Context())
	if out, err := s.Withhold(ctx, quote, nil); err != nil || out != quote {
		t.Fatalf("the key alone is told already (%v); the test proves nothing", err)
	}
	if found, err := s.Scan(ctx, file); err != nil || len(found) != 2 {
		t.Fatalf("%d findings in the file, want 2: %v", len(found), err)
	}
	out, err := s.Withhold(ctx, quote, nil)
	if want := "added: [withheld: line 1]\nother words\n"; err != nil || out != want {
		t.Errorf("got %d bytes, %v; want %q", len(out), err, want)
	}
	half, err := s.Withhold(ctx, "its half "+key[10:25]+"\n", nil)
	if err != nil || leaked(half, key) != "" {
		t.Errorf("a piece survived (%v)", err)
	}
	if out, err := s.Withhold(t.Context(), quote, nil); err != nil || out != quote {
		t.Errorf("another context remembers (%v)", err)
	}
}

// Under one memory a value is hashed once, and a fingerprint is what it is without.
func TestFingerprintsAreTheSameWithAMemory(t *testing.T) {
	t.Parallel()
	a, b := newScanner(t, Options{}), newScanner(t, Options{Salt: []byte("another salt")})
	text := "key " + newMint(71).pat() + "\n"
	ctx := Remember(Remember(t.Context()))
	for _, s := range []*Scanner{a, b} {
		plain := mustScan(t, s, text)[0].Fingerprint
		for range 2 {
			found, err := s.Scan(ctx, text)
			if err != nil || found[0].Fingerprint != plain {
				t.Errorf("another fingerprint (%v)", err)
			}
		}
	}
	if prints := newPrinter(ctx, a.opts.Salt); len(prints.seen) != 2 {
		t.Errorf("%d fingerprints were made, want 2", len(prints.seen))
	}
}

// An encoded run is remembered as it stands and as it reads.
func TestAnEncodedValueIsRememberedInBothForms(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	pat := newMint(72).pat()
	wrapped := strings.Replace(pat, "_", "&#"+"95;", 1)
	ctx := Remember(t.Context())
	if found, err := s.Scan(ctx, "token "+wrapped+"\n"); err != nil || len(found) == 0 {
		t.Fatalf("not found: %v", err)
	}
	for _, text := range []string{wrapped[12:30], pat[8:26]} {
		if out, err := s.Withhold(ctx, "piece "+text, nil); err != nil || strings.Contains(out, text) {
			t.Errorf("a form survived (%v)", err)
		}
	}
}

// What a rule lets pass is left where the rule holds, and withheld elsewhere.
func TestWhatMayPassIsNotWithheldFromMemory(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(74)
	key := m.pick(alnum, 38) + "+/"
	ctx := Remember(t.Context())
	found, err := s.Scan(ctx, "- AK"+"IA"+m.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)+"\n- "+key+"\n")
	if err != nil || len(found) != 2 {
		t.Fatalf("%d findings, %v", len(found), err)
	}
	quote := "added: " + key + "\n"
	lenient := s.Except(Known{found[1].Rule, found[1].Fingerprint})
	if out, err := lenient.Withhold(ctx, quote, nil); err != nil || out != quote {
		t.Errorf("an allowed value is withheld (%v)", err)
	}
	other := s.Except(Known{found[0].Rule, found[0].Fingerprint})
	if out, err := other.Withhold(ctx, quote, nil); err != nil || leaked(out, key) != "" {
		t.Errorf("a value that no rule allows is shown (%v)", err)
	}
}

// What was found outside plays no part in a memory apart, and what is found there is known outside.
func TestAMemoryApart(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	outer := Remember(t.Context())
	text := func(seed uint64) (file, quote string) {
		m := newMint(seed)
		key := m.pick(alnum, 38) + "+/"
		return "- AK" + "IA" + m.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16) + "\n- " + key + "\n", "added: " + key + "\n"
	}
	first, quoteFirst := text(72)
	second, quoteSecond := text(73)
	mustScanUnder := func(ctx context.Context, text string) {
		if found, err := s.Scan(ctx, text); err != nil || len(found) != 2 {
			t.Fatalf("%d findings: %v", len(found), err)
		}
	}
	mustScanUnder(outer, first)
	apart, memory := Apart(outer)
	mustScanUnder(apart, second)
	other, _ := Apart(outer)
	for name, c := range map[string]struct {
		ctx      context.Context
		quote    string
		withheld bool
	}{
		"found outside, asked apart":       {apart, quoteFirst, false},
		"found apart, asked there":         {apart, quoteSecond, true},
		"found apart, asked outside":       {outer, quoteSecond, true},
		"found apart, asked apart from it": {other, quoteSecond, false},
	} {
		if out, err := s.Withhold(c.ctx, c.quote, nil); err != nil || (out != c.quote) != c.withheld {
			t.Errorf("%s: withheld is %v (%v)", name, out != c.quote, err)
		}
	}
	for range 2 {
		memory.Tell(other)
	}
	if out, err := s.Withhold(other, quoteSecond, nil); err != nil || out == quoteSecond {
		t.Errorf("what a memory was told it does not know (%v)", err)
	}
	if n := len(outer.Value(memoryKey{}).(*Memory).found); n != 2 {
		t.Errorf("outside %d texts are remembered, want 2", n)
	}
}
