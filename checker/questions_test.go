package checker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/cardkeeper/cardkeeper/checker/suite"
)

const (
	hangs  = `{"id":"hangs","question":"What to restart when the daemon hangs?","expect":["restart the parcel daemon"]}` + "\n"
	pushes = `{"id":"pushes","question":"May I push to main?","expect":["never push to main"]}` + "\n"
	gizmo  = `{"id":"gizmo","question":"Which gizmo wedges?","expect":["restart the parcel daemon"]}` + "\n"
	pets   = `{"id":"pets","question":"Which zeppelins may fly?","refuse":true}` + "\n"
)

// quiz is a repository with a suite.
func quiz(lines ...string) repo { return two().with(suite.File, strings.Join(lines, "")) }

// quizzed writes the questions of a report as "id change edit, right".
func quizzed(r Report) string {
	var out []string
	for _, q := range r.Questions {
		text := q.ID + " " + q.Change
		if q.Edit != "" {
			text += " " + q.Edit
		}
		if q.Right {
			text += " right"
		}
		out = append(out, strings.TrimSpace(text))
	}
	return strings.Join(out, "; ")
}

func TestWhatAChangeDoesToTheSuite(t *testing.T) {
	t.Parallel()
	all := quiz(hangs, pushes, pets)
	without := func(r repo, text string) repo { return r.with(alphaMain, strings.Replace(alpha, text, "", 1)).built() }
	const daemon = "- restart the parcel daemon when it hangs\n"
	for name, c := range map[string]struct {
		base, head repo
		told       string
		blocks     bool
		says       string
	}{
		"nothing that is asked about": {all, all.with(betaMain, beta+"- always pull first\n").built(), "", false, "asked 3 questions: 3 right, 0 wrong"},
		"the answer goes":             {all, without(all, daemon), "hangs lost", true, "next: put back what answered, or if the change is right, change the question and merge that first"},
		"the answer comes":            {without(all, daemon), all, "hangs gained right", false, "question gained; right"},
		"another statement answers first": {all, all.with(alphaMain, alpha+"- restart the daemon when the daemon hangs\n").built(),
			"hangs changed right", false, "question changed; right"},
		"what must be refused is answered": {all, all.with(betaMain, beta+"- zeppelins may fly at night\n").built(), "pets lost", true, "answered, though it must be refused"},
		"the answer goes with its question (law 7)": {all, without(all, daemon).with(suite.File, pushes+pets),
			"hangs lost dropped", true, "next: put back what answered, or if the question is to go, merge that first"},
		"the question goes alone": {all, all.with(suite.File, pushes+pets), "hangs kept dropped right", false, "question dropped; its answer stays"},
		"the answer goes, and the question asks for what is left (law 7)": {all, without(all, daemon).with(suite.File, strings.Replace(hangs, "restart the parcel daemon", "install git", 1)+pushes+pets),
			"hangs lost edited; hangs new right", true, "merge the edited question first"},
		"the answer goes, and a new question teaches another fact (law 7)": {all, without(all, daemon).with(suite.File, hangs+pushes+pets+
			`{"id":"more","question":"restart what hangs, a daemon","expect":["install git"]}`), "hangs lost; more new right", true, ""},
		"a question that is answered by what the base teaches goes (law 7)": {
			quiz(gizmo, pushes), quiz(pushes).with(betaMain, beta+"- always pull first\n").built(), "gizmo kept dropped right", false, ""},
		"a new question that is right": {all, all.with(suite.File, hangs+pushes+pets+`{"id":"n","question":"Which build is run second?","expect":["second build"]}`),
			"n new right", false, "question new; right"},
		"a new question that is wrong": {all, all.with(suite.File, hangs+pushes+pets+`{"id":"n","question":"Which build is run second?","refuse":true}`),
			"n new", false, "answered, though"},
		"a new question that is answered once it teaches": {all, all.with(suite.File, hangs+pushes+pets+`{"id":"n","question":"Which gizmo wedges?","expect":["restart the parcel daemon"]}`),
			"n new right", false, ""},
		"a line that cannot be read": {all, all.with(suite.File, hangs+pushes+pets+"x\n"), "faulty", true, "not one JSON object"},
		"a suite that is too large":  {quiz(hangs), quiz(hangs, strings.Repeat(" ", suite.MaxBytes)), "faulty; hangs kept dropped right", true, "longer than 1024 KiB"},
		"a line that could not be read before": {quiz("x\n", hangs), quiz("x\n", hangs).with(betaMain, beta+"- always pull first\n").built(),
			"", false, "note: 1 fault in .github/cardkeeper/questions.jsonl at the base too"},
		"a question that was wrong before": {without(all, daemon), without(all, daemon).with(betaMain, beta+"- always pull first\n").built(),
			"", false, "note: 1 question of the suite had another answer"},
		"no skill is touched":      {all, all.with("README.md", "other\n"), "", false, "No cards affected"},
		"the suite that is edited": {all, all.with(suite.File, pets+pushes+hangs), "", false, ""},
		"nothing asks":             {two(), two().with(betaMain, beta+"- always pull first\n").built(), "", false, "1 card updated"},
		"a first suite":            {two(), all, "hangs new right; pushes new right; pets new right", false, ""},
		"the suite goes":           {all, all.without(suite.File), "hangs kept dropped right; pushes kept dropped right; pets kept dropped right", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := compare(t, c.base.side(), c.head.side(), Policy{BlockQuestions: true})
			if d := cmp.Diff(c.told, quizzed(r)); d != "" {
				t.Errorf("told: %s\n%s", d, r.Plain())
			}
			if r.Failed() != c.blocks {
				t.Errorf("%s: %s", r.Conclusion, r.Title)
			}
			if !strings.Contains(r.Plain(), c.says) {
				t.Errorf("no %q in:\n%s", c.says, r.Plain())
			}
			if warned := compare(t, c.base.side(), c.head.side()); warned.Failed() {
				t.Errorf("blocks where it only warns: %s", warned.Title)
			}
			if off := compare(t, c.base.side(), c.head.side(), Policy{NoQuestions: true}); off.Asked != nil || quizzed(off) != "" {
				t.Errorf("asked where no question is asked: %s", off.Plain())
			}
		})
	}
}

