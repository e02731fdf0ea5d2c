package jobs

import (
	"context"
	"errors"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/checker"
)

// An outcome is what a verdict row keeps: a conclusion and outgoing texts, all
// of them scanned.
type outcome struct {
	Conclusion checker.Conclusion `json:"conclusion"`
	Output     checker.Output     `json:"output"`
}

// A comparison names what is compared: the head with the commit that it left
// the base at, under the policy of the base's tip. Without a base the head is
// answered for whole, under its own policy.
type comparison struct {
	base, tip, head string
}

// assess reads the trees and checks them. A fault that a person made, in a
// configuration, is an outcome; what could not be read or scanned is an error.
func (r *Runner) assess(ctx context.Context, client *github.Client, repo github.Repo, c comparison) (outcome, error) {
	head, err := take(ctx, client, repo, c.head)
	if err != nil {
		return outcome{}, err
	}
	own, err := head.config(ctx)
	if err != nil {
		return faulty(err, "The head's configuration has faults")
	}
	in := checker.Input{Head: checker.Side{Files: head, Shape: own.Shape}, Policy: own.Policy, Scanner: r.cfg.Scanner.WithSalt(own.Salt)}
	if c.base == "" {
		if err := head.fetchAll(ctx, in); err != nil {
			return outcome{}, err
		}
		return r.verdict(ctx, in)
	}
	base, err := take(ctx, client, repo, c.base)
	if err != nil {
		return outcome{}, err
	}
	before, err := base.config(ctx)
	if err != nil {
		return faulty(err, "Could not check: the base's configuration has faults")
	}
	policy, err := r.policy(ctx, client, repo, c, before)
	if err != nil {
		return faulty(err, "Could not check: the base's configuration has faults")
	}
	in.Base = &checker.Side{Files: base, Shape: before.Shape}
	in.Policy, in.Scanner = policy.Policy, r.cfg.Scanner.WithSalt(policy.Salt)
	if err := fetchBoth(ctx, base, head, in); err != nil {
		return outcome{}, err
	}
	return r.verdict(ctx, in)
}

// policy reads the configuration at the tip of the base, where it may have
// moved on since the head left it.
func (r *Runner) policy(ctx context.Context, client *github.Client, repo github.Repo, c comparison, before config.Config) (config.Config, error) {
	if c.tip == "" || c.tip == c.base {
		return before, nil
	}
	tip, err := take(ctx, client, repo, c.tip)
	if err != nil {
		return config.Config{}, err
	}
	return tip.config(ctx)
}

// fetchBoth brings into memory what the check will read on both sides.
func fetchBoth(ctx context.Context, base, head *snapshot, in checker.Input) error {
	ofBase, ofHead, err := checker.Needs(in)
	if err != nil {
		return err
	}
	if err := base.fetch(ctx, ofBase...); err != nil {
		return err
	}
	return head.fetch(ctx, ofHead...)
}

func (s *snapshot) fetchAll(ctx context.Context, in checker.Input) error {
	_, names, err := checker.Needs(in)
	if err != nil {
		return err
	}
	return s.fetch(ctx, names...)
}

func (r *Runner) verdict(ctx context.Context, in checker.Input) (outcome, error) {
	report, err := checker.Check(ctx, in)
	if err != nil {
		return outcome{}, err
	}
	return outcome{report.Conclusion, report.Output()}, nil
}

// faulty turns faults of a configuration into a failing outcome; other errors stay errors.
func faulty(err error, title string) (outcome, error) {
	var faults config.Faults
	if !errors.As(err, &faults) {
		return outcome{}, err
	}
	out := checker.Output{Title: title, Summary: "Mend the configuration and push again:\n\n"}
	for _, f := range faults {
		out.Summary += "- line " + itoa(f.Line) + ": " + f.Text + "\n"
		out.Annotations = append(out.Annotations, checker.Annotation{
			File: f.File, Line: f.Line, End: f.Line, Level: checker.Error, Title: "Configuration", Message: f.Text,
		})
	}
	return outcome{checker.Failure, out}, nil
}

// unable is the outcome of what could not be checked (law 13): a failure that
// says so. The error's own text may quote what was read, so it is not passed on.
func unable(why string) outcome {
	return outcome{checker.Failure, checker.Output{
		Title:   "Could not check",
		Summary: why + "\n\nThis is a failure, since what was not checked must not pass. Re-run the check to try again.",
	}}
}
