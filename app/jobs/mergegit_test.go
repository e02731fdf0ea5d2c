package jobs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/github"
)

// scatter makes a small tree at random: few names, at which there is a file, a folder or nothing.
func scatter(dice *rand.Rand, from map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if dice.IntN(5) > 0 {
			out[name] = from[name]
		}
	}
	for range dice.IntN(3) {
		name := string(rune('a' + dice.IntN(4)))
		for range dice.IntN(3) {
			name += "/" + string(rune('x'+dice.IntN(3)))
		}
		for other := range out {
			if strings.HasPrefix(other, name+"/") || strings.HasPrefix(name, other+"/") {
				delete(out, other)
			}
		}
		out[name] = strings.Repeat(fmt.Sprintln("text", dice.IntN(6)), 4)
	}
	return out
}

// Whatever the trees are: what comes without a clash is what git makes of them, and
// where git finds a conflict there is a clash.
func TestAMergeWithoutAClashIsThatOfGit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	client := w.runner.cfg.GitHub.For(w.hub.Installation("ada"), w.repo.ID(), github.Committing)
	repo := must(repository(t.Context(), client, w.repo.ID()))(t)
	commit := func(branch string, list map[string]string, parent string) string {
		edits := map[string]fakehub.File{"a": fakehub.Removed(), "b": fakehub.Removed(), "c": fakehub.Removed(), "d": fakehub.Removed()}
		// Equal commits have equal ids, and would be a merge base: each has a message of its own.
		parent = must(w.repo.Commit(branch, edits, branch, parent))(t)
		clear(edits)
		for name, text := range list {
			edits[name] = fakehub.Text(text)
		}
		return must(w.repo.Commit(branch, edits, branch, parent))(t)
	}
	clean := 0
	for seed := range uint64(60) {
		dice := rand.New(rand.NewPCG(seed, 1))
		var start map[string]string
		for range 4 {
			start = scatter(dice, start)
		}
		base := commit(fmt.Sprint("base-", seed), start, w.main)
		onto := commit(fmt.Sprint("onto-", seed), scatter(dice, start), base)
		from := commit(fmt.Sprint("from-", seed), scatter(dice, start), base)
		got := must(client.MergeTrees(t.Context(), repo, base, onto, from))(t)
		if len(got.Clashes) > 0 {
			continue
		}
		clean++
		out, err := exec.Command("git", "--git-dir", w.repo.GitDir(), "merge-tree", "--write-tree", onto, from).Output()
		if err != nil {
			t.Errorf("seed %d: git finds a conflict:\n%s", seed, out)
			continue
		}
		id := must(client.Commit(t.Context(), repo, onto))(t).Tree
		if len(got.Changes) > 0 {
			id = must(client.MakeTree(t.Context(), repo, id, got.Changes))(t)
		}
		if want := strings.TrimSpace(string(out)); id != want {
			t.Errorf("seed %d: another tree:\n%s", seed, w.git("diff", "--raw", want, id))
		}
	}
	if clean < 10 {
		t.Errorf("%d of the merges had no clash, which says little", clean)
	}
}
