package secret

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// A judge tells values that stand in for a secret from secrets. It looks at the
// value alone: a word elsewhere on the line, or a path, excuses nothing, since
// whoever adds a secret could write it there.
type judge struct {
	reference *regexp.Regexp
	inner     *regexp.Regexp
	prefix    *regexp.Regexp
	pattern   *regexp.Regexp
	words     *strings.Replacer
	lexicon   *lexicon
}

func newJudge() *judge {
	var pairs []string
	for _, w := range strings.Fields(standIns) {
		pairs = append(pairs, w, "\x00")
	}
	return &judge{
		// Anchored at both ends: "$ecr3tX9" and "{{x}}abc" are no references.
		reference: regexp.MustCompile(`^(?:\$[A-Z][A-Z0-9_]*:?|\$(?:env:)?[A-Za-z_]+:?|\$\{[^{}]*\}|\$\$?\{\{[^{}]*\}\}|\$\([^()]*\)|<[^<>]*>|\{\{?[^{}]*\}?\}|\[[A-Za-z_ -]*\]|%[A-Za-z_]+%|__[A-Z0-9_]+__|@[A-Za-z_.]+@` +
			`|\$\{[^{}]*|\$\([^()]*|\{\{?[A-Za-z_. -]*|<[A-Za-z_. -]*|\[withheld:?.*` + // the rule cut it short
			`|(?:process\.env|os\.environ|os\.getenv|import\.meta\.env|Deno\.env|secrets|vars|env|ENV)[.\[("'][\w."'\[\]()-]*` +
			`|(?:op|vault|ssm|secretref|keyring|gcpsm|awssm|file)://.*|arn:[a-z0-9-]+:[a-z0-9-]*:.*` +
			`|[A-Za-z_]+(?:\.[A-Za-z_]+)*[(\[](?:.*[)\]])?[;,]?|[A-Za-z_]+(?:(?:\.|->|::)[A-Za-z_]+)+)$`),
		inner:   regexp.MustCompile(`\$\{[^{}]*\}|\$\([^()]*\)|\{\{[^{}]*\}\}|<[^<>]*>|\$[A-Z_]{2,}\b`),
		prefix:  regexp.MustCompile(`^(?:[A-Za-z]{1,8}[0-9]{0,2}[_-]){1,3}`),
		pattern: regexp.MustCompile(`\[(?:[A-Za-z0-9]-[A-Za-z0-9]|\\w)|[\]\w]\{\d+(?:,\d*)?\}|\(\?[:i]`),
		words:   strings.NewReplacer(pairs...),
		lexicon: newLexicon(),
	}
}

// standIns are the words that documentation writes for a secret, longest first
// where one holds another.
const standIns = `placeholder replaceme replace changeme change-me changeit change example sample insert redacted your_ your- your ` +
	`mysecretpassword secretkey secrets secret password passphrase passwd username hostname dbname database postgresql postgres mysql mongodb mongo ` +
	`api_key api-key apikey access private public service account webhook signing generated generate random secure strong super dummy fake ` +
	`foobar foo bar baz todo value token client project bearer credential hunter2 letmein qwerty string hash encoded base64 ` +
	`demo test valid invalid correct wrong weak temp initial user admin default prod live staging key auth here from with some this that goes long pass pwd bot url api the for and app xxx abc 123 org ` +
	`my me id`

// standsIn reports whether a value stands for a secret. follows is the text
// right after it.
func (j *judge) standsIn(rule, value, follows string) bool {
	value = strings.Trim(value, " \t\"'`")
	if j.reference.MatchString(value) || known(value) || j.pattern.MatchString(value) {
		return true
	}
	if strings.Contains(value, "...") || strings.Contains(value, "…") || strings.Contains(value, "***") {
		return true
	}
	rest := j.inner.ReplaceAllString(value, "")
	body := rest
	if !thought(rule) {
		body = rest[len(j.prefix.FindString(rest)):]
	}
	if len(body) < 24 && cutShort(follows) {
		return true
	}
	all, left := count(rest), count(collapse(j.words.Replace(collapse(strings.ToLower(body)))))
	least := 6
	if count(body) >= 10 {
		least = 8
	}
	return masked(body) || left < least && left < count(body) || len(rest) < len(value) && all < least || left*5 < count(body)
}

// thought reports the rules for what people think up: it has no vendor's prefix.
func thought(rule string) bool {
	return rule == "worded-password" || rule == "labelled-password" || rule == "url-password"
}

// masked reports a value of which most is one letter again and again.
func masked(body string) bool {
	run, longest := 1, 0
	for i := 1; i < len(body); i++ {
		if run++; body[i] != body[i-1] {
			run = 1
		}
		longest = max(longest, run)
	}
	return longest >= 6 && count(body)-longest < 16
}

// cutShort reports the marks of a value that is not shown whole.
func cutShort(follows string) bool {
	return strings.HasPrefix(follows, "...") || strings.HasPrefix(follows, "…") || strings.HasPrefix(follows, "***")
}

// count counts letters and digits; what is in no alphabet of ours counts too.
func count(text string) (n int) {
	for i := 0; i < len(text); i++ {
		if alphanumeric(text[i]) || text[i] >= 0x80 {
			n++
		}
	}
	return n
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// collapse takes out runs of four or more that repeat one character or go up by
// one: "xxxx", "12345", "abcdef". The text is in lower case.
func collapse(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		same, up := i+1, i+1
		for same < len(text) && text[same] == text[i] {
			same++
		}
		for up < len(text) && next(text[up-1], text[up]) {
			up++
		}
		if end := max(same, up); end-i >= 4 {
			i = end
			out.WriteByte(0)
			continue
		}
		out.WriteByte(text[i])
		i++
	}
	return out.String()
}

// next reports whether b follows a in the alphabet or in counting, where 0
// comes after 9.
func next(a, b byte) bool {
	return alphanumeric(a) && alphanumeric(b) && (b == a+1 || a == '9' && (b == '0' || b == 'a') || a == '0' && b == 'a')
}

// known reports values that vendors print in their own documentation, by the
// SHA-256 of the whole: nothing can stand before or after.
func known(value string) bool {
	sum := sha256.Sum256([]byte(value))
	switch hex.EncodeToString(sum[:]) {
	case "1a5d44a2dca19669d72edf4c4f1c27c4c1ca4b4408fbb17f6ce4ad452d78ddb3", // AWS: the id
		"c6ea27c534f993d31f0aef882e3d200e7b87470c379ae79c8f9b19d3bd363dc9", // AWS: another id
		"78314b11be2e581549ac1c4f616563fad3fdf0c3b71678f6e2299182080e0598", // AWS: the secret
		"e21b597ba6b9cafa59d9ebc4d65c0385f5eb3fa56abab2607fa76589ad849a33", // AWS: another secret
		"7f75367e7881255134e1375e723d1dea8ad5f6a4fdb79d938df1f1754a830606", // jwt.io
		"0011cc25eb4320717494d2703e8cba85743e71b500283c21c8b88147992f9059", // Azurite
		"2cafc0970149a84f3b9e62eaf169f36f59907a3b3e31f7b82e68c69cd27f7326", // Stripe
		"f2d6ca16515033e5dce14eba840b979d27b5cbae24bb3e5bf484339667f86397", // Stripe, earlier
		"aa6547439583c3a275d4542a0df6c1ad6a863971be9f2a2220f027cc02aef615", // Cosmos DB emulator
		"8be5d113c0871ce1a122d68a7dff940ab7b09ad8dfcfd9a85aa5c1acc026279e": // the seed of one-time passwords in every tutorial
		return true
	}
	return false
}
