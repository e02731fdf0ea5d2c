package secret

import "strings"

const (
	// narrowTail ends 151 of the default rules. It knows code, not Markdown: a
	// token before a comma, a full stop, a bracket or an asterisk does not match.
	narrowTail = "(?:[\\x60'\"\\s;]|\\\\[nr]|$)"
	// wideTail lets a token end at all that Markdown and prose put after one.
	wideTail = "(?:[\\x60'\"\\s;,.:!?&#)\\]}>|*<~\\\\]|[^\\x00-\\x7F]|$)"
)

// widen makes a default expression fit Markdown.
func widen(rule, re string) string {
	switch rule {
	case "azure-ad-client-secret":
		re = strings.Replace(re, `\s>=:(,)]`, `\s<>=:(,)*|{\[~.#/&?;!\x{80}-\x{10FFFF}]`, 1)
		return strings.Replace(re, "(?:$|[\\\\'\"\\x60\\s<),])", wideTail, 1)
	case "curl-auth-user":
		if head, ok := strings.CutSuffix(re, `(?:\s|\z)`); ok {
			return head + "(?:[\\s\\x60\"'|*)<,;]|\\z)"
		}
	}
	return strings.ReplaceAll(re, narrowTail, wideTail)
}
