package checker

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// examplesOfMarks gives, for each line of the table, a line of Markdown that holds
// the mark beside a value, or the name of a file.
func examplesOfMarks() map[string]string {
	return map[string]string{
		`gitleaks:allow`: "- use %s <!-- gitleaks:allow -->", `betterleaks:(?:allow|ignore)`: "- use %s # betterleaks:allow",
		`trufflehog:ignore`: "- use %s # trufflehog:ignore", `kingfisher:(?:ignore|allow)`: "- use %s // kingfisher:ignore",
		`infisical-scan:ignore`: "- use %s # infisical-scan:ignore", `\bggignore\b`: "- use %s <!-- ggignore -->",
		`pragma:\s?(?:allowlist|whitelist)(?:[ -]nextline)?[ -]secret`: "- use %s <!-- pragma: allowlist secret -->",
		`secretlint-disable`:               "- use %s <!-- secretlint-disable-line -->",
		`(?:#|//|/\*|<!--|--|;)\s*nosec\b`: "- use %s #nosec G101",
		`\bnosemgrep\b`:                    "- use %s # nosemgrep",
		`(?:#|//|/\*|<!--|--)\s*nosonar\b`: "- use %s // NOSONAR",
		`\bnoqa:\s*[A-Z0-9, ]*S10[5-7]\b`:  "- use %s # noqa: E501, S105",
		`checkov:skip=CKV_SECRET`:          "- use %s # checkov:skip=CKV_SECRET_6: a test",
		`(?:trivy|tfsec):ignore`:           "- use %s # trivy:ignore:AVD-1",
		`devskim:\s*ignore`:                "- use %s // DevSkim: ignore DS173237",
		`skipcq:\s*SCT`:                    "- use %s # skipcq: SCT-A000",
		`dotenv-diff-ignore`:               "- use %s <!-- dotenv-diff-ignore -->",
		`.trufflehog*`:                     ".trufflehog.yml", `trufflehog.y*ml`: "trufflehog.yaml", `.gitguardian.y*ml`: ".gitguardian.yaml", `.secretlintrc*`: ".secretlintrc.json",
	}
}

// 2A-37: each way to ask for silence is told and changes nothing: the value beside
// it blocks.
func TestEachMarkIsToldAndNotObeyed(t *testing.T) {
	t.Parallel()
	m, examples, rows := newMint(80), examplesOfMarks(), 0
	for row := range strings.SplitSeq(strings.TrimSpace(markTable), "\n") {
		if strings.HasPrefix(row, "#") {
			continue
		}
		cells := strings.Split(row, "\t")
		if len(cells) != 4 || cells[0] != "line" && cells[0] != "file" {
			t.Fatalf("a row of the table has another form: %q", row)
		}
		rows++
		token, example := m.token(), examples[cells[1]]
		t.Run(cells[1], func(t *testing.T) {
			t.Parallel()
			head, place := two().with(alphaMain, alpha+"- use "+token+"\n", "deep/er/"+cells[1], "*\n"), "deep/er/"+cells[1]+":1"
			switch {
			case cells[0] == "line":
				head, place = two().with(alphaMain, alpha+"\n"+fmt.Sprintf(example, token)+"\n"), alphaMain+":21"
			case strings.Contains(cells[1], "/"):
				head, place = two().with(alphaMain, alpha+"- use "+token+"\n", cells[1], "*\n"), cells[1]+":1"
			case example != "":
				head, place = two().with(alphaMain, alpha+"- use "+token+"\n", example, "*\n"), example+":1"
			}
			r := compare(t, two().side(), head.built().side())
			want := place + ": a mark for " + cells[2] + ", not obeyed; ask for an allow rule in the policy of the base branch"
			if got := strings.Join(r.Notes, "\n"); strings.Count(got, "not obeyed") != 1 || !strings.Contains(got, want) {
				t.Errorf("notes %q, want %q", got, want)
			}
			if r.leaks() != 1 || !r.Failed() {
				t.Errorf("%s with %d secrets", r.Conclusion, r.leaks())
			}
			unspoken(t, token, everything(r))
		})
	}
	if rows != len(markTools()) {
		t.Errorf("%d rows, %d are used", rows, len(markTools()))
	}
}

// What is no mark, and what the base has already, is not told.
func TestWhatIsNoNewMark(t *testing.T) {
	t.Parallel()
	token := newMint(81).token()
	marked := two().with(alphaMain, alpha+"- use git <!-- gitleaks:allow -->\n", ".gitleaksignore", "a\n", "docs/notes.md", "gitleaks:allow\n").built()
	ignore := regexp.MustCompile(`not obeyed`)
	for name, c := range map[string]struct {
		base, head repo
		want       int
	}{
		"prose about security":                    {two(), two().with(alphaMain, alpha+"- the nosecurity flag, and noqa: E501\n").built(), 0},
		"a mark in a file that is no skill's":     {two(), two().with("docs/notes.md", "gitleaks:allow\n", alphaMain, edit("install git", "install jj")).built(), 0},
		"marks that the base holds":               {marked, marked.with(alphaMain, marked[alphaMain]+"- more\n").built(), 0},
		"a marked line that only moved":           {marked, marked.with(alphaMain, strings.Replace(marked[alphaMain], "# Alpha\n", "# Alpha\n\nMore text.\n", 1)).built(), 0},
		"a second copy of a marked line":          {marked, marked.with(alphaMain, marked[alphaMain]+"- use git <!-- gitleaks:allow -->\n").built(), 1},
		"a marked line that changed":              {marked, marked.with(alphaMain, strings.Replace(marked[alphaMain], "use git <", "use jj <", 1)).built(), 1},
		"an ignore file that changed":             {marked, marked.with(".gitleaksignore", "b\n"), 1},
		"an ignore file that went":                {marked, marked.without(".gitleaksignore"), 0},
		"an ignore file in other letters":         {two(), two().with("a/.GitleaksIgnore", "b\n"), 1},
		"the change that switches the check on":   {repo{alphaMain: alpha}, marked, 2},
		"a skill that the base has under no name": {two(), two().with("skills/c/SKILL.md", "# C\n\n- a <!-- ggignore -->\n").built(), 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := compare(t, c.base.side(), c.head.side())
			if got := len(ignore.FindAllString(strings.Join(r.Notes, "\n"), -1)); got != c.want {
				t.Errorf("%d marks are told, want %d: %q", got, c.want, r.Notes)
			}
		})
	}
	alone := two().with(alphaMain, alpha+"- git <!-- gitleaks:allow -->\n\n<!-- gitleaks:allow -->\n- "+token+"\n")
	if r := compare(t, nil, alone.side()); strings.Count(strings.Join(r.Notes, "\n"), "not obeyed") != 1 {
		t.Errorf("without a base: %q", r.Notes)
	}
}

// However many marks a head holds, so many are told and the rest is a number.
func TestMarksAreBounded(t *testing.T) {
	t.Parallel()
	text := alpha
	for i := range 300 {
		text += fmt.Sprintf("- line %d <!-- gitleaks:allow -->\n", i)
	}
	r := compare(t, two().side(), two().with(alphaMain, text, ".gitleaksignore", "x").built().side())
	notes := strings.Join(r.Notes, "\n")
	if strings.Count(notes, "not obeyed;") != maxMarks || !strings.Contains(notes, "281 more marks") {
		t.Errorf("%d notes: %q", len(r.Notes), r.Notes[len(r.Notes)-1])
	}
}
