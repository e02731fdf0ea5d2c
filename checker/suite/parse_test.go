package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestAWholeFile(t *testing.T) {
	t.Parallel()
	got := parsed(t, "\ufeff"+`{"id":"a","question":"How?","expect":["two days"]}`+"\r\n\r\n"+
		`{"note":"why","also":["B please?"],"refuse":true,"question":"B?","id":"b.2"}`+"\r\n"+
		`  {"id":"c","question":"C?","all":true,"expect":[{"text":"x","skill":"s","file":"s/f.md","section":"setup","under":"U"},{"under":"V","skill":"s"}]}`)
	want := []Question{
		{ID: "a", Question: "How?", Expect: []Reference{{Text: "two days"}}, Line: 1},
		{ID: "b.2", Question: "B?", Refuse: true, Also: []string{"B please?"}, Note: "why", Line: 3},
		{ID: "c", Question: "C?", All: true, Line: 4, Expect: []Reference{
			{Text: "x", Skill: "s", File: "s/f.md", Section: "setup", Under: "U"}, {Under: "V", Skill: "s"}}},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Question{})); d != "" {
		t.Error(d)
	}
}

func TestFaultsOfALine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", maxText+1)
	for name, c := range map[string]struct{ line, want string }{
		"no JSON":                     {`id: a`, "not one JSON object"},
		"a list":                      {`[]`, "not one JSON object"},
		"null":                        {`null`, "not one JSON object"},
		"two objects":                 {`{} {}`, "not one JSON object"},
		"broken UTF-8":                {"{\"id\":\"a\",\"question\":\"\xff\",\"refuse\":true}", "not valid UTF-8"},
		"an unknown key":              {`{"id":"a","question":"Q","refuse":true,"Expect":[]}`, "a line knows"},
		"no id":                       {`{"question":"Q","refuse":true}`, "id must be given"},
		"an id with blanks":           {`{"id":"a b","question":"Q","refuse":true}`, "id must be given"},
		"an id that is a number":      {`{"id":1,"question":"Q","refuse":true}`, "id must be a text"},
		"an id that is null":          {`{"id":null,"question":"Q","refuse":true}`, "id must be a text"},
		"a long id":                   {`{"id":"` + long[:maxID+1] + `","question":"Q","refuse":true}`, "id must be given"},
		"no question":                 {`{"id":"a","question":" ","refuse":true}`, "question must be given"},
		"a long question":             {`{"id":"a","question":"` + long + `","refuse":true}`, "longer than 1000"},
		"a control character":         {`{"id":"a","question":"Q\u001b[2J","refuse":true}`, "control character"},
		"neither answer nor refusal":  {`{"id":"a","question":"Q"}`, `give either "expect"`},
		"both":                        {`{"id":"a","question":"Q","refuse":true,"expect":["x"]}`, `give either "expect"`},
		"refuse that is false":        {`{"id":"a","question":"Q","refuse":false}`, "refuse is true or left out"},
		"expect that is a text":       {`{"id":"a","question":"Q","expect":"x"}`, "expect must be a list"},
		"expect that is null":         {`{"id":"a","question":"Q","expect":null}`, "expect must be a list"},
		"expect that is empty":        {`{"id":"a","question":"Q","expect":[]}`, "at least one fact"},
		"too many facts":              {`{"id":"a","question":"Q","expect":["x"` + strings.Repeat(`,"x"`, MaxReferences) + `]}`, "at most 20 items"},
		"a fact that is a number":     {`{"id":"a","question":"Q","expect":[1]}`, "is a text, or an object"},
		"a fact without a word":       {`{"id":"a","question":"Q","expect":["***"]}`, "a text with a word in it"},
		"a fact with an unknown key":  {`{"id":"a","question":"Q","expect":[{"text":"x","line":3}]}`, "knows: text"},
		"a fact by its section alone": {`{"id":"a","question":"Q","expect":[{"section":"setup","skill":"s"}]}`, "a text with a word in it"},
		"a heading without a skill":   {`{"id":"a","question":"Q","expect":[{"under":"Usage"}]}`, "a text with a word in it"},
		"a heading without a word":    {`{"id":"a","question":"Q","expect":[{"text":"x","under":"-"}]}`, "under needs a word"},
		"an unknown section":          {`{"id":"a","question":"Q","expect":[{"text":"x","section":"usage"}]}`, "section is one of"},
		"all with a refusal":          {`{"id":"a","question":"Q","refuse":true,"all":true}`, "goes with"},
		"an empty wording":            {`{"id":"a","question":"Q","refuse":true,"also":[" "]}`, "must ask something"},
		"too many wordings":           {`{"id":"a","question":"Q","refuse":true,"also":["a","b","c","d","e","f"]}`, "at most 5"},
		"a long line":                 {`{"id":"a","question":"Q","refuse":true}` + strings.Repeat(" ", MaxLine) + "x", "longer than 32 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			questions, faults := Parse([]byte(`{"id":"ok","question":"Fine?","refuse":true}` + "\n" + c.line + "\n"))
			if len(questions) != 1 || len(faults) != 1 || faults[0].Line != 2 || !strings.Contains(faults[0].Text, c.want) {
				t.Errorf("%d questions, faults %v, want %q", len(questions), faults, c.want)
			}
		})
	}
}

func TestAllFaultsAreToldAtOnce(t *testing.T) {
	t.Parallel()
	const good = `{"id":"a","question":"How long?","refuse":true}`
	_, faults := Parse([]byte(good + "\nx\n" + good + "\n" + `{"id":"b","question":"how LONG","refuse":true}` + "\n\ny\n"))
	var got []string
	for _, f := range faults {
		got = append(got, fmt.Sprint(f.Line, " ", f.Text[:8]))
	}
	if d := cmp.Diff([]string{"2 not one ", "3 the id s", "4 the ques", "6 not one "}, got); d != "" {
		t.Error(d)
	}
}

func TestBoundsOfAFile(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range MaxQuestions/2 + 1 { // each asks twice
		fmt.Fprintf(&b, `{"id":"q%d","question":"Q%d?","also":["R%d?"],"refuse":true}`+"\n", i, i, i)
	}
	questions, faults := Parse([]byte(b.String()))
	if len(questions) != MaxQuestions/2 || len(faults) != 1 || faults[0].Line != MaxQuestions/2+1 {
		t.Errorf("%d questions, faults %v", len(questions), faults)
	}
	if questions, faults := Parse(make([]byte, MaxBytes+1)); questions != nil || len(faults) != 1 {
		t.Errorf("a large file: %d questions, faults %v", len(questions), faults)
	}
	if _, faults := Parse([]byte(strings.Repeat("x\n", 1000))); len(faults) != maxFaults+1 {
		t.Errorf("%d faults", len(faults))
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"id":"a","question":"How?","expect":["two days",{"under":"x","skill":"s"}],"also":["b"]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		questions, _ := Parse(b)
		for _, q := range questions {
			again, faults := Parse(encode(q))
			if len(faults) > 0 || len(again) != 1 || !again[0].Equal(q) {
				t.Errorf("%q is read back as %v, %v", encode(q), again, faults)
			}
		}
	})
}
