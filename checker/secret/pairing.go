package secret

import (
	"regexp"
	"strings"
)

var (
	// gap is what stands between a name and its value: closing marks, a remark in
	// brackets, a sign or a word that assigns, a type, opening marks.
	gap = regexp.MustCompile(`^["'\x60*\])}]{0,4}(?:[ \t]?\([^()\r\n]{1,40}\))?["'\x60*]{0,3}[ \t]{0,40}(:=|=>|->|==?|[:：→|—–,(>?]|-[ \t]|(?:is now|is|are|was|to|as|equals|[07]|ist|est|es|è|é|jest|是|为|為)[ \t:]|[是為为는은は])?` +
		`[ \t]{0,40}(?:(?:str|string|String|bytes)[ \t]{0,2}=[ \t]{0,2})?[=|:>]?[ \t*_|(\[{]{0,8}(?:[\w.]{2,30}\()?(?:["']?[\w.-]{1,7}["']?,[ \t]?)?(?:base64:|pass:|plain:|raw:|s:|(?:ascii-text|plaintext|cleartext|ascii|hex|value) |Basic |Bearer |Token |Splunk )?(?:[brf]?(["'\x60“‘«„]))?`)
	// bridge is a sentence between them.
	bridge = regexp.MustCompile(`^["'\x60*)]{0,4}(?:[ \t]+(?:[A-Za-z]{2,14}(?:[ \t]+[A-Za-z]{2,14})?|(?:of|for|on|in|to|at|that|which|we|from|used|by|here|with|now|today|currently|der|des|für|du|de|pour|del|para|voor)(?:[ \t]+[^\s:=|]{1,30}){0,14}?))?` +
		`(?:[ \t]+(is|are|was|ist|est|es|è|é|jest|=)(?: (?:still|now|currently|always|simply|just|also|again)| (?:set|changed|updated|rotated|reset|equal) to)?|(:)|,? (type|enter|use|paste|give|answer|put|choose|supply)(?: in| it)?)[ \t]{1,4}[*_(]{0,3}(["'\x60“‘«„])?`)
	// prior is a value and the words from it to a name.
	prior = regexp.MustCompile(`(?:^|[\s(])(["'\x60*]{0,3})([^\s"'\x60<>]{8,300})["'\x60*)]{0,4}(?: is| as| =)(?: [A-Za-z]{1,12}){0,3}[ *\x60"'(]{0,3}$`)
	// login is a user's name, a sign between, and what comes next.
	login = regexp.MustCompile(`^["'\x60*)]{0,4}[ \t]*(?:[:=|—–-]|is|are|as|with)?[ \t*(|]*["'\x60]?[\w.@+-]{1,40}["'\x60*]{0,3}[ \t]?(?:/|:|,? (?:and|with)(?: the)?)[ \t]?[*|(]{0,3}(["'\x60])?`)
)

// follow begins what follows a value without a blank: another option, the target of a link.
var follow = regexp.MustCompile(`,[a-z_]{2,20}=|\]\(`)

const (
	// gapRoom is how much of a line is looked at for what stands between.
	gapRoom = 512
	// priorRoom holds the words that lead from a value to its name.
	priorRoom = 50
	// longestValue is above every key that is written in one line.
	longestValue = 600
)

// A pairing is how a name and a value stand to each other.
type pairing struct {
	kind   labelKind
	value  string
	start  int  // of the value in its line
	sign   bool // a sign or a verb assigns it
	comma  bool // the sign is a comma or a bracket, as in a call
	quoted bool // in quotes or in code, or after an option of a command
}

// assigned reports a value that the name clearly has.
func (p pairing) assigned() bool { return p.sign && !p.comma }

