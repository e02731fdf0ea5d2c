package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cached is the file that is kept of a folder; "" for none.
func (s sandbox) cached() string {
	s.t.Helper()
	ws := s.open()
	defer ws.close()
	k := s.shelved(ws)
	name := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "cardkeeper", "indexes", k.name)
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return name
}

func (s sandbox) open() *workspace {
	s.t.Helper()
	w := where{root: s.dir}
	ws, err := w.open(s.t.Context(), io.Discard)
	if err != nil {
		s.t.Fatal(err)
	}
	return ws
}

func (s sandbox) shelved(ws *workspace) *shelved {
	s.t.Helper()
	k, err := ws.shelved(caching{})
	if err != nil {
		s.t.Fatal(err)
	}
	return k
}

// reads are the skills whose files the next question reads.
func (s sandbox) reads() (paths []string) {
	s.t.Helper()
	ws := s.open()
	defer ws.close()
	for _, skill := range s.shelved(ws).read {
		paths = append(paths, skill.Path)
	}
	return paths
}

const installing = "How do I install the parcel tool?"

// both asks with what is kept, and without it: law 11.
func (s sandbox) both(args ...string) outcome {
	s.t.Helper()
	with, without := s.run(args...), s.run(append([]string{args[0], "--no-cache"}, args[1:]...)...)
	if diff := cmp.Diff(without, with, cmp.AllowUnexported(outcome{})); diff != "" {
		s.t.Errorf("%v: without and with what is kept: %s", args, diff)
	}
	return with
}

// What is kept is of the skills as they are: whatever is done to a file, the answer is that of the file.
func TestAnAnswerFromWhatIsKeptIsThatOfTheFiles(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*testing.T, map[string]string) sandbox{"git": repository, "a plain folder": folder} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := make(t, two())
			want(t, s.both("ask", installing).stdout, alphaMain+":10")
			if got := s.reads(); got != nil {
				t.Errorf("read again: %q", got)
			}
			for _, step := range []struct {
				name string
				do   func()
				read []string
				want string
			}{
				{"a line moved", func() {
					s.write(alphaMain, strings.Replace(alpha, "- install git\n", "- install git\n- install curl\n", 1))
				}, []string{"skills/alpha"}, alphaMain + ":11"},
				{"and back", func() { s.write(alphaMain, alpha) }, []string{"skills/alpha"}, alphaMain + ":10"},
				{"a file beside it", func() { s.write("skills/beta/more.md", "# More\n\n- install the parcel tool by hand\n") }, []string{"skills/beta"}, "more.md:3"},
				{"a script", func() { s.write("skills/beta/run.sh", "#!/bin/sh\necho \"$PARCEL_HOME\"\n") }, []string{"skills/beta"}, "more.md:3"},
				{"a skill is gone", func() { s.remove("skills/alpha") }, nil, "more.md:3"},
				{"another shape", func() { s.write(".github/cardkeeper/config.yml", "shape:\n  max_entries_per_file: 50\n") }, []string{"skills/beta"}, "more.md:3"},
			} {
				step.do()
				if diff := cmp.Diff(step.read, s.reads()); diff != "" {
					t.Errorf("%s: what is read: %s", step.name, diff)
				}
				want(t, s.both("ask", installing).stdout, step.want)
				s.both("ask", "--explain", "Which telescope shows the moons of Jupiter?")
				if got := s.reads(); got != nil {
					t.Errorf("%s: read again: %q", step.name, got)
				}
			}
		})
	}
}

func TestTheStagedFilesAreAskedAndNotTheFolders(t *testing.T) {
	t.Parallel()
	s := repository(t, two())
	s.expect(exitOK, "ask", installing)
	s.write(alphaMain, strings.Replace(alpha, "- install git\n", "- install git\n- install curl\n", 1))
	s.git("add", "-A")
	s.write(alphaMain, "# Alpha\n")
	want(t, s.both("ask", "--staged", installing).stdout, alphaMain+":11")
	want(t, s.run("ask", installing).stdout, "Not documented")
	want(t, s.both("ask", "--staged", installing).stdout, alphaMain+":11")
}

