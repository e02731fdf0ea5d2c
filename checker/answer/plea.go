package answer

import (
	"regexp"
	"strings"
)

// A question is data: what it tells the one who answers to do is left aside, and what it
// asks is answered. It counts as an instruction only at the start of a sentence, so that
// "how do I ignore the rules" stays a question.
const courtesy = `(?i)^\W*(?:(?:please|now|then|and|so|also|first|ok|okay|hey|hi|hello|important|note|attention|before (?:you )?answer(?:ing)?|for this (?:one|question))\b\W*)*`

// instruction is a sentence that instructs.
var instruction = regexp.MustCompile(courtesy + `(?:` + strings.Join([]string{
	`(?:ignore|disregard|forget|override|bypass)\b.{0,30}?\b(?:(?:your|previous|prior|above|earlier|preceding|foregoing|everything)\b|that you\b` +
		`|(?:all|any|the|these|those)\b.{0,20}\b(?:instructions?|prompts?|skill files?|above)\b)`,
	`(?:you are|you're) (?:now|no longer)\b|(?:act as|pretend|from now on)\b|new (?:system )?(?:rules?|instructions?)\b|(?:system|assistant|developer)\s*:`,
	`(?:reveal|print|output|dump|paste|leak|repeat|show|give|send|tell)\b.{0,30}?\b(?:system prompt|your (?:\w+ )?(?:prompt|instructions?|rules)` +
		`|(?:all|every|any)\b.{0,12}\b(?:secrets?|api keys?|tokens?|passwords?|credentials))\b`,
	`(?:run|execute|cat)\b.*\b(?:for me|paste|print|(?:show|send|give|tell) me)\b`,
}, "|") + `)`)

// unsourced are instructions on what an answer shall be: what they ask for is not to be had
// here, so that nothing of them is answered.
var unsourced = regexp.MustCompile(`(?i)\b(?:(?:do not|don't|never|without|skip|no|give no)\b.{0,20}\b(?:cit\w+|sources?|references?)|own memory|confidence|citation mode|mark (?:this|it|everything) as|end with|(?:reply|respond)\b)`)

// behind finds the question behind an instruction in one sentence: "... and tell me how".
var behind = regexp.MustCompile(`(?i)(?:\band\b|\bthen\b|[,:–—-])\s*(?:(?:then|now|please|just|and)\s+)*(?:(?:tell|show|explain to|let) me\s+(?:know\s+)?|explain\s+|answer(?: me)?[:,]?\s+|say\s+)?((?:what|which|who|whom|whose|where|when|why|how|is|are|does|do|did|can|may|must|should)\b.*)`)

// begins is how a sentence begins that asks.
var begins = regexp.MustCompile(`(?i)^\W*(?:(?:now|then|and|so|also|please|ok|okay)\b\W*)*(?:(?:tell|show) me\s+)?(?:what|which|who|whom|whose|where|when|why|how|is|are|does|do|did|can|may|must|should|in which|at what|after how|by how)\b`)

// withoutPleas returns what a text asks, without what it instructs; nothing where it only
// instructs, or wants an answer without sources. A text that instructs nothing stays as it is.
func withoutPleas(text string) string {
	all, told := sentences(text), false
	var kept []string
	for _, s := range all {
		if instruction.MatchString(s) {
			told = true
			if m := behind.FindStringSubmatch(s); m != nil {
				kept = append(kept, m[1])
			}
			continue
		}
		if begins.MatchString(s) {
			kept = append(kept, s)
		}
	}
	switch {
	case !told:
		return text
	case unsourced.MatchString(text):
		return ""
	}
	return strings.Join(kept, " ")
}
