package jobs

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/planted"
	"github.com/cardkeeper/cardkeeper/webhooks/command"
)

// A text is scanned once a job. What it gave away is withheld from all that the
// job says, also when it looks again, and when it answers.
func TestWhatIsNotScannedAgainIsNotForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	var pair planted.Kind // a key that only the id in the line above gives away
	for _, k := range planted.Kinds(96) {
		if k.Name == "aws-statements" {
			pair = k
		}
	}
	id, _, _ := strings.Cut(pair.Block, "\n")
	with := func(block string) map[string]fakehub.File {
		return map[string]fakehub.File{mail: fakehub.Text(w.text(mail, "## Do not\n", "## Region\n\n"+block+"\n## Do not\n"))}
	}
	base := w.commit("base", with(id+"\n"), w.main)
	head := w.commit("topic", with(pair.Block), base) // the report quotes the key alone
	client := w.runner.cfg.GitHub.Installation(w.hub.Installation("ada"))
	from := newSource(client, must(client.Repository(t.Context(), w.repo.ID()))(t))
	for turn := range 2 {
		out := must(w.runner.assess(t.Context(), from, comparison{base: base, tip: base, head: head}))(t)
		if text := out.Output.Summary + out.Output.Text; pair.Shows(text) || !strings.Contains(text, "[withheld: ") {
			t.Errorf("turn %d: the key is shown, or nothing is withheld:\n%s", turn+1, text)
		}
	}
	tip, policy, err := basePolicy(t.Context(), from, must(client.Pull(t.Context(), from.repo, must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)))(t))
	check(t, err)
	for range 2 {
		text := must(w.runner.reply(t.Context(), from, tip, policy, 1, head, []command.Command{{Question: "which keys are there"}}, 0))(t).body
		if pair.Shows(text) {
			t.Errorf("the answer shows it: %s", text)
		}
	}
}
