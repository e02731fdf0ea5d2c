package ask

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// watching is the tests' scanner, which withholds values too.
func watching(t *testing.T, values ...string) *secret.Scanner {
	t.Helper()
	raw := sha256.Sum256([]byte("a key of the tests"))
	key, err := secret.ParseKey(hex.EncodeToString(raw[:]))
	if err != nil {
		t.Fatal(err)
	}
	seal := key.Seal(nil)
	list := secret.Withheld{Check: seal.Check()}
	for _, v := range values {
		hash, err := seal.Hash(v)
		if err != nil {
			t.Fatal(err)
		}
		list.Hashes = append(list.Hashes, hash)
	}
	s, err := testScanner().WithWithheld(list, key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWithheldValuesAreNotAnswered(t *testing.T) {
	t.Parallel()
	text := parcels + "- the daemon of Quiet\n  Heron needs a restart each morning\n- call the kingfisher desk when parcels are lost\n"
	l := open(t, map[string]string{"skills/parcels/SKILL.md": text}, watching(t, "quiet heron", "Kingfisher"))
	if _, err := l.Ask(t.Context(), "Who is QUIET-heron?"); !errors.Is(err, ErrWithheld) || strings.Contains(strings.ToLower(err.Error()), "heron") {
		t.Errorf("a question that names it: %v", err)
	}
	pat := token(9)
	if _, err := l.Ask(t.Context(), "Is "+pat+" of quiet heron?"); !errors.Is(err, ErrSecret) {
		t.Errorf("a question that holds a secret too: %v", err)
	}
	for _, question := range []string{
		"Which daemon needs a restart each morning?", "Whom to call when parcels are lost?",
		"What of quiet herom?", "Where is the kingfiser desk?", "kingfishr", "quie heron",
	} {
		a, err := l.Ask(t.Context(), question)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.ToLower(shown(t, a))
		if strings.Contains(all, "kingfisher") || strings.Contains(all, "quiet") && strings.Contains(all, "heron") && !strings.Contains(question, "heron") && !strings.Contains(question, "quiet") {
			t.Errorf("%s: %s", question, all)
		}
		if strings.Contains(all, "read as heron") || strings.Contains(all, "read as quiet") {
			t.Errorf("%s: what was mistyped is spelt out: %s", question, all)
		}
	}
	if a, err := l.Ask(t.Context(), "How do I install the parcel tool?"); err != nil || !a.Answered {
		t.Errorf("another question: %v", err)
	}
}
