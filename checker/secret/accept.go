package secret

import (
	"regexp"
	"strings"
)

// mundane are forms of values that machines and people make for other things: a
// call, a version, a file, a date, an address, names in
// capitals, an account of a chain, a time-ordered id, a model, a publishable key, an algorithm.
var mundane = regexp.MustCompile(`^(?:@?[A-Za-z_][\w.]*[(\[].*|.*://.*|v?\d+(?:[.:/-]\d+)*[a-z%]{0,3}|\S+@\S+\.[a-z]{2,6}|[\w./-]+\.(?:[a-z]{1,4}|jsonl|json5|\w+config)` +
	`|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]+(?:/[A-Z]+)+|0x[0-9a-fA-F]{36,42}|[0-7][0-9A-HJKMNP-TV-Z]{25}|.*-\d+(?:\.\d+)?[BM]-.*|\S+(?:@|[=~<>!]=)v?\d+(?:\.\d+)+\S*|pk_(?:live|test)_.*|pk\.eyJ.*|\d+[- ]?(?:[a-z]+|[A-Z]+)|(?:19|20)\d\d-[01]\d-[0-3]\d\b.*|[A-Z]{14}-[A-Z]{10}-[A-Z]|(?:MD5:)?(?:[0-9a-fA-F]{2}:){5,}[0-9a-fA-F]{2}|.*(?:a-z|A-Z|0-9).*\].*` +
	`|(?i:argon2\w{0,10}|x?chacha20(?:-\w+)?|aes[-_]?\d{3}(?:[-_]\w+)*|sha-?\d+(?:[-_/]\w+)*|[hrep]s\d{3}k?|ed25519(?:-\w+)?|x25519\w{0,20}|base\d\d(?:url)?|utf-?\d+|oauth\d(?:\.\d)?|pbkdf2(?:-[\w-]+)?|[bs]crypt\w{0,4}|hmac[-_]\w+|rsa-\w+|ecdsa[-_]\w+|curve\d+))$`)

// accepts names the rule by which a value after a name is a secret, or "".
func (j *judge) accepts(p pairing) string {
	signed := p.sign || p.quoted
	digits := strings.ContainsAny(p.value, "0123456789")
	switch p.kind {
	case kindPassword:
		return j.acceptPassword(p)
	case kindPass:
		if p.assigned() || random(p.value) && classes(p.value) >= 3 {
			return j.acceptPassword(p)
		}
	case kindToken:
		if machineMade(p.value, 12, signed) {
			return "labelled-token"
		}
	case kindOTP:
		if (signed || len(p.value) >= 20) && machineMade(p.value, 16, false) && digits {
			return "labelled-token"
		}
	case kindKey, kindSalt:
		if p.kind == kindSalt && hexadecimal(p.value) {
			return ""
		}
		if (signed || len(p.value) >= 20) && machineMade(p.value, 16, false) && digits {
			return "labelled-key"
		}
	case kindLogin:
		if !p.sign && machineMade(p.value, 20, false) && digits {
			return "labelled-token"
		}
	}
	return ""
}

func (j *judge) acceptPassword(p pairing) string {
	signed := p.sign || p.quoted
	phrase := p.kind == kindPassword && j.chained(p.value)
	switch {
	case len(p.value) > 200 || !plainASCII(p.value) || commonplace(p.value) || weakLogin(p.value):
		return ""
	case strings.ContainsAny(p.value, " \t"):
		phrase = phrase && p.quoted && p.assigned()
	case random(p.value) || thoughtUp(p.value) || mixed(p.value) && (signed || odd(p.value) > quiteOdd):
		return "labelled-password"
	default:
		phrase = phrase && (p.assigned() || p.quoted && !p.sign || len(strings.FieldsFunc(p.value, joins)) > 3)
	}
	if phrase {
		return "worded-password"
	}
	return ""
}

// machineMade reports a random value of at least so many bytes; a shorter one
// than sixteen, or a UUID, only where it is assigned.
func machineMade(value string, least int, signed bool) bool {
	switch n := len(value); {
	case n < least || n < 16 && !signed && classes(value) < 3 || n > longestValue || strings.ContainsAny(value, " \t,(){}\\"):
		return false
	case n < 24 && strings.Contains(value, "/") || commonplace(value) || !plainASCII(value):
		return false
	}
	if uuidEnd.MatchString(value) {
		return signed
	}
	return random(value)
}

// thoughtUp reports passwords as people make them to please a rule: letters,
// numbers and a sign.
func thoughtUp(value string) bool {
	return classes(value) >= 3 && strings.ContainsAny(value, "0123456789") && strings.ContainsAny(value, "!@#$%^&*?+=~") &&
		!strings.ContainsAny(value, "(){}[]<>\\/")
}

// mixed reports letters and digits that read like no word with a number behind:
// surprising ones, or ones that change between the two again and again.
func mixed(value string) bool {
	switch {
	case lowerAndDigit.MatchString(value):
		return changes(value) >= 5 && odd(value) > 6 // names in code have capitals too
	case !strings.ContainsAny(value, "0123456789"):
		return false
	}
	return odd(value) > leastOdd || restless(value) && count(value) == len(value)
}

// restless reports a value that goes from letters to digits and back twice.
func restless(value string) bool {
	switches := 0
	for i := 1; i < len(value); i++ {
		if (value[i-1] <= '9') != (value[i] <= '9') {
			switches++
		}
	}
	return switches >= 4
}

// commonplace reports values that pages are full of.
func commonplace(value string) bool {
	if value != "" && strings.IndexByte("/.~-", value[0]) >= 0 && odd(value) < quiteOdd {
		return true // a path or an option
	}
	return mundane.MatchString(value) || argument(value)
}

// argument reports a name with a value of its own, "time_cost=3".
func argument(value string) bool {
	name, given, ok := strings.Cut(value, "=")
	return ok && len(name) > 1 && name[0] > '9' && (odd(name) < leastOdd || strings.Contains(name, "_") && strings.Trim(given, "=") != "") && !strings.ContainsAny(name, "!@#$%^&*")
}

// chained reports a phrase of three and more words with signs or spaces between
// them, none of which is a word of a sentence.
func (j *judge) chained(value string) bool {
	words := strings.FieldsFunc(value, joins)
	if len(words) < 3 || len(words) > 10 || len(value) < 14 || strings.Contains(value, " -") {
		return false
	}
	long := 0
	for _, w := range words {
		if j.lexicon.plain[strings.ToLower(w)] || strings.ContainsFunc(w, func(r rune) bool { return r > 'z' || !alphanumeric(byte(r)) }) {
			return false
		}
		if len(w) >= 3 && letter(w[0]) {
			long++
		}
	}
	return long >= 3
}

// joins reports what people put between the words of a phrase.
func joins(r rune) bool { return strings.ContainsRune(" -_.", r) }

func plainASCII(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool { return r > '~' })
}
