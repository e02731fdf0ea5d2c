package command

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// texts is what was asked, with "?" for a call for help.
func texts(commands []Command) []string {
	var out []string
	for _, c := range commands {
		if c.Help() {
			out = append(out, "?")
			continue
		}
		out = append(out, c.Question)
	}
	return out
}

// 2A-46 and its relatives. "|" stands for a line's end, "^" for a backtick, so that a case is one line.
func TestWhichLinesAreQuestions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		sentence, body string
		want           []string
	}{
		{"a line of its own after prose is asked", "Thanks!|/ask x", []string{"x"}},
		{"the first line is asked", "/ask how do I run it?", []string{"how do I run it?"}},
		{"three blanks in front are allowed", "   /ask x", []string{"x"}},
		{"four blanks are indented code", "    /ask x", nil},
		{"a tab is indented code", "\t/ask x", nil},
		{"two blanks and a tab are too", "  \t/ask x", nil},
		{"blanks around the question go", "/ask \t  x y \t ", []string{"x y"}},
		{"a tab may follow", "/ask\tx", []string{"x"}},
		{"a no-break space may follow", "/ask\u00a0x", []string{"x"}},
		{"a line that only names the command asks for help", "/ask", []string{"?"}},
		{"so does one with blanks behind it", "hi|/ask   |bye", []string{"?"}},
		{"prose before it is no question", "see /ask x", nil},
		{"another word is no question", "/asking x", nil},
		{"a plural is no question", "/asks x", nil},
		{"a colon is no question", "/ask: x", nil},
		{"a path is no question", "path/ask x", nil},
		{"a deeper path is no question", "/path/ask x", nil},
		{"a path that begins so is no question", "/ask/x y", nil},
		{"another case is no question", "/Ask x", nil},
		{"a list item is no question", "- /ask x|* /ask y|1. /ask z", nil},
		{"a heading is no question", "# /ask x", nil},
		{"a table is no question", "| /ask x | y |", nil},
		{"emphasis is no question", "**/ask x**", nil},
		{"an escape is no question", "\\/ask x", nil},

		{"a quote is no question", "> /ask x", nil},
		{"a quote without a blank is none", ">/ask x", nil},
		{"a quote of a quote is none", "> > /ask x", nil},
		{"an indented quote is none", "   > /ask x", nil},
		{"a quoted reply with its answer below", "> /ask x||/ask y", []string{"y"}},
		{"a line right below a quote is typed, not quoted", "> /ask x|/ask y", []string{"y"}},
		{"a fence in a quote ends with the quote", "> ^^^|> /ask x|/ask y", []string{"y"}},
		{"a whole fence in a quote hides nothing behind it", "> ^^^|> /ask x|> ^^^|/ask y", []string{"y"}},
		{"a quote in a list is none", "- a|  > /ask x", nil},
		{"a quote element is none", "<blockquote>|/ask x||/ask y|</blockquote>|/ask z", []string{"z"}},

		{"a fence is code", "^^^|/ask x|^^^", nil},
		{"a fence with a language is code", "^^^sh|/ask x|^^^|/ask y", []string{"y"}},
		{"tildes are a fence", "~~~|/ask x|~~~|/ask y", []string{"y"}},
		{"tildes do not close backticks", "^^^|/ask x|~~~|/ask y", nil},
		{"a shorter run does not close", "^^^^|/ask x|^^^|/ask y|^^^^|/ask z", []string{"z"}},
		{"a longer run closes", "^^^|/ask x|^^^^^|/ask y", []string{"y"}},
		{"a run with words behind it does not close", "^^^|/ask x|^^^ sh|/ask y", nil},
		{"a run with blanks behind it closes", "^^^|/ask x|^^^  |/ask y", []string{"y"}},
		{"an open fence runs to the end", "^^^|/ask x||/ask y", nil},
		{"two backticks are no fence", "^^|/ask x", []string{"x"}},
		{"backticks with a backtick behind are no fence", "^^^ a ^ b|/ask x", []string{"x"}},
		{"a fence right below prose is code", "prose|^^^|/ask x|^^^", nil},
		{"an indented fence is code", "   ^^^|/ask x|   ^^^|/ask y", []string{"y"}},
		{"a fence at four blanks is no fence", "||    ^^^|/ask x", []string{"x"}},
		{"a closing run at four blanks closes nothing", "^^^|/ask x|    ^^^|/ask y", nil},
		{"a quote sign in a fence is code", "^^^|> a|/ask x|^^^", nil},
		{"a fence in a list item is code", "- a|  ^^^|  /ask x|  ^^^|/ask y", []string{"y"}},
		{"a fence on the marker's line is code", "- ^^^|  /ask x|  ^^^||/ask y", []string{"y"}},
		{"a fence on a number's line is code", "1. ^^^|   /ask x|   ^^^||/ask y", []string{"y"}},
		{"a fence ends with its list item", "- ^^^|  /ask x|/ask y", []string{"y"}},
		{"an indented fence in an item is indented code", "-      ^^^|/ask x", []string{"x"}},
		{"a deep fence is code", "1. a|   - b|     ^^^|     /ask x|     ^^^|/ask y", []string{"y"}},
		{"a line of a list item is asked", "- a||  /ask x", []string{"x"}},
		{"a pre element is code", "<pre>|/ask x|</pre>|/ask y", []string{"y"}},
		{"a pre element over blank lines is code", "<PRE class=a>||/ask x||</Pre>|/ask y", []string{"y"}},
		{"a pre element on one line hides nothing", "<pre>a</pre>|/ask x", []string{"x"}},
		{"a details element is text", "<details>|/ask x|</details>", []string{"x"}},
		{"a word that begins like pre is text", "<prefix>|/ask x", []string{"x"}},

		{"a code span is code", "^/ask x^", nil},
		{"a code span over two lines is code", "a ^b|/ask x|c^ d", nil},
		{"a code span of two signs is code", "a ^^b ^|/ask x|c^^ d", nil},
		{"a lone backtick hides nothing", "a ^b|/ask x", []string{"x"}},
		{"backticks of different lengths are no pair", "a ^b|/ask x|c^^ d", []string{"x"}},
		{"a code span ends with its paragraph", "a ^b||/ask x|c^ d", []string{"x"}},
		{"an escaped backtick begins no span", "a \\^b|/ask x|c^ d", []string{"x"}},
		{"a heading's backtick pairs with nothing", "# a ^|/ask x|b ^", []string{"x"}},
		{"a sentence's number is no list", "`a^ b ^c|14. d|/ask x|e^", nil},
		{"code below a blank line pairs with nothing", "||    a ^|/ask x ^", []string{"x ^"}},
		{"a code span in a question stays", "/ask what is ^x^ and ^y^?", []string{"what is ^x^ and ^y^?"}},

		{"a comment is not shown", "<!-- /ask x -->", nil},
		{"a comment over lines is not shown", "<!--|/ask x|-->|/ask y", []string{"y"}},
		{"a comment over blank lines is not shown", "<!--||/ask x||-->||/ask y", []string{"y"}},
		{"what stands behind a comment's end is not a line", "<!--|--> /ask x|/ask y", []string{"y"}},
		{"an open comment runs to the end", "a|<!--|/ask x||/ask y", nil},
		{"a comment within a paragraph is not shown", "a <!-- b|/ask x|--> c|/ask y", []string{"y"}},
		{"a comment that closes after a blank line was meant so", "a <!-- b||/ask x||--> c|/ask y", []string{"y"}},
		{"also over a list and a fence", "a <!-- b|- c|/ask x|^^^|-->|/ask y", []string{"y"}},
		{"an arrow that nothing closes hides nothing", "a <!-- b|/ask x", []string{"x"}},
		{"a comment in a code span is none", "a ^<!--^ b|/ask x|-->", []string{"x"}},
		{"a fence in a comment is none", "<!--|^^^|-->|/ask x", []string{"x"}},
		{"a comment in a fence is none", "^^^|<!--|^^^|/ask x", []string{"x"}},
		{"an empty comment hides nothing", "<!-->|/ask x", []string{"x"}},
		{"a comment behind a question is cut", "/ask x <!-- y --> z", []string{"x  z"}},
		{"a comment over the question's end is cut", "/ask x <!-- y|/ask z|-->", []string{"x"}},
		{"a question of a comment alone asks for help", "/ask <!-- y -->", []string{"?"}},

		{"several are asked in order", "/ask b|text|/ask a||/ask c", []string{"b", "a", "c"}},
		{"the same twice is asked once", "/ask b|/ask a|  /ask b  |/ask|/ask", []string{"b", "a", "?"}},
		{"lines may end in CRLF", "> /ask x\r|\r|/ask y\r|^^^\r|/ask z\r|^^^\r|", []string{"y"}},
		{"lines may end in CR", "a\r/ask y\r/ask z", []string{"y", "z"}},
		{"bytes that are no text do no harm", "\xff\xfe|/ask \xff x|\x00", []string{"\xff x"}},
		{"nothing is nothing", "", nil},
	}
	for _, tc := range tests {
		t.Run(tc.sentence, func(t *testing.T) {
			t.Parallel()
			real := strings.NewReplacer("^", "`", "|", "\n")
			if strings.HasPrefix(tc.body, "| ") {
				real = strings.NewReplacer("^", "`") // the one case with a table's row
			}
			commands, dropped := Questions(real.Replace(tc.body))
			var want []string
			for _, w := range tc.want {
				want = append(want, strings.ReplaceAll(w, "^", "`"))
			}
			if d := cmp.Diff(want, texts(commands)); d != "" || dropped != 0 {
				t.Errorf("dropped %d (-want +got):\n%s", dropped, d)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ß", MaxQuestion)
	many := func(n int) (body string) {
		for i := range n {
			body += fmt.Sprintf("/ask q%d\n", i)
		}
		return body
	}
	tests := []struct {
		sentence, body string
		want           []string
		dropped        int
	}{
		{"a question of the full length is one", "/ask " + long + "  ", []string{long}, 0},
		{"one character more is none, and is told", "/ask " + long + "ß", nil, 1},
		{"an endless one leaves its neighbours", "/ask a\n/ask " + long + "ß\n/ask b", []string{"a", "b"}, 1},
		{"five are taken", many(5), []string{"q0", "q1", "q2", "q3", "q4"}, 0},
		{"the rest is told", many(9), []string{"q0", "q1", "q2", "q3", "q4"}, 4},
		{"repeats do not count", many(5) + many(5), []string{"q0", "q1", "q2", "q3", "q4"}, 0},
		{"more than GitHub takes is no comment", "/ask x\n" + strings.Repeat("a", maxBody), nil, 0},
	}
	for _, tc := range tests {
		t.Run(tc.sentence, func(t *testing.T) {
			t.Parallel()
			commands, dropped := Questions(tc.body)
			if d := cmp.Diff(tc.want, texts(commands)); d != "" || dropped != tc.dropped {
				t.Errorf("dropped %d, want %d (-want +got):\n%s", dropped, tc.dropped, d)
			}
		})
	}
}

// Eight times the text takes about eight times as long; a quadratic walk would take 64 times. The fastest of several runs
// leaves the machine's other work out, and so does a floor of five milliseconds.
func TestHostileCommentsTakeLinearTime(t *testing.T) {
	for _, piece := range []string{"- ", "> ", "`", "``a`", "<!-- \n", "a <!--\n\n", "~~~\n- ", "\\", "1. a\n ", "/ask\n", "a <!-- x --> ``\n", "<pre>\n"} {
		small := fastest(strings.Repeat(piece, maxBody/8/len(piece)) + "\n/ask x")
		large := fastest(strings.Repeat(piece, maxBody/len(piece)-8) + "\n/ask x")
		if large > 32*max(small, 5*time.Millisecond) {
			t.Errorf("%q: eight times the text took %v instead of %v", piece, large, small)
		}
		if testing.Verbose() {
			t.Logf("%q: %v, eight times that %v", piece, small, large)
		}
	}
}

func fastest(body string) time.Duration {
	best := time.Hour
	for range 3 {
		begin := time.Now()
		Questions(body)
		best = min(best, time.Since(begin))
	}
	return best
}

func FuzzQuestions(f *testing.F) {
	f.Add("a ^b\n/ask x\n- ~~~\n")
	f.Add("> /ask x\n<!-- \n/ask y\n-->\n/ask z <!-- a --> b\r\n1. ```\n")
	f.Fuzz(func(t *testing.T, body string) {
		commands, dropped := Questions(body)
		if len(commands) > MaxCommands || dropped < 0 {
			t.Fatalf("%d commands, %d dropped", len(commands), dropped)
		}
		for _, c := range commands {
			if c.Question != strings.TrimSpace(c.Question) || strings.ContainsAny(c.Question, "\r\n") {
				t.Fatalf("not one trimmed line: %q", c.Question)
			}
		}
	})
}

// A line of list markers is looked at once for each marker, so each look must be short. With a
// look over the rest of the line, this one took two seconds.
func TestALineOfMarkersIsCheap(t *testing.T) {
	t.Parallel()
	for _, line := range []string{strings.Repeat("- ", 30_000) + "/ask x", strings.Repeat("- * ", 15_000) + "/ask x", strings.Repeat("- ", 30_000)} {
		if got, _ := Questions(line); len(got) != 0 {
			t.Errorf("%d questions", len(got))
		}
	}
}
