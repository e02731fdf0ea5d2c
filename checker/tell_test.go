package checker

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// anyHistory draws what commits told, with nasty texts in every place.
func anyHistory(t *rapid.T, r Report, most int) History {
	word := rapid.SampledFrom(nasties())
	h := History{Commits: rapid.IntRange(0, 90).Draw(t, "commits"), Brought: map[string]string{}, Findings: []PastFinding{}}
	h.Looked = min(h.Commits, rapid.IntRange(0, MaxCommits).Draw(t, "looked"))
	for range rapid.IntRange(0, most).Draw(t, "findings") {
		h.Findings = append(h.Findings, PastFinding{"0123456789", "github-pat", secret.Block, word.Draw(t, "file"), 3, "f"})
	}
	for range rapid.IntRange(0, most).Draw(t, "missed") {
		h.Missed = append(h.Missed, word.Draw(t, "missed"))
	}
	for i := range r.Secrets {
		r.Secrets[i].Fingerprint = fmt.Sprint(i)
		if rapid.Bool().Draw(t, "brought") {
			h.Brought[fmt.Sprint(i)] = "0123456789"
		}
	}
	return h
}

// An output that was kept, and what is put above it, is what the report would
// have given at once.
func TestAKeptOutputTakesAHistory(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := anyReport(t, 3)
		h := anyHistory(t, r, 3)
		o := r.Output()
		o.Summary = "A note.\n\n" + o.Summary
		b, err := json.Marshal(struct {
			O Output
			H History
		}{o, h})
		var kept struct {
			O Output
			H History
		}
		if err == nil {
			err = json.Unmarshal(b, &kept)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, want := kept.O.WithHistory(kept.H), r.WithHistory(h).Output()
		want.Summary = "A note.\n\n" + want.Summary
		got.Table, want.Table, got.Annotations, want.Annotations = Table{}, Table{}, nil, nil
		want.Text, want.Summary = strings.ToValidUTF8(want.Text, "\ufffd"), strings.ToValidUTF8(want.Summary, "\ufffd")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("at once (-) and later (+):\n%s", diff)
		}
	})
}

// 2A-10, 2A-55: with a history the page keeps its size, its cells, and nothing alive.
func TestAHistoryIsInertAndFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := anyReport(t, 60)
		h := anyHistory(t, r, 60)
		o := r.WithHistory(h).Output()
		if len(o.Summary) > MaxField {
			t.Fatalf("%d bytes", len(o.Summary))
		}
		if s := h.looked(); s != "" && !strings.Contains(o.Summary, s+".\n") {
			t.Fatalf("no %q in it", s)
		}
		if found := alive(o.Summary); len(found) > 0 {
			t.Fatalf("alive: %v\n%s", found, o.Summary)
		}
		for line := range strings.Lines(o.Summary) {
			if n := splitCells(strings.TrimSpace(line)); strings.HasPrefix(line, "| `github-pat`") && n != 3 && n != 4 {
				t.Fatalf("%d cells in %q", n, line)
			}
		}
		if d := cmp.Diff(r.Output().Annotations, o.Annotations); d != "" {
			t.Fatalf("other annotations:\n%s", d)
		}
	})
}

// The largest report keeps the room for the largest history.
func TestTheRoomForAHistory(t *testing.T) {
	t.Parallel()
	r := newReport()
	h := History{Commits: 1 << 40, Looked: MaxCommits, Brought: map[string]string{}}
	name := strings.Repeat("long/", 100) + "SKILL.md"
	for i := range 2000 {
		print := fmt.Sprint(i)
		r.Secrets = append(r.Secrets, Finding{Rule: "github-pat", Tier: secret.Block, File: name, Line: i, Fingerprint: print})
		r.Notes = append(r.Notes, name)
		h.Brought[print] = strings.Repeat("a", 40)
		h.Findings = append(h.Findings, PastFinding{strings.Repeat("a", 40), "github-pat", secret.Block, name, i, print})
		h.Missed = append(h.Missed, name)
	}
	before, after := r.Output(), r.Output().WithHistory(h)
	if len(after.Summary) > MaxField || len(before.Summary) < MaxField/2 {
		t.Errorf("%d bytes without, %d with", len(before.Summary), len(after.Summary))
	}
	for _, part := range []string{"| commit |", "| `aaaaaaa` |", "secrets left out", "- commit `aaaaaaa` held a secret", "secret in commits", "things left out", "Looked at the newest 50 of 1099511627776 commits.", "Looked at 0 files"} {
		if !strings.Contains(after.Summary, part) {
			t.Errorf("lacks %q", part)
		}
	}
	// An output that was kept before histories were known has no table to fill.
	old := Output{Title: "t", Summary: "s\n\n"}
	if got := old.WithHistory(History{Commits: 2, Looked: 2}); got.Summary != "s\n\nLooked at 2 of 2 commits.\n\n" {
		t.Errorf("%q", got.Summary)
	}
}

