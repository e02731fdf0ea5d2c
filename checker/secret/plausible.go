package secret

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode/utf8"
)

// excused reports whether a match is no secret. follows is the text after the
// value.
func (j *judge) excused(h hit, follows string) bool {
	switch h.rule {
	case "private-key", "private-key-head":
		return stubKey(h.value)
	case "jwt", "curl-auth-header", "authorization-header", "bearer-token", "labelled-token", "labelled-key", "labelled-nearby":
		if publicToken(h.value) {
			return true
		}
	}
	if !strong(h) || strings.HasPrefix(h.value, "eyJ") && cutShort(follows) {
		return true
	}
	if h.rule == "url-user-token" && publicHost.MatchString(follows) {
		return true
	}
	if h.rule == "url-password" && j.exampleLogin(h, follows) {
		return true
	}
	if value, ok := basicPassword(h); ok {
		return weakLogin(value) || j.standsIn(h.rule, value, "")
	}
	if j.standsIn(h.rule, credential(h), follows) || h.rule == "labelled-password" && len(h.value) < 16 && !restless(h.value) && j.standsIn(h.rule, fold(h.value), follows) {
		return true
	}
	return judgedByWords(h.rule) && wordy(credential(h)) && !(h.rule == "url-password" && j.chained(h.value))
}

// exampleLogin reports the logins of pages that explain an address: a password
// that is the user's name, a weak one, or a short one at a host of one's own.
func (j *judge) exampleLogin(h hit, follows string) bool {
	user := strings.TrimSuffix(strings.TrimPrefix(h.label, "://"), ":")
	host := strings.TrimPrefix(follows, "@")
	own := len(h.value) < 12 && ownHost.MatchString(host)
	return own || h.value == user || weakLogin(h.value) || wordy(h.value) && !j.chained(h.value)
}

// credential is the part of a value that must be secret: of "user:password" the
// password, of a web hook's address what comes after the host.
func credential(h hit) string {
	value := strings.Trim(h.value, "\"'")
	if h.rule == "curl-auth-user" || h.rule == "curl-user" {
		if user, password, ok := strings.Cut(value, ":"); ok && password != "" {
			return strings.Trim(password, "\"'")
		} else if ok {
			return user
		}
	}
	if head := publicHead.FindString(value); head != "" && len(head) < len(value) {
		value = value[len(head):]
		for _, known := range []string{"services/", "workflows/", "triggers/", "api/webhooks/"} {
			value = strings.TrimPrefix(value, known)
		}
	}
	return value
}

// basicPassword is the password in what an HTTP Basic header or a registry's
// client holds.
func basicPassword(h hit) (string, bool) {
	switch h.rule {
	case "curl-auth-header", "authorization-header":
		if !strings.HasSuffix(strings.TrimRight(strings.ToLower(h.label), " \t"), "basic") {
			return "", false
		}
	case "registry-auth", "labelled-token", "labelled-key", "labelled-nearby":
	default:
		return "", false
	}
	password, login := unpackLogin(h.value)
	return password, login && password != ""
}

// unpackLogin decodes "user:password" and returns the password.
func unpackLogin(value string) (string, bool) {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	if err != nil || !utf8.Valid(raw) || strings.ContainsFunc(string(raw), func(r rune) bool { return r < ' ' }) {
		return "", false
	}
	_, password, ok := strings.Cut(string(raw), ":")
	return password, ok
}

// weakLogin reports passwords that everybody tries first, also in the spelling
// with digits for letters.
func weakLogin(password string) bool {
	folded := fold(password)
	folded = strings.TrimRight(folded, "0123456789._-oieast")
	for _, w := range strings.Fields("password passw pass secret admin root guest test changem changeme qwerty letmein welcom welcome postgr postgres mysql") {
		if folded == w || folded == strings.TrimRight(w, "oieast") {
			return true
		}
	}
	return false
}

var plainLetters = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "")

// fold undoes the spelling with digits and signs for letters.
func fold(password string) string {
	return plainLetters.Replace(strings.ToLower(password))
}

// publicHost takes reports from every browser: the user in its address is shown to all.
var publicHost = regexp.MustCompile(`^@o\d+\.ingest\.`)

var ownHost = regexp.MustCompile(`^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|db|database|host|hostname|server|postgres|mysql|mongo|mongodb|redis|rabbitmq|example\.|[a-z.]*example\.(?:com|org|net))`)

// A word of prose or of an identifier: letters of one case, or one capital and
// small ones, with a vowel.
var wordParts = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+`)

// wordy reports values made of words, such as the names of resources: at least
// three in four of their letters and digits stand in words or short numbers.
func wordy(value string) bool {
	total, inWords, words := 0, 0, 0
	for _, at := range wordParts.FindAllStringIndex(value, -1) {
		part := value[at[0]:at[1]]
		if !alphanumeric(part[0]) {
			continue
		}
		total += len(part)
		switch {
		case len(part) == 8 && part[:2] == "20": // a date
			inWords += len(part)
		case part[0] <= '9' && at[0] > 0 && at[1] < len(value) && alphanumeric(value[at[0]-1]) && alphanumeric(value[at[1]]):
			return false // digits amid letters
		case part[0] <= '9':
			if len(part) <= 2 || len(part) == 4 && (part[:2] == "19" || part[:2] == "20") {
				inWords += len(part)
			}
		case len(part) > 1 && part[1] <= 'Z' && at[1] < len(value) && alphanumeric(value[at[1]]):
			// Capitals that small letters follow are no word.
		case pronounceable(part):
			inWords += len(part)
			words++
		}
	}
	return words > 0 && inWords*4 >= total*3
}

// pronounceable reports letters that read as a word: some vowels, never five
// consonants in a row. Random letters of four and more rarely do.
func pronounceable(part string) bool {
	if len(part) < 4 {
		return false
	}
	vowels, run, longest := 0, 0, 0
	for _, c := range strings.ToLower(part) {
		if strings.ContainsRune("aeiouy", c) {
			vowels++
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return vowels*6 >= len(part) && longest < 5 && vowels*5 <= len(part)*4
}

// judgedByWords reports the rules that know nothing of the value but its label
// or its place. Those that read the label themselves have judged it already.
func judgedByWords(rule string) bool {
	return generality(rule) > 0 && rule != "jwt" && !strings.HasPrefix(rule, "labelled-") && rule != "worded-password" && rule != "seed-phrase"
}
