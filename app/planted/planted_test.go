package planted

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// A canary that the scanner does not see would prove nothing: each kind is found
// in each of its forms, and blocks unless it says otherwise.
func TestEachKindIsFoundInEachForm(t *testing.T) {
	t.Parallel()
	s, err := secret.New(secret.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(2) {
		kinds := Kinds(seed)
		if len(kinds) < 60 {
			t.Fatalf("%d kinds, want 60", len(kinds))
		}
		names := map[string]bool{}
		for _, k := range kinds {
			if names[k.Name] || k.Text == "" || strings.Contains(k.Text, "\n") || strings.Contains(k.Bare, "/") {
				t.Errorf("%s: the name stands twice, or a form is unfit", k.Name)
			}
			names[k.Name] = true
			for form, text := range map[string]string{"text": k.Text, "block": k.Block, "bare": k.Bare} {
				if text == "" {
					continue
				}
				found, err := s.Scan(t.Context(), text)
				if err != nil {
					t.Fatal(err)
				}
				blocks := false
				for _, f := range found {
					blocks = blocks || f.Tier == secret.Block
				}
				if len(found) == 0 || blocks == k.Warned {
					t.Errorf("seed %d: the %s of %s has %d findings, blocking: %v", seed, form, k.Name, len(found), blocks)
				}
				if !k.Shows(text) {
					t.Errorf("%s does not show itself in its %s", k.Name, form)
				}
				out, err := s.Withhold(t.Context(), text, nil)
				if err != nil || k.Shows(out) {
					t.Errorf("seed %d: the %s of %s is not withheld (%v)", seed, form, k.Name, err)
				}
			}
		}
	}
}

func TestAPieceIsEightBytes(t *testing.T) {
	t.Parallel()
	k := bare("x", "abcdefghij")
	for text, want := range map[string]bool{"xxabcdefghxx": true, "bcdefghi": true, "cdefghij": true, "abcdefg": false, "defghij": false, "": false} {
		if got := k.Shows(text); got != want {
			t.Errorf("Shows(%q) = %v", text, got)
		}
	}
}

// Over a few turns every kind that fits is planted in many places, and no value
// is left out.
func TestEveryKindIsPlanted(t *testing.T) {
	t.Parallel()
	kinds := Kinds(1)
	used := map[string]bool{}
	for turn := range 5 {
		f := Spread(kinds, turn)
		var text strings.Builder
		for name, data := range f.After {
			text.WriteString(name + "\n" + data + "\n")
		}
		if seen := NewWatch(kinds).Seen(text.String()); len(seen) != len(kinds) {
			t.Errorf("turn %d: %d of %d kinds are planted", turn, len(seen), len(kinds))
		}
		for _, k := range kinds {
			used[f.Place(k)] = true
		}
		for name, data := range f.Before {
			if len(NewWatch(kinds).Seen(name+data)) > 0 {
				t.Errorf("%s holds a value before", name)
			}
		}
	}
	if len(used) != len(places()) {
		t.Errorf("%d of %d places are used", len(used), len(places()))
	}
}
