package config

import (
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/embed"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"go.yaml.in/yaml/v3"
)

// Settings are what the service needs to run.
type Settings struct {
	AppID    int64    // of the GitHub App
	Key      []byte   // its private key, PEM
	SpareKey []byte   // another one, valid while keys are exchanged; nil is none
	Secrets  []string // webhook secrets; more than one while one is exchanged
	Database string   // sqlite:PATH or postgres://...
	Listen   string   // host:port
	API      string   // "" is github.com; a GitHub Enterprise Server's ends in /api/v3
	Operation
	Asking

	Private      []PrivateFile // those that were read
	Embeddings   embed.Config  // the server for meaning search; the zero value is none
	WithholdKeys []secret.Key  // to look for withheld values with; each repository's list says which fits

	appMissing, keyMissing, secretMissing bool
}

// A PrivateFile is one that a setting names, with something in it that nobody else may know.
type PrivateFile struct{ Setting, Path string }

// ErrNoFile: the settings file does not exist.
var ErrNoFile = errors.New("no settings file")

// LoadSettings reads the service's file. Secrets may stand in files of their
// own (key_file, webhook_secret_file). Everything wrong is told at once.
func LoadSettings(file string) (Settings, error) {
	r, root, err := openSettings(file)
	if err != nil {
		return Settings{}, err
	}
	s := Settings{Database: defaultDatabase, Listen: "127.0.0.1:8080", Operation: Operation{Drain: defaultDrain}, Asking: defaultAsking(), appMissing: true, keyMissing: true, secretMissing: true}
	known := map[string]func(*yaml.Node){
		"app_id":              func(n *yaml.Node) { s.AppID, s.appMissing = int64(r.number(n, 1, 1<<53)), false },
		"key_file":            func(n *yaml.Node) { s.key(r, n) },
		"webhook_secret":      func(n *yaml.Node) { s.secret(r, n, r.text) },
		"webhook_secret_file": func(n *yaml.Node) { s.secret(r, n, r.content) },
		"database":            func(n *yaml.Node) { s.database(r, n) },
		"listen":              func(n *yaml.Node) { s.listen(r, n) },
		"withhold_key_file":   func(n *yaml.Node) { s.withholdKeys(r, n) },
		"api_url":             func(n *yaml.Node) { s.api(r, n) },
		"operator_token_file": func(n *yaml.Node) { s.operatorToken(r, n) },
		"metrics_listen":      func(n *yaml.Node) { s.metrics(r, n) },
		"log_level":           func(n *yaml.Node) { s.logLevel(r, n) },
		"log_format":          func(n *yaml.Node) { s.logFormat(r, n) },
		"drain":               func(n *yaml.Node) { s.drain(r, n) },
		"ask_per_person":      func(n *yaml.Node) { s.PerPerson = r.number(n, 1, maxPerHour) },
		"ask_per_repository":  func(n *yaml.Node) { s.PerRepository = r.number(n, 1, maxPerHour) },
		"gap_days":            func(n *yaml.Node) { s.GapDays = r.number(n, 0, maxGapDays) },
		"embeddings":          func(n *yaml.Node) { s.Embeddings = r.embeddings(n) },
	}
	for name, read := range known {
		known[name] = func(n *yaml.Node) {
			r.read = nil
			read(n)
			for _, path := range r.read {
				s.Private = append(s.Private, PrivateFile{name, path})
			}
		}
	}
	r.keys(root, known)
	s.missing(r)
	if len(r.faults) > 0 {
		return Settings{}, r.faults
	}
	return s, nil
}

// defaultDatabase is where no setting says.
const defaultDatabase = "sqlite:cardkeeper.db"

// openSettings reads the service's file as YAML. Where that fails nothing is known to be missing.
func openSettings(file string) (*reader, *yaml.Node, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%w at %s; cardkeeper setup makes one, with app_id, key_file, webhook_secret_file and database", ErrNoFile, file)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read the settings: %w", err)
	}
	r := newReader(file)
	root := r.document(b)
	if len(r.faults) > 0 {
		return nil, nil, r.faults
	}
	return r, root, nil
}

