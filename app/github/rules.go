package github

import (
	"context"
	"errors"
	"net/url"
)

// Requirement is a status check that must pass before anything is merged into a
// branch.
type Requirement struct {
	Name  string
	AppID int64 // whose result alone counts, 0 where anybody's does
	By    string
}

// What makes a check required, as a [Requirement] says it.
const (
	ByRuleset    = "ruleset"
	ByProtection = "branch protection"
)

// Requirements lists the required checks of a branch, from the rulesets that are
// active for it and from its classic protection, both as far as a reader of the
// repository sees them. Neither needs the Administration permission: rules take
// Metadata, and a branch with its protection's summary takes Contents. A
// server that knows no rulesets has none, nor has an account whose plan lacks them, which
// GitHub answers with 403.
func (c *Client) Requirements(ctx context.Context, repo Repo, branch string) ([]Requirement, error) {
	list, err := c.ruleset(ctx, repo, branch)
	if err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrForbidden) {
		return nil, err
	}
	classic, err := c.protection(ctx, repo, branch)
	if err != nil {
		return nil, err
	}
	return append(list, classic...), nil
}

// ruleset reads the rules by our own type: the library's fails on kinds of rules
// that it does not know.
func (c *Client) ruleset(ctx context.Context, repo Repo, branch string) ([]Requirement, error) {
	type rule struct {
		Type       string `json:"type"`
		Parameters struct {
			Checks []struct {
				Context string `json:"context"`
				App     int64  `json:"integration_id"`
			} `json:"required_status_checks"`
		} `json:"parameters"`
	}
	k := call{route: "/rules/branches/{branch}", args: []any{branch}, query: url.Values{}}
	return pages(ctx, c, repo, k, func(page *[]rule) (list []Requirement, _ error) {
		for _, r := range *page {
			if r.Type != "required_status_checks" {
				continue
			}
			for _, check := range r.Parameters.Checks {
				list = append(list, Requirement{check.Context, check.App, ByRuleset})
			}
		}
		return list, nil
	})
}

// protection reads the summary of a branch's classic protection. Where checks
// without their Apps alone are listed, as on old servers, anybody's result counts.
// An app_id of -1 says the same.
func (c *Client) protection(ctx context.Context, repo Repo, branch string) ([]Requirement, error) {
	var b struct {
		Protection struct {
			Enabled bool `json:"enabled"`
			Checks  struct {
				Level    string   `json:"enforcement_level"`
				Contexts []string `json:"contexts"`
				Checks   []struct {
					Context string `json:"context"`
					App     *int64 `json:"app_id"`
				} `json:"checks"`
			} `json:"required_status_checks"`
		} `json:"protection"`
	}
	if _, err := c.in(ctx, repo, call{route: "/branches/{branch}", args: []any{branch}, out: &b}); err != nil {
		return nil, err
	}
	p := b.Protection
	if !p.Enabled || p.Checks.Level == "off" {
		return nil, nil
	}
	var list []Requirement
	bound := map[string]bool{}
	for _, check := range p.Checks.Checks {
		r := Requirement{Name: check.Context, By: ByProtection}
		if check.App != nil {
			r.AppID = max(*check.App, 0)
		}
		list, bound[check.Context] = append(list, r), true
	}
	for _, name := range p.Checks.Contexts {
		if !bound[name] {
			list = append(list, Requirement{Name: name, By: ByProtection})
		}
	}
	return list, nil
}
