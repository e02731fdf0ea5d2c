package jobs

import (
	"errors"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// scanner is the scanner under a policy, and why it does not look for what that
// policy withholds: "" where it does, or where there is nothing to look for.
func (r *Runner) scanner(policy config.Config) (checker.Scanner, string) {
	s, err := policy.Scanner(r.cfg.Scanner, r.cfg.WithholdKeys...)
	return counted{s, r}, blind(err)
}

// blind says what keeps the App from looking for withheld values, and who mends it.
func blind(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, secret.ErrNoKey):
		return "The policy lists such values, and the App has no key to look for them. Whoever runs the App gives it the list's key as `withhold_key_file` in its settings."
	case errors.Is(err, secret.ErrWrongKey):
		return "The App's key is not the one that the policy's list was made with, or `policy.salt` was changed since. Whoever runs the App gives it the list's key as `withhold_key_file` in its settings."
	}
	return "The configuration at the base has faults, so that its list of such values cannot be read: mend it there first."
}
