package answer

// Reason is why a question was refused, as one word that stays: uncovered, elsewhere, flag,
// no_words, number, instructs, too_many, too_long, no_facts; withheld where the answer may not be
// shown; secret, names_withheld or never where the question may not.
func (r Refusal) Reason() string {
	switch r.Why {
	case whyNoWords:
		return "no_words"
	case whyNumber:
		return "number"
	case whyTooLong:
		return "too_long"
	case whyElsewhere:
		return "elsewhere"
	case whyFlag:
		return "flag"
	case whyInstructs:
		return "instructs"
	case whyTooMany:
		return "too_many"
	case whyNoFacts:
		return "no_facts"
	case WhyWithheld:
		return "withheld"
	case ErrSecret.Error():
		return "secret"
	case ErrWithheld.Error():
		return "names_withheld"
	case ErrNever.Error():
		return "never"
	}
	return "uncovered"
}