// LoadDatabase reads of the service's file where its database is, and nothing else: who only
// reads the database needs no key and no secret.
func LoadDatabase(file string) (string, error) {
	r, root, err := openSettings(file)
	if err != nil {
		return "", err
	}
	s := Settings{Database: defaultDatabase}
	for k, v := range r.pairs(root) {
		if k.Value == "database" {
			s.database(r, v)
		}
	}
	if len(r.faults) > 0 {
		return "", r.faults
	}
	return s.Database, nil
}

// content reads the file that a value names.
func (r *reader) content(n *yaml.Node) (string, bool) {
	name, ok := r.text(n)
	if !ok {
		return "", false
	}
	b, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.fault(n, "the file that this names does not exist; make it, or name the one that you have")
	case errors.Is(err, fs.ErrPermission):
		r.fault(n, "the file that this names cannot be read by the user that runs this; give it to that user with chown")
	case err != nil:
		r.fault(n, "the file that this names cannot be read")
	}
	r.read = append(r.read, name)
	return string(b), err == nil
}

// key reads the private key's file, or those of the new key and the old one.
// Whether a key fits the App only GitHub knows.
func (s *Settings) key(r *reader, n *yaml.Node) {
	s.keyMissing = false
	files := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		files = n.Content
	}
	if len(files) == 0 || len(files) > 2 {
		// Each refused request is signed with each key, so a long list costs.
		r.fault(n, "key_file takes one file, or a list of two: the new key and the old one")
		return
	}
	var keys [2][]byte
	for i, file := range files {
		text, ok := r.content(file)
		if block, _ := pem.Decode([]byte(text)); ok && block == nil {
			r.fault(file, "the file that this names holds no PEM block; use the .pem file that GitHub made")
		}
		keys[i] = []byte(text)
	}
	s.Key, s.SpareKey = keys[0], keys[1]
}

func (s *Settings) database(r *reader, n *yaml.Node) {
	text, ok := r.text(n)
	scheme, _, address := strings.Cut(text, "://")
	if ok && (text == "" || address && scheme != "postgres" && scheme != "postgresql") {
		r.fault(n, "database must be sqlite:PATH or postgres://...")
	}
	s.Database = text
}

func (s *Settings) listen(r *reader, n *yaml.Node) {
	text, ok := r.text(n)
	if _, port, err := net.SplitHostPort(text); ok && (err != nil || port == "") {
		r.fault(n, "listen must be host:port, such as 127.0.0.1:8080")
	}
	s.Listen = text
}

// secret adds a webhook secret. An empty one would accept unsigned requests.
func (s *Settings) secret(r *reader, n *yaml.Node, read func(*yaml.Node) (string, bool)) {
	s.secretMissing = false
	text, ok := read(n)
	if !ok {
		return
	}
	if text = strings.TrimSpace(text); text == "" {
		r.fault(n, "the webhook secret is empty; without one anybody could send events. Use a long random value, the same as in the App's settings on GitHub")
		return
	}
	s.Secrets = append(s.Secrets, text)
}

func (s *Settings) api(r *reader, n *yaml.Node) {
	text, ok := r.text(n)
	s.API = strings.TrimSuffix(text, "/")
	if u, err := url.Parse(s.API); ok && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		r.fault(n, "api_url must be an address such as https://github.example.com/api/v3")
	}
}

// withholdKeys reads the file of a key, or a list of such files.
func (s *Settings) withholdKeys(r *reader, n *yaml.Node) {
	files := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		files = n.Content
	}
	for _, file := range files {
		text, ok := r.content(file)
		if !ok {
			continue
		}
		key, err := secret.ParseKey(text)
		if err != nil {
			r.fault(file, "the file that this names holds no key to withhold values with; (umask 077; cardkeeper withhold key > FILE) makes one")
			continue
		}
		s.WithholdKeys = append(s.WithholdKeys, key)
	}
}

func (s *Settings) missing(r *reader) {
	if s.appMissing {
		r.fault(nil, "app_id is missing: the number on the App's settings page")
	}
	if s.keyMissing {
		r.fault(nil, "key_file is missing: the path of the App's private key")
	}
	if s.secretMissing {
		r.fault(nil, "webhook_secret_file is missing: the path of a file with the App's webhook secret")
	}
}
