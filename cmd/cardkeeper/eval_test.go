package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/suite"
)

const (
	parcel = `{"id":"parcel","question":"How do I install the parcel tool?","expect":["install the parcel tool"]}` + "\n"
	moons  = `{"id":"moons","question":"Which telescope shows the moons of Jupiter?","refuse":true}` + "\n"
	warps  = `{"id":"warps","question":"May warp drives be engaged unattended?","expect":[{"text":"never push","skill":"skills/beta"}]}` + "\n"
	second = `{"id":"builder","question":"What is the second build?","refuse":true}` + "\n"
	fallen = `{"id":"fallen","question":"Who installs perl?","expect":["install perl"]}` + "\n"
)

// examined is a repository with a suite.
func examined(t *testing.T, lines ...string) sandbox {
	t.Helper()
	s := built(t)
	s.write(suite.File, strings.Join(lines, ""))
	s.git("add", "-A")
	return s
}

func TestEval(t *testing.T) {
	t.Parallel()
	s := examined(t, parcel, moons, warps)
	o := s.expect(exitOK, "eval")
	want(t, o.stdout, "right  parcel: How do I install the parcel tool?\n", "3 questions: 3 right, 0 wrong\n")
	s.write(suite.File, parcel+second+fallen)
	o = s.expect(exitFound, "eval")
	want(t, o.stdout, "WRONG  builder: What is the second build?\n       answered, though it must be refused\n       expected: a refusal\n       came: "+alphaMain+":15",
		"       "+alphaMain+":15: run the second build\n",
		"WRONG  fallen: Who installs perl?\n       no such fact\n       expected: \"install perl\"\n       came: a refusal\n", "3 questions: 1 right, 2 wrong (0 refused, 1 answered, 0 missed, 1 gone)\n")
	if again := s.expect(exitFound, "eval"); again.stdout != o.stdout {
		t.Error("two runs differ")
	}
	var e evaluation
	if err := json.Unmarshal([]byte(s.expect(exitFound, "eval", "--format", "json").stdout), &e); err != nil || e.Totals.Wrong != 2 || e.Questions[1].Why != suite.Answered || e.Questions[1].Hits[0].Line != 15 {
		t.Errorf("%v: %+v", err, e)
	}
}

// Another file is asked and teaches nothing.
func TestEvalOfAnotherFile(t *testing.T) {
	t.Parallel()
	s := examined(t, parcel)
	s.write("held-out.jsonl", "\ufeff"+strings.ReplaceAll(warps+moons, "\n", "\r\n"))
	o := s.expect(exitFound, "eval", s.path("held-out.jsonl"))
	want(t, o.stdout, "WRONG  warps:", "refused, though an answer is expected", "right  moons:")
}

func TestEvalRefuses(t *testing.T) {
	t.Parallel()
	s := examined(t, "x\n", parcel, parcel)
	o := s.expect(exitUsage, "eval")
	want(t, o.stderr, suite.File+":1: not one JSON object", suite.File+":3: the id stands at line 2 already")
	want(t, s.expect(exitOK, "ask", "How do I install the parcel tool?").stderr, "2 faults in "+suite.File)
	s.expect(exitUsage, "eval", s.path("missing.jsonl"))
	s.expect(exitUsage, "eval", "--format", "xml")
	s.remove(suite.File)
	want(t, s.expect(exitUsage, "eval").stderr, "cardkeeper ask --save")
	value := token(31)
	s.write(suite.File, parcel+`{"id":"s","question":"Is `+value+` right?","refuse":true}`+"\n")
	o = s.expect(exitFound, "eval")
	want(t, o.stdout, "right  parcel:", "WRONG  s: (not shown)\n       not asked: secret (", "2 questions: 1 right, 1 wrong (0 refused, 0 answered, 0 missed, 0 gone, 0 withheld, 1 not asked)")
	unspoken(t, value, o.all())
	s.write(suite.File, "\n")
	o = s.expect(exitUsage, "eval")
	want(t, o.stdout, "no questions\n")
	want(t, o.stderr, "holds no questions")
}

