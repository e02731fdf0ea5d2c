package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
)

// gapped writes settings and a database with gaps of repositories, by number.
func gapped(t *testing.T, api string, key []byte, kept map[int64][]string) (settingsFile string) {
	t.Helper()
	dir := t.TempDir()
	db := filepath.Join(dir, "app.db")
	text := "app_id: 7\nkey_file: " + filepath.Join(dir, "key") + "\nwebhook_secret: something long\ndatabase: sqlite:" + db + "\n"
	if api != "" {
		text += "api_url: " + api + "\n"
	}
	if key == nil {
		key = []byte("-----BEGIN RSA PRIVATE" + " KEY-----\nQQ==\n-----END RSA PRIVATE" + " KEY-----\n")
	}
	for name, data := range map[string][]byte{"key": key, "cardkeeper.yml": []byte(text)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if kept == nil {
		return filepath.Join(dir, "cardkeeper.yml")
	}
	st, err := store.Open(t.Context(), "sqlite:"+db, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	st.Now = func() time.Time { return time.Now().UTC().Truncate(24 * time.Hour) }
	for _, repository := range []int64{4, 5, 6} {
		for _, q := range kept[repository] {
			if err := st.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
				return st.PutGapTx(ctx, tx, store.Gap{Installation: 9, Repository: repository, Question: q})
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "cardkeeper.yml")
}

func gaps(t *testing.T, file string, args ...string) (code int, out, complaints string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), append([]string{"gaps", "--settings", file}, args...), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestGapsAreListed(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3)
	file := gapped(t, "", nil, map[int64][]string{
		4: {"How do I rotate the token?", "how to rotate tokens", "how to rotate tokens", "Which moon\x1b[31m is " + token + "?"},
		5: {"Where is the telescope?"},
	})
	day := time.Now().UTC().Format("2006-01-02")
	code, out, complaints := gaps(t, file)
	lines := strings.Split(out, "\n")
	if code != exitOK || complaints != "" || len(lines) != 8 || lines[0] != "repository 4, installation 9" || lines[5] != "repository 5, installation 9" ||
		!strings.HasPrefix(lines[1], "     3  "+day+"  ") || !strings.HasSuffix(lines[1], "  how to rotate tokens") || strings.TrimSpace(lines[2]) != "How do I rotate the token?" ||
		strings.Index(lines[1], "how") != strings.Index(lines[2], "How") || !strings.Contains(lines[3], "Which moon") || strings.Contains(out, token[4:12]) || strings.Contains(out, "\x1b") {
		t.Errorf("exit code %d: %q %s", code, lines, complaints)
	}
	code, out, _ = gaps(t, file, "--format", "json", "--repository", "5")
	var got struct {
		Gaps []struct {
			Repository, Installation int64
			ID                       string
			Asked                    int
			Questions                []struct{ ID, Text string }
		}
	}
	if err := json.Unmarshal([]byte(out), &got); code != exitOK || err != nil || len(got.Gaps) != 1 || got.Gaps[0].Repository != 5 || got.Gaps[0].Installation != 9 ||
		got.Gaps[0].Asked != 1 || len(got.Gaps[0].ID) != 64 || got.Gaps[0].Questions[0].Text != "Where is the telescope?" {
		t.Errorf("exit code %d, %v: %s", code, err, out)
	}
	if code, out, _ := gaps(t, file, "--repository", "6"); code != exitOK || out != "No gaps are kept.\n" {
		t.Errorf("exit code %d: %s", code, out)
	}
	if code, out, _ := gaps(t, file, "--repository", "6", "--format", "json"); code != exitOK || out != "{\"gaps\":[]}\n" {
		t.Errorf("exit code %d: %s", code, out)
	}
}

func TestGapsAreDeleted(t *testing.T) {
	t.Parallel()
	file := gapped(t, "", nil, map[int64][]string{4: {"How do I rotate the token?", "how to rotate tokens", "Which moon?"}, 5: {"Which moon?", "Who is it?"}, 6: {"Why?", "Which zebra?"}})
	list := func() string { _, out, _ := gaps(t, file); return out }
	id := func(text string) string {
		for line := range strings.SplitSeq(list(), "\n") {
			if strings.HasSuffix(line, text) {
				return strings.Fields(line)[2]
			}
		}
		return ""
	}
	rotate := id("tokens")
	if rotate == "" {
		rotate = id("token?")
	}
	moon := id("Which moon?")
	for i, step := range []struct {
		args []string
		code int
		want string // what is printed, or a piece of the complaint
		left int
	}{
		{[]string{"--delete", "1234567"}, exitUsage, "8 characters", 6},
		{[]string{"--delete", "123456789"}, exitUsage, "no gap with this id", 6},
		{[]string{"--delete", moon}, exitUsage, "2 gaps have an id that begins so", 6},
		{[]string{"--delete", rotate}, exitOK, "2 questions deleted\n", 5},
		{[]string{"--delete", moon, "--repository", "5", "--format", "json"}, exitOK, "{\"deleted\":1}\n", 4},
		{[]string{"--delete", "all", "--repository", "6"}, exitOK, "2 questions deleted\n", 2},
		{[]string{"--delete", "all"}, exitOK, "2 questions deleted\n", 0},
	} {
		code, out, complaints := gaps(t, file, step.args...)
		if code != step.code || code == exitOK && out != step.want || !strings.Contains(out+complaints, step.want) {
			t.Errorf("step %d: exit code %d: %s%s", i, code, out, complaints)
		}
		if n := strings.Count(list(), "  20"); n != step.left {
			t.Errorf("step %d: %d gaps left, want %d:\n%s", i, n, step.left, list())
		}
	}
}

// The name of a repository is kept nowhere: GitHub says which number it has.
func TestGapsOfARepositoryByName(t *testing.T) {
	t.Parallel()
	hub, err := fakehub.New(fakehub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hub.Close() })
	if err := hub.Start(); err != nil {
		t.Fatal(err)
	}
	repo, err := hub.AddRepo("ada", "skills", fakehub.RepoOptions{})
	if err != nil {
		t.Fatal(err)
	}
	key, err := hub.PrivateKey()
	if err != nil {
		t.Fatal(err)
	}
	file := gapped(t, hub.URL(), key, map[int64][]string{4: {"Which moon?"}})
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("app_id: 7"), fmt.Appendf(nil, "app_id: %d", hub.AppID()), 1)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, complaints := gaps(t, file, "--repository", "ada/skills"); code != exitOK || out != "No gaps are kept.\n" || repo.ID() == 4 {
		t.Errorf("exit code %d: %s%s", code, out, complaints)
	}
	if code, out, complaints := gaps(t, file, "--repository", "ada/none"); code != exitUsage || out != "" || !strings.Contains(complaints, "not installed") {
		t.Errorf("exit code %d: %s%s", code, out, complaints)
	}
}

func TestGapsNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	file := gapped(t, "", nil, nil)
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"no database":       {nil, "no database"},
		"a format":          {[]string{"--format", "xml"}, "text or json"},
		"a name of words":   {[]string{"--repository", "skills"}, "OWNER/NAME"},
		"a name too long":   {[]string{"--repository", "a/b/c"}, "OWNER/NAME"},
		"no settings":       {[]string{"--settings", filepath.Join(t.TempDir(), "none.yml")}, "no settings file"},
		"an argument":       {[]string{"x"}, "gaps --help"},
		"a part of an id":   {[]string{"--delete", "abc"}, "8 characters"},
		"nothing to delete": {[]string{"--delete", "abcdefghi"}, "no database"},
	} {
		code, _, complaints := gaps(t, file, tc.args...)
		if code != exitUsage || !strings.Contains(complaints, tc.want) {
			t.Errorf("%s: exit code %d: %s", name, code, complaints)
		}
	}
}

// The database alone is needed to read it: on another machine than the App's there is no key.
func TestGapsNeedTheDatabaseAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept := gapped(t, "", nil, map[int64][]string{4: {"How many people may share one mailbox?"}})
	file := filepath.Join(dir, "cardkeeper.yml")
	text := "key_file: " + filepath.Join(dir, "none.pem") + "\ndatabase: sqlite:" + filepath.Join(filepath.Dir(kept), "app.db") + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"--repository", "4"}} {
		if code, out, complaints := gaps(t, file, args...); code != exitOK || !strings.Contains(out, "share one mailbox") {
			t.Errorf("%v: exit code %d: %s%s", args, code, out, complaints)
		}
	}
	code, _, complaints := gaps(t, file, "--repository", "acme/skills")
	for _, fault := range []string{"app_id is missing", "does not exist", "webhook_secret_file is missing", "number does without"} {
		if code != exitUsage || !strings.Contains(complaints, fault) {
			t.Errorf("exit code %d, no %q: %s", code, fault, complaints)
		}
	}
	if err := os.WriteFile(file, []byte("database: mysql://x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, complaints := gaps(t, file); code != exitUsage || !strings.Contains(complaints, "database must be") {
		t.Errorf("exit code %d: %s", code, complaints)
	}
}
