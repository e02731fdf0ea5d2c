package checker

import (
	"path"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"pgregory.net/rapid"
)

// Shape comes from the head: a change of it moves exactly the cards that it
// moves, and they must come with it.
func TestAChangedShape(t *testing.T) {
	t.Parallel()
	plain := extractor.DefaultShape()
	words, hide, index := plain, plain, plain
	words.Vocabulary = map[string]card.Section{"setup": card.Troubleshooting} // alpha has such a heading, beta has none
	hide.Exclude = append([]string{"beta"}, plain.Exclude...)
	index.Cards = "index"
	show := plain
	show.Exclude = nil
	for name, c := range map[string]struct {
		base, head repo
		from, to   extractor.Shape
		conclusion Conclusion
		states     string
		title      string
		note       string
	}{
		"a vocabulary without its cards": {two(), two(), plain, words, Failure, alphaCard + " stale", "1 card stale", ""},
		"a vocabulary with its cards":    {two(), two().built(words), plain, words, Success, "", "1 card updated, all fresh", ""},
		"a vocabulary that moves nothing": {
			repo{ConfigFile: "", betaMain: beta}.built(), repo{ConfigFile: "", betaMain: beta}.built(), plain, words, Success, "", "No cards affected", ""},
		"an exclude that hides a skill, its card left": {
			two(), two(), plain, hide, Failure, betaCard + " orphan", "1 card without a skill, 1 skill hidden by the changed configuration", ""},
		"an exclude that hides a skill and its card": {
			two(), two().without(betaCard), plain, hide, Success, "", "1 skill hidden by the changed configuration", "skills/beta: " + hiddenReason},
		"an exclude that goes": {
			two().with("tests/x/SKILL.md", beta), two().with("tests/x/SKILL.md", beta), plain, show, Failure, "cards/tests/x.md missing", "1 card missing", ""},
		"another folder without its cards": {two(), two(), plain, index, Failure,
			"index/skills/alpha.md missing; index/skills/beta.md missing", "2 cards missing", "2 files stayed in the former cards folder cards"},
		"another folder with its cards": {two(), two().without(alphaCard, betaCard).built(index), plain, index, Success, "", "No cards affected", ""},
		"another folder, the old cards left": {two(), two().built(index), plain, index, Success, "", "No cards affected",
			"2 files stayed in the former cards folder cards"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := compare(t, c.base.side(c.from), c.head.side(c.to))
			if r.Conclusion != c.conclusion || states(r) != c.states || r.Title != c.title {
				t.Errorf("got %s, %q, %q\nwant %s, %q, %q", r.Conclusion, states(r), r.Title, c.conclusion, c.states, c.title)
			}
			if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, c.note) {
				t.Errorf("no note %q among %q", c.note, notes)
			}
		})
	}
}

// What a hidden skill said is shown as removed (law 7).
func TestAHiddenSkillIsShownAsRemoved(t *testing.T) {
	t.Parallel()
	hide := extractor.DefaultShape()
	hide.Exclude = append([]string{"beta"}, hide.Exclude...)
	for name, head := range map[string]repo{"its card left": two(), "its card gone": two().without(betaCard)} {
		r := compare(t, two().side(), head.side(hide))
		o := r.Output()
		if !strings.Contains(o.Title, "hidden") || !strings.Contains(o.Text, "- never push to main") || !strings.Contains(o.Text, betaCard) {
			t.Errorf("%s:\n%s\n%s", name, o.Title, o.Text)
		}
	}
}

// Policy is the caller's to take from the base: what the head's own files say
// of it changes nothing (law 7).
func TestTheHeadsConfigurationDecidesNothing(t *testing.T) {
	t.Parallel()
	head := two().with(alphaMain, edit("install git", "install jj"), ConfigFile, "policy:\n  block: []\n")
	if r := compare(t, two().side(), head.side()); !r.Failed() {
		t.Error(r.Plain())
	}
}

// Taking the configuration and the cards away does not switch the check off.
func TestTheHeadCannotSwitchTheCheckOff(t *testing.T) {
	t.Parallel()
	head := two().without(ConfigFile, alphaCard, betaCard)
	if r := compare(t, two().side(), head.side()); !r.Failed() || len(r.Cards) != 2 {
		t.Error(r.Plain())
	}
}

// Each source belongs to one skill and each card to one, so that changes of
// different skills never meet in a file (law 14).
func TestNoFileIsSharedByTwoSkills(t *testing.T) {
	t.Parallel()
	folder := rapid.SampledFrom([]string{".", "a", "b", "a/b", "a/b/c", "a/references", "scripts", "_root", "b/d"})
	rapid.Check(t, func(t *rapid.T) {
		r := repo{ConfigFile: ""}
		for _, f := range rapid.SliceOfNDistinct(folder, 1, 6, rapid.ID[string]).Draw(t, "skills") {
			r[path.Join(f, "SKILL.md")] = beta
			r[path.Join(f, "notes.md")] = "- a note\n"
			r[path.Join(f, "scripts/run.sh")] = "echo\n"
		}
		layout, err := extractor.Discover(r.files(), extractor.DefaultShape())
		if err != nil {
			return // two of them would share a card, and are refused
		}
		owner, cards := map[string]string{}, map[string]string{}
		for _, s := range layout.Skills {
			name := card.File("cards", s.Path)
			if other, taken := cards[name]; taken {
				t.Fatalf("%s is the card of %s and %s", name, other, s.Path)
			}
			cards[name] = s.Path
			for _, file := range s.Files {
				if other, taken := owner[file]; taken {
					t.Fatalf("%s belongs to %s and %s", file, other, s.Path)
				}
				owner[file] = s.Path
			}
		}
		base := r.built()
		for _, s := range layout.Skills {
			head := base.with(s.Main, base[s.Main]+"- one more\n")
			got := compare(t, base.side(), head.side())
			if want := card.File("cards", s.Path) + " stale"; states(got) != want {
				t.Fatalf("a change of %s answers for %q, want %q", s.Path, states(got), want)
			}
		}
	})
}
