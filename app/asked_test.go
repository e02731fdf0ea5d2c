package app

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// Of a question that is not documented its words are kept, and nothing else that a
// person wrote or is: no login, no address, no number, no name; of one with a
// secret nothing. The operator's limits hold.
func TestWhatIsKeptOfAQuestion(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		const person = "zaunkoenigin"
		token := "gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3)
		s := newStage(t, url)
		s.settings.Asking = config.Asking{PerPerson: 2, PerRepository: 9, GapDays: 30}
		check(t, s.repo.SetPermission(person, "write"))
		stop := s.play()
		number, head := s.open("topic", "Some notes", map[string]fakehub.File{"docs/notes.md": fakehub.Text("x")})
		s.run(head)
		for i, step := range []struct{ question, want string }{
			{"Is " + token + " the telescope's?", "looks like a secret"},
			{"Who of @" + person + ", " + person + "@mail.example or +49 170 1234567 feeds the zebra?", "Not documented"},
			{"Which moon is it?", "Ask again from"},
		} {
			must(s.repo.Comment(number, person, "/ask "+step.question))(t)
			if got := s.reply(number, i+1); !strings.Contains(got, step.want) {
				t.Errorf("%d: %s", i, got)
			}
		}
		stop()
		kept := false
		for name, text := range s.written(number, head) {
			if strings.HasPrefix(name, "comment") || name == "the addresses" {
				continue // the reply names the asker's words; GitHub is asked for the role by the login
			}
			kept = kept || strings.Contains(text, "Who of [name], [address] or [number] feeds the zebra?")
			for _, canary := range []string{person, "mail.example", "1234567", token[4:12], "moon is it"} {
				if strings.Contains(strings.ToLower(text), strings.ToLower(canary)) {
					t.Errorf("%s holds %q", name, canary)
				}
			}
		}
		if !kept {
			t.Error("the question is not kept")
		}
	})
}
