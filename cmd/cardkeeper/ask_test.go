package main

import (
	"bytes"
	"encoding/json"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"strings"
	"testing"
)

func TestAskExitCodes(t *testing.T) {
	t.Parallel()
	s := built(t)
	want(t, s.expect(exitOK, "ask", "How do I install the parcel tool?").stdout, alphaMain+":10", "install the parcel tool")
	o := s.expect(exitFound, "ask", "Which telescope shows the moons of Jupiter?")
	want(t, o.stdout, "Not documented", "telescope", "facts on 2 cards") // law 10
	o = s.expect(exitOK, "ask", "--explain", "How do I install the parcel tool?")
	want(t, o.stdout, "base ", "bonus ", "weighs ")
}

// What asks nothing is no question that the documents do not answer.
func TestWhatIsNoQuestion(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write("q.jsonl", `{"id":"a","question":"How do I install the parcel tool?"}`+"\n")
	long := strings.Repeat("long ", 201)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"empty":                 {[]string{""}, "the question is empty"},
		"blank":                 {[]string{" \t"}, "the question is empty"},
		"too long":              {[]string{long}, "the question is longer than 1000 characters"},
		"an empty wording":      {[]string{"How do I install the parcel tool?", "--also", ""}, "--also is empty"},
		"a wording too long":    {[]string{"How do I install the parcel tool?", "--also", long}, "--also is longer than 1000"},
		"like a flag":           {[]string{"--since"}, "cardkeeper ask -- "},
		"text of a batch":       {[]string{"--format", "text", "--batch", s.path("q.jsonl")}, "answers in JSON lines"},
		"a wording for a batch": {[]string{"--batch", s.path("q.jsonl"), "--also", ""}, "--batch goes without"},
	} {
		o := s.expect(exitUsage, append([]string{"ask"}, c.args...)...)
		if o.stdout != "" || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%s: %q on stderr, %q on stdout", name, o.stderr, o.stdout)
		}
	}
	var out, complaints bytes.Buffer
	if code := run(t.Context(), []string{"ask", "--root", s.path(""), "--", "--since"}, &out, &complaints); code != exitFound || !strings.Contains(out.String(), "Not documented") {
		t.Errorf("behind two hyphens: exit %d, %s%s", code, out.String(), complaints.String())
	}
	want(t, s.expect(exitFound, "ask", "403").stdout, "A number alone is found beside too many things.")
	s.expect(exitOK, "ask", "--format", "json", "--batch", s.path("q.jsonl"))
}

// The one reply to a question with a secret holds none of its words (law 8).
func TestAQuestionThatHoldsASecret(t *testing.T) {
	t.Parallel()
	s := built(t)
	value := token(20)
	question := "How do I install the parcel tool with " + value + "?"
	o := s.expect(exitFound, "ask", question)
	want(t, o.stdout, "this looks like a secret: rotate it")
	unspoken(t, value, o.all())
	if strings.Contains(o.all(), "parcel") {
		t.Errorf("the question is echoed: %s", o.all())
	}
	o = s.expect(exitFound, "ask", "--format", "json", "--explain", question)
	unspoken(t, value, o.all())
	first, _, _ := strings.Cut(o.stdout, "\n")
	if got := decoded(t, first); got["answered"] != false || strings.Contains(o.all(), "parcel") {
		t.Errorf("json: %s", o.stdout)
	}
	s.write("q.jsonl", `{"id":"`+value+`","question":"`+question+`"}`+"\n")
	o = s.expect(exitOK, "ask", "--batch", s.path("q.jsonl"))
	unspoken(t, value, o.all())
	if got := decoded(t, o.stdout); got["answered"] != false || got["id"] != "" {
		t.Errorf("batch: %s", o.stdout)
	}
}

func decoded(t *testing.T, line string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return v
}

// strict reads a line and fails for a key that the agreed form does not have.
func strict(t *testing.T, line string, to any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(line)))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		t.Errorf("%v: %s", err, line)
	}
}

// An agreed is one line of ask --batch, key by key.
type agreed struct {
	ID       json.RawMessage `json:"id"`
	Answered *bool           `json:"answered"`
	Hits     []struct {
		Text, File, Skill, Section *string
		Context                    []string
		Line, End                  *int
		Base, Bonus, Sure          *float64
	} `json:"hits"`
	Refusal *struct {
		Facts, Cards *int
		Terms        []struct {
			Term  *string
			Facts *int
		}
		Best, Floor *float64
		Why         *string
	} `json:"refusal"`
}

