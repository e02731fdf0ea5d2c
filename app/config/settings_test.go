package config

import (
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// settingsFile writes a settings file with a key, a secret and an empty secret
// beside it; KEY, SECRET, EMPTY and DIR in the text stand for their paths.
func settingsFile(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	key := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE" + " KEY", Bytes: []byte("not a real one")})
	other := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE" + " KEY", Bytes: []byte("another one")})
	text = strings.NewReplacer("OTHER", write("other", other), "KEY", write("key", key), "SECRET", write("secret", []byte(" s3\n")), "EMPTY", write("empty", []byte(" \n")),
		"NOPEM", write("nopem", []byte("QQQ")), "DIR", dir).Replace(text)
	return write("cardkeeper.yml", []byte(text))
}

func TestLoadSettings(t *testing.T) {
	t.Parallel()
	got, err := LoadSettings(settingsFile(t, "app_id: 7\nkey_file: KEY\nwebhook_secret_file: SECRET\nwebhook_secret: old\n"+
		"database: postgres://u@h/d\nlisten: :80\napi_url: https://github.example.com/api/v3/\n"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(got.Key), "-----BEGIN") {
		t.Errorf("the key is %d bytes of something else", len(got.Key))
	}
	got.Key = nil
	var private []string
	for _, f := range got.Private {
		private = append(private, f.Setting+" "+filepath.Base(f.Path))
	}
	if diff := cmp.Diff([]string{"key_file key", "webhook_secret_file secret"}, private); diff != "" {
		t.Error(diff)
	}
	got.Private = nil
	want := Settings{AppID: 7, Secrets: []string{"s3", "old"}, Database: "postgres://u@h/d", Listen: ":80", API: "https://github.example.com/api/v3", Operation: Operation{Drain: defaultDrain}, Asking: defaultAsking()}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Settings{})); diff != "" {
		t.Error(diff)
	}
	got, err = LoadSettings(settingsFile(t, "app_id: 7\nkey_file: KEY\nwebhook_secret_file: SECRET\n"))
	if err != nil || got.Database != "sqlite:cardkeeper.db" || got.Listen != "127.0.0.1:8080" || got.API != "" {
		t.Errorf("the defaults: %v, %q, %q, %q", err, got.Database, got.Listen, got.API)
	}
}

// While the key is exchanged both are there; the first is the one that signs.
func TestTwoKeys(t *testing.T) {
	t.Parallel()
	one, err := LoadSettings(settingsFile(t, "app_id: 7\nkey_file: [KEY]\nwebhook_secret_file: SECRET\n"))
	if err != nil || len(one.Key) == 0 || one.SpareKey != nil {
		t.Errorf("a list of one: %v, %d and %d bytes", err, len(one.Key), len(one.SpareKey))
	}
	two, err := LoadSettings(settingsFile(t, "app_id: 7\nkey_file:\n  - OTHER\n  - KEY\nwebhook_secret_file: SECRET\n"))
	if err != nil || string(two.SpareKey) != string(one.Key) || string(two.Key) == string(one.Key) || len(two.Key) == 0 {
		t.Errorf("a list of two: %v, %d and %d bytes", err, len(two.Key), len(two.SpareKey))
	}
}

