package checker

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

const (
	alphaMain, betaMain = "skills/alpha/SKILL.md", "skills/beta/SKILL.md"
	alphaCard, betaCard = "cards/skills/alpha.md", "cards/skills/beta.md"
)

func edit(old, new string) string { return strings.Replace(alpha, old, new, 1) }

// A change answers for what it touches, and for nothing else (laws 5, 6, 14).
func TestWhatAChangeAnswersFor(t *testing.T) {
	t.Parallel()
	word := edit("install git", "install jj")
	stale := two().with(betaCard, strings.Replace(two()[betaCard], "never push", "always push", 1))
	orphan := two().with("cards/skills/gone.md", two()[betaCard])
	for name, c := range map[string]struct {
		base, head repo
		conclusion Conclusion
		states     string
		title      string
	}{
		"a change that touches no skill": {
			two(), two().with("README.md", "# Other\n"), Success, "", "No cards affected"},
		"no change": {two(), two(), Success, "", "No cards affected"},
		"a source without its card": {
			two(), two().with(alphaMain, word), Failure, alphaCard + " stale", "1 card stale"},
		"a source with its card": {
			two(), two().with(alphaMain, word).built(), Success, "", "1 card updated, all fresh"},
		"lines that only move": {
			two(), two().with(alphaMain, edit("# Alpha\n", "# Alpha\n\n\n\n")), Success, "", "No answer changes: 1 card fresh as before"},
		"an asset of a skill": {
			two(), two().with("skills/alpha/logo.png", "x"), Success, "", "No answer changes: 1 card fresh as before"},
		"a card edited by hand": {
			two(), two().with(alphaCard, strings.Replace(two()[alphaCard], "install git", "install jj", 1)), Failure, alphaCard + " stale", "1 card stale"},
		"a card removed": {
			two(), two().without(alphaCard), Failure, alphaCard + " missing", "1 card missing"},
		"a new skill without a card": {
			two(), two().with("skills/new/SKILL.md", beta), Failure, "cards/skills/new.md missing", "1 card missing"},
		"a new skill with its card": {
			two(), two().with("skills/new/SKILL.md", beta).built(), Success, "", "1 card updated, all fresh"},
		"a skill removed without its card (2A-39)": {
			two(), two().without(betaMain), Failure, betaCard + " orphan", "1 card without a skill"},
		"a skill removed with its card": {
			two(), two().without(betaMain).built(), Success, "", "1 card updated, all fresh"},
		"a new orphan": {
			two(), orphan, Failure, "cards/skills/gone.md orphan", "1 card without a skill"},
		"an orphan that was there before": {
			orphan, orphan.with("README.md", "x"), Success, "", "No cards affected"},
		"what was stale before and is not touched": {
			stale, stale.with(alphaMain, word).built().with(betaCard, stale[betaCard]), Success, "", "1 card updated, all fresh"},
		"what was stale before and is touched": {
			stale, stale.with(betaMain, beta+"- nor to release\n"), Failure, betaCard + " stale", "1 card stale"},
		"a stale card that is mended": {stale, two(), Success, "", "1 card updated, all fresh"},
		"a card that was missing before": {
			two().without(betaCard), two().without(betaCard).with("README.md", "x"), Success, "", "No cards affected"},
		"a card with other line ends (2A-42)": {
			two(), two().with(alphaCard, strings.ReplaceAll(two()[alphaCard], "\n", "\r\n")), Failure, alphaCard + " stale", "1 card stale"},
		"a source with other line ends (2A-42)": {
			two(), two().with(alphaMain, strings.ReplaceAll(alpha, "\n", "\r\n")), Success, "", "No answer changes: 1 card fresh as before"},
		"conflict markers in a card (2A-44)": {
			two(), two().with(alphaCard, "<<<<<<< HEAD\n"+two()[alphaCard]+"=======\n>>>>>>> other\n"), Failure, alphaCard + " stale", "1 card stale"},
		"a card of a newer edition (law 13)": {
			two(), two().with(alphaCard, "<!-- cardkeeper edition 999 -->\n"), Failure, alphaCard + " newer edition", "1 card of an edition newer than this cardkeeper"},
		"the last skill removed": {
			repo{ConfigFile: "", betaMain: beta}.built(), repo{ConfigFile: ""}, Failure, "", "No skill found"},
		"switched on with no skill": {
			repo{"README.md": "x"}, repo{ConfigFile: ""}, Failure, "", "No skill found"},
		"not switched on": {
			repo{betaMain: beta}, repo{betaMain: beta + "- more\n"}, Success, "", "Not switched on here"},
		"other Markdown in a folder that is called cards": {
			repo{"cards/ace.md": "# Ace\n", betaMain: beta}, repo{"cards/ace.md": "# Ace of spades\n", betaMain: beta}, Success, "", "Not switched on here"},
		"the change that switches it on answers for everything": {
			repo{alphaMain: alpha, betaMain: beta}, repo{alphaMain: alpha, betaMain: beta, ConfigFile: ""}, Failure,
			alphaCard + " missing; " + betaCard + " missing", "2 cards missing"},
		"a card alone switches it on": {
			repo{alphaMain: alpha, betaMain: beta}, repo{alphaMain: alpha, betaMain: beta}.built().without(betaCard), Failure, betaCard + " missing", "1 card missing"},
		"switched on with all cards": {
			repo{alphaMain: alpha}, repo{alphaMain: alpha, ConfigFile: ""}.built(), Success, "", "All 1 card fresh"},
		"a skill that moves to another folder (2A-39)": {
			two(), two().without(betaMain).with("skills/gamma/SKILL.md", beta).built(), Success, "", "1 card updated, all fresh"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := compare(t, c.base.side(), c.head.side())
			if r.Conclusion != c.conclusion || states(r) != c.states || r.Title != c.title {
				t.Errorf("got %s, %q, %q\nwant %s, %q, %q\n%s", r.Conclusion, states(r), r.Title, c.conclusion, c.states, c.title, r.Plain())
			}
			other := compare(t, &Side{unknown{c.base.files()}, extractor.DefaultShape()}, &Side{unknown{c.head.files()}, extractor.DefaultShape()})
			if asJSON(other) != asJSON(r) {
				t.Errorf("a file system without ids gives another report:\n%s\n%s", asJSON(other), asJSON(r))
			}
		})
	}
}

