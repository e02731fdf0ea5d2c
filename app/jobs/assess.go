package jobs

import (
	"context"
	"errors"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
)

// An outcome is what a verdict row keeps: a conclusion and outgoing texts, all
// of them scanned.
type outcome struct {
	Conclusion checker.Conclusion `json:"conclusion"`
	Output     checker.Output     `json:"output"`

	// Button says that the run has the button Update cards, and Note what came of
	// its being pressed where it did nothing.
	Button bool   `json:"button,omitempty"`
	Note   string `json:"note,omitempty"`

	// Conflict says that cards conflict with the base branch.
	Conflict bool `json:"conflict,omitempty"`

	// Commits says that the commits of the change are worth a look; History is what
	// came of it, nil until then.
	Commits bool             `json:"commits,omitempty"`
	History *checker.History `json:"history,omitempty"`

	refresh bool // the default branch is to be refreshed

	policy string // the blob id of the configuration that it was made under, if that was read
}

// A comparison names what is compared: the head with the commit that it left
// the base at, under the policy of the base's tip. Without a base the head is
// answered for whole, under its own policy.
type comparison struct {
	base, tip, head string

	// entries are the head's where no commit holds them; head is then a name of its own.
	entries []tree.Entry

	// conflict is asked how the cards go together with those of the base's tip; nil
	// where nobody wants to know.
	conflict func(context.Context) (checker.Conflict, error)
	// remedy is asked how rebuilt cards are offered, where there are some; nil is by
	// the command alone.
	remedy func(context.Context) (checker.Remedy, error)
	// refresher is the installation of the default branch's own check, which may set
	// off a refresh; else 0.
	refresher int64
	// installation is whose segments the questions are asked with; 0 asks none.
	installation int64
}

// assess reads the trees and checks them. A fault that a person made, in a
// configuration, is an outcome; what could not be read or scanned is an error.
func (r *Runner) assess(ctx context.Context, from *source, c comparison) (_ outcome, err error) {
	defer r.caught(ctx, &err)
	report, s, err := r.examine(ctx, from, c, c.remedy != nil)
	if err != nil {
		return faulty(err)
	}
	if c.conflict != nil && report.Enabled() {
		if report.Conflict, err = c.conflict(ctx); err != nil {
			return outcome{}, err
		}
	}
	if c.remedy != nil && (len(report.Mends) > 0 || report.Conflict.Merge) {
		if report.Remedy, err = c.remedy(ctx); err != nil {
			return outcome{}, err
		}
	}
	if report.Conflict.Merge && report.Remedy != checker.ByButton {
		report.Conflict.Merge, report.Conflict.Why = false, notHere
	}
	out := report.Output()
	refresh, words, err := r.wantsRefresh(ctx, c.refresher, s, report)
	if err != nil {
		return outcome{}, err
	}
	out.Summary = words + s.note + out.Summary
	return outcome{
		Conclusion: report.Conclusion, Output: out, Button: report.Remedy == checker.ByButton, Conflict: report.Conflict.Cards > 0,
		Commits: c.base != "" && report.Enabled(), policy: s.configID, refresh: refresh,
	}, nil
}

// examine reads the trees and checks them; with mend it also makes the cards that
// would mend what it finds.
func (r *Runner) examine(ctx context.Context, from *source, c comparison, mend bool) (checker.Report, *sides, error) {
	ctx = from.memory.Under(ctx)
	s, err := r.sides(ctx, from, c)
	if err != nil {
		return checker.Report{}, nil, err
	}
	if err := r.examined(ctx, from, c, s); err != nil {
		return checker.Report{}, nil, err
	}
	s.in.Mend = mend || c.refresher != 0 && s.refresh != config.RefreshOff
	report, err := inspect(ctx, s.in, s.base, s.head)
	return report, s, err
}

// sides are the trees that are compared, under the configuration that counts.
type sides struct {
	in         checker.Input
	base, head *snapshot     // no base where nothing is compared
	tip        *snapshot     // of the base branch, where it has moved on
	policy     config.Config // that counts
	note       string        // to stand above the summary
	refresh    string        // what the head's own policy wants of stale cards, where nothing is compared
	configID   string        // of the configuration whose policy counts
}

