package search

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// source writes an expression that matches the same texts. The one of package
// syntax looks for the shortest form, and takes a millisecond where a class is
// large.
func source(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		text := regexp.QuoteMeta(string(re.Rune))
		if re.Flags&syntax.FoldCase != 0 {
			return "(?i:" + text + ")"
		}
		return text
	case syntax.OpCharClass:
		var b strings.Builder
		for i := 0; i+1 < len(re.Rune); i += 2 {
			fmt.Fprintf(&b, `\x{%x}-\x{%x}`, re.Rune[i], re.Rune[i+1])
		}
		return "[" + b.String() + "]"
	case syntax.OpRepeat:
		if re.Max < 0 {
			return fmt.Sprintf("(?:%s){%d,}", source(re.Sub[0]), re.Min)
		}
		return fmt.Sprintf("(?:%s){%d,%d}", source(re.Sub[0]), re.Min, re.Max)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		return "(?:" + source(re.Sub[0]) + ")" + map[syntax.Op]string{syntax.OpStar: "*", syntax.OpPlus: "+", syntax.OpQuest: "?"}[re.Op]
	case syntax.OpAlternate:
		return "(?:" + sources(re.Sub, "|") + ")"
	case syntax.OpConcat, syntax.OpCapture:
		return sources(re.Sub, "")
	}
	return bare(re.Op)
}

func sources(all []*syntax.Regexp, between string) string {
	out := make([]string, len(all))
	for i, re := range all {
		out[i] = source(re)
	}
	return strings.Join(out, between)
}

// bare is the source of what has no parts.
func bare(op syntax.Op) string {
	switch op {
	case syntax.OpNoMatch:
		return `[^\x00-\x{10FFFF}]`
	case syntax.OpAnyChar:
		return `(?s:.)`
	case syntax.OpAnyCharNotNL:
		return `(?-s:.)`
	case syntax.OpBeginLine:
		return `(?m:^)`
	case syntax.OpEndLine:
		return `(?m:$)`
	case syntax.OpBeginText:
		return `\A`
	case syntax.OpEndText:
		return `\z`
	case syntax.OpWordBoundary:
		return `\b`
	case syntax.OpNoWordBoundary:
		return `\B`
	}
	return `(?:)` // OpEmptyMatch
}
