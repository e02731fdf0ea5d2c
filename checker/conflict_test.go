package checker

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/drift"
)

// What the run says of a conflict, and when it names the button.
func TestWhatIsSaidOfAConflict(t *testing.T) {
	t.Parallel()
	head := two().with(alphaMain, alpha+"- new\n")
	r := mending(t, two().built().side(), head.built().side())
	stale := mending(t, two().built().side(), two().built().with(alphaMain, alpha+"- new\n").side())
	stale.Remedy = ByButton
	for name, c := range map[string]struct {
		report   Report
		conflict Conflict
		title    string
		has, not []string
	}{
		"none": {report: r, title: "1 card updated, all fresh", not: []string{"onflict", "git merge", ButtonName}},
		"cards alone": {
			report: r, conflict: Conflict{Cards: 2, Merge: true}, title: "1 card updated, all fresh, 2 cards conflict with the base branch",
			has: []string{"nothing else does. Press **Update cards**, which merges", "git merge origin/BASE", "cardkeeper build", "git add -- cards && git commit"}, not: []string{nothingToDo}},
		"cards alone, and the head's are stale": {
			report: stale, conflict: Conflict{Cards: 1, Merge: true}, title: "1 card stale, 1 card conflicts with the base branch",
			has: []string{"which merges"}, not: []string{"which commits the rebuilt cards to this branch"}},
		"more than cards, and the head's are stale": {
			report: stale, conflict: Conflict{Cards: 1, Others: 3}, title: "1 card stale, 1 card conflicts with the base branch",
			has: []string{"and so do 3 other paths", "git merge origin/BASE", "which commits the rebuilt cards to this branch"}, not: []string{"which merges"}},
		"cards alone, and still no merge": {
			report: r, conflict: Conflict{Cards: 1, Why: "It is too late."}, title: "1 card updated, all fresh, 1 card conflicts with the base branch",
			has: []string{"nothing else does. It is too late. Merge by hand:"}, not: []string{ButtonName}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.report.Conflict = c.conflict
			o := c.report.Output()
			if o.Title != c.title {
				t.Errorf("the title is %q, want %q", o.Title, c.title)
			}
			for _, words := range c.has {
				if !strings.Contains(o.Summary, words) {
					t.Errorf("the summary lacks %q:\n%s", words, o.Summary)
				}
			}
			for _, words := range c.not {
				if strings.Contains(o.Title+o.Summary, words) {
					t.Errorf("the summary holds %q:\n%s", words, o.Summary)
				}
			}
		})
	}
}

// A merge is settled where each card that conflicts is fresh or rebuilt, and where
// nothing was found and nobody failed to look (law 13).
func TestWhatSettlesAMerge(t *testing.T) {
	t.Parallel()
	base, token := two().built(), newMint(23).token()
	cards := []string{alphaCard}
	newer := "<!-- cardkeeper edition 99 -->\n"
	for name, c := range map[string]struct {
		head  repo
		blind string
		want  bool
	}{
		"a stale card that can be rebuilt":  {head: base.with(alphaMain, alpha+"- new\n"), want: true},
		"a fresh card":                      {head: base.with(betaMain, beta+"- new\n"), want: true},
		"a card of a newer edition":         {head: base.with(alphaMain, alpha+"- new\n", alphaCard, newer)},
		"a newer card that is not at issue": {head: base.with(betaMain, beta+"- new\n", betaCard, newer), want: true},
		"a secret in another skill":         {head: base.with(alphaMain, alpha+"- new\n", betaMain, beta+"- use "+token+"\n")},
		"nobody can look":                   {head: base.with(alphaMain, alpha+"- new\n"), blind: "No key."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := Check(t.Context(), Input{Base: base.side(), Head: *c.head.side(), Scanner: testScanner(), Mend: true, Blind: c.blind})
			if err != nil || r.Settles(cards) != c.want {
				t.Errorf("settled: %v, %v; the report: %s", r.Settles(cards), err, r.Title)
			}
		})
	}
}

// Where nobody's change is held up, the cards of clean skills are made beside a
// finding, and the others are named.
func TestTheRestIsMendedBesideASecret(t *testing.T) {
	t.Parallel()
	token := newMint(24).token()
	base := two().built()
	head := base.with(alphaMain, alpha+"- use "+token+"\n", betaMain, beta+"- new\n")
	for rest, want := range map[bool]string{false: "", true: "+" + betaCard} {
		r, err := Check(t.Context(), Input{Base: base.side(), Head: *head.side(), Scanner: testScanner(), Mend: true, MendRest: rest})
		if err != nil || mends(r) != want {
			t.Errorf("mends %q, want %q, %v", mends(r), want, err)
		}
		if named := strings.Contains(strings.Join(r.Notes, "\n"), alphaCard+" is not rebuilt"); named != rest {
			t.Errorf("the notes: %q", r.Notes)
		}
		if r.Conclusion != Failure || strings.Contains(everything(r), token) {
			t.Errorf("%s: %s", r.Conclusion, r.Title)
		}
	}
}

// A card that differs in its line endings alone is told from one that differs in more.
func TestOnlyTheLineEndingsDiffer(t *testing.T) {
	t.Parallel()
	base := two().built()
	crlf := strings.ReplaceAll(base[alphaCard], "\n", "\r\n")
	for name, c := range map[string]struct {
		head repo
		want bool
	}{
		"alone":          {base.with(alphaCard, crlf), true},
		"beside a line":  {base.with(alphaCard, crlf, alphaMain, alpha+"- new\n"), false},
		"nothing at all": {base.with(alphaCard, ""), false},
		"no card":        {base.without(alphaCard), false},
	} {
		r := mending(t, base.side(), c.head.side())
		if len(r.Mends) != 1 || r.Mends[0].Endings != c.want || r.in(drift.Stale)+r.in(drift.Missing) != 1 {
			t.Errorf("%s: %+v", name, r.Mends)
		}
	}
}