// Without a base everything is answered for, also what nothing touches.
func TestWithoutABaseEverythingIsAnsweredFor(t *testing.T) {
	t.Parallel()
	r := compare(t, nil, two().without(betaCard).with("cards/skills/gone.md", two()[betaCard], "cards/README.md", "# Cards\n").side())
	if want := "cards/skills/beta.md missing; cards/skills/gone.md orphan"; states(r) != want || !r.Failed() {
		t.Errorf("got %s %q, want %q", r.Conclusion, states(r), want)
	}
	if !strings.Contains(strings.Join(r.Notes, "\n"), "cards/README.md stands among the cards") {
		t.Errorf("the Markdown that is no card is not named: %q", r.Notes)
	}
	if r := compare(t, nil, two().side()); r.Failed() || r.Title != "All 2 cards fresh" || r.Scanned.Skills != 2 {
		t.Errorf("fresh cards: %s %q", r.Conclusion, r.Title)
	}
}

// Any other byte than those that the sources give is not fresh (law 5).
func TestFreshMeansEqualBytes(t *testing.T) {
	t.Parallel()
	text := two()[alphaCard]
	for i := 0; i < len(text); i += 7 {
		head := two().with(alphaCard, text[:i]+"~"+text[i+1:])
		if r := compare(t, two().side(), head.side()); !r.Failed() {
			t.Fatalf("byte %d of the card was changed and the check is green", i)
		}
	}
}

func TestReasonsSayWhatToDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ card, want string }{
		"line ends":        {strings.ReplaceAll(two()[alphaCard], "\n", "\r\n"), "line endings"},
		"conflict markers": {">>>>>>> x\n" + two()[alphaCard], "conflict markers. Do not merge cards by hand; run: cardkeeper build"},
		"edited by hand":   {two()[alphaCard] + "more\n", "edited by hand"},
		"no card at all":   {"# Notes\n", "no card"},
		"a newer edition":  {"<!-- cardkeeper edition 999 -->\n", "Upgrade"},
	} {
		r := compare(t, two().side(), two().with(alphaCard, c.card).side())
		if len(r.Cards) != 1 || !strings.Contains(r.Cards[0].Reason, c.want) {
			t.Errorf("%s: got %s", name, r.Plain())
			continue
		}
		if cr := r.Cards[0]; len(cr.Added)+len(cr.Removed)+len(cr.Changed) > 0 {
			t.Errorf("%s: the message comes with a cascade of differences", name)
		}
	}
}

// What a card says and no source held has no place, and says so.
func TestPlacesOfWhatWent(t *testing.T) {
	t.Parallel()
	word := edit("- install git", "- install jj and git")
	r := compare(t, two().side(), two().with(alphaMain, word).side())
	if len(r.Cards) != 1 || len(r.Cards[0].Changed) != 1 {
		t.Fatal(r.Plain())
	}
	pair := r.Cards[0].Changed[0]
	if p := pair.Old.Places; len(p) != 1 || p[0] != (Place{alphaMain, 9, 9, "base"}) {
		t.Errorf("the old words stand at %v", p)
	}
	if p := pair.New.Places; len(p) != 1 || p[0] != (Place{alphaMain, 9, 9, ""}) {
		t.Errorf("the new words stand at %v", p)
	}
	invented := two().with(alphaCard, strings.Replace(two()[alphaCard], "- install git", "- install git\n- install magic dust", 1))
	for _, c := range []struct {
		base *Side
		note string
	}{{two().side(), neverHeld}, {nil, notHeld}} {
		r := compare(t, c.base, invented.side())
		if len(r.Cards) != 1 || len(r.Cards[0].Removed) != 1 {
			t.Fatal(r.Plain())
		}
		if f := r.Cards[0].Removed[0]; len(f.Places) != 0 || f.Note != c.note {
			t.Errorf("an invented statement: places %v, note %q", f.Places, f.Note)
		}
	}
}

