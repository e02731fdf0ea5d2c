package answer

import "errors"

// What keeps a question from being answered and from being shown. Their texts can be shown.
var (
	// ErrSecret is of a question that holds what looks like a secret.
	ErrSecret = errors.New("this looks like a secret: rotate it, and ask again without it")
	// ErrWithheld is of one that holds a value which the policy withholds.
	ErrWithheld = errors.New("the question names something that the policy says must not be indexed; ask again without it")
	// ErrNever is of one that holds a name which no answer may hold.
	ErrNever = errors.New("the question names something that the policy says no answer may name; ask again without it")
)

// Silent reports whether an error is one of a question that must be neither shown
// nor kept: [ErrSecret], [ErrWithheld] or [ErrNever].
func Silent(err error) bool {
	return errors.Is(err, ErrSecret) || errors.Is(err, ErrWithheld) || errors.Is(err, ErrNever)
}
