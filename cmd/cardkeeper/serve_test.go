package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// settings writes a settings file, with a key and a secret beside it, and gives its path.
func settings(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"key.pem": pem.EncodeToMemory(&pem.Block{Type: "RSA " + "PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}),
		"secret":  []byte(rand.Text()), "empty": []byte(" \n"), "nokey.pem": pem.EncodeToMemory(&pem.Block{Type: "RSA " + "PRIVATE KEY", Bytes: []byte("nothing")}),
		"cardkeeper.yml": []byte(strings.ReplaceAll(text, "DIR", dir)),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "cardkeeper.yml")
}

const goodSettings = "app_id: 7\nkey_file: DIR/key.pem\nwebhook_secret_file: DIR/secret\ndatabase: sqlite:DIR/x.db\nlisten: 127.0.0.1:0\n"

// 2A-6: what cannot be used is said, all of it at once, and the exit code is that of usage.
func TestServeRefusesSettingsThatItCannotUse(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"an empty secret":     {strings.Replace(goodSettings, "DIR/secret", "DIR/empty", 1), []string{"cardkeeper.yml:3", "the webhook secret is empty"}},
		"an empty value":      {"app_id: 7\nkey_file: DIR/key.pem\nwebhook_secret: \"\"\n", []string{"the webhook secret is empty"}},
		"nothing at all":      {"", []string{"app_id is missing", "key_file is missing", "webhook_secret_file is missing"}},
		"several faults":      {"app_id: many\nkey_file: DIR/none.pem\nport: 80\napi_url: nowhere\n", []string{":1:", ":2:", ":3: unknown key", ":4: api_url", "webhook_secret_file is missing"}},
		"a key that is none":  {strings.Replace(goodSettings, "key.pem", "nokey.pem", 1), []string{"key"}},
		"no YAML":             {"app_id: [\n", []string{"not valid YAML"}},
		"an unknown database": {strings.Replace(goodSettings, "sqlite:DIR/x.db", "mysql://x", 1), []string{"database"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, complaints bytes.Buffer
			code := run(t.Context(), []string{"serve", "--settings", settings(t, tc.text)}, &out, &complaints)
			if code != exitUsage || out.Len() > 0 {
				t.Errorf("exit code %d, output %q", code, &out)
			}
			for _, want := range tc.want {
				if !strings.Contains(complaints.String(), want) {
					t.Errorf("%q is not in: %s", want, &complaints)
				}
			}
		})
	}
}

func TestServeTakesNoArgument(t *testing.T) {
	t.Parallel()
	if code := run(t.Context(), []string{"serve", "extra"}, io.Discard, io.Discard); code != exitUsage {
		t.Errorf("with an argument: exit code %d", code)
	}
}

// What cannot be done now is another code than what is written wrong.
func TestServeWithoutItsDatabaseFolder(t *testing.T) {
	t.Parallel()
	file := settings(t, strings.Replace(goodSettings, "DIR/x.db", "DIR/none/x.db", 1))
	var complaints bytes.Buffer
	if code := run(t.Context(), []string{"serve", "--settings", file}, io.Discard, &complaints); code != exitFailed || !strings.Contains(complaints.String(), "make or mount it first") {
		t.Errorf("exit code %d: %s", code, &complaints)
	}
}

func TestServeAnswersUntilItIsTold(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	log := &screen{want: `"msg":"serving"`, come: make(chan struct{})}
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"serve", "--settings", settings(t, goodSettings)}, io.Discard, log)
	}()
	select {
	case <-log.come:
	case code := <-ended:
		t.Fatalf("it ended with %d: %s", code, &log.text)
	case <-time.After(time.Minute):
		t.Fatal("it does not come to serve")
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/webhook": 405} {
		resp, err := http.Get("http://" + log.address(t) + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, resp.StatusCode, want)
		}
	}
	stop()
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// address is where the service says that it listens.
func (s *screen) address(t *testing.T) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range strings.Split(s.text.String(), "\n") {
		var entry struct{ Msg, Address string }
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "serving" {
			return entry.Address
		}
	}
	t.Fatal("the log names no address")
	return ""
}
