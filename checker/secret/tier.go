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
	case "shaped-token", "labelled-random", "prose-password":
		return 3
	case genericRule, "labelled-hex", "quoted-secret", "password-assignment", "cli-password", "url-query-secret", "bearer-token", "authorization-header":
		return 2
	case "curl-auth-header", "curl-auth-user", "curl-user", "jwt", "jwt-base64", "url-password", "url-user-token", "aws-secret-labelled":
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
	recordID = regexp.MustCompile(`^(?:[a-z]+_)?(?:file|msg|req|request|toolu|srvtoolu|run|thread|asst|call|chatcmpl|resp|evt|cus|sub|price|prod|pi|ch|in|seti|prj|org|user|usr|team|acct|agent|sess|session|skill|env|batch|msgbatch|container|job|task|trace|span|doc|page|row|node|img|video|sha\d+|md5|h1|did|urn|ipfs|commit|build|ref|v\d+)[_:-]`)
	uuid     = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
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
	case genericRule, "quoted-secret", "labelled-hex", "url-query-secret", "cli-password", "bearer-token", "authorization-header":
		if uuid.MatchString(h.value) || weakLabel.MatchString(h.label) {
			return Warn
		}
		if h.rule == genericRule && !strongLabel.MatchString(h.label) {
			return Warn
		}
		if len(h.value) >= 32 || len(h.value) >= 20 && classes(h.value) >= 3 {
			return Block
		}
		return Warn
	case "password-assignment":
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
	switch h.rule {
	case "prose-password":
		return letters && digits && (classes(value) >= 4 || !lowerAndDigit.MatchString(value))
	case "password-assignment", "curl-user":
		return letters && (digits || classes(value) >= 3) && !strings.ContainsAny(value, " \t") || passphrase(value)
	case "cli-password":
		path := strings.HasPrefix(value, "/") || strings.HasPrefix(value, ".") || strings.HasPrefix(value, "~")
		return letters && digits && !path
	case "url-query-secret", "bearer-token", "authorization-header", "quoted-secret", "url-user-token":
		return letters && digits && classes(value) >= 2
	case "shaped-token":
		return letters && digits && randomRun(value) && !recordID.MatchString(value)
	case "labelled-random":
		folder, _, path := strings.Cut(value, "/")
		return letters && digits && randomRun(value) && !(path && wordy(folder))
	}
	return true
}

// passphrase reports several words with digits or signs among them.
func passphrase(value string) bool {
	n := len(strings.Fields(value))
	return n >= 2 && n <= 8 && classes(value) >= 4 && strings.ContainsAny(value, "0123456789")
}

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
	changes := 0
	for i := 1; i < len(best); i++ {
		if kind(best[i]) != kind(best[i-1]) {
			changes++
		}
	}
	return changes*5 >= len(best) && strings.ContainsAny(best, "0123456789")
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