// Law 8: a skill with a finding is in no file that is kept, allowed or not, and is read each time.
func TestWhatAScanFoundIsNotKept(t *testing.T) {
	t.Parallel()
	files := two()
	value := token(31)
	files[betaMain] = beta + "\n## Setup\n\n- log in to the harbour with " + value + "\n- install the crane of the harbour\n"
	s := repository(t, files)
	for range 2 {
		want(t, s.both("ask", installing).stdout, alphaMain+":10")
		want(t, s.both("ask", "How do I install the crane of the harbour?").stdout, betaMain)
		o := s.both("ask", "How do I log in to the harbour?")
		unspoken(t, value, o.all())
		if diff := cmp.Diff([]string{"skills/beta"}, s.reads()); diff != "" {
			t.Errorf("what is read: %s", diff)
		}
	}
	data, err := os.ReadFile(s.cached())
	if err != nil || bytes.Contains(bytes.ToLower(data), []byte("harbour")) || !bytes.Contains(data, []byte("parcel")) {
		t.Errorf("%v, %d bytes, and not of the other skill alone", err, len(data))
	}
	unspoken(t, value, string(data))
}

// A value that is withheld from today on is in no answer, and no longer in what is kept.
func TestWhatIsWithheldIsNotKeptAnyLonger(t *testing.T) {
	t.Parallel()
	files := two()
	files[betaMain] = beta + "- never tell the Quiet Heron of the parcels\n"
	s := repository(t, files)
	s.expect(exitOK, "init")
	const question = "What is never told of the parcels?"
	want(t, s.expect(exitOK, "ask", question).stdout, "Quiet Heron")
	key := "--withhold-key-file=" + keyFile(t)
	s.feed(exitFound, "Quiet Heron", "withhold", "add", key, "--reason", "a client")
	o := s.both("ask", key, question)
	data, err := os.ReadFile(s.cached())
	if strings.Contains(o.all(), "Heron") || err != nil || bytes.Contains(data, []byte("Heron")) {
		t.Errorf("%v; the answer: %s", err, o.all())
	}
}

// Whatever stands in the file, the answer is that of the files, and the file is mended.
func TestAPlantedFileIsNoAnswer(t *testing.T) {
	t.Parallel()
	other := repository(t, map[string]string{alphaMain: strings.ReplaceAll(alpha, "parcel", "planted"), betaMain: beta})
	s := repository(t, two())
	first := s.expect(exitOK, "ask", installing)
	other.expect(exitFound, "ask", installing)
	name := s.cached()
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	planted, err := os.ReadFile(other.cached())
	if err != nil || !bytes.Contains(planted, []byte("planted")) {
		t.Fatal(err)
	}
	changed := bytes.Replace(whole, []byte("parcel"), []byte("peanut"), -1)
	for what, data := range map[string][]byte{
		"another folder's": planted, "a changed word": changed, "half": whole[:len(whole)/2], "nothing": {}, "noise": bytes.Repeat([]byte("QQQ"), 999),
	} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if o := s.expect(exitOK, "ask", installing); o != first {
			t.Errorf("%s: %s", what, o.all())
		}
		if now, err := os.ReadFile(name); err != nil || !bytes.Equal(now, whole) {
			t.Errorf("%s was not mended: %v", what, err)
		}
	}
}

func TestNothingIsKeptWhereThatIsTurnedOff(t *testing.T) {
	s := repository(t, two())
	s.expect(exitOK, "ask", "--no-cache", installing)
	if name := s.cached(); name != "" {
		t.Error("--no-cache left a file")
	}
	t.Setenv(cacheVariable, "off")
	s.expect(exitOK, "ask", installing)
	s.write("q.jsonl", `{"id":"a","question":"Who pays?","refuse":true}`+"\n")
	s.expect(exitOK, "eval", s.path("q.jsonl"))
	t.Setenv(cacheVariable, "")
	if name := s.cached(); name != "" {
		t.Error("the variable left a file")
	}
	s.expect(exitOK, "eval", s.path("q.jsonl"))
	if name := s.cached(); name == "" {
		t.Error("eval keeps nothing")
	}
}