// A line of the suite helps nobody who asks for another kind of thing, and eval says so.
func TestALineOfAnotherKindIsHintedAt(t *testing.T) {
	t.Parallel()
	s := examined(t, warps)
	s.write("mine.jsonl", strings.Replace(warps, "May warp drives be engaged unattended?", "Who engages warp drives unattended?", 1))
	const hint = "line 1 of " + suite.File + " has these words, but asks for another kind of thing"
	want(t, s.expect(exitFound, "eval", s.path("mine.jsonl")).stdout, "WRONG  warps", hint)
	want(t, s.expect(exitFound, "eval", "--format", "json", s.path("mine.jsonl")).stdout, `"hint":"`+hint)
	s.write("mine.jsonl", strings.Replace(warps, "May warp drives be engaged unattended?", "warp drives engaged unattended", 1))
	if o := s.expect(exitOK, "eval", s.path("mine.jsonl")); strings.Contains(o.all(), "another kind") {
		t.Error(o.all())
	}
}

func TestEvalReadsStandardInput(t *testing.T) {
	t.Parallel()
	s := built(t)
	var out, complaints bytes.Buffer
	code := runOn(t.Context(), strings.NewReader("\ufeff"+parcel+"x\n"), []string{"eval", "--root", s.path(""), "-"}, &out, &complaints)
	if code != exitUsage || !strings.Contains(complaints.String(), "standard input:2: not one JSON object") {
		t.Errorf("a fault: exit %d: %s%s", code, out.String(), complaints.String())
	}
	out.Reset()
	if code := runOn(t.Context(), strings.NewReader("\ufeff"+parcel), []string{"eval", "--root", s.path(""), "-"}, &out, &complaints); code != exitOK || !strings.Contains(out.String(), "1 right, 0 wrong") {
		t.Errorf("exit %d: %s%s", code, out.String(), complaints.String())
	}
}

func TestALineThatTeachesNothingIsTold(t *testing.T) {
	t.Parallel()
	s := examined(t, warps, `{"id":"no","question":"Unattended warp drives, may these be engaged?","refuse":true}`+"\n")
	o := s.expect(exitFound, "eval")
	want(t, o.stderr, suite.File+":1 teaches nothing: by its words the question of line 2 would be answered, which must be refused: Unattended warp drives, may these be engaged?")
	want(t, o.stdout, "WRONG  warps", "right  no")
}

// A gap becomes an answer by one line, cited with its line; a near miss does not.
func TestAGapBecomesAnAnswer(t *testing.T) {
	t.Parallel()
	s := built(t)
	const question = "May warp drives be engaged unattended?"
	o := s.expect(exitFound, "ask", "--save", question)
	want(t, o.stdout, "Not documented", "added to "+suite.File+`: {"id":"may-warp-drives-be-engaged-unattended","question":"`+question+`","refuse":true}`, `write "expect"`)
	s.expect(exitOK, "eval")
	s.write(suite.File, strings.Replace(s.read(suite.File), `"refuse":true`, `"expect":["never push to main"]`, 1))
	o = s.expect(exitOK, "ask", "--explain", question)
	want(t, o.stdout, "1. "+betaMain+":5", "never push to main", "warp: 0.70 of 0.2500, by a question of the suite", "taught by line 1 of the questions")
	s.expect(exitFound, "ask", "May warp drives be engaged sideways?")
	s.expect(exitOK, "eval")
	s.git("add", "-A")
	s.commit()
	s.write(betaMain, strings.Replace(beta, "never push", "seldom push", 1))
	s.expect(exitOK, "build")
	want(t, s.expect(exitOK, "check", "--base", "HEAD").stdout, "question lost; no fact is as expected any more: "+question+"  (expected: \"never push to main\"; answered at the base by "+betaMain+":5; now by nothing)")
}

