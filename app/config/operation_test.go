package config

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const operable = "app_id: 7\nkey_file: KEY\nwebhook_secret_file: SECRET\n"

// tokenFile writes a token and gives the settings that name it.
func tokenFile(t *testing.T, token string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(name, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	return "operator_token_file: " + name + "\n"
}

func TestOperationSettings(t *testing.T) {
	t.Parallel()
	token := strings.Repeat("k7", 16)
	got, err := LoadSettings(settingsFile(t, operable+tokenFile(t, token+"\n")+
		"metrics_listen: 127.0.0.1:9090\nlog_level: debug\nlog_format: text\ndrain: 5s\n"))
	want := Operation{OperatorToken: token, MetricsListen: "127.0.0.1:9090", LogLevel: slog.LevelDebug, LogText: true, Drain: 5 * time.Second}
	if d := cmp.Diff(want, got.Operation); d != "" || err != nil {
		t.Error(err, d)
	}
	// Nothing is shown to anybody unless somebody says so.
	got, err = LoadSettings(settingsFile(t, operable))
	if d := cmp.Diff(Operation{Drain: time.Second}, got.Operation); d != "" || err != nil {
		t.Error(err, d)
	}
}

func TestOperationFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"a token that can be guessed": {tokenFile(t, strings.Repeat("q", 31)), "could be guessed"},
		"an empty token":              {tokenFile(t, " \n"), "could be guessed"},
		"a token file that is gone":   {"operator_token_file: /QQQ/none\n", "does not exist"},
		"metrics without a port":      {"metrics_listen: QQQ\n", "metrics_listen must be"},
		"metrics of nothing":          {"metrics_listen: ''\n", "metrics_listen must be"},
		"an unknown level":            {"log_level: QQQ\n", "debug, info, warn or error"},
		"an unknown format":           {"log_format: QQQ\n", "json or text"},
		"a drain without a unit":      {"drain: 5\n", "a time such as 5s"},
		"a drain without an end":      {"drain: 61s\n", "at most 60s"},
		"a drain backwards":           {"drain: -1s\n", "a time such as 5s"},
	} {
		_, err := LoadSettings(settingsFile(t, operable+c.text))
		var faults Faults
		if !errors.As(err, &faults) || len(faults) != 1 || !strings.Contains(faults[0].Text, c.want) || strings.Contains(faults[0].Text, "QQQ") {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