func TestTheSuiteWithoutABase(t *testing.T) {
	t.Parallel()
	head := quiz(hangs, pets, `{"id":"w","question":"Which zeppelins fly high?","expect":["fly high"]}`)
	r := compare(t, nil, head.side(), Policy{BlockQuestions: true})
	if quizzed(r) != "w wrong" || !r.Failed() || r.Title != "1 question with a wrong answer" || *r.Asked != (Asked{Questions: 3, Right: 2}) {
		t.Errorf("%s, %s: %q, %+v", r.Conclusion, r.Title, quizzed(r), r.Asked)
	}
}

// The base branch may have moved on: its newest suite tells what is lost.
func TestTheNewestSuiteJudges(t *testing.T) {
	t.Parallel()
	base, head := two(), two().with(alphaMain, strings.Replace(alpha, "- restart the parcel daemon when it hangs\n", "", 1)).built()
	r, err := Check(t.Context(), Input{Base: base.side(), Head: *head.side(), Scanner: testScanner(), Suite: quiz(hangs).files(), Policy: Policy{BlockQuestions: true}})
	if err != nil || quizzed(r) != "hangs lost" || !r.Failed() {
		t.Errorf("%v: %s, %q", err, r.Title, quizzed(r))
	}
}

// "Could not ask" is never green where it blocks (law 13).
func TestASuiteThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	base := quiz(hangs)
	head := base.with(betaMain, beta+"- always pull first\n").built()
	read := errors.New("read")
	for name, c := range map[string]struct {
		failure error
		policy  Policy
		fails   bool
	}{
		"too much, and it blocks": {fmt.Errorf("x: %w", Unasked("too much")), Policy{BlockQuestions: true}, true},
		"too much, and it warns":  {fmt.Errorf("x: %w", Unasked("too much")), Policy{}, false},
		"a failed read":           {read, Policy{}, false},
	} {
		in := Input{Base: base.side(), Head: *head.side(), Scanner: testScanner(), Policy: c.policy,
			Facts: func(context.Context, Side) (Stock, error) { return Stock{}, c.failure }}
		r, err := Check(t.Context(), in)
		if c.failure == read {
			if !errors.Is(err, read) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || r.Failed() != c.fails || !strings.Contains(r.Output().Summary, "Could not ask") || !strings.Contains(strings.ToLower(r.Title), "could not ask") {
			t.Errorf("%s: %v, %s, %s", name, err, r.Conclusion, r.Title)
		}
	}
}

