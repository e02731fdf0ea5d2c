package app

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// Law 8 for withheld values: one word that stands nowhere else is found by the
// check, and by nobody in anything that the service wrote, its database included.
func TestNoWithheldValueGetsOut(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		const value = "Zaunkoenig"
		sum := sha256.Sum256([]byte("a key"))
		digits := hex.EncodeToString(sum[:])
		key := must(secret.ParseKey(digits))(t)
		const before = "policy:\n  salt: 00112233445566778899aabbccddeeff\n"
		seal := key.Seal(must(config.Parse([]byte(before)))(t).Salt)
		entry := config.WithheldValue{Hash: must(seal.Hash(value))(t), Reason: "a client", Added: time.Unix(0, 0).UTC()}
		list := must(config.AddWithheld([]byte(before), entry, seal.Check()))(t)

		s := newStage(t, url)
		s.settings.WithholdKeys = []secret.Key{key}
		s.main = s.commit("main", map[string]fakehub.File{checker.ConfigFile: {Data: list}})
		s.hub.Lose()
		stop := s.play()
		number, head := s.open("topic", "For "+value, map[string]fakehub.File{
			mail: fakehub.Text(s.text(mail, "it stores the account", "it stores "+value+"'s account")),
			"skills/mail/references/" + value + ".md":        fakehub.Text("# " + strings.ToUpper(value) + "\n\n- A file of its own.\n"),
			"skills/" + strings.ToLower(value) + "/SKILL.md": fakehub.Text("# A skill\n\n## Setup\n\n- Install it.\n"),
		})
		run := s.run(head)
		if run.Conclusion != "failure" || !strings.Contains(run.Title, "withheld values found") {
			t.Errorf("%s: %s", run.Conclusion, run.Title)
		}
		for i, question := range []string{"What does mailrules setup store in the keyring?", "Who is " + value + "?", "Who is Zaunkoenik?"} {
			must(s.repo.Comment(number, "mallory", "/ask "+question))(t)
			s.reply(number, i+1)
		}
		stop()
		for name, text := range s.written(number, head) {
			if lower := strings.ToLower(text); strings.Contains(lower, "zaunkoenig") || strings.Contains(text, digits[:16]) {
				t.Errorf("%s holds the value or the key", name)
			}
		}
	})
}
