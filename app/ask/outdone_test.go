package ask

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/answer"
)

// What is left when the best hit is left out is an answer where it says about as much of the
// question; where it is about something else, the answer is that it is withheld.
func TestWhatIsLeftInThePlaceOfTheBestHit(t *testing.T) {
	t.Parallel()
	rules := answer.Rules{Never: []string{"Kingfisher"}}
	const other = "\n- paint the parcel shed green each spring\n"
	for name, c := range map[string]struct{ text, question, want string }{
		"another says something else": {
			"- restart the parcel daemon of kingfisher when the queue hangs" + other,
			"What to restart when the parcel queue hangs?", "Withheld. What would answer",
		},
		"another says as much": {
			"- restart the parcel daemon of kingfisher when the queue hangs\n\n```sh\nrestart parcel daemon # when the queue hangs\n```\n" + other,
			"What to restart when the parcel queue hangs?", "What answers best is withheld here.\n1. ",
		},
		"nothing is left out": {"- restart the parcel daemon when the queue hangs" + other, "What to restart when the parcel queue hangs?", "1. "},
	} {
		l := open(t, map[string]string{"a/SKILL.md": "# Work\n\n" + c.text}, testScanner()).Under(rules)
		a, err := l.Ask(t.Context(), c.question)
		if err != nil {
			t.Fatal(err)
		}
		if text := answer.Text(a, nil); !strings.HasPrefix(text, c.want) {
			t.Errorf("%s: %s", name, text)
		}
		lead, _, _ := strings.Cut(c.want, "\n")
		if markdown := strings.ReplaceAll(answer.Markdown(a, nil), "**", ""); !strings.HasPrefix(markdown, lead) {
			t.Errorf("%s: %s", name, markdown)
		}
		form := a.Form()
		if left := form.LeftOut; (left == 1) != (c.want != "1. ") || form.Outdone != strings.Contains(c.want, "best") {
			t.Errorf("%s: %d left out, outdone %v", name, left, form.Outdone)
		}
		if a.Gap() || !a.Answered && (form.Refusal.Why != "withheld" || strings.Contains(answer.Text(a, nil), "Not documented")) {
			t.Errorf("%s: %+v", name, form.Refusal)
		}
	}
}
