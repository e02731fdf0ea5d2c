package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/secret"
)

type scanned struct {
	Findings []struct {
		Rule, Tier, File, Fingerprint string
		Line, End                     int
	}
	Scanned struct{ Files, Bytes, Binary int }
}

func scanJSON(t *testing.T, o outcome) scanned {
	t.Helper()
	var v scanned
	if err := json.Unmarshal([]byte(o.stdout), &v); err != nil || !strings.Contains(o.stdout, `"findings":[`) {
		t.Fatalf("%v: %s", err, o.stdout)
	}
	return v
}

func TestScan(t *testing.T) {
	t.Parallel()
	value := token(30)
	s := folder(t, map[string]string{"clean.md": "text\n", "a/leak.txt": "x\n\nkey " + value + "\n", ".git/leak": value, "picture.png": "\x89PNG\x00" + value})
	got := scanJSON(t, s.expect(exitFound, "scan", "--format", "json", s.dir))
	if len(got.Findings) != 1 || got.Findings[0].Rule != "github-pat" || got.Findings[0].Tier != "block" || got.Findings[0].Line != 3 ||
		!strings.HasSuffix(got.Findings[0].File, "/a/leak.txt") || len(got.Findings[0].Fingerprint) != 32 {
		t.Errorf("findings: %+v", got.Findings)
	}
	if got.Scanned.Files != 2 || got.Scanned.Bytes == 0 || got.Scanned.Binary != 1 {
		t.Errorf("scanned: %+v", got.Scanned)
	}
	o := s.expect(exitFound, "scan", s.path("a/leak.txt"), s.path("clean.md"))
	want(t, o.stdout, "a/leak.txt:3: github-pat (block) "+got.Findings[0].Fingerprint, "1 finding in 2 files")
	unspoken(t, value, o.all())
	if got := scanJSON(t, s.expect(exitOK, "scan", "--format", "json", s.path("clean.md"))); len(got.Findings) != 0 {
		t.Errorf("clean: %+v", got)
	}
}

// Fingerprints are those that a check of the same repository gives.
func TestScanUsesTheRepositorysSalt(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write(".github/cardkeeper/config.yml", "policy: {salt: 000102030405060708090a0b0c0d0e0f}\n")
	s.write(alphaMain, alpha+"3. "+token(31)+"\n")
	print := scanJSON(t, s.expect(exitFound, "scan", "--format", "json", s.path(alphaMain))).Findings[0].Fingerprint
	want(t, s.expect(exitFound, "check").stdout, "fingerprint "+print)
	bare := folder(t, map[string]string{"x.md": s.read(alphaMain)})
	if other := scanJSON(t, bare.expect(exitFound, "scan", "--format", "json", bare.dir)).Findings[0].Fingerprint; other == print {
		t.Error("another salt gives the same fingerprint")
	}
}

// A file's name can hold a secret too.
func TestScanShowsNoName(t *testing.T) {
	t.Parallel()
	value := token(32)
	s := folder(t, map[string]string{value + ".md": "key " + value + "\n"})
	for _, format := range []string{"text", "json"} {
		unspoken(t, value, s.expect(exitFound, "scan", "--format", format, s.dir).all())
	}
}

// What could not be scanned is not clean, and hides nothing of the rest (law 13).
func TestScanOfWhatIsTooLong(t *testing.T) {
	t.Parallel()
	s := folder(t, map[string]string{"long.txt": strings.Repeat("a ", secret.DefaultMaxBytes/2+1), "ok.txt": "text\n"})
	o := s.expect(exitFailed, "scan", s.dir)
	want(t, o.stdout, "0 findings in 1 file")
	want(t, o.stderr, "not scanned to the end", "long.txt")
	s.write("z.txt", "key "+token(33)+"\n")
	o = s.expect(exitFound, "scan", s.dir)
	want(t, o.stdout, "z.txt:1: github-pat")
	want(t, o.stderr, "long.txt")
}

func TestScanFollowsNoLinkInAFolder(t *testing.T) {
	t.Parallel()
	s := folder(t, map[string]string{"a.txt": "x\n"})
	if err := os.Symlink("/etc/passwd", s.path("etc")); err != nil {
		t.Skip("no symbolic links here")
	}
	if got := scanJSON(t, s.expect(exitOK, "scan", "--format", "json", s.dir)); got.Scanned.Files != 1 {
		t.Errorf("scanned %+v", got.Scanned)
	}
}
