package secret

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"
	"github.com/zricethezav/gitleaks/v8/logging"
)

var (
	// ErrNotScanned means that the text was not looked through to its end. It
	// says nothing about the text: treat it as a failed check, never as clean.
	ErrNotScanned = errors.New("not scanned for secrets")
	// ErrFewRules means that the rule set is not what this program was built with.
	ErrFewRules = errors.New("too few secret rules; this build is damaged, install it again")
	// ErrNotWithheld means that a found value could not be taken out of a text.
	ErrNotWithheld = errors.New("a secret could not be taken out of the text")
	// ErrNoKey and ErrWrongKey mean that withheld values were not looked for.
	ErrNoKey    = errors.New("there is no key to look for withheld values with")
	ErrWrongKey = errors.New("the key is not the one that the withheld values were hashed with, or policy.salt has changed since")
	// ErrBadKey and ErrUnfit refuse a key and a value to be withheld.
	ErrBadKey = errors.New("not a key for withheld values")
	ErrUnfit  = errors.New("not fit to be withheld")
)

const (
	// DefaultMaxBytes is far above any Markdown file that people write (the
	// longest measured one has 1.1 MB) and keeps the worst text within seconds.
	DefaultMaxBytes = 4 << 20
	// DefaultDeadline stops what was made to be slow, and what has more to
	// fingerprint than there is time for. Usual Markdown takes 0.07 to 0.1 processor
	// seconds a MB, text that is nothing but keywords of rules 0.7 to 1.4.
	DefaultDeadline = time.Minute

	// decodeDepth is how often text decoded from base64, hex, percent or \u
	// escapes is decoded again. The library's own default, 0, misses every
	// encoded token; past three layers nobody encodes by accident.
	decodeDepth = 3
)

// init silences gitleaks before any goroutine can log through it: its logger is
// a package variable, read without a lock.
func init() { logging.Logger = zerolog.Nop() }

// Options say how to scan. The zero value is usable.
type Options struct {
	// Salt makes fingerprints of one repository useless in another. Without it
	// they are the same everywhere, and a weak password can be looked up in a
	// table made once: give the salt of the configuration before you publish one.
	Salt []byte
	// MaxBytes is the longest text that is scanned; 0 means DefaultMaxBytes.
	MaxBytes int
	// Deadline is the longest time for one text; 0 means DefaultDeadline. It is
	// looked at between two rules, so a scan can end a little after it.
	Deadline time.Duration
}

// A Scanner finds secrets. It is safe for use by several goroutines at once. It
// holds about 15 MB: make one and share it.
type Scanner struct {
	rules   *sieve
	labels  *sieve // the rules that are tried on likely lines only
	judge   *judge
	least   int // how many rules there must be
	opts    Options
	watch   *watch         // for withheld values; nil for none
	only    bool           // look for those alone
	passing map[Known]bool // see Except
}

// New reads the rules and returns a scanner. It fails with [ErrFewRules] rather
// than give a scanner that would find nothing.
func New(opts Options) (*Scanner, error) {
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = DefaultMaxBytes
	}
	if opts.Deadline <= 0 {
		opts.Deadline = DefaultDeadline
	}
	opts.Salt = append([]byte(nil), opts.Salt...)
	cfg, err := loadRules()
	if err != nil {
		return nil, fmt.Errorf("secret.New: %w", err)
	}
	rules, err := newSieve(cfg.Config)
	if err != nil {
		return nil, fmt.Errorf("secret.New: %w", err)
	}
	labels, err := newSieve(cfg.labels)
	if err != nil {
		return nil, fmt.Errorf("secret.New: %w", err)
	}
	return &Scanner{
		rules: rules, labels: labels, judge: newJudge(),
		least: len(cfg.Rules) + len(cfg.labels.Rules), opts: opts,
	}, nil
}

// Rules is the number of rules that are looked for.
func (s *Scanner) Rules() int { return len(s.rules.rules) + len(s.labels.rules) }

// Scan returns the secrets in a text, sorted by place, then rule; none is a
// clean text. What two rules found at one place is one finding, named by the
// more specific rule. Every error wraps [ErrNotScanned]; if it was the caller's
// ctx that ended, the error wraps the context's too.
func (s *Scanner) Scan(ctx context.Context, text string) ([]Finding, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.opts.Deadline, errLate)
	defer cancel()
	hits, err := s.detect(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("secret.Scan: %w", err)
	}
	remember(ctx, text, hits)
	found, err := s.findings(ctx, text, hits)
	if err != nil {
		return nil, fmt.Errorf("secret.Scan: %w", err)
	}
	return found, nil
}

// WithSalt returns a scanner with the same rules whose fingerprints are made
// with another salt. It costs nothing: the rules are shared.
func (s *Scanner) WithSalt(salt []byte) *Scanner {
	other := *s
	other.opts.Salt = append([]byte(nil), salt...)
	return &other
}