// An empty webhook secret would accept unsigned requests (2A-6).
func TestSettingsFaults(t *testing.T) {
	t.Parallel()
	const good = "app_id: 7\nkey_file: KEY\nwebhook_secret_file: SECRET\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing":                       {"", []string{"app_id is missing", "key_file is missing", "webhook_secret_file is missing"}},
		"an empty secret":               {"app_id: 7\nkey_file: KEY\nwebhook_secret: ''\n", []string{"the webhook secret is empty"}},
		"a secret of blanks":            {"app_id: 7\nkey_file: KEY\nwebhook_secret: '  '\n", []string{"the webhook secret is empty"}},
		"a secret of nothing":           {"app_id: 7\nkey_file: KEY\nwebhook_secret: ~\n", []string{"a value is missing"}},
		"a secret file with nothing":    {"app_id: 7\nkey_file: KEY\nwebhook_secret_file: EMPTY\n", []string{"the webhook secret is empty"}},
		"a good and an empty secret":    {good + "webhook_secret: ''\n", []string{"the webhook secret is empty"}},
		"a secret file that is gone":    {"app_id: 7\nkey_file: KEY\nwebhook_secret_file: DIR/QQQ\n", []string{"does not exist"}},
		"a key file that is gone":       {"app_id: 7\nkey_file: DIR/QQQ\nwebhook_secret_file: SECRET\n", []string{"does not exist"}},
		"a key file that is none":       {"app_id: 7\nkey_file: NOPEM\nwebhook_secret_file: SECRET\n", []string{"no PEM block"}},
		"a key file in a list is gone":  {"app_id: 7\nkey_file: [KEY, DIR/QQQ]\nwebhook_secret_file: SECRET\n", []string{"does not exist"}},
		"no key file":                   {"app_id: 7\nkey_file: []\nwebhook_secret_file: SECRET\n", []string{"a list of two"}},
		"three key files":               {"app_id: 7\nkey_file: [KEY, KEY, QQQ]\nwebhook_secret_file: SECRET\n", []string{"a list of two"}},
		"a key file of keys":            {"app_id: 7\nkey_file: {QQQ: QQQ}\nwebhook_secret_file: SECRET\n", []string{"expected one value"}},
		"an id that is none":            {"app_id: QQQ\nkey_file: KEY\nwebhook_secret_file: SECRET\n", []string{"expected a whole number"}},
		"an unknown key":                {good + "QQQ: 1\n", []string{"unknown key"}},
		"an address that is none":       {good + "api_url: QQQ\n", []string{"api_url must be"}},
		"an address of another kind":    {good + "api_url: ftp://QQQ\n", []string{"api_url must be"}},
		"an address that cannot be":     {good + "api_url: \"http://QQQ\\x7f\"\n", []string{"api_url must be"}},
		"a database of another kind":    {good + "database: mysql://QQQ\n", []string{"database must be"}},
		"no database":                   {good + "database: ''\n", []string{"database must be"}},
		"a place to listen without end": {good + "listen: QQQ\n", []string{"listen must be"}},
		"no YAML":                       {"app_id: [QQQ\n", []string{"not valid YAML"}},
		"limits that are none":          {good + "ask_per_person: 0\nask_per_repository: QQQ\ngap_days: 731\n", []string{"from 1 to", "from 1 to", "from 0 to 730"}},
		"embeddings without a server":   {good + "embeddings: {weight: 1}\n", []string{"embeddings.url is missing", "embeddings.model is missing"}},
		"embeddings of nothing":         {good + "embeddings:\n", []string{"embeddings.url is missing", "embeddings.model is missing"}},
		"embeddings as a list":          {good + "embeddings: [QQQ]\n", []string{"expected keys", "embeddings.url is missing", "embeddings.model is missing"}},
		"all at once":                   {"app_id: 0\nwebhook_secret: ''\nlisten: QQQ\nQQQ: 1\n", []string{"expected a whole number", "secret is empty", "listen must be", "unknown key", "key_file is missing"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := settingsFile(t, c.text)
			_, err := LoadSettings(file)
			var faults Faults
			if !errors.As(err, &faults) || len(faults) != len(c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			for i, f := range faults {
				if f.File != file || f.Line < 1 || !strings.Contains(f.Text, c.want[i]) {
					t.Errorf("fault %d is %v, want %q", i, f, c.want[i])
				}
			}
			if strings.Contains(err.Error(), "QQQ") {
				t.Errorf("the file is quoted: %v", err)
			}
		})
	}
}

func TestSettingsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	_, err := LoadSettings(filepath.Join(t.TempDir(), "none.yml"))
	if !errors.Is(err, ErrNoFile) || !strings.Contains(err.Error(), "app_id") {
		t.Errorf("no file: %v", err)
	}
	if _, err := LoadSettings(t.TempDir()); err == nil || errors.Is(err, ErrNoFile) {
		t.Errorf("a folder: %v", err)
	}
}

func TestLimitsOfQuestions(t *testing.T) {
	t.Parallel()
	got, err := LoadSettings(settingsFile(t, "app_id: 7\nkey_file: KEY\nwebhook_secret_file: SECRET\nask_per_person: 3\nask_per_repository: 4\ngap_days: 0\n"))
	if want := (Asking{3, 4, 0}); err != nil || got.Asking != want {
		t.Errorf("%+v, %v", got.Asking, err)
	}
}

func TestANewSettingsFileReadsBack(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), `it's a: "folder" # of ünusual name`)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f := SettingsFile{AppID: 7, KeyFile: filepath.Join(dir, "k"), SecretFile: filepath.Join(dir, "s"), Database: "sqlite:" + filepath.Join(dir, "x.db"), Listen: "127.0.0.1:8080"}
	key := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE" + " KEY", Bytes: []byte("not a real one")})
	for name, data := range map[string][]byte{f.KeyFile: key, f.SecretFile: []byte("s3\n"), filepath.Join(dir, "yml"): f.Encode()} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := LoadSettings(filepath.Join(dir, "yml"))
	got.Private = nil
	want := Settings{AppID: 7, Key: key, Secrets: []string{"s3"}, Database: f.Database, Listen: f.Listen, Operation: Operation{Drain: defaultDrain}, Asking: defaultAsking()}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Settings{})); diff != "" || err != nil {
		t.Error(diff, err)
	}
	f.API = "https://github.example.com/api/v3"
	if !strings.Contains(string(f.Encode()), "api_url: "+f.API) {
		t.Errorf("%s", f.Encode())
	}
}
