package main

import (
	"os"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// What stands in the place of the file of questions and is no file is said, and not passed over.
func TestAFolderInThePlaceOfTheSuite(t *testing.T) {
	t.Parallel()
	s := built(t)
	if err := os.MkdirAll(s.path(suite.File), 0o755); err != nil {
		t.Fatal(err)
	}
	want(t, s.expect(exitUsage, "eval").stderr, noSuite)
	want(t, s.expect(exitOK, "check").stderr, noSuite)
	s.write(suite.File+"/x", "x")
	want(t, s.expect(exitUsage, "eval").stderr, "this is a link, a submodule or a folder")
	if o := s.expect(exitOK, "check"); strings.Contains(o.stderr, noSuite) || !strings.Contains(o.stdout, "1 question that cannot be read") {
		t.Errorf("%s%s", o.stdout, o.stderr)
	}
}

// The id of a question in a batch comes back as it was, but for one that may not be shown.
func TestABatchShowsNoIdThatMayNotBeShown(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write(configFile, "ask: {never: [Kingfisher]}\n")
	value := strings.Join([]string{"Zebra", "finch77x", "!q"}, "")
	for id, shown := range map[string]bool{
		`"plain"`: true, `7`: true, `{"a":[1,"b"]}`: true, `"the Kingfisher desk"`: false, `"King\u0066isher"`: false, `{"kingfisher":1}`: false, `["x","King<b></b>fisher"]`: false,
		`"my pass` + `word is ` + value + `"`: false, `"` + value + `"`: false, `"\u005a` + value[1:] + `"`: false,
	} {
		s.write("q.jsonl", `{"id":`+id+`,"question":"Why is the wombat login pass`+`word `+value+` wrong?"}`+"\n")
		o := s.expect(exitOK, "ask", "--batch", s.path("q.jsonl"))
		if want := `{"id":` + id + `,`; strings.HasPrefix(o.stdout, want) != shown || !shown && !strings.HasPrefix(o.stdout, `{"id":"",`) {
			t.Errorf("%s: shown is not %v: %s", id, shown, o.stdout)
		}
	}
}
