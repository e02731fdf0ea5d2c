package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Each testdata/*.txtar is a folder and a script, a step a line:
//
//	git           make the folder a repository and commit all
//	commit        commit all
//	next DIR      copy the files below DIR/ into the folder
//	$ ARGS        run cardkeeper; what it gives is kept under the line's own text
//
// Files whose names begin with "$ " are what the commands are to give.
func TestGolden(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			golden(t, name)
		})
	}
}

func golden(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s, want := folder(t, nil), map[string]string{}
	parts := map[string]map[string]string{}
	var inputs []txtar.File
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "$ ") {
			want[f.Name] = string(f.Data)
			continue
		}
		inputs = append(inputs, f)
		first, rest, _ := strings.Cut(f.Name, "/")
		if strings.HasPrefix(first, "next") {
			if parts[first] == nil {
				parts[first] = map[string]string{}
			}
			parts[first][rest] = string(f.Data)
			continue
		}
		s.write(f.Name, string(f.Data))
	}
	got := map[string]string{}
	var order []string
	for line := range strings.SplitSeq(strings.TrimSpace(string(archive.Comment)), "\n") {
		switch args := strings.Fields(line); {
		case line == "git":
			s.git("init", "-q", "-b", "main")
			s.commit()
		case line == "commit":
			s.commit()
		case strings.HasPrefix(line, "next "):
			for file, text := range parts[args[1]] {
				s.write(file, text)
			}
		case strings.HasPrefix(line, "$ "):
			got[line] = strings.ReplaceAll(step(s, line), s.dir, "DIR")
			order = append(order, line)
		}
	}
	if *update {
		archive.Files = inputs
		for _, line := range order {
			archive.Files = append(archive.Files, txtar.File{Name: line, Data: []byte(got[line])})
		}
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("run with -update if this is meant:\n%s", diff)
	}
}

// step runs one command; double quotes hold a question together.
func step(s sandbox, line string) string {
	var args []string
	for i, part := range strings.Split(strings.TrimPrefix(line, "$ "), `"`) {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	for i, a := range args {
		args[i] = strings.ReplaceAll(a, "DIR", s.dir)
	}
	o := s.run(args...)
	return fmt.Sprintf("exit %d\n%s%s", o.code, o.stdout, prefixed(o.stderr))
}

// prefixed marks the lines of standard error.
func prefixed(text string) string {
	if text == "" {
		return ""
	}
	return "2> " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n2> ") + "\n"
}
