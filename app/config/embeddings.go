package config

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/app/embed"
	"go.yaml.in/yaml/v3"
)

// maxPrefix is longer than what any model wants before a text, in bytes.
const maxPrefix = 100

// LoadEmbeddings reads a file that holds what the setting embeddings holds, or settings with
// that one among them, of which the others are left aside.
// Everything wrong is told at once.
func LoadEmbeddings(file string) (embed.Config, error) {
	r := newReader(file)
	b, err := os.ReadFile(file)
	if err != nil {
		r.fault(nil, "the file cannot be read; it holds url and model of a server for embeddings")
		return embed.Config{}, r.faults
	}
	root := r.document(b)
	if _, inner := below(root, "embeddings"); inner != nil {
		root = inner
	}
	if len(r.faults) == 0 {
		c := r.embeddings(root)
		if len(r.faults) == 0 {
			return c, nil
		}
	}
	return embed.Config{}, r.faults
}

// embeddings reads which server says what is near in meaning. Nothing of it can
// stand in a repository: who changes that file would choose where its texts go.
func (r *reader) embeddings(n *yaml.Node) embed.Config {
	c := embed.Config{Weight: embed.DefaultWeight, Batch: embed.DefaultBatch, Timeout: embed.DefaultTimeout}
	before := len(r.faults)
	var url, model *yaml.Node
	r.keys(n, map[string]func(*yaml.Node){
		"url":             func(v *yaml.Node) { url = v; c.URL = r.address(v) },
		"model":           func(v *yaml.Node) { model = v; c.Model = r.filled(v, "model is the name that the server gives it") },
		"key_file":        func(v *yaml.Node) { c.Key = r.bearer(v) },
		"weight":          func(v *yaml.Node) { c.Weight = r.weight(v) },
		"batch":           func(v *yaml.Node) { c.Batch = r.number(v, 1, embed.MostBatch) },
		"timeout":         func(v *yaml.Node) { c.Timeout = r.within(v) },
		"question_prefix": func(v *yaml.Node) { c.QuestionPrefix = r.prefix(v) },
		"fact_prefix":     func(v *yaml.Node) { c.FactPrefix = r.prefix(v) },
		"encoding":        func(v *yaml.Node) { c.Base64 = r.encoding(v) },
	})
	if url == nil {
		r.fault(n, "embeddings.url is missing: the address of the server, such as http://127.0.0.1:11434")
	}
	if model == nil {
		r.fault(n, "embeddings.model is missing: the name of the model at the server")
	}
	if len(r.faults) == before && c.Key != "" && embed.Plain(c.URL) {
		r.fault(url, "the key would go over the network in the clear; use an https address, or leave key_file out")
	}
	return c
}

func (r *reader) address(n *yaml.Node) string {
	text, ok := r.text(n)
	if _, err := embed.Address(text); ok && err != nil {
		r.fault(n, "embeddings."+err.Error())
	}
	return strings.TrimSpace(text)
}

func (r *reader) filled(n *yaml.Node, fault string) string {
	text, ok := r.text(n)
	if text = strings.TrimSpace(text); ok && text == "" {
		r.fault(n, fault)
	}
	return text
}

// bearer reads the key from its file. A line break in it could not be sent.
func (r *reader) bearer(n *yaml.Node) string {
	text, ok := r.content(n)
	if text = strings.TrimSpace(text); ok && !embed.Sendable(text) {
		r.fault(n, "the file that this names holds no key: one line of letters, digits and signs")
	}
	return text
}

// weight reads a decimal as whole hundredths.
func (r *reader) weight(n *yaml.Node) int {
	text, ok := r.text(n)
	w, err := strconv.ParseFloat(text, 64)
	if ok && (err != nil || !(w >= 0 && w*100 <= embed.MostWeight)) {
		r.fault(n, "embeddings.weight is a number from 0 to 10, such as 0.5; 0 changes no order")
		return 0
	}
	return int(w*100 + .5)
}

func (r *reader) within(n *yaml.Node) time.Duration {
	text, ok := r.text(n)
	d, err := time.ParseDuration(text)
	if ok && (err != nil || d <= 0 || d > embed.MostTimeout) {
		r.fault(n, "embeddings.timeout is a time such as 2s, at most 10s")
	}
	return d
}

func (r *reader) prefix(n *yaml.Node) string {
	text, ok := r.text(n)
	if ok && len(text) > maxPrefix {
		r.fault(n, "a prefix of embeddings has at most 100 bytes")
	}
	return text
}

func (r *reader) encoding(n *yaml.Node) bool {
	text, ok := r.text(n)
	if ok && text != "float" && text != "base64" {
		r.fault(n, "embeddings.encoding is float or base64")
	}
	return text == "base64"
}