// The repository itself is not touched, and the file is the user's alone.
func TestWhatIsKeptLiesInTheUsersFolder(t *testing.T) {
	t.Parallel()
	s := repository(t, two())
	s.expect(exitOK, "ask", installing)
	if status := s.git("status", "--porcelain", "--ignored"); status != "" {
		t.Errorf("git status: %s", status)
	}
	for name, want := range map[string]os.FileMode{s.cached(): 0o600, filepath.Dir(s.cached()): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}

// Another build of the program takes nothing over.
func TestAProgramIsKnownByItsFile(t *testing.T) {
	t.Parallel()
	one, err := programMark()
	two, again := programMark()
	if err != nil || again != nil || one != two || len(strings.Fields(one)) != 3 {
		t.Errorf("%q, %q, %v, %v", one, two, err, again)
	}
}

// Law 11 over the questions beside the repository: without what is kept, as it is made, and from it.
func TestTheQuestionsBesideAreAnsweredAlikeFromWhatIsKept(t *testing.T) {
	t.Parallel()
	const corpora = "../../../shared/corpora"
	for corpus, questions := range questionsOf(t, "../../../shared/qa/dev.jsonl") {
		file := filepath.Join(t.TempDir(), "questions.jsonl")
		if err := os.WriteFile(file, questions, 0o600); err != nil {
			t.Fatal(err)
		}
		s := sandbox{t, filepath.Join(corpora, corpus)}
		want := s.expect(exitOK, "ask", "--no-cache", "--batch", file)
		for _, how := range []string{"as it is made", "from what is kept"} {
			if got := s.expect(exitOK, "ask", "--batch", file); got.stdout != want.stdout {
				t.Errorf("%s, %s: %s", corpus, how, cmp.Diff(want.stdout, got.stdout))
			}
		}
		if s.cached() == "" || s.reads() != nil || strings.Count(want.stdout, "\n") != bytes.Count(questions, []byte("\n")) {
			t.Errorf("%s: not all is kept, or not all was asked", corpus)
		}
	}
}

// questionsOf are the lines of a file of questions by their collection.
func questionsOf(t *testing.T, name string) map[string][]byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Skip("SKIP: no questions beside the repository")
	}
	defer f.Close()
	out := map[string][]byte{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var q struct{ Corpus string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		out[q.Corpus] = append(append(out[q.Corpus], lines.Bytes()...), '\n')
	}
	if len(out) == 0 {
		t.Fatal("no questions")
	}
	return out
}

// BenchmarkAsk is the command over 1,000 skills of ten facts, without what is kept and with it; and after
// a change to one of them.
func BenchmarkAsk(b *testing.B) {
	dir := b.TempDir()
	skill := func(n, wait int) {
		text := fmt.Sprintf("# Queue %d\n\n## Commands\n\n", n)
		for line := range 10 {
			text += fmt.Sprintf("- `queue%d drain%d` sends what waits for drain%d and stops after %d minutes\n", n, line, n*line, wait)
		}
		name := filepath.Join(dir, fmt.Sprintf("skills/queue-%04d/SKILL.md", n))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for n := range 1000 {
		skill(n, 1)
	}
	question := func(b *testing.B, args ...string) {
		var out, errs bytes.Buffer
		if code := run(b.Context(), append(args, "ask", "--root", dir, "What does queue77 drain3 do?"), &out, &errs); code != exitOK {
			b.Fatal(code, errs.String())
		}
	}
	b.Run("without", func(b *testing.B) {
		b.Setenv(cacheVariable, "off")
		for b.Loop() {
			question(b)
		}
	})
	question(b)
	b.Run("with", func(b *testing.B) {
		for b.Loop() {
			question(b)
		}
	})
	b.Run("with one changed", func(b *testing.B) {
		for n := 1; b.Loop(); n++ {
			skill(77, n)
			question(b)
		}
	})
}
