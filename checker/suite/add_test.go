package suite

import (
	"errors"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

func TestAdd(t *testing.T) {
	t.Parallel()
	x := answer.NewIndex(skills(t))
	for name, c := range map[string]struct{ file, question, want string }{
		"an answer": {"", "What size needs the scratch folder?",
			`{"id":"what-size-needs-the-scratch-folder","question":"What size needs the scratch folder?","expect":[`},
		"a statement of two skills": {"", "restore into the scratch folder", `"expect":[{"text":"Restore it into the scratch folder."}]`},
		"a refusal":                 {"", "  Who pays\nfor the zeppelin? ", `{"id":"who-pays-for-the-zeppelin","question":"Who pays for the zeppelin?","refuse":true}`},
		"an id that is taken": {`{"id":"who-pays","question":"x?","refuse":true}`, "Who pays?",
			`{"id":"who-pays-2","question":"Who pays?","refuse":true}`},
		"no letter of an id":        {"", "日本語の飛行船", `{"id":"q-`},
		"after a line without end":  {`{"id":"b","question":"x?","refuse":true}`, "Who pays?", `{"id":"who-pays"`},
		"after lines ended by CRLF": {`{"id":"b","question":"x?","refuse":true}` + "\r\n", "Who pays?", `{"id":"who-pays"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			end := "\n"
			if strings.Contains(c.file, "\r\n") {
				end = "\r\n"
			}
			out, line, err := Add(t.Context(), []byte(c.file), x, Addition{Question: c.question, Answer: x.Ask(c.question)})
			if err != nil || !strings.Contains(string(line), c.want) || !strings.HasPrefix(string(out), c.file) || !strings.HasSuffix(string(out), end+string(line)+end) && c.file != "" {
				t.Fatalf("%v\n%s", err, out)
			}
			again := parsed(t, string(out))
			o := run(t, string(out))[len(again)-1]
			if !o.Right {
				t.Errorf("what was added is wrong: %s", o.Says())
			}
		})
	}
}

func TestAddRefuses(t *testing.T) {
	t.Parallel()
	x := answer.NewIndex(skills(t))
	var full strings.Builder
	for i := range MaxQuestions {
		full.WriteString(`{"id":"` + strings.Repeat("a", i%60+1) + string(rune('a'+i/60)) + `","question":"` + strings.Repeat("b ", i+1) + `","refuse":true}` + "\n")
	}
	for name, c := range map[string]struct {
		file, question string
		want           error
	}{
		"a question that is there": {`{"id":"a","question":"Who PAYS","refuse":true}`, "who pays?", ErrKnown},
		"a file with a fault":      {"x", "who pays?", ErrFaulty},
		"a file that is full":      {full.String(), "who pays?", ErrFull},
		"a question without words": {"", "?!", ErrUnfit},
		"a question that is long":  {"", strings.Repeat("long ", 250), ErrUnfit},
	} {
		if _, _, err := Add(t.Context(), []byte(c.file), x, Addition{Question: c.question, Answer: x.Ask(c.question)}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// What Add writes names the hit and no other fact, whatever the facts look like.
func TestAReferenceNamesItsFactAlone(t *testing.T) {
	t.Parallel()
	x := answer.NewIndex(skills(t))
	x.Each(func(n int, skill string, f card.Fact) bool {
		r, err := refer(t.Context(), x, answer.Hit{Fact: f, Skill: skill, Number: n})
		if err != nil {
			t.Fatal(err)
		}
		facts := resolved(t, x, []Question{{Expect: []Reference{r}}}).facts[0][0]
		for _, other := range facts {
			if !x.Same(other, n) {
				t.Errorf("%+v names %d too", r, other)
			}
		}
		if len(facts) == 0 || r.fault() != "" {
			t.Errorf("%+v names nothing: %s", r, r.fault())
		}
		return true
	})
}
