package secret

import (
	"regexp"
	"strings"
)

// generality ranks rules by how much their match says: 0 for a form that one
// vendor or standard owns, 1 for a place where only credentials stand, 2 for a
// label with something random after it, 3 for what only warns.
func generality(rule string) int {
	switch rule {
	case "shaped-token", "worded-password", "labelled-nearby", "labelled-key", "recovery-code", "hook-address", "licence-form":
		return 3
	case "labelled-password", "labelled-token", "seed-phrase", "cli-password", "piped-password", "user-login", "registry-auth", "url-query-secret", "bearer-token", "authorization-header":
		return 2
	case "curl-auth-header", "curl-auth-user", "curl-user", "jwt", "jwt-base64", "url-password", "url-user-token", "aws-secret-labelled", "pgpass-line", "oracle-login":
		return 1
	}
	return 0
}

var (
	strongLabel = regexp.MustCompile(`(?i)(?:api|access|private|encrypt\w*|signing|client|auth)[_. -]{0,2}key|secret|token|passw|pwd|credential`)
	weakLabel   = regexp.MustCompile(`(?i)(?:cache|idempoten\w*|e?tag|commit|page|next|continuation|cursor|nonce|file|row|partition|sort|object|public|pub|checksum|digest|sha\d*|md5|hash|integrity|csrf|xsrf)[_. -]?(?:key|token|id)?\W*$`)
	// "bcrypt/argon2": words, one with a number.
	lowerAndDigit = regexp.MustCompile(`^[A-Za-z/_.-]+[0-9]{0,2}(?:[/_.,:;?!-].*)?$`)
	// Ids that services give to files, requests, messages and accounts.
	recordID = regexp.MustCompile(`(?i)^(?:[a-z]+_)?(?:file|msg|req|request|toolu|srvtoolu|run|thread|asst|call|chatcmpl|resp|evt|cus|sub|price|prod|pi|ch|in|seti|prj|org|user|usr|team|acct|agent|sess|sesn|session|skill|env|batch|msgbatch|container|job|task|trace|span|doc|page|row|node|img|video|sha\d+|md5|h1|did|urn|ipfs|commit|build|ref|v\d+|pk_live|pk_test|pub|nonce)[_:-]`)
	// The head of a token: one word, in one case.
	vendor = regexp.MustCompile(`^(?:[a-z][a-z0-9]*[a-z0-9]|[A-Z][A-Z0-9]*[A-Z0-9]|[A-Z]?[a-z]+)[_.:-]`)
	// A UUID behind a vendor's prefix is a token as well.
	uuidEnd = regexp.MustCompile(`(?i)^(?:[a-z0-9]{2,8}-){0,2}[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	uuid    = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
)

// tier judges one hit. Generic values block from 20 characters of three classes
// or 32 of any on, and only after a label that names a secret: in 57,000
// Markdown files of skill collections nearly all others were page ids and
// digests. Passwords that a person thought up block only where a machine reads
// them.
func tier(h hit) Tier {
	if strings.HasSuffix(h.rule, "-client-id") || public(h.rule) || generality(h.rule) == 3 {
		return Warn
	}
	switch h.rule {
	case "labelled-token", "url-query-secret", "cli-password", "piped-password", "user-login", "bearer-token", "authorization-header":
		if uuid.MatchString(h.value) || h.rule == "labelled-token" && onChain.MatchString(h.value) {
			return Warn
		}
		if len(h.value) >= 32 || len(h.value) >= 20 && classes(h.value) >= 3 {
			return Block
		}
		return Warn
	case "labelled-password":
		if len(h.value) < 12 || classes(h.value) < 3 {
			return Warn
		}
	}
	return Block
}

// strong reports whether a value is random enough for the rule that found it.
func strong(h hit) bool {
	value := credential(h)
	letters := strings.ContainsFunc(value, func(r rune) bool { return r > '9' && r != '_' })
	digits := strings.ContainsAny(value, "0123456789")
	machine := odd(value) > leastOdd || hexadecimal(value)
	switch h.rule {
	case "curl-user", "pgpass-line", "oracle-login":
		return letters && (digits || classes(value) >= 3) && !strings.ContainsAny(value, " \t")
	case "user-login":
		return letters && digits && classes(value) >= 3 && !commonplace(value) && (machine || thoughtUp(value))
	case "cli-password", "piped-password":
		return letters && digits && machine && !commonplace(value) && strings.IndexByte("/.~", value[0]) < 0 && (!uuid.MatchString(value) || strongLabel.MatchString(h.label))
	case "url-query-secret":
		return letters && digits && classes(value) >= 2 && (machine || uuid.MatchString(value)) && !weakLabel.MatchString(h.label)
	case "bearer-token", "authorization-header", "url-user-token":
		return letters && digits && classes(value) >= 2 && (machine || uuid.MatchString(value))
	case "hook-address", "licence-form":
		return letters && digits && machine
	case "shaped-token":
		return letters && digits && randomRun(value) && odd(value) > leastOdd && vendor.MatchString(value) && !recordID.MatchString(value) && !pathOrFile(value)
	case "registry-auth":
		_, ok := unpackLogin(value)
		return ok
	}
	return true
}

// pathOrFile reports an address without its scheme, and a file named by its digest.
func pathOrFile(value string) bool {
	_, after, dotted := strings.Cut(value, ".")
	return dotted && (strings.Contains(value, "/") || hexadecimal(after))
}

// onChain reports the length and alphabet of an account or a contract: what a
// "token" of theirs is.
var onChain = regexp.MustCompile(`^[1-9A-HJ-NP-Za-km-z]{43,44}$`)

// randomRun reports a value whose longest run of letters and digits changes
// between them, and between cases, as often as random ones do.
func randomRun(value string) bool {
	best, run := "", 0
	for i := 0; i <= len(value); i++ {
		if i < len(value) && alphanumeric(value[i]) {
			continue
		}
		if i-run > len(best) {
			best = value[run:i]
		}
		run = i + 1
	}
	if len(best) < 16 {
		return false
	}
	return changes(best)*5 >= len(best) && strings.ContainsAny(best, "0123456789")
}

// changes counts how often a value goes from one kind of byte to another.
func changes(value string) int {
	n := 0
	for i := 1; i < len(value); i++ {
		if kind(value[i-1]) != kind(value[i]) {
			n++
		}
	}
	return n
}

func kind(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return 0
	case c >= 'a' && c <= 'z':
		return 1
	}
	return 2
}
