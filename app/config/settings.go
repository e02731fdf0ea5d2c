package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Settings are what the service needs to run.
type Settings struct {
	AppID         int64    // of the GitHub App
	Key           []byte   // its private key, PEM
	Secrets       []string // webhook secrets; more than one while one is exchanged
	Database      string   // sqlite:PATH or postgres://...
	Listen        string   // host:port
	API           string   // "" is github.com; a GitHub Enterprise Server's ends in /api/v3
	keyFile       string
	secretMissing bool
}

// LoadSettings reads the service's file. Secrets may stand in files of their
// own (key_file, webhook_secret_file). Everything wrong is told at once.
func LoadSettings(file string) (Settings, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Settings{}, fmt.Errorf("%w at %s; write one with app_id, key_file, webhook_secret_file and database", errNoFile, file)
	}
	if err != nil {
		return Settings{}, fmt.Errorf("read the settings: %w", err)
	}
	s := Settings{Database: "sqlite:cardkeeper.db", Listen: "127.0.0.1:8080", secretMissing: true}
	r := newReader(file)
	r.keys(r.document(b), map[string]func(*yaml.Node){
		"app_id":              func(n *yaml.Node) { s.AppID = int64(r.number(n, 1, 1<<53)) },
		"key_file":            func(n *yaml.Node) { s.Key = r.content(n); s.keyFile = n.Value },
		"webhook_secret":      func(n *yaml.Node) { s.secret(r, n, r.text(n)) },
		"webhook_secret_file": func(n *yaml.Node) { s.secret(r, n, string(r.content(n))) },
		"database":            func(n *yaml.Node) { s.Database = r.text(n) },
		"listen":              func(n *yaml.Node) { s.Listen = r.text(n) },
		"api_url":             func(n *yaml.Node) { s.api(r, n) },
	})
	s.missing(r)
	if len(r.faults) > 0 {
		return Settings{}, r.faults
	}
	return s, nil
}

// content reads the file that a value names.
func (r *reader) content(n *yaml.Node) []byte {
	b, err := os.ReadFile(r.text(n))
	if err != nil {
		r.fault(n, "the file that this names cannot be read")
	}
	return b
}

// secret adds a webhook secret. An empty one would accept unsigned requests.
func (s *Settings) secret(r *reader, n *yaml.Node, text string) {
	s.secretMissing = false
	text = strings.TrimSpace(text)
	if text == "" {
		r.fault(n, "the webhook secret is empty; without one anybody could send events. Use a long random value, the same as in the App's settings on GitHub")
		return
	}
	s.Secrets = append(s.Secrets, text)
}

func (s *Settings) api(r *reader, n *yaml.Node) {
	s.API = strings.TrimSuffix(r.text(n), "/")
	if u, err := url.Parse(s.API); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		r.fault(n, "api_url must be an address such as https://github.example.com/api/v3")
	}
}

func (s *Settings) missing(r *reader) {
	if s.AppID == 0 {
		r.fault(nil, "app_id is missing: the number on the App's settings page")
	}
	if s.keyFile == "" {
		r.fault(nil, "key_file is missing: the path of the App's private key")
	}
	if s.secretMissing {
		r.fault(nil, "webhook_secret_file is missing: the path of a file with the App's webhook secret")
	}
}