// What was asked in one attempt of a check is not asked in the next.
func TestOutcomesAreKept(t *testing.T) {
	t.Parallel()
	base := quiz(hangs, pushes)
	head := base.with(betaMain, beta+"- always pull first\n").built()
	kept, reads := map[string]suite.Outcome{}, 0
	attempt := func(ctx context.Context) (Report, error) {
		in := Input{Base: base.side(), Head: *head.side(), Scanner: testScanner(), Outcomes: kept}
		in.Facts = func(ctx context.Context, of Side) (Stock, error) {
			if reads++; reads == 2 {
				return Stock{}, context.DeadlineExceeded
			}
			return (&check{in: Input{}, facts: nil}).stock(ctx, must(look(of)))
		}
		return Check(ctx, in)
	}
	if _, err := attempt(t.Context()); !errors.Is(err, context.DeadlineExceeded) || len(kept) != 2 {
		t.Fatalf("%v, %d outcomes", err, len(kept))
	}
	if r, err := attempt(t.Context()); err != nil || r.Asked.Right != 2 || reads != 3 {
		t.Errorf("%v: %+v after %d reads", err, r.Asked, reads)
	}
}

// An index that takes all the time there is is not made in vain: some questions are
// asked all the same.
func TestAnIndexThatTakesAllTheTime(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range 3 * leastAsked {
		fmt.Fprintf(&lines, `{"id":"q%d","question":"Which thing %d?","refuse":true}`+"\n", i, i)
	}
	base := quiz(lines.String())
	head := base.with(betaMain, beta+"- always pull first\n").built()
	for name, c := range map[string]struct {
		ends error
		kept int
	}{
		"its time is up":  {context.DeadlineExceeded, leastAsked},
		"it is cancelled": {context.Canceled, 0},
	} {
		ctx := &ending{Context: t.Context()}
		kept := map[string]suite.Outcome{}
		_, err := Check(ctx, Input{Base: base.side(), Head: *head.side(), Scanner: testScanner(), Outcomes: kept,
			Facts: func(context.Context, Side) (Stock, error) { ctx.err.Store(&c.ends); return Stock{}, nil }})
		if !errors.Is(err, c.ends) || len(kept) != c.kept {
			t.Errorf("%s: %v, %d outcomes", name, err, len(kept))
		}
	}
}

// An ending context ends when it is told to.
type ending struct {
	context.Context
	err atomic.Pointer[error]
}

func (e *ending) Err() error {
	if err := e.err.Load(); err != nil {
		return *err
	}
	return nil
}

func must(v *view, err error) *view {
	if err != nil {
		panic(err)
	}
	return v
}

