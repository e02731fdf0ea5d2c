package markdown

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// htmlBlocks is the parser of HTML blocks, but for placeholders in prose.
type htmlBlocks struct {
	parser.BlockParser
	closers map[string]int // by tag name, the last line that closes it
}

// blockParsers are CommonMark's, with that change.
func blockParsers(closers map[string]int) []util.PrioritizedValue {
	all := parser.DefaultBlockParsers()
	for i, p := range all {
		if p.Value == parser.NewHTMLBlockParser() {
			all[i].Value = htmlBlocks{parser.NewHTMLBlockParser(), closers}
		}
	}
	return all
}

var bareTag = regexp.MustCompile(`^ {0,3}<([A-Za-z]+)>[ \t]*[^\s<]`)

// Open leaves a line to the paragraph that it goes on with if it begins with the bare
// name of a tag which nothing closes: "<col> of the table", as a wrapped line,
// speaks of a column. Tags that people leave open are markup.
func (h htmlBlocks) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	if last := pc.LastOpenedBlock().Node; last != nil && ast.IsParagraph(last) {
		m := bareTag.FindSubmatch(line)
		if m != nil && h.closers[string(m[1])] == 0 && !strings.Contains(" p li dt dd tr td th hr br ", " "+strings.ToLower(string(m[1]))+" ") {
			return nil, parser.NoChildren
		}
	}
	return h.BlockParser.Open(parent, reader, pc)
}
