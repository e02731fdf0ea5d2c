//go:build unix

package secret

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

const (
	gitleaksModule  = "github.com/zricethezav/gitleaks/v8"
	gitleaksVersion = "v8.30.1"
)

// processorTime is what this process has used so far.
func processorTime(b testing.TB) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// perMB reports processor time per megabyte: of a machine that does other work
// too, it says more than the clock.
func perMB(b *testing.B, spent time.Duration, bytes int) {
	b.ReportMetric(spent.Seconds()*1e3/(float64(bytes)/1e6), "cpu-ms/MB")
}

// command builds the command of the very version that the module file names, once
// from the network, then from the module cache.
func command(b *testing.B) string {
	b.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		b.Skip("SKIP: no go to build the gitleaks command with")
	}
	folder := b.TempDir()
	build := exec.CommandContext(b.Context(), goTool, "install", gitleaksModule+"@"+gitleaksVersion)
	build.Dir = folder
	build.Env = append(os.Environ(), "GOBIN="+folder, "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		b.Skipf("SKIP: the gitleaks command was not built, without the module cache or a network: %v, %d bytes of output", err, len(out))
	}
	path := filepath.Join(folder, "v8")
	if _, err := os.Stat(path); err != nil {
		path = filepath.Join(folder, "gitleaks")
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil || info.Main.Path != gitleaksModule || info.Main.Version != gitleaksVersion {
		b.Fatalf("not the command of %s: %v", gitleaksVersion, err)
	}
	return path
}

// runCommand scans a folder and returns what the process used and found.
func runCommand(b *testing.B, path, folder string, flags ...string) (found int, spent time.Duration) {
	b.Helper()
	report := filepath.Join(b.TempDir(), "report.json")
	args := append([]string{"dir", folder, "--no-banner", "--log-level", "error", "--exit-code", "0", "--report-format", "json", "--report-path", report}, flags...)
	cmd := exec.CommandContext(b.Context(), path, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("the gitleaks command failed: %v, %d bytes of output", err, len(out))
	}
	raw, err := os.ReadFile(report)
	if err != nil {
		b.Fatal(err)
	}
	var findings []struct{ RuleID string }
	if err := json.Unmarshal(raw, &findings); err != nil {
		b.Fatal("the gitleaks command's report is not readable")
	}
	return len(findings), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// shelves are the texts to compare on, by name.
func shelves(b *testing.B) map[string][]string {
	b.Helper()
	out := map[string][]string{"keywords": {crowd(b, newMint(42), 1<<20)}}
	for _, c := range generated(b, 1) {
		out["leaks"] = append(out["leaks"], c.Markdown)
	}
	root := filepath.Join(sharedDir, "corpora")
	if _, err := os.Stat(root); err != nil {
		b.Skip("SKIP: no collections beside the repository")
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		out["collections"] = append(out["collections"], string(text))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return out
}

// BenchmarkBesideTheCommand scans the same files with the Scanner and with the
// gitleaks command, start-up and fingerprints included. The command's default is
// to decode to depth 5; ours is decodeDepth.
func BenchmarkBesideTheCommand(b *testing.B) {
	all := shelves(b)
	path := command(b)
	for _, name := range []string{"collections", "keywords", "leaks"} {
		texts, folder, size := all[name], b.TempDir(), 0
		for i, text := range texts {
			size += len(text)
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.md", i)), []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(name+"/scanner", func(b *testing.B) { scanAll(b, texts, size) })
		b.Run(name+"/command", func(b *testing.B) { commandAll(b, path, folder, size) })
		b.Run(name+"/command decoding nothing", func(b *testing.B) { commandAll(b, path, folder, size, "--max-decode-depth", "0") })
	}
}

func commandAll(b *testing.B, path, folder string, size int, flags ...string) {
	var found int
	var spent time.Duration
	for b.Loop() {
		n, d := runCommand(b, path, folder, flags...)
		found, spent = n, spent+d
	}
	tell(b, found, size, spent)
}

func scanAll(b *testing.B, texts []string, size int) {
	var found int
	spent := processorTime(b)
	for b.Loop() {
		found = 0
		s := newScanner(b, Options{})
		for _, text := range texts {
			f, err := s.Scan(b.Context(), text)
			if err != nil {
				b.Fatal(err)
			}
			found += len(f)
		}
	}
	tell(b, found, size, processorTime(b)-spent)
}

func tell(b *testing.B, found, size int, spent time.Duration) {
	b.ReportMetric(float64(found), "findings")
	b.ReportMetric(float64(size)/1e6*float64(b.N)/spent.Seconds(), "MB/cpu-s")
	perMB(b, spent, size*b.N)
}
