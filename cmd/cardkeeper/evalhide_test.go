package main

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// What one skill gives away is shown in no answer of eval, and decides no other question's: the
// order of the lines makes no difference.
func TestEvalShowsNothingThatAnotherQuestionGaveAway(t *testing.T) {
	t.Parallel()
	value := strings.Join([]string{"Zebra", "finch77x", "!q"}, "")
	s := built(t)
	text := s.read(alphaMain)
	s.write(alphaMain, strings.Replace(text, "run the second build", "run the second build with "+value, 1))
	s.write("skills/wombat/SKILL.md", "# Wombat\n\n## Setup\n\n- The wombat login pass"+"word is "+value+"\n")
	const wombat = `{"id":"wombat","question":"What is the wombat login?","expect":["wombat login"]}` + "\n"
	for name, lines := range map[string]string{"the value's question last": second + wombat, "the value's question first": wombat + second} {
		s.write(suite.File, lines)
		s.git("add", "-A")
		for _, format := range []string{"text", "json"} {
			o := s.expect(exitFound, "eval", "--format", format)
			if strings.Contains(o.stdout+o.stderr, value) {
				t.Errorf("%s, %s: the value is shown", name, format)
			}
			if format == "text" {
				want(t, o.stdout, "WRONG  builder: What is the second build?\n       answered, though it must be refused\n", "run the second build with [withheld: ", "WRONG  wombat", "(0 refused, 1 answered, 0 missed, 0 gone, 1 withheld")
			}
		}
	}
}
