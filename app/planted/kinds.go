package planted

import (
	"slices"
	"strings"
)

// A Kind is one value with the Markdown that it stands in.
type Kind struct {
	Name string
	// Text is one line of plain text that holds the value, with the label that its
	// rule needs; fit for a statement, a question, a title.
	Text string
	// Block is Markdown that holds it as people write it: a fence, a table, a
	// paragraph over several lines.
	Block string
	// Bare is the value where it can be told without a label and can be part of a
	// file's name; "" where it cannot.
	Bare string
	// Warned kinds are told and do not block; a card may hold them.
	Warned bool

	values []string
}

// Question is the text without its value: a question that the statement would
// answer.
func (k Kind) Question() string {
	text := k.Text
	for _, value := range k.values {
		text = strings.ReplaceAll(text, value, "")
	}
	return "what is " + text
}

// pieceSize is the least that counts as a piece of a value, in bytes.
const pieceSize = 8

// Kinds makes one value of each kind.
func Kinds(seed uint64) []Kind {
	m := newMint(seed)
	return slices.Concat(m.tokens(), m.labelled(), m.addresses(), m.blocks(), m.disguised())
}

// tokens tell themselves by their form. A line a kind.
func (m mint) tokens() (out []Kind) {
	for _, row := range [][2]string{
		{"github-classic", "ghp" + "_" + m.any(36)},
		{"github-oauth", "gho" + "_" + m.any(36)},
		{"github-server", "ghs" + "_" + m.any(36)},
		{"github-fine-grained", "github" + "_pat_" + m.any(22) + "_" + m.any(59)},
		{"gitlab", "glpat" + "-" + m.any(20)},
		{"npm", "npm" + "_" + m.any(36)},
		{"pypi", "pypi" + "-AgEIcHlwaS5vcmc" + m.any(80)},
		{"docker", "dckr" + "_pat_" + m.any(27)},
		{"slack-bot", "xox" + "b-" + m.pick(digits, 12) + "-" + m.pick(digits, 13) + "-" + m.any(24)},
		{"stripe", "sk" + "_live_" + m.any(24)},
		{"stripe-restricted", "rk" + "_live_" + m.any(40)},
		{"web-hook-signature", "whsec" + "_" + m.any(32)},
		{"google", "AI" + "za" + m.any(35)},
		{"google-client", "GOC" + "SPX-" + m.any(28)},
		{"openai-project", "sk" + "-proj-" + m.any(74) + "T3Blb" + "kFJ" + m.any(74)},
		{"anthropic", "sk" + "-ant-api03-" + m.any(93) + "AA"},
		{"hugging-face", "hf" + "_" + m.pick(lower, 17) + m.pick(upper+lower, 17)},
		{"vault", "hv" + "s.CAESI" + m.any(90)},
		{"digitalocean", "dop" + "_v1_" + m.pick(hexes, 64)},
		{"linear", "lin" + "_api_" + m.any(40)},
		{"newrelic", "NR" + "AK-" + m.pick(upper+digits, 27)},
		{"grafana", "glsa" + "_" + m.any(32) + "_" + m.pick(hexes, 8)},
		{"sendgrid", "SG" + "." + m.any(22) + "." + m.any(43)},
		{"shopify", "shp" + "at_" + m.pick(hexes, 32)},
		{"postman", "PMAK" + "-" + m.pick(hexes, 24) + "-" + m.pick(hexes, 34)},
		{"databricks", "da" + "pi" + m.pick(hexes, 32)},
		{"clojars", "CLO" + "JARS_" + m.pick(lower+digits, 60)},
		{"pulumi", "pul" + "-" + m.pick(hexes, 40)},
		{"planetscale", "pscale" + "_tkn_" + m.any(40)},
		{"aws-id", "AK" + "IA" + m.pick(upper+"234567", 16)},
	} {
		out = append(out, bare(row[0], row[1]))
	}
	return out
}

// bare is a kind whose value needs no label.
func bare(name, value string) Kind {
	return Kind{Name: name, Text: "use " + value + " here", Block: "- use `" + value + "` here\n", Bare: value, values: []string{value}}
}

// lined is a kind whose value stands in one line with its label, in a block of its own.
func lined(name, value, text, block string) Kind {
	return Kind{Name: name, Text: text, Block: block + "\n", values: []string{value}}
}

// warned is a kind that never blocks.
func warned(k Kind) Kind {
	k.Warned = true
	return k
}
