package checker

import (
	"strings"
	"testing"
)

// pair is an id of a cloud and its key, which sorts after it. The key alone looks
// like any digest.
func (m mint) pair() (id, key string) {
	const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	b := make([]byte, 16)
	for i := range b {
		b[i] = upper[m.IntN(len(upper))]
	}
	return "AK" + "IA" + string(b), "z" + m.token()[5:] + "+/+/"
}

// A statement is quoted from a file in which something else tells that it is a
// secret: a report withholds it as it comes, as it goes and as it moves.
func TestAStatementIsWithheldForWhatItsFileSays(t *testing.T) {
	t.Parallel()
	m := newMint(60)
	for name, body := range map[string]func(id, key string) string{
		"two bullets":         func(id, key string) string { return "- " + id + "\n- " + key + "\n" },
		"two steps":           func(id, key string) string { return "1. " + id + "\n2. " + key + "\n" },
		"a child of a bullet": func(id, key string) string { return "- " + id + "\n  - " + key + "\n" },
		"two command lines":   func(id, key string) string { return "```sh\n" + id + "\n" + key + "\n```\n" },
		"a heading below":     func(id, key string) string { return "- " + id + "\n\n## " + key + "\n\n- a statement\n" },
	} {
		id, key := m.pair()
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with := two().with(alphaMain, alpha+"\n## More\n\n"+body(id, key)).built()
			moved := two().with(alphaMain, alpha+"\n## Other\n\n"+body(id, key))
			for what, r := range map[string]Report{
				"comes":                  compare(t, two().side(), with.side()),
				"comes without its card": compare(t, two().side(), with.with(alphaCard, two()[alphaCard]).side()),
				"goes":                   compare(t, with.side(), two().side()),
				"goes, its card stays":   compare(t, with.side(), two().with(alphaCard, with[alphaCard]).side()),
				"moves":                  compare(t, with.side(), moved.built().side()),
				"moves, its card stays":  compare(t, with.side(), moved.with(alphaCard, with[alphaCard]).side()),
				"there is no base":       compare(t, nil, with.with(alphaCard, two()[alphaCard]).side()),
			} {
				text := everything(r)
				for _, value := range []string{id, key} {
					if i := strings.Index(text, value[8:16]); i >= 0 {
						t.Errorf("%s: a piece is shown, after %q", what, text[max(0, i-60):i])
					}
				}
			}
		})
	}
}

// A card that somebody wrote by hand is quoted too, and stands in no source.
func TestAStatementIsWithheldForWhatItsCardSays(t *testing.T) {
	t.Parallel()
	id, key := newMint(63).pair()
	card := two().with(alphaMain, alpha+"\n## More\n\n- "+id+"\n- "+key+"\n").built()[alphaCard]
	text := everything(compare(t, two().side(), two().with(alphaCard, card).side()))
	if !strings.Contains(text, "[withheld: ") || strings.Contains(text, key[8:16]) || strings.Contains(text, id[8:16]) {
		t.Errorf("a piece is shown: %s", text)
	}
}

// A token in a folder's name ends at a slash, where rules of prose see no end.
func TestAFoldersNameIsReadByParts(t *testing.T) {
	t.Parallel()
	token := "glsa" + "_" + newMint(61).token()[4:36] + "_" + "0123abcd"
	folder := "skills/" + token + "/"
	with := two().with(folder+"SKILL.md", beta).built()
	r := compare(t, two().side(), with.side())
	if r.leaks() == 0 {
		t.Error("the folder's name does not block")
	}
	unspoken(t, token, everything(r))
	unspoken(t, token, everything(compare(t, with.side(), two().side())))
}

// What is withheld from one text of a report leaves its neighbours alone: a token
// at the end of a statement does not swallow the name of the next file.
func TestTextsOfAReportDoNotRunTogether(t *testing.T) {
	t.Parallel()
	m := newMint(62)
	head := two()
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		head = head.with("skills/"+name+"/SKILL.md", "# "+name+"\n\n- use "+m.token()+"\n- run -----BEGIN "+"PRIVATE KEY-----\n")
	}
	r := compare(t, two().side(), head.side())
	if len(r.Secrets) != 6 {
		t.Fatalf("%d findings, want 6", len(r.Secrets))
	}
	for i, f := range r.Secrets {
		if want := "skills/" + string(rune('a'+i)) + "/SKILL.md"; f.File != want {
			t.Errorf("the finding is in %q, want %q", f.File, want)
		}
	}
	for _, c := range r.Cards {
		if strings.Contains(c.Card, withheldMark) || strings.Contains(c.Skill, withheldMark) || strings.Contains(c.Reason, withheldMark) {
			t.Errorf("a name was taken for a secret: %q", c.Card)
		}
	}
}