func TestBatch(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write("q.jsonl", `{"id":"a","question":"How do I install the parcel tool?"}`+"\n\n"+
		`{"id":7,"question":"Which telescope shows the moons of Jupiter?"}`+"\r\n"+`  `+"\n"+`{"question":""}`)
	o := s.expect(exitOK, "ask", "--batch", s.path("q.jsonl"))
	lines := strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines:\n%s", len(lines), o.stdout)
	}
	var got [3]agreed
	for i, line := range lines {
		strict(t, line, &got[i])
		if got[i].Answered == nil || got[i].Hits == nil {
			t.Errorf("a key is missing or null: %s", line)
		}
		if !strings.Contains(line, `"refusal":`) || strings.Contains(line, `"terms":null`) || strings.Contains(line, `"context":null`) {
			t.Errorf("a key is missing or null: %s", line)
		}
	}
	if string(got[0].ID) != `"a"` || !*got[0].Answered || len(got[0].Hits) == 0 || got[0].Refusal != nil {
		t.Errorf("answered: %s", lines[0])
	}
	h := got[0].Hits[0]
	if *h.Text != "install the parcel tool" || *h.File != alphaMain || *h.Line != 10 || *h.End != 10 || *h.Skill != "skills/alpha" || *h.Section != "setup" ||
		len(h.Context) != 2 || *h.Base <= 0 || h.Bonus == nil {
		t.Errorf("hit: %s", lines[0])
	}
	r := got[1].Refusal
	if string(got[1].ID) != "7" || *got[1].Answered || r == nil || *r.Facts == 0 || *r.Cards != 2 || len(r.Terms) == 0 || *r.Floor <= 0 || r.Best == nil {
		t.Errorf("refused: %s", lines[1])
	}
	if string(got[2].ID) != "5" || *got[2].Answered {
		t.Errorf("no question: %s", lines[2])
	}
	single := s.expect(exitOK, "ask", "--format", "json", "How do I install the parcel tool?").stdout
	if want := strings.Replace(lines[0], `"id":"a",`, "", 1) + "\n"; single != want {
		t.Errorf("--format json prints another form:\n%s%s", single, want)
	}
	if again := s.expect(exitOK, "ask", "--batch", s.path("q.jsonl")); again.stdout != o.stdout { // law 11
		t.Error("two runs differ")
	}
}

func TestABadLineOfABatchIsNamedAndNotQuoted(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write("q.jsonl", `{"id":"a","question":"x"}`+"\n"+`{"id": QQQ`+"\n")
	o := s.expect(exitUsage, "ask", "--batch", s.path("q.jsonl"))
	want(t, o.stderr, "q.jsonl:2: not a JSON object")
	if strings.Contains(o.stderr, "QQQ") {
		t.Errorf("the line is quoted: %s", o.stderr)
	}
	s.write("q.jsonl", strings.Repeat("x", maxLine+1))
	want(t, s.expect(exitFailed, "ask", "--batch", s.path("q.jsonl")).stderr, "--batch")
}

// Another program may wait for each answer, so the lines that are questions are answered.
func TestTheOtherLinesOfABatchAreAnswered(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write("q.jsonl", "nope\n"+`{"id":"a","question":"How do I install the parcel tool?","qestion":"x"}`+"\n"+`{"id":"b","also":["y"]}`+"\n"+
		`{"id":"c","question":"x","also":["`+strings.Repeat(`y","`, answer.MaxAlso)+`y"]}`+"\n")
	o := s.expect(exitUsage, "ask", "--batch", s.path("q.jsonl"))
	if got := decoded(t, o.stdout); got["id"] != "a" || got["answered"] != true {
		t.Errorf("stdout: %s", o.stdout)
	}
	for _, fault := range []string{"q.jsonl:1: not a JSON object", `q.jsonl:3: "question" is missing`, "q.jsonl:4: at most 8", `"qestion"`, "3 lines"} {
		want(t, o.stderr, fault)
	}
}

func TestALineOfABatchWithoutAnIDHasItsNumber(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write("q.jsonl", "\ufeff"+`{"id":"a","question":"How do I install the parcel tool?"}`+"\r\n\n"+`{"question":"How do I install the parcel tool?"}`+"\n"+
		`{"id":null,"question":"403"}`+"\n"+`{"id":"b","question":"How?","also":[" "]}`+"\n")
	o := s.expect(exitUsage, "ask", "--batch", s.path("q.jsonl"))
	lines := strings.Split(o.stdout, "\n")
	for i, begin := range []string{`{"id":"a","answered":true`, `{"id":3,"answered":true`, `{"id":null,"answered":false`} {
		if !strings.HasPrefix(lines[i], begin) {
			t.Errorf("line %d: %s", i+1, lines[i])
		}
	}
	want(t, lines[2], `"why":"number"`)
	want(t, o.stderr, `q.jsonl:5: an item of "also" is empty`, "1 line")
}

