package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// Several people, or several windows of one, save at the same time: no line is lost, none is
// there twice, and the file has no fault.
func TestProcessesThatSaveAtOnce(t *testing.T) {
	t.Parallel()
	s := built(t)
	const many = 6
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			question := fmt.Sprintf("Who flies zeppelin %d%d%d?", i%(many-1), i%(many-1), i%(many-1)) // two ask the same
			c := exec.Command(os.Args[0], "ask", "--root", s.dir, "--save", question)
			c.Env = append(os.Environ(), hookVariable+"=1")
			if out, err := c.CombinedOutput(); c.ProcessState.ExitCode() != exitFound || !strings.Contains(string(out), "added") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	questions, faults := suite.Parse([]byte(s.read(suite.File)))
	if len(questions) != many-1 || len(faults) > 0 {
		t.Errorf("%d questions, faults %v:\n%s", len(questions), faults, s.read(suite.File))
	}
}

// What a person can confirm of an answer is kept: the first hit, or with --all a list.
func TestWhatIsSavedOfAnAnswer(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write(alphaMain, alpha+"\n## Labels\n\nThe parcel labels are:\n\n- red labels\n- blue labels\n- green labels\n")
	o := s.expect(exitOK, "ask", "--save", "Which labels are there?")
	want(t, o.stdout, "The first of the list is expected from now on. To expect all of it, delete this line of the file and save with --all.")
	want(t, s.expect(exitOK, "ask", "--save", "--all", "Which labels are there?").stdout, "not added: the question stands in the file already", "delete that line first")
	if line := s.read(suite.File); strings.Contains(line, `"all"`) || strings.Count(line, "labels\"") != 1 {
		t.Errorf("saved: %s", line)
	}
	s.expect(exitOK, "ask", "--save", "--all", "What are the parcel labels?")
	want(t, strings.Split(s.read(suite.File), "\n")[1], `"red labels"`, `"blue labels"`, `"green labels"`, `"all":true`)
	o = s.expect(exitOK, "ask", "--save", "run the build")
	want(t, o.stdout, "The first hit is expected from now on, and none of the others.")
	if line := strings.Split(s.read(suite.File), "\n")[2]; strings.Count(line, `"text"`) != 1 {
		t.Errorf("saved: %s", line)
	}
	want(t, s.expect(exitUsage, "ask", "--save", "--all", "How do I install the parcel tool?").stderr, "the answer is no list")
	s.expect(exitUsage, "ask", "--all", "How do I install the parcel tool?")
	want(t, s.expect(exitOK, "eval").stdout, "3 questions: 3 right, 0 wrong")
}

// A wording that does not answer by itself is told before it is kept.
func TestAWordingThatWouldBeWrongIsNotSaved(t *testing.T) {
	t.Parallel()
	s := built(t)
	o := s.expect(exitFound, "ask", "--save", "--also", "How do I install the parcel tool?", "--also", "May zeppelins moor at quays?",
		"--also", "Which telescopes gaze at Jupiter?", "--also", "Why do pigeons carry letters?", "Whose warp drives engage unattended sideways overnight?")
	want(t, o.stdout, "Not documented", "was not saved", "asks each wording by itself", "item 1 of also: answered, though it must be refused")
	if s.has(suite.File) || s.has(".github/cardkeeper/.cardkeeper") {
		t.Error("something was written")
	}
}

// A question that names what no answer may is told by its id, in eval and check, and the others
// are asked.
func TestNamesInTheSuiteAreNotShown(t *testing.T) {
	t.Parallel()
	s := examined(t, parcel, `{"id":"desk","question":"Where is the Zebra<b></b>fish desk?","expect":["install the parcel tool"]}`+"\n",
		`{"id":"zebrafish","question":"Who is zebrafish?","refuse":true}`+"\n", `{"id":"seat","question":"How do I install a seat?","expect":["the zebra-fish seat"]}`+"\n")
	s.write(".github/cardkeeper/config.yml", "ask:\n  never: [Zebrafish]\n")
	o := s.expect(exitFound, "eval")
	want(t, o.stdout, "right  parcel:", "WRONG  desk: (not shown)\n       not asked: the question names something", "right  line 3: (not shown)",
		"expected: something that the policy says no answer may name", "4 questions: 2 right, 2 wrong (0 refused, 0 answered, 0 missed, 1 gone, 0 withheld, 1 not asked)")
	text := o.all() + s.expect(exitFound, "eval", "--format", "json").all()
	for format := range formats() {
		text += s.run("check", "--format", format).all()
	}
	s.commit()
	s.write(suite.File, parcel)
	for format := range formats() {
		text += s.run("check", "--base", "HEAD", "--format", format).all()
	}
	if answer.NewNames([]string{"Zebrafish"}).In(text) {
		t.Errorf("a name is shown:\n%s", text)
	}
	want(t, s.run("check", "--base", "HEAD").stdout, "question dropped; not asked: the question names something that the policy says no answer may name; ask again without it: desk (not shown")
}

// A question that a change drops is told in every format.
func TestADroppedQuestionInEveryFormat(t *testing.T) {
	t.Parallel()
	s := examined(t, parcel, moons)
	s.commit()
	s.write(suite.File, parcel)
	for format, part := range map[string]string{
		"text":     "question dropped; its answer stays: Which telescope shows the moons of Jupiter?",
		"json":     `"edit": "dropped"`,
		"markdown": "| `Which telescope shows the moons of Jupiter?` | `dropped; its answer stays; next: put the question's line back if it is not to go` |",
		"github":   "::warning file=" + suite.File + ",line=1,endLine=1,title=Question%3A dropped::moons: Which telescope shows the moons of Jupiter? - dropped; its answer stays",
		"sarif":    `"ruleId": "question/dropped"`,
	} {
		want(t, s.expect(exitOK, "check", "--base", "HEAD", "--format", format).stdout, part)
	}
	s.write(suite.File, "")
	o := s.expect(exitOK, "check", "--base", "HEAD", "--format", "json")
	var r struct{ Notes []string }
	if err := json.Unmarshal([]byte(o.stdout), &r); err != nil || !strings.Contains(strings.Join(r.Notes, "\n"), "holds no questions") {
		t.Errorf("%v: %v", err, r.Notes)
	}
}