// escaped writes some letters as JSON may: a scanner that knows whole runs of escapes does not
// see these.
func escaped(text string) string {
	var b strings.Builder
	for i, c := range text {
		if i%5 == 4 {
			fmt.Fprintf(&b, "\\u%04x", c)
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}

// The file's words are shown, so they are scanned like any new text (law 8).
func TestASecretInTheSuite(t *testing.T) {
	t.Parallel()
	token := newMint(21).token()
	for name, written := range map[string]string{"as it is": token, "in escapes": escaped(token)} {
		for place, line := range map[string]string{
			"question": `{"id":"s","question":"Is ` + written + ` valid?","refuse":true}`,
			"also":     `{"id":"s","question":"Is it valid?","also":["Is ` + written + ` valid?"],"refuse":true}`,
			"note":     `{"id":"s","question":"Is it valid?","note":"` + written + `","refuse":true}`,
			"expect":   `{"id":"s","question":"Is it valid?","expect":["` + written + `"]}`,
			"no JSON":  written,
		} {
			if name == "in escapes" && place == "no JSON" {
				continue
			}
			head := quiz(hangs, line)
			for side, r := range map[string]Report{
				"comes":    compare(t, quiz(hangs).side(), head.side()),
				"no base":  compare(t, nil, head.side()),
				"stays":    compare(t, head.side(), head.with(alphaMain, alpha+"- more\n").built().side()),
				"is lost":  compare(t, head.side(), quiz(hangs).side()),
				"switches": compare(t, repo{}.side(), head.side()),
			} {
				t.Log(name, place, side)
				unspoken(t, token, everything(r))
				if comes := side != "stays" && side != "is lost"; comes != (r.leaks() > 0) {
					t.Errorf("%d leaks, %s", r.leaks(), r.Title)
				}
				if comes := r.leaks() > 0; comes && r.Secrets[0].File+fmt.Sprint(r.Secrets[0].Line) != suite.File+"2" {
					t.Errorf("found at %s:%d", r.Secrets[0].File, r.Secrets[0].Line)
				}
			}
		}
	}
}

func TestAChangeMayNotAskWithoutEnd(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range mostBrought {
		fmt.Fprintf(&lines, `{"id":"q%d","question":"Which thing %d?","also":["What is thing %d?"],"refuse":true}`+"\n", i, i, i)
	}
	r := compare(t, quiz(hangs).side(), quiz(hangs, lines.String()).side())
	if r.Asked.Questions != 1+mostBrought/2 || !strings.Contains(strings.Join(r.Notes, "\n"), "50 questions that the change brings were not asked") {
		t.Errorf("%+v: %v", r.Asked, r.Notes)
	}
	if all := compare(t, nil, quiz(hangs, lines.String()).side()); all.Asked.Questions != mostBrought+1 {
		t.Errorf("without a base: %+v", all.Asked)
	}
}

// What is too much is neither asked nor taught.
func TestWhatIsTooMuchTeachesNothing(t *testing.T) {
	t.Parallel()
	known := suite.Question{ID: "known", Question: "Known?", Refuse: true, Line: 1}
	head := []suite.Question{known}
	for i := range mostBrought + 7 {
		head = append(head, suite.Question{ID: fmt.Sprint("q", i), Question: fmt.Sprint("Which thing ", i), Refuse: true, Line: i + 2})
	}
	c := &check{papers: &papers{base: paper{questions: []suite.Question{known}}, head: paper{questions: head}}}
	c.papers.base.enter()
	brought, teachers := c.brings()
	if len(brought) != mostBrought || len(teachers) != mostBrought+1 || teachers[mostBrought].ID != fmt.Sprint("q", mostBrought-1) {
		t.Errorf("%d are asked, %d teach, the last %s", len(brought), len(teachers), teachers[len(teachers)-1].ID)
	}
	if d := cmp.Diff([]string{"7 questions that the change brings were not asked: of one change at most 100 are; cardkeeper eval asks all"}, c.report.Notes); d != "" {
		t.Error(d)
	}
}

func TestAWithheldValueInTheSuite(t *testing.T) {
	t.Parallel()
	for name, written := range map[string]string{"as it is": "quiet heron", "in escapes": `qui\u0065t heron`, "over a line's end": `Quiet\nHeron`} {
		head := quiz(hangs, `{"id":"s","question":"Where is the `+written+` team?","refuse":true}`)
		r, err := Check(t.Context(), Input{Base: quiz(hangs).side(), Head: *head.side(), Scanner: watching(t, "Quiet Heron")})
		if err != nil || leaksOf(r) != suite.File+":2 block" || !r.Failed() {
			t.Errorf("%s: %v, %s", name, err, leaksOf(r))
		}
		unnamed(t, r)
	}
}

func TestALinkInThePlaceOfTheSuite(t *testing.T) {
	t.Parallel()
	head := two().files()
	head.MapFS[suite.File] = &fstest.MapFile{Data: []byte("../config.yml"), Mode: fs.ModeSymlink}
	r := compare(t, two().side(), &Side{Files: head, Shape: two().side().Shape}, Policy{BlockQuestions: true})
	if quizzed(r) != "faulty" || !r.Failed() {
		t.Errorf("%s: %q", r.Title, quizzed(r))
	}
}

// Where the statement that answered is reworded, that is the line to look at; where it is gone,
// the question's own.
func TestALostAnswerIsPointedAtWhereItWasReworded(t *testing.T) {
	t.Parallel()
	const daemon = "- restart the parcel daemon when it hangs\n"
	base := quiz(hangs, pushes)
	line := strings.Count(alpha[:strings.Index(alpha, daemon)], "\n") + 1
	for name, c := range map[string]struct {
		instead string
		file    string
		line    int
	}{
		"reworded": {"- restart the parcels' daemon when it hangs\n", alphaMain, line},
		"gone":     {"", suite.File, 1},
	} {
		r, err := Check(t.Context(), Input{Base: base.built().side(), Head: *base.with(alphaMain, strings.Replace(alpha, daemon, c.instead, 1)).built().side(),
			Scanner: testScanner(), Policy: Policy{BlockQuestions: true}})
		if err != nil {
			t.Fatal(err)
		}
		var told []Annotation
		for _, a := range r.annotations() {
			if strings.HasPrefix(a.Title, "Question") {
				told = append(told, a)
			}
		}
		if len(told) != 1 || told[0].File != c.file || told[0].Line != c.line || !strings.Contains(told[0].Message, fmt.Sprintf("answered at the base by %s:%d", alphaMain, line)) ||
			!strings.Contains(told[0].Message, "next: put back what answered") {
			t.Errorf("%s: %+v\n%s", name, told, r.Plain())
		}
	}
}
