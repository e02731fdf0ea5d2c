package drift

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestHunks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ sentence, before, after, want string }{
		{"equal texts have none", "a\n", "a\n", ""},
		{"a new file is all added", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"a file that goes is all removed", "a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
		{"three lines stand around a change", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
			"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
		{"a last line without an end says so", "a", "a\n", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
	} {
		if got := Hunks(c.before, c.after); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.sentence, got, c.want)
		}
	}
}

// Git itself makes of the older text the newer one.
func TestHunksApplyWithGit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string) string {
			lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "-- d", "+e", "日本"}), 1, 40).Draw(t, label)
			return strings.Join(lines, "\n") + rapid.SampledFrom([]string{"\n", "", "\n\n"}).Draw(t, label+"'s end")
		}
		before, after := text("before"), text("after")
		if before == "" || after == "" || before == after {
			t.Skip("a file that comes or goes has another head")
		}
		if err := os.WriteFile(file, []byte(before), 0o644); err != nil {
			t.Fatal(err)
		}
		patch := "--- a/f\n+++ b/f\n" + Hunks(before, after)
		cmd := exec.Command("git", "apply", "-")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(patch)
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git apply: %v: %s\n%s", err, out, patch)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != after {
			t.Fatalf("%v: %q, want %q by\n%s", err, got, after, patch)
		}
	})
}