func TestSaving(t *testing.T) {
	t.Parallel()
	s := built(t)
	const first = `{"id":"x","question":"What else?","refuse":true}`
	s.write(suite.File, first)
	o := s.expect(exitOK, "ask", "--save", "--format", "json", "How do I install the parcel tool?")
	want(t, o.stderr, "added to "+suite.File)
	if !json.Valid([]byte(o.stdout)) || strings.Count(o.stdout, "\n") != 1 {
		t.Errorf("stdout: %s", o.stdout)
	}
	saved := s.read(suite.File)
	if !strings.HasPrefix(saved, first+"\n") || !strings.Contains(saved, `"expect":[{"text":"install the parcel tool","skill":"skills/alpha"}]`) {
		t.Errorf("saved: %s", saved)
	}
	want(t, s.expect(exitOK, "ask", "--save", "how do I install the PARCEL tool").stdout, "not added: the question stands in the file already: line 2, how-do-i-install-the-parcel-tool")
	if s.read(suite.File) != saved {
		t.Error("a question is there twice")
	}
	s.expect(exitUsage, "ask", "--save", "--staged", "How?")
	s.expect(exitUsage, "ask", "--save", "--batch", "x")
	many := []string{"ask", "--save", "How?"}
	for range suite.MaxAlso + 1 {
		many = append(many, "--also", "What?")
	}
	s.expect(exitUsage, many...)
	s.expect(exitOK, "ask", "--save", "--also", "What  puts the parcel tool in place?", "How would I install the parcel tool?")
	want(t, s.read(suite.File), `"also":["What puts the parcel tool in place?"]`)
	s.write(suite.File, saved+"x\n")
	want(t, s.expect(exitUsage, "ask", "--save", "Which telescope shows Jupiter?").stderr, suite.File+":3:")
}

// Nothing is saved beside a secret: not of the question, not of a fact.
func TestNothingIsSavedBesideASecret(t *testing.T) {
	t.Parallel()
	s := built(t)
	value := token(32)
	s.expect(exitFound, "ask", "--save", "Is "+value+" right?")
	s.write(alphaMain, alpha+"\n## Keys\n\n- the courier key is "+value+"\n")
	o := s.expect(exitFound, "ask", "--save", "What is the courier key?")
	want(t, o.stdout, "was not saved")
	unspoken(t, value, o.all())
	if s.has(suite.File) {
		t.Errorf("saved: %s", s.read(suite.File))
	}
}

func TestSavingFollowsNoLink(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write(".github/cardkeeper/config.yml", "policy:\n")
	s.write("elsewhere", "")
	s.link("../../elsewhere", suite.File)
	s.expect(exitUsage, "ask", "--save", "How do I install the parcel tool?")
	if s.read("elsewhere") != "" {
		t.Error("a link was followed")
	}
}

func TestLostAnswersInEveryFormat(t *testing.T) {
	t.Parallel()
	s := examined(t, parcel, moons)
	s.write(".github/cardkeeper/config.yml", "policy:\n  questions: block\n")
	s.git("add", "-A")
	s.commit()
	s.write(alphaMain, strings.Replace(alpha, "- install the parcel tool\n", "", 1))
	s.expect(exitOK, "build")
	for format, part := range map[string]string{
		"text":     "question lost; no fact is as expected any more: How do I install the parcel tool?",
		"json":     `"change": "lost"`,
		"markdown": "| `How do I install the parcel tool?` | `lost; no fact is as expected any more; next: put back what answered, or if the change is right, change the question and merge that first, without the rest` | `\"install the parcel tool\"` | `" + alphaMain + ":10` |",
		"github":   "::error file=" + suite.File + ",line=1,endLine=1,title=Question%3A lost::parcel: How do I install the parcel tool? - lost; no fact",
		"sarif":    `"ruleId": "question/lost"`,
	} {
		want(t, s.expect(exitFound, "check", "--base", "HEAD", "--format", format).stdout, part)
	}
	s.write(".github/cardkeeper/config.yml", "policy:\n  questions: off\n") // the head's word counts for nothing
	s.expect(exitFound, "check", "--base", "HEAD")
}
