package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/embed"
	"github.com/google/go-cmp/cmp"
)

// bearer makes a key that stands nowhere in the source.
func bearer() string { return strings.Repeat("k9", 12) }

// nearFile writes a file of embeddings; KEY, LINES, EMPTY and DIR stand for files.
func nearFile(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string]string{"key": bearer() + "\n", "lines": "a\nb\n", "empty": "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text = strings.NewReplacer("KEY", filepath.Join(dir, "key"), "LINES", filepath.Join(dir, "lines"), "EMPTY", filepath.Join(dir, "empty"), "DIR", dir).Replace(text)
	file := filepath.Join(dir, "embeddings.yml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestEmbeddings(t *testing.T) {
	t.Parallel()
	usual := embed.Config{URL: "http://ollama:11434", Model: "tiny", Weight: 100, Batch: 32, Timeout: 5 * time.Second}
	whole := embed.Config{URL: "https://api.example.com/v1", Model: "tiny", Key: bearer(), Weight: 35, Batch: 8, Timeout: 1500 * time.Millisecond,
		QuestionPrefix: "search_query: ", FactPrefix: "search_document: ", Base64: true}
	const all = "url: https://api.example.com/v1\nmodel: tiny\nkey_file: KEY\nweight: 0.35\nbatch: 8\ntimeout: 1500ms\n" +
		"question_prefix: \"search_query: \"\nfact_prefix: \"search_document: \"\nencoding: base64\n"
	for name, tc := range map[string]struct {
		text string
		want embed.Config
	}{
		"the least":                   {"url: http://ollama:11434\nmodel: tiny\n", usual},
		"all of it":                   {all, whole},
		"settings with it among them": {"app_id: 7\nembeddings: {url: http://ollama:11434, model: tiny}\nlisten: 127.0.0.1:1\n", usual},
	} {
		got, err := LoadEmbeddings(nearFile(t, tc.text))
		if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
	// In the settings they are the same.
	got, err := LoadSettings(settingsFile(t, "app_id: 7\nkey_file: KEY\nwebhook_secret_file: SECRET\nembeddings:\n  url: http://ollama:11434\n  model: tiny\n"))
	if diff := cmp.Diff(usual, got.Embeddings); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	// Its key is one of the files that nobody else may read.
	keyed, err := LoadSettings(settingsFile(t, "app_id: 7\nkey_file: KEY\nwebhook_secret_file: SECRET\nembeddings: {url: https://api.example.com, model: tiny, key_file: SECRET}\n"))
	if err != nil || keyed.Embeddings.Key != "s3" || len(keyed.Private) != 3 || keyed.Private[2].Setting != "embeddings" {
		t.Errorf("%v, %d files", err, len(keyed.Private))
	}
	if none, err := LoadSettings(settingsFile(t, "app_id: 7\nkey_file: KEY\nwebhook_secret_file: SECRET\n")); err != nil || none.Embeddings.On() {
		t.Errorf("without a word of them they are on: %v", err)
	}
}

func TestFaultsOfEmbeddings(t *testing.T) {
	t.Parallel()
	const good = "url: https://api.example.com\nmodel: tiny\n"
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"nothing":                       {"", []string{"embeddings.url is missing", "embeddings.model is missing"}},
		"an address that is none":       {"url: QQQ\nmodel: tiny\n", []string{"embeddings.url must be"}},
		"an address with a password":    {"url: https://QQQ:QQQ@example.com\nmodel: tiny\n", []string{"embeddings.url must be"}},
		"a model without a name":        {"url: https://api.example.com\nmodel: ''\n", []string{"model is the name"}},
		"a key that is gone":            {good + "key_file: DIR/QQQ\n", []string{"does not exist"}},
		"a key of two lines":            {good + "key_file: LINES\n", []string{"holds no key"}},
		"an empty key":                  {good + "key_file: EMPTY\n", []string{"holds no key"}},
		"a key in the clear":            {"url: http://ollama:11434\nmodel: tiny\nkey_file: KEY\n", []string{"in the clear"}},
		"a weight of words":             {good + "weight: QQQ\n", []string{"embeddings.weight is"}},
		"a weight below nothing":        {good + "weight: -0.1\n", []string{"embeddings.weight is"}},
		"a weight beyond all":           {good + "weight: 10.01\n", []string{"embeddings.weight is"}},
		"a weight that is no number":    {good + "weight: NaN\n", []string{"embeddings.weight is"}},
		"no batch":                      {good + "batch: 0\n", []string{"expected a whole number"}},
		"a time without end":            {good + "timeout: 11s\n", []string{"embeddings.timeout is"}},
		"a time that is none":           {good + "timeout: 5\n", []string{"embeddings.timeout is"}},
		"a prefix without end":          {good + "fact_prefix: " + strings.Repeat("Q", 101) + "\n", []string{"at most 100 bytes"}},
		"an encoding that nobody knows": {good + "encoding: QQQ\n", []string{"float or base64"}},
		"an unknown key":                {good + "QQQ: 1\n", []string{"unknown key"}},
		"no YAML":                       {"url: [QQQ\n", []string{"not valid YAML"}},
		"all at once":                   {"url: QQQ\nweight: QQQ\nbatch: QQQ\n", []string{"embeddings.url must be", "embeddings.weight is", "expected a whole number", "embeddings.model is missing"}},
	} {
		file := nearFile(t, tc.text)
		got, err := LoadEmbeddings(file)
		var faults Faults
		if !errors.As(err, &faults) || len(faults) != len(tc.want) || got.On() {
			t.Errorf("%s: got %v, want %q", name, err, tc.want)
			continue
		}
		for i, f := range faults {
			if f.File != file || f.Line < 1 || !strings.Contains(f.Text, tc.want[i]) {
				t.Errorf("%s: fault %d is %v, want %q", name, i, f, tc.want[i])
			}
		}
		if strings.Contains(err.Error(), "QQQ") {
			t.Errorf("%s: the file is quoted: %v", name, err)
		}
	}
	if _, err := LoadEmbeddings(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a file that is not there: %v", err)
	}
}
