package answer

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTheJSONIsTheBatchForm(t *testing.T) {
	t.Parallel()
	type line struct {
		ID string `json:"id"`
		Form
	}
	for _, c := range []struct{ question, want string }{
		{"how do I set up the tool", `{"id":"q","answered":true,"hits":[{"text":"Run ` + "`setup`" + ` once before anything else; it writes the rule file.",` +
			`"context":["Mailbox rules","Setup"],"file":"skills/mailbox/SKILL.md","line":2,"end":2,"skill":"skills/mailbox","section":"setup",` +
			`"base":0.8401,"bonus":0.1,"sure":0.3208}],"refusal":null}`},
		{"why does the sync fail", `{"id":"q","answered":false,"hits":[],"refusal":{"facts":8,"cards":1,` +
			`"terms":[{"term":"sync","facts":0},{"term":"fail","facts":0}],"best":0,"floor":0.14,"why":"uncovered"}}`},
		{"", `{"id":"q","answered":false,"hits":[],"refusal":{"facts":8,"cards":1,"terms":[],"best":0,"floor":0.14,"why":"no_words"}}`},
	} {
		a := mailbox(t).Ask(c.question)
		got, err := json.Marshal(line{"q", a.Form()})
		if err != nil || string(got) != c.want {
			t.Errorf("%q: %v\n got %s\nwant %s", c.question, err, got, c.want)
		}
		alone, err := json.Marshal(a)
		if err != nil || string(alone) != strings.Replace(c.want, `"id":"q",`, "", 1) {
			t.Errorf("%q alone: %v %s", c.question, err, alone)
		}
	}
}
