package checker

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// An Allow is an allow rule of the policy: a finding that somebody looked at and
// found to be no secret. It never speaks of a path alone: the fingerprint, which
// is that of rule and value, decides in any case.
type Allow struct {
	Rule        string // of the finding
	Path        string // a file, or a pattern in the syntax of shape.exclude
	Fingerprint string // 32 hex digits in lower case
	Reason      string
	Until       Date // the last day on which the rule holds
	Line        int  // in the configuration; 0 where it was not read from one
}

// Covers reports whether a finding is the one that the rule speaks of, whatever
// the day.
func (a Allow) Covers(f Finding) bool { return a.covers(f.Rule, f.Fingerprint, f.File) }

func (a Allow) covers(rule, fingerprint, file string) bool {
	return a.Rule == rule && a.Fingerprint == fingerprint && fingerprint != "" && extractor.Matches(a.Path, file)
}

// Over reports whether the rule does not hold any more. On no day at all it does
// not hold either.
func (a Allow) Over(today Date) bool { return today <= 0 || today > a.Until }

const (
	// AllowDays is the time that an offered rule is given, in days: a quarter of a
	// year is long enough for a review to come round.
	AllowDays = 90
	// MaxAllowDays is the longest time that cardkeeper allow gives a rule; the check
	// notes those that a person gave more. An exception is looked at once a year.
	MaxAllowDays = 366
	// endsSoon is from when on a check says that a rule is about to end: two weeks,
	// so that a holiday is no surprise.
	endsSoon = 14
	// MaxReason is the longest reason, in characters: it stands in one line.
	MaxReason = 300
)

// NoReason stands where a person is to write the reason. No rule with it is accepted.
const NoReason = "FILL IN: why is this no secret?"

// IsReason reports whether a text says why something may pass: one line with
// words in it, of at most [MaxReason] characters, and not what stood there to be
// filled in.
func IsReason(text string) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= MaxReason &&
		strings.ContainsFunc(text, unicode.IsLetter) && text == visible(text) &&
		!strings.HasPrefix(strings.ToUpper(strings.TrimSpace(text)), "FILL IN")
}

// YAML is the rule as an item of policy.allow, in lines without indentation.
// Nothing in it can end a line or a value.
func (a Allow) YAML() []string {
	return []string{
		"- rule: " + scalar(a.Rule),
		"  path: " + quoted(a.Path),
		"  fingerprint: " + scalar(a.Fingerprint),
		"  reason: " + quoted(a.Reason),
		"  until: " + a.Until.String(),
	}
}

// plain is a word that YAML takes as it stands, as text or as a number that is
// read as it was written.
var plain = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

func scalar(s string) string {
	if plain.MatchString(s) && s != "null" {
		return s
	}
	return quoted(s)
}

func quoted(s string) string { return "'" + strings.ReplaceAll(visible(s), "'", "''") + "'" }

// withheldPart is what the scanner left of a name that holds a found value.
var withheldPart = regexp.MustCompile(`\[withheld: [^\]]*\]`)

// exactly is the pattern of one file. What of its name is withheld, or would not
// be seen, is left open: the fingerprint decides.
func exactly(file string) string {
	var b strings.Builder
	for i, part := range withheldPart.Split(file, -1) {
		if i > 0 {
			b.WriteByte('*')
		}
		for _, r := range part {
			switch {
			case strings.ContainsRune(`*?[]\`, r):
				b.WriteRune('\\')
				b.WriteRune(r)
			case r != ' ' && unicode.IsSpace(r), unicode.In(r, unicode.Cc, unicode.Cf), r == utf8.RuneError:
				b.WriteByte('?')
			default:
				b.WriteRune(r)
			}
		}
	}
	if !strings.Contains(file, "/") { // without a slash it would mean a file of that name anywhere
		return "/" + b.String()
	}
	return b.String()
}

// Offer is the rule that would let a finding pass from today on, its reason still
// to be written. It is false for what no rule can allow.
func Offer(f Finding, today Date) (Allow, bool) {
	a := Allow{Rule: f.Rule, Path: exactly(f.File), Fingerprint: f.Fingerprint, Reason: NoReason}
	if today > 0 {
		a.Until = today + AllowDays
	}
	return a, secret.Knows(f.Rule) && IsFingerprint(f.Fingerprint)
}

var fingerprint = regexp.MustCompile(`^[0-9a-f]{32}$`)

// IsFingerprint reports whether a text has the form of a finding's fingerprint.
func IsFingerprint(s string) bool { return fingerprint.MatchString(s) }