// sides takes the trees. Faults of the head's own configuration are
// [config.Faults].
func (r *Runner) sides(ctx context.Context, from *source, c comparison) (*sides, error) {
	head, err := c.taken(ctx, from)
	if err != nil {
		return nil, err
	}
	own, err := head.config(ctx)
	if err != nil {
		return nil, err
	}
	s := &sides{head: head, policy: own, in: checker.Input{
		Head: checker.Side{Files: head, Shape: own.Shape}, Policy: own.Policy, Today: r.today(), Unsalted: own.Salt == nil, Read: from.reader(ctx),
	}}
	s.in.Scanner, s.in.Blind = r.remembering(from, own)
	if c.base == "" {
		// Against nothing, everything is answered for, or the check is not switched on here.
		// Nobody's change is held up by what stands there, so that clean skills get their cards.
		s.in.Base, s.in.MendRest = &checker.Side{Files: tree.Memory(nil), Shape: own.Shape}, true
		s.refresh = own.Refresh
		return s, nil
	}
	if s.base, err = take(ctx, from, c.base); err != nil {
		return nil, err
	}
	before, note, err := s.base.policy(ctx)
	if err != nil {
		return nil, err
	}
	s.in.Base, s.note = &checker.Side{Files: s.base, Shape: before.Shape}, note
	now := before
	s.configID = s.base.configID()
	if c.tip != "" && c.tip != c.base {
		if s.tip, err = take(ctx, from, c.tip); err != nil {
			return nil, err
		}
		if now, s.note, err = s.tip.policy(ctx); err != nil {
			return nil, err
		}
		s.configID = s.tip.configID()
	}
	now = now.Salted(own)
	s.policy = now
	s.in.Policy, s.in.HeadAllow, s.in.Unsalted = now.Policy, own.Policy.Allow, now.Salt == nil
	s.brings(before, now, own)
	s.in.Scanner, s.in.Blind = r.remembering(from, now)
	return s, nil
}

// brings tells the check what the head's own policy will do once it is merged: as far as it is
// another than where the head left the base. What the base branch did since then stays.
func (s *sides) brings(before, now, own config.Config) {
	if before.Answers.Unread || now.Answers.Unread {
		return
	}
	after := now.Answers.Rules.Merged(before.Answers.Rules, own.Answers.Rules)
	s.in.RulesAfter = &after
	if own.Policy.BlockQuestions != before.Policy.BlockQuestions || own.Policy.NoQuestions != before.Policy.NoQuestions {
		s.in.HeadPolicy = &own.Policy
	}
}

// taken is the head of a comparison.
func (c comparison) taken(ctx context.Context, from *source) (*snapshot, error) {
	if c.entries != nil {
		return laid(ctx, from, c.head, c.entries)
	}
	return take(ctx, from, c.head)
}

// today is the day by the store's clock.
func (r *Runner) today() checker.Date { return config.Day(r.cfg.Store.Now()) }

// strictest stands above the summary where a base's configuration has faults.
const strictest = "The configuration on the base branch has faults, so nothing of it counts: everything blocks that can. Mend it there.\n\n"

// policy is the configuration of a base. One with faults is replaced by the
// default, which lets nothing pass: a failure would block the very change that mends it.
func (s *snapshot) policy(ctx context.Context) (_ config.Config, note string, err error) {
	cfg, err := s.config(ctx)
	var faults config.Faults
	if errors.As(err, &faults) {
		return config.Strictest(s.Tree), strictest, nil
	}
	return cfg, "", err
}

// fetchRounds bounds how often a check is begun again for files that it turned
// out to read although they were not named before.
const fetchRounds = 3

// inspect fetches what the check says that it reads, and runs it.
func inspect(ctx context.Context, in checker.Input, base, head *snapshot) (checker.Report, error) {
	ofBase, ofHead, err := checker.Needs(in)
	if err != nil {
		return checker.Report{}, hush(err)
	}
	ids := head.ids(ofHead)
	if base != nil {
		ids = append(ids, base.ids(ofBase)...)
	}
	if err := head.from.fetch(ctx, ids); err != nil { // of both sides at once, so that what is missing is counted once
		return checker.Report{}, err
	}
	report, err := checker.Check(ctx, in)
	for round := 1; round < fetchRounds && errors.Is(err, errNotFetched); round++ {
		if err := errors.Join(base.fetchMissed(ctx), head.fetchMissed(ctx)); err != nil {
			return checker.Report{}, err
		}
		report, err = checker.Check(ctx, in)
	}
	return report, hush(err)
}

// faulty turns faults of the head's configuration into a failing outcome; other errors stay errors.
func faulty(err error) (outcome, error) {
	var faults config.Faults
	if !errors.As(err, &faults) {
		return outcome{}, err
	}
	out := checker.Output{Title: "The head's configuration has faults", Summary: "Mend the configuration and push again:\n\n"}
	for _, f := range faults {
		out.Summary += "- line " + itoa(f.Line) + ": " + f.Text + "\n"
		out.Annotations = append(out.Annotations, checker.Annotation{
			File: f.File, Line: f.Line, End: f.Line, Level: checker.Error, Title: "Configuration", Message: f.Text,
		})
	}
	return outcome{Conclusion: checker.Failure, Output: out}, nil
}

// unable is the outcome of what could not be checked (law 13): a failure that
// says so. The error's own text may quote what was read, so it is not passed on.
func unable(why string) outcome {
	return outcome{Conclusion: checker.Failure, Output: checker.Output{
		Title:   "Could not check",
		Summary: why + "\n\nThis is a failure, since what was not checked must not pass. Re-run the check to try again.",
	}}
}
