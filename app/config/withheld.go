package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"go.yaml.in/yaml/v3"
)

// ErrUnread means that the base's configuration has faults and speaks of withheld
// values, so that nobody knows which.
var ErrUnread = errors.New("the configuration at the base has faults, so that its withheld values cannot be read")

// Withheld are the values that a repository's index must never hold.
type Withheld struct {
	Values []WithheldValue
	Check  secret.Hash // of the key that the hashes were made with; zero for none
	Unread bool        // there may be others, in a file with faults
}

// A WithheldValue is one of them, without the value.
type WithheldValue struct {
	Hash   secret.Hash
	Reason string
	Added  time.Time // the day; zero where the file names none
}

// Any reports whether there is anything to look for.
func (w Withheld) Any() bool { return w.Unread || len(w.Values) > 0 }

// Scanner returns the scanner with the configuration's salt, which also finds the
// withheld values, looked for with the one of the keys that fits.
//
// With an error the scanner works and does not look for withheld values: the
// error says why, and is [secret.ErrNoKey], [secret.ErrWrongKey] or [ErrUnread].
func (c Config) Scanner(s *secret.Scanner, keys ...secret.Key) (*secret.Scanner, error) {
	list := secret.Withheld{Check: c.Withheld.Check}
	for _, v := range c.Withheld.Values {
		list.Hashes = append(list.Hashes, v.Hash)
	}
	out, err := s.WithSalt(c.Salt).WithWithheld(list, keys...)
	if c.Withheld.Unread {
		return out, ErrUnread
	}
	return out, err
}

// Strictest stands for the configuration of a base that has faults: the default,
// which lets nothing pass. Where the file speaks of withheld values, or of names that
// no answer may hold, there are some that cannot be looked for; where it speaks of
// questions, they block. What stands in its place and is no plain file
// never held a list.
func Strictest(files fs.FS) Config {
	c := Default()
	if info, err := fs.Stat(files, checker.ConfigFile); err == nil && !info.Mode().IsRegular() {
		return c
	}
	b, err := fs.ReadFile(files, checker.ConfigFile)
	c.Withheld.Unread = err != nil || bytes.Contains(b, []byte(listKey))
	c.Answers.Unread = err != nil || bytes.Contains(b, []byte(neverKey))
	c.Policy.BlockQuestions = err != nil || bytes.Contains(b, []byte("questions"))
	return c
}

// The keys below policy.
const (
	listKey  = "withhold"
	checkKey = "withhold_check"
)

// day is how dates are written.
const day = time.DateOnly

// withheld reads the list.
func (r *reader) withheld(n *yaml.Node, w *Withheld) {
	seen := map[secret.Hash]bool{}
	for _, item := range r.items(n) {
		v, ok := r.withheldValue(item)
		if !ok {
			continue
		}
		if seen[v.Hash] {
			r.fault(item, "the hash stands twice in the list")
		}
		seen[v.Hash] = true
		w.Values = append(w.Values, v)
	}
}

func (r *reader) withheldValue(n *yaml.Node) (v WithheldValue, ok bool) {
	hashed := n.Kind != yaml.MappingNode // then that is the fault
	reason := !hashed
	r.keys(n, map[string]func(*yaml.Node){
		"hash": func(n *yaml.Node) {
			hashed = true
			v.Hash, ok = r.hash(n)
		},
		"reason": func(n *yaml.Node) {
			text, is := r.text(n)
			v.Reason, reason = strings.TrimSpace(text), is
		},
		"added": func(n *yaml.Node) {
			text, is := r.text(n)
			var err error
			if v.Added, err = time.Parse(day, text); is && err != nil {
				r.fault(n, "added must be a day such as 2026-01-31")
			}
		},
	})
	if !hashed {
		r.fault(n, "hash is missing; cardkeeper withhold add writes one")
	}
	if reason && v.Reason == "" {
		r.fault(n, "reason is missing: why this must not be indexed, without saying what it is")
	}
	return v, ok
}

// hash reads 64 hexadecimal digits.
func (r *reader) hash(n *yaml.Node) (secret.Hash, bool) {
	text, ok := r.text(n)
	h, is := secret.ParseHash(text)
	if ok && !is {
		r.fault(n, "expected the 64 hex digits that cardkeeper withhold add writes")
	}
	return h, ok && is
}

// items returns the nodes of a list.
func (r *reader) items(n *yaml.Node) []*yaml.Node {
	if n.Kind != yaml.SequenceNode && n.Tag != "!!null" {
		r.fault(n, "expected a list here")
		return nil
	}
	return n.Content
}

// AddWithheld returns a repository's configuration file with one more withheld
// value and the check of its key. Every other byte stays as it is, but for the
// brackets of an empty list and a check that no entry needed. It fails with
// [ErrEdit] where the file is written in a form that only a person can edit.
func AddWithheld(b []byte, v WithheldValue, check secret.Hash) ([]byte, error) {
	want, err := Parse(b)
	if err != nil {
		return nil, err
	}
	v.Reason = strings.TrimSpace(v.Reason)
	reason, err := json.Marshal(v.Reason) // a form of YAML's quoted text
	if err != nil {
		return nil, fmt.Errorf("config.AddWithheld: %w", err) // unreachable: a string
	}
	entry := []field{{"hash", v.Hash.String()}, {"reason", string(reason)}, {"added", v.Added.Format(day)}}
	out := b
	if want.Withheld.Check != check {
		if out, err = setPolicy(out, checkKey, check.String()); err != nil {
			return nil, err
		}
	}
	if out, err = appendEntry(out, listKey, entry); err != nil {
		return nil, err
	}
	want.Withheld.Values, want.Withheld.Check = append(want.Withheld.Values, v), check
	return edited(out, want)
}

// RemoveWithheld returns a repository's configuration file without a withheld
// value. It fails like [AddWithheld].
func RemoveWithheld(b []byte, h secret.Hash) ([]byte, error) {
	want, err := Parse(b)
	if err != nil {
		return nil, err
	}
	var kept []WithheldValue
	out := b
	for i, v := range want.Withheld.Values {
		if v.Hash != h {
			kept = append(kept, v)
			continue
		}
		if out, err = removeEntry(b, listKey, i); err != nil {
			return nil, err
		}
	}
	want.Withheld.Values = kept
	return edited(out, want)
}

// edited returns an edited file if it says what it should and nothing else.
func edited(b []byte, want Config) ([]byte, error) {
	got, err := Parse(b)
	if err != nil || !reflect.DeepEqual(got.unplaced(), want.unplaced()) {
		return nil, ErrEdit
	}
	return b, nil
}