// A further wording that alone carries an answer is named, so that nobody takes it for one to the question.
func TestTheWordingThatCarriesAnAnswer(t *testing.T) {
	t.Parallel()
	s := built(t)
	args := []string{"ask", "Which telescope shows Jupiter?", "--also", "How do I install the parcel tool?", "--also", "install the parcel tool"}
	want(t, s.expect(exitOK, args...).stdout, `It fits the wording "How do I install the parcel tool?", and not the question itself.`)
	want(t, s.expect(exitOK, append(args, "--format", "json")...).stdout, `"wording":"How do I install the parcel tool?"`)
}

func TestWhatWasTypedIsNamed(t *testing.T) {
	t.Parallel()
	s := built(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"ask", "--formta", "json", "x"}, "unknown flag --formta, did you mean --format?"},
		{[]string{"ask", "--telescope", "x"}, "unknown flag --telescope; there are"},
		{[]string{"ask", "--k3y=9", "x"}, "unknown flag; there are"},
		{[]string{"ask", "--base", "mian", "x"}, "--base mian: git does not know the revision"},
		{[]string{"check", "--base", "mian"}, "--base mian: git does not know the revision"},
	} {
		want(t, s.expect(exitUsage, c.args...).stderr, c.want)
	}
}

// A fact that stands beside a secret is left out of answers.
func TestAskShowsNoSecret(t *testing.T) {
	t.Parallel()
	value := token(21)
	s := repository(t, map[string]string{"a/SKILL.md": "# A\n\n- install the parcel tool with " + value + "\n"})
	for _, format := range []string{"text", "json"} {
		o := s.expect(exitFound, "ask", "--explain", "--format", format, "How do I install the parcel tool?")
		unspoken(t, value, o.all())
	}
}

func TestFurtherWordings(t *testing.T) {
	t.Parallel()
	s := built(t)
	const question, reworded = "what brings the programme onto my machine", "How do I install the parcel tool?"
	s.expect(exitFound, "ask", question)
	want(t, s.expect(exitOK, "ask", question, "--also", "put it up", "--also", reworded, "--also", reworded).stdout, "install the parcel tool")
	s.write("q.jsonl", `{"id":1,"question":"`+question+`","also":["put it up","`+reworded+`","`+reworded+`"]}`+"\n")
	if got := decoded(t, s.expect(exitOK, "ask", "--batch", s.path("q.jsonl")).stdout); got["answered"] != true {
		t.Errorf("batch: %v", got)
	}
	want(t, s.expect(exitUsage, "ask", "--batch", s.path("q.jsonl"), "--also", reworded).stderr, "also")
	nine := []string{"ask", question}
	for range 9 {
		nine = append(nine, "--also", reworded)
	}
	want(t, s.expect(exitUsage, nine...).stderr, "at most 8")
	value := token(23)
	o := s.expect(exitFound, "ask", question, "--also", "with "+value)
	want(t, o.stdout, "this looks like a secret")
	unspoken(t, value, o.all())
}

func TestExplainSaysWhatCameClosest(t *testing.T) {
	t.Parallel()
	s := built(t)
	const question = "Which telescope does the parcel tool use for the moons of Jupiter?"
	if o := s.expect(exitFound, "ask", question); strings.Contains(o.stdout, "its own text") {
		t.Errorf("explained unasked: %s", o.stdout)
	}
	want(t, s.expect(exitFound, "ask", "--explain", question).stdout,
		"telescope: weighs", "The floor is 0.14", alphaMain+":10", "by its own text", "by nothing", "doubt: the rarest word that it lacks")
}

// The JSON of an answer stands alone on standard output; how it came about is told beside it.
func TestAnExplanationIsBesideTheJSON(t *testing.T) {
	t.Parallel()
	o := built(t).expect(exitOK, "ask", "--format", "json", "--explain", "How do I install the parcel tool?")
	if decoded(t, o.stdout)["answered"] != true || strings.Count(o.stdout, "\n") != 1 {
		t.Errorf("stdout: %s", o.stdout)
	}
	want(t, o.stderr, "The floor is", "by its own text")
}