// pairings are the values that a name may lead to: the one right after it, and
// the one at the end of a sentence.
func pairings(line string, l label) []pairing {
	var out []pairing
	rest := line[l.end:min(len(line), l.end+gapRoom)]
	if strings.HasPrefix(rest, "://") {
		return nil
	}
	if l.kind == kindLogin {
		if p, ok := afterUser(line, rest, l); ok {
			return []pairing{p}
		}
	}
	if at := gap.FindStringSubmatchIndex(rest); at != nil && (at[1] > 0 || line[l.start] >= 0x80) {
		if p, ok := read(line, l, l.end+at[1], at[4] >= 0); ok && !strings.Contains(rest[:at[1]], "](") {
			p.sign = at[2] >= 0
			p.comma = p.sign && strings.IndexByte(",(", rest[at[2]]) >= 0
			out = append(out, p)
		}
	}
	if at := bridge.FindStringSubmatchIndex(rest); at != nil {
		if p, ok := read(line, l, l.end+at[1], at[8] >= 0); ok {
			p.sign = true
			out = append(out, p)
		}
	}
	if p, ok := before(line, l); ok {
		out = append(out, p)
	}
	return out
}

// before is the value of a sentence that ends in the name: "enter ... as the token".
func before(line string, l label) (pairing, bool) {
	from := max(0, l.start-gapRoom)
	if words := line[max(0, l.start-priorRoom):l.start]; !strings.Contains(words, " is ") && !strings.Contains(words, " as ") && !strings.Contains(words, " = ") {
		return pairing{}, false
	}
	at := prior.FindStringSubmatchIndex(line[from:l.start])
	if at == nil {
		return pairing{}, false
	}
	p := pairing{kind: l.kind, start: from + at[4], value: trimEnd(line[from+at[4] : from+at[5]]), sign: true, quoted: at[2] < at[3]}
	return p, len(p.value) >= leastRun && strings.ContainsAny(p.value, "0123456789")
}

// afterUser is the password of a name for a login: "admin / ...".
func afterUser(line, rest string, l label) (pairing, bool) {
	at := login.FindStringSubmatchIndex(rest)
	if at == nil {
		return pairing{}, false
	}
	p, ok := read(line, l, l.end+at[1], at[2] >= 0)
	p.kind, p.sign = kindPassword, true
	return p, ok && strings.ContainsAny(p.value, "0123456789") && classes(p.value) >= 3
}

// read takes the value that starts at a byte.
func read(line string, l label, at int, quoted bool) (pairing, bool) {
	p := pairing{kind: l.kind, start: at}
	if quoted {
		if end := closing(line, at); end > at {
			p.value, p.quoted = line[at:end], true
			return p, true
		}
	}
	end := at
	for end < len(line) && end-at <= longestValue && line[end] > ' ' && strings.IndexByte("\"'`<>|;", line[end]) < 0 {
		end++
	}
	p.value = line[at:end]
	if inQuery(line, l.start) {
		if i := strings.IndexAny(p.value, "&#"); i >= 0 {
			p.value = p.value[:i]
		}
	}
	if at := follow.FindStringIndex(p.value); at != nil {
		p.value = p.value[:at[0]]
	}
	p.value = trimEnd(p.value)
	p.quoted = strings.Contains(line[max(0, l.start-longestName/2):l.start], "--")
	return p, len(p.value) >= leastRun
}

// closing is where the quotation ends that was opened before a byte.
func closing(line string, at int) int {
	rest := line[at:min(len(line), at+longestValue)]
	for _, marks := range [...][2]string{{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"„", "“"}} {
		if strings.HasSuffix(line[:at], marks[0]) {
			if i := strings.Index(rest, marks[1]); i >= 0 {
				return at + i
			}
		}
	}
	return -1
}

// inQuery reports a name in the query of an address.
func inQuery(line string, at int) bool {
	for end := at; at > 0 && end-at < longestName && (alphanumeric(line[at-1]) || joint(line[at-1])); {
		at--
	}
	return at > 0 && (line[at-1] == '?' || line[at-1] == '&')
}

// trimEnd takes off what a sentence puts after a value.
func trimEnd(value string) string {
	for value != "" {
		c := value[len(value)-1]
		if strings.IndexByte(".,:;*_~]}", c) < 0 && (c != ')' || strings.IndexByte(value, '(') >= 0) {
			break
		}
		value = value[:len(value)-1]
	}
	return value
}