func TestWhatIsSaidOfCommits(t *testing.T) {
	t.Parallel()
	one := PastFinding{"0123456789abcdef", "github-pat", secret.Block, "a/SKILL.md", 7, "print"}
	for name, c := range map[string]struct {
		h              History
		title          string
		summary, plain []string
		not            string
	}{
		"nothing":       {h: History{Commits: 12, Looked: 12}, summary: []string{"Nothing to do.", "Looked at 12 of 12 commits.\n"}, plain: []string{"Looked at 12 of 12 commits\n"}, not: "held a secret"},
		"one commit":    {h: History{Commits: 1, Looked: 1}, summary: []string{"Looked at 1 of 1 commit.\n"}},
		"no commit":     {h: History{}, summary: []string{"Nothing to do."}, not: "commit"},
		"the newest":    {h: History{Commits: 73, Looked: 50}, summary: []string{"Looked at the newest 50 of 73 commits.\n"}},
		"not all":       {h: History{Commits: 73, Looked: 20, Missed: []string{"the time was up"}}, summary: []string{"- `the time was up`", "Looked at 20 of 73 commits.\n"}, plain: []string{"not looked at in the commits: the time was up\n"}},
		"none for sure": {h: Unread(0, "the clone is shallow"), summary: []string{"Nothing to do.", "- `the clone is shallow`"}, not: "Looked at 0 of"},
		"a secret": {h: History{Commits: 2, Looked: 2, Findings: []PastFinding{one}}, title: ", 1 secret in its commits",
			summary: []string{"**A commit of this change held a secret.**", "- commit `0123456` held a secret (`github-pat`, block) at `a/SKILL.md:7`; it is out of the tip, but stays in the history and in refs/pull: rotate it\n"},
			plain:   []string{"commit 0123456 held a secret (github-pat, block) at a/SKILL.md:7; it is out of the tip, but stays in the history and in refs/pull: rotate it. Fingerprint print\n"}, not: "Nothing to do"},
	} {
		r := newReport()
		r.Title = "All fresh"
		r = r.WithHistory(c.h)
		o := r.Output()
		if want := "All fresh" + c.title; r.Title != want || o.Title != want || r.Conclusion != Success {
			t.Errorf("%s: %s, %q and %q, want %q", name, r.Conclusion, r.Title, o.Title, want)
		}
		for _, part := range c.summary {
			if !strings.Contains(o.Summary, part) {
				t.Errorf("%s lacks %q:\n%s", name, part, o.Summary)
			}
		}
		for _, part := range c.plain {
			if !strings.Contains(r.Plain(), part) {
				t.Errorf("%s lacks %q:\n%s", name, part, r.Plain())
			}
		}
		if c.not != "" && strings.Contains(o.Summary, c.not) {
			t.Errorf("%s says %q:\n%s", name, c.not, o.Summary)
		}
	}
}

// The keys that other tools read.
func TestHistoryInJSON(t *testing.T) {
	t.Parallel()
	base := two()
	leaky := base.with(alphaMain, alpha+"- "+newMint(45).token()+"\n")
	p := pastOf(base, nil, step{files: leaky}, step{files: base}, step{files: leaky.with(betaMain, beta+"- "+newMint(46).token()+"\n")}, step{files: leaky})
	r := compare(t, &p.Base, &p.Head)
	if strings.Contains(asJSON(r), `"history"`) || strings.Contains(asJSON(r), `"commit"`) {
		t.Error("a history that was not asked for")
	}
	_, h := told(t, p)
	var got struct {
		History map[string]any
		Secrets []map[string]any
	}
	if err := json.Unmarshal([]byte(asJSON(r.WithHistory(h))), &got); err != nil {
		t.Fatal(err)
	}
	finding := got.History["findings"].([]any)[0].(map[string]any)
	delete(finding, "fingerprint")
	got.History["findings"] = finding
	want := map[string]any{"commits": 4.0, "looked": 4.0, "findings": map[string]any{
		"commit": "c3", "rule": "github-pat", "tier": "block", "file": betaMain, "line": 6.0}}
	if diff := cmp.Diff(want, got.History); diff != "" || len(got.Secrets) != 1 || got.Secrets[0]["commit"] != "c1" {
		t.Errorf("%v\n%s", got.Secrets, diff)
	}
	if _, err := json.Marshal(Unread(3, "x")); err != nil || !strings.Contains(asJSON(r.WithHistory(Unread(3, "x"))), `"findings": []`) {
		t.Error("a list is null")
	}
}
