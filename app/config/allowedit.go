package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker"
)

// EditAllow rewrites a repository's configuration: it drops the allow rules that
// drop says yes to and puts others behind those that stay. All other lines keep
// their bytes, comments among them. A file with faults gives its [Faults], one
// that a program cannot edit as it is written [ErrEdit]; then nothing is returned.
func EditAllow(b []byte, drop func(checker.Allow) bool, add ...checker.Allow) ([]byte, error) {
	before, err := Parse(b)
	if err != nil {
		return nil, err
	}
	var want []checker.Allow
	out := b
	for i, a := range slices.Backward(before.Policy.Allow) {
		if !drop(a) {
			want = append(want, a)
			continue
		}
		if out, err = removeEntry(out, "allow", i); err != nil {
			return nil, fmt.Errorf("config.EditAllow: %w", err)
		}
	}
	slices.Reverse(want)
	for _, a := range add {
		want = append(want, a)
		if out, err = appendEntry(out, "allow", fieldsOf(a)); err != nil {
			return nil, fmt.Errorf("config.EditAllow: %w", err)
		}
	}
	before.Policy.Allow = want
	if out, err = edited(out, before); err != nil {
		return nil, fmt.Errorf("config.EditAllow: %w", err)
	}
	return out, nil
}

// fieldsOf are the parts of a rule, as they are written.
func fieldsOf(a checker.Allow) []field {
	var out []field
	for _, line := range a.YAML() {
		key, value, _ := strings.Cut(line[len("- "):], ": ")
		out = append(out, field{key, value})
	}
	return out
}

// unplaced is a configuration whose allow rules stand nowhere: an edit moves them.
func (c Config) unplaced() Config {
	c.Policy.Allow = slices.Clone(c.Policy.Allow)
	for i := range c.Policy.Allow {
		c.Policy.Allow[i].Line = 0
	}
	return c
}
