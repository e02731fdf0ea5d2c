package jobs

import (
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/checker"
)

func TestAStaleCardIsRedAndARebuiltOneGreen(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		_, head := w.open("topic", w.stale())
		guid := w.settled()
		run := w.want(head, "failure", "1 card stale")
		if len(run.Annotations) != 1 || run.Annotations[0].Path != mail || run.Annotations[0].StartLine != 23 {
			t.Errorf("annotations: %+v", run.Annotations)
		}
		w.wantState(guid, store.Done)
		head = w.commit("topic", w.fresh(map[string]string{mail: w.text(mail, "wait one minute", "wait ten minutes")}))
		w.settled()
		w.want(head, "success", "1 card updated, all fresh")
		if n := w.count("deliveries WHERE state <> 'done'"); n != 0 {
			t.Errorf("%d deliveries are not done", n)
		}
		if e := must(w.store.Effect(t.Context(), store.CheckKey(w.repo.ID(), head)))(t); !e.Done || e.ExternalID == "" {
			t.Errorf("the effect is not recorded: %+v", e)
		}
	})
}

// 2A-23: a required check that is never posted waits for ever.
func TestAChangeThatTouchesNoSkillIsGreen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", docs("hello"))
	w.settled()
	w.want(head, "success", "No cards affected")
}

func TestSwitchingOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	bare := map[string]fakehub.File{".github": fakehub.Removed(), "cards": fakehub.Removed()}
	off := w.commit("off", bare, w.main)
	check(t, openTo(w, "plain", "off", docs("x"), off))
	head := w.commit("plain", docs("y"))
	w.settled()
	w.want(head, "success", "Not switched on here")
	check(t, openTo(w, "switch", "off", w.fresh(nil), off))
	head = w.commit("switch", docs("z"))
	w.settled()
	w.want(head, "success", "fresh")
	check(t, openTo(w, "halfway", "off", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy:\n  block: [stale]\n")}, off))
	head = w.commit("halfway", docs("z"))
	w.settled()
	w.want(head, "failure", "2 cards missing")
}

// openTo opens a pull request to a base of its own.
func openTo(w *world, branch, base string, edits map[string]fakehub.File, parent string) error {
	w.t.Helper()
	w.commit(branch, edits, parent)
	_, err := w.repo.OpenPull(branch, base, "mallory", fakehub.PullOptions{})
	return err
}

func TestFaultsOfTheHeadsConfigurationStandAtTheirLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy:\n  block: [everything]\nshap:\n  cards: x\n")})
	w.settled()
	run := w.want(head, "failure", "configuration has faults")
	lines := map[int]bool{}
	for _, a := range run.Annotations {
		lines[a.StartLine] = a.Path == checker.ConfigFile
	}
	if len(run.Annotations) != 2 || !lines[2] || !lines[3] {
		t.Errorf("annotations: %+v", run.Annotations)
	}
}

// Law 7: a configuration that cannot be read is none that may be skipped.
func TestAConfigurationThatIsALinkIsAFault(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, link := w.open("link", map[string]fakehub.File{checker.ConfigFile: fakehub.Link("../../README.md")})
	_, folder := w.open("folder", map[string]fakehub.File{checker.ConfigFile: fakehub.Removed(), checker.ConfigFile + "/x": fakehub.Text("x")})
	w.settled()
	for _, head := range []string{link, folder} {
		if run := w.want(head, "failure", "configuration has faults"); !strings.Contains(run.Summary, "commit a plain file") {
			t.Errorf("summary: %s", run.Summary)
		}
	}
}

// A base whose configuration has faults must not block the change that mends it,
// and must not let anything else pass.
func TestFaultsOfTheBasesConfigurationGiveTheStrictestPolicy(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	broken := map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy:\n  block: []\n  unknown: x\n")}
	w.main = w.commit("main", broken)
	mended := map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy:\n  block: [stale]\n")}
	_, head := w.open("mend", mended)
	mended[mail] = w.stale()[mail]
	_, stale := w.open("stale", mended)
	_, same := w.open("same", docs("x"))
	w.settled()
	if run := w.want(head, "success", ""); !strings.Contains(run.Summary, "base branch has faults") {
		t.Errorf("summary: %s", run.Summary)
	}
	w.want(stale, "failure", "1 card stale")
	w.want(same, "failure", "head's configuration has faults")
}

// The policy is read at the tip of the base, where it may have moved on.
func TestThePolicyIsTheBaseBranchsOfToday(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy:\n  block: [secrets]\n")})
	check(t, w.repo.Retarget(1, "main"))
	w.settled()
	w.want(head, "success", "1 card stale")
}

// 2A-36: a list that GitHub cuts is read level by level.
func TestATruncatedTreeGivesTheSameVerdict(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.hub.SetTreeLimit(5)
	_, head := w.open("topic", w.stale())
	w.settled()
	w.want(head, "failure", "1 card stale")
}

func TestAChangedVocabularyAnswersForTheCardsThatItMoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	words := "shape:\n  vocabulary:\n    prerequisites: commands\npolicy:\n  block: [stale]\n"
	_, head := w.open("without", map[string]fakehub.File{checker.ConfigFile: fakehub.Text(words)})
	w.settled()
	run := w.want(head, "failure", "1 card stale")
	if !strings.Contains(run.Summary, "cards/skills/backup.md") || strings.Contains(run.Summary, "cards/skills/mail.md` | stale") {
		t.Errorf("summary: %s", run.Summary)
	}
	_, head = w.open("with", w.reshaped(words))
	w.settled()
	w.want(head, "success", "all fresh")
}

// 2A-38: a link is no way out of the tree, and its target no skill's text.
func TestASkillThatIsASymbolicLinkIsNotFollowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", map[string]fakehub.File{
		"skills/out/SKILL.md": fakehub.Link("../../../../etc/passwd"),
		"skills/env/SKILL.md": fakehub.Link("../../README.md"),
	})
	w.settled()
	run := w.only(head)
	if all := run.Title + run.Summary + run.Text; strings.Contains(all, "Team skills") || strings.Contains(all, "root:") {
		t.Errorf("the link was followed: %s", all)
	}
	if !strings.Contains(run.Summary, "skills/out") {
		t.Errorf("nothing is said of the link: %s %s", run.Title, run.Summary)
	}
}

// 2A-24, 2A-25: another base or an end of the draft is another question on the
// same head, and a title is none.
func TestTheSameHeadIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, head := w.open("topic", w.stale())
	check(t, w.repo.Ready(number, false))
	w.settled()
	w.want(head, "failure", "1 card stale")
	w.commit("other", w.fresh(map[string]string{mail: w.text(mail, "wait one minute", "wait ten minutes")}), w.main)
	w.commit("other", w.stale())
	check(t, w.repo.Ready(number, true))
	w.settled()
	run := w.want(head, "failure", "1 card stale")
	asked := len(w.hub.Requests())
	check(t, w.repo.Retitle(number, "another"))
	w.settled()
	if now := len(w.hub.Requests()); now != asked {
		t.Errorf("a new title cost %d requests", now-asked)
	}
	if again := w.only(head); again.ID != run.ID {
		t.Error("the run was replaced")
	}
}