func TestPolicyDecidesWhatBlocks(t *testing.T) {
	t.Parallel()
	stale := two().with(alphaMain, edit("install git", "install jj"))
	leaky := two().with(alphaMain, alpha+"\n- use "+newMint(1).token()+"\n").built()
	newer := two().with(alphaCard, "<!-- cardkeeper edition 999 -->\n")
	for name, c := range map[string]struct {
		head   repo
		policy Policy
		want   Conclusion
		level  Level
	}{
		"a stale card":                     {stale, Policy{}, Failure, Error},
		"a stale card that may be":         {stale, Policy{AllowStale: true}, Success, Warning},
		"a secret":                         {leaky, Policy{AllowStale: true}, Failure, Error},
		"a secret that may be":             {leaky, Policy{AllowSecrets: true}, Success, Warning},
		"what cannot be read always fails": {newer, Policy{AllowStale: true, AllowSecrets: true}, Failure, Error},
	} {
		r := compare(t, two().side(), c.head.side(), c.policy)
		if r.Conclusion != c.want {
			t.Errorf("%s: got %s, want %s", name, r.Conclusion, c.want)
		}
		if a := r.Output().Annotations; len(a) == 0 || a[0].Level != c.level {
			t.Errorf("%s: annotated as %v", name, a)
		}
	}
}

// Two skills that would share a card on some systems fail the check by name; a
// base that has them does not stop the change that mends it.
func TestCollidingSkills(t *testing.T) {
	t.Parallel()
	upper := repo{"skills/ALPHA/SKILL.md": beta}.built()
	both := two().with("skills/ALPHA/SKILL.md", beta, "cards/skills/ALPHA.md", upper["cards/skills/ALPHA.md"])
	r := compare(t, two().side(), both.side())
	if !r.Failed() || !strings.Contains(r.Title, "share one card") || !strings.Contains(strings.Join(r.Notes, " "), "skills/ALPHA and skills/alpha") {
		t.Errorf("got %s", r.Plain())
	}
	if r := compare(t, both.side(), two().side()); r.Failed() {
		t.Errorf("the change that mends it: %s", r.Plain())
	}
}

// A change answers for a card in no order: reports do not depend on maps.
func TestReportsAreEqualEachTime(t *testing.T) {
	t.Parallel()
	head := two().with(alphaMain, edit("install git", "use "+newMint(2).token()), betaMain, beta+"- nor "+newMint(3).token()+"\n", "skills/c/SKILL.md", beta)
	want := everything(compare(t, two().side(), head.side()))
	for range 6 {
		if got := everything(compare(t, two().side(), head.side())); got != want {
			t.Fatal("two runs over the same trees differ (2A-43)")
		}
	}
}

// An upgrade of the App alone turns no pull request and no merge group red: its
// cards are of an older edition then, all of them, on both sides. A change of a
// skill's facts must rebuild that skill's card.
func TestAnUpgradeAloneTurnsNothingRed(t *testing.T) {
	t.Parallel()
	look := func(base, head repo) Report {
		t.Helper()
		r, err := Check(t.Context(), Input{Base: base.side(), Head: *head.side(), Scanner: testScanner(), edition: card.Edition + 1})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	base := two()
	for name, head := range map[string]repo{
		"another file":              base.with("docs/x.md", "x\n"),
		"a file of the skill":       base.with("skills/beta/logo.png", "x"),
		"lines that only moved":     base.with(betaMain, "\n\n"+beta),
		"a statement of one skill":  base.with(betaMain, beta+"- more\n"),
		"with its card of an older": base.with(betaMain, beta+"- more\n").built(),
	} {
		r := look(base, head)
		rebuilt := name == "a statement of one skill" || name == "with its card of an older"
		if r.Failed() != rebuilt {
			t.Errorf("%s: %s", name, r.Plain())
		}
		if rebuilt && (len(r.Cards) != 1 || r.Cards[0].Card != betaCard || r.Cards[0].State != "older edition") {
			t.Errorf("%s: %s", name, r.Plain())
		}
	}
}

// Markdown that was left alone among the cards cannot be turned into a card of
// nothing by a later change: what was there before is the same bytes, not the same name.
func TestAForgedCardIsAnOrphan(t *testing.T) {
	t.Parallel()
	base := two().with("cards/skills/ghost.md", "notes\n").built()
	forged := strings.Replace(base["cards/skills/alpha.md"], "skills/alpha", "skills/ghost", 1)
	r := compare(t, base.side(), base.with("cards/skills/ghost.md", forged).side())
	if !r.Failed() || !strings.Contains(r.Title, "without a skill") {
		t.Errorf("%s: %s", r.Conclusion, r.Title)
	}
	if r := compare(t, base.side(), base.with("skills/alpha/more.md", "- more\n").built().side()); r.Failed() {
		t.Errorf("the unchanged file fails an unrelated change: %s", r.Title)
	}
}
