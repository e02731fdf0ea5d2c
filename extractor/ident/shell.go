package ident

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

var (
	shellEnv  = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
	shellWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_:-]*$`)
)

func mineShell(src []byte, _ bool) ([]Ident, error) {
	file, err := ParseShell(src)
	if err != nil {
		return armsByLine(src), err
	}
	f := &shellFile{given: fromOutside(file), passed: passedOn(file), command: map[string]bool{}, options: map[string]bool{}}
	f.script(file.Stmts, map[string]bool{}, passesAll)
	return f.out, nil
}

// ParseShell reads a script as bash, and where that fails as POSIX shell. It
// refuses what is nested so deeply that the parser would exhaust the stack. The
// error names the line and quotes nothing.
func ParseShell(src []byte) (*syntax.File, error) {
	var first error
	for _, lang := range []syntax.LangVariant{syntax.LangBash, syntax.LangPOSIX} {
		file, err := syntax.NewParser(syntax.Variant(lang)).Parse(&shallowReader{src: src}, "")
		if err == nil {
			return file, nil
		}
		if first == nil {
			first = err
		}
	}
	if at := (syntax.ParseError{}); errors.As(first, &at) { // its text quotes the script
		return nil, fmt.Errorf("%w: shell, line %d", ErrSyntax, at.Pos.Line())
	}
	if at := (syntax.LangError{}); errors.As(first, &at) {
		return nil, fmt.Errorf("%w: shell, line %d: not of this shell", ErrSyntax, at.Pos.Line())
	}
	return nil, fmt.Errorf("%w: shell, nested too deep", ErrSyntax)
}

// A shellFile is the state of one walk.
type shellFile struct {
	passed  map[string]passing
	gone    bool              // the function at hand has shifted its first argument away
	loop    uint              // where the loop at hand ends: what it shifts are options
	command map[string]bool   // variables that hold the script's first argument
	options map[string]bool   // variables of getopts
	given   func(string) bool // whether a bare $NAME can only come from outside
	out     []Ident
}

// A passing says what a function gets of the script's own arguments.
type passing int

const (
	passesNone passing = iota
	passesRest         // some of them, after a shift: "accounts add"
	passesAll
)

// passedOn lists the functions that are called with "$@", "$*" or "$1".
func passedOn(file *syntax.File) map[string]passing {
	out := map[string]passing{}
	passedIn(file, out)
	return out
}

// passedIn reads one function, or the script, in the order of its text: what
// stands behind a shift no longer has the first argument.
func passedIn(root syntax.Node, out map[string]passing) {
	how, loop := passesAll, uint(0)
	syntax.Walk(root, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.WhileClause:
			loop = max(loop, n.End().Offset())
		case *syntax.ForClause:
			loop = max(loop, n.End().Offset())
		}
		if f, ok := n.(*syntax.FuncDecl); ok && n != root {
			passedIn(f, out)
			return false
		}
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		if shifts(call) && call.Pos().Offset() >= loop {
			how = passesRest
		}
		for i, arg := range call.Args[1:] {
			p := param(arg)
			if p == "@" || p == "*" || p == "1" && i == 0 {
				out[call.Args[0].Lit()] = max(out[call.Args[0].Lit()], how)
			}
		}
		return true
	})
}

// shifts reports the command that drops the first argument.
func shifts(n *syntax.CallExpr) bool { return len(n.Args) > 0 && n.Args[0].Lit() == "shift" }

// script walks statements in order. set holds the variables that are assigned
// whatever happens; own says what $1 is of the script's own arguments. It
// returns what it added to set.
func (f *shellFile) script(stmts []*syntax.Stmt, set map[string]bool, own passing) (added []string) {
	for _, s := range stmts {
		f.walk(s, set, own)
		var assigns []*syntax.Assign
		switch cmd := s.Cmd.(type) {
		case *syntax.CallExpr:
			if len(cmd.Args) == 0 {
				assigns = cmd.Assigns
			}
		case *syntax.DeclClause:
			assigns = cmd.Args
		}
		for _, a := range assigns {
			if a.Name != nil && !a.Naked && !s.Background && !set[a.Name.Value] {
				set[a.Name.Value] = true
				added = append(added, a.Name.Value)
			}
		}
	}
	return added
}

func (f *shellFile) walk(root syntax.Node, set map[string]bool, own passing) {
	syntax.Walk(root, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			f.function(n, set)
			return false
		case *syntax.CaseClause:
			f.arms(n, own)
		case *syntax.WhileClause:
			f.loop = max(f.loop, n.End().Offset())
		case *syntax.ForClause:
			f.loop = max(f.loop, n.End().Offset())
		case *syntax.CallExpr:
			f.getopts(n)
			f.gone = f.gone || shifts(n) && n.Pos().Offset() >= f.loop
		case *syntax.Assign:
			if n.Name != nil && n.Value != nil && own == passesAll && !f.gone && param(n.Value) == "1" {
				f.command[n.Name.Value] = true
			}
		case *syntax.ParamExp:
			f.input(n, set)
		}
		return true
	})
}

func (f *shellFile) add(kind Kind, name string, first, last syntax.Pos) {
	f.out = append(f.out, Ident{kind, name, int(first.Line()), int(last.Line())})
}

// function adds the name and walks the body with what is set so far.
func (f *shellFile) function(n *syntax.FuncDecl, set map[string]bool) {
	if n.Name == nil || n.Body == nil {
		return
	}
	f.add(Function, n.Name.Value, n.Position, n.Name.Pos())
	body := []*syntax.Stmt{n.Body}
	if block, ok := n.Body.Cmd.(*syntax.Block); ok {
		body = block.Stmts
	}
	gone := f.gone
	f.gone = false
	added := f.script(body, set, f.passed[n.Name.Value])
	f.gone = gone
	for _, name := range added { // what a body sets is not set before it runs
		delete(set, name)
	}
}

// arms takes the flags of a case, and its words where it looks at the first
// argument of the script.
func (f *shellFile) arms(n *syntax.CaseClause, own passing) {
	subject := param(n.Word)
	words := own != passesNone && subject == "1" || f.command[subject] || commandName(subject) && !f.options[subject]
	for _, item := range n.Items {
		for _, pattern := range item.Patterns {
			text, ok := plain(pattern)
			if !ok {
				continue
			}
			flag := strings.TrimSuffix(strings.TrimRight(text, "*?"), "=")
			if flagForm.MatchString(flag) && !f.options[subject] {
				f.add(Flag, flag, pattern.Pos(), pattern.Pos())
			} else if words && shellWord.MatchString(text) {
				f.add(Subcommand, text, pattern.Pos(), pattern.Pos())
			}
		}
	}
}

// commandName lists the names that scripts give to a variable for the
// subcommand, where it is not read from $1 directly.
func commandName(name string) bool {
	switch strings.ToLower(name) {
	case "cmd", "command", "subcommand", "subcmd", "sub_command", "sub", "verb", "action":
		return true
	}
	return false
}

// getopts takes the letters of its option string.
func (f *shellFile) getopts(n *syntax.CallExpr) {
	if len(n.Args) < 3 || n.Args[0].Lit() != "getopts" {
		return
	}
	f.options[n.Args[2].Lit()] = true
	letters, ok := plain(n.Args[1])
	if !ok {
		return
	}
	for _, c := range letters {
		if flag := "-" + string(c); c < 0x80 && flagForm.MatchString(flag) && c != '?' {
			f.add(Flag, flag, n.Pos(), n.Args[1].Pos())
		}
	}
}

// param returns the name in a word that is one expansion, quoted or not: "$1",
// ${1:-help}, "${cmd,,}".
func param(w *syntax.Word) string {
	if w == nil || len(w.Parts) != 1 {
		return ""
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	if p, ok := part.(*syntax.ParamExp); ok && p.Param != nil && p.Index == nil && !p.Length {
		return p.Param.Value
	}
	return ""
}

// plain returns a word's text if it has no expansion, without its quotes.
func plain(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				lit, ok := q.(*syntax.Lit)
				if !ok {
					return "", false
				}
				b.WriteString(lit.Value)
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}
