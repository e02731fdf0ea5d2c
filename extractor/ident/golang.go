package ident

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
)

const (
	// maxGoDepth is how deep brackets may be nested. People stay below thirty; the
	// parser goes deeper with each, and has a limit of its own only at 100,000.
	maxGoDepth = 1_000
	// maxGoChain is how many operators may stand in a row without a bracket, for
	// the same reason.
	maxGoChain = 10_000
)

// A goFile is the state of one walk.
type goFile struct {
	files    *token.FileSet
	pkg      map[string]string // import paths by the name they have in the file
	consts   map[string]*ast.BasicLit
	roots    map[string]bool // variables whose Execute is called
	args     map[string]argPart
	open     bool                         // an example: imports may be missing
	ownFunc  bool                         // the example's statements were put into a function
	holders  map[*ast.CompositeLit]string // the variables of commands
	rootless bool                         // no command of this function is the program
	out      []Ident
}

// mineGo reads the syntax alone: types are never checked, nothing is imported.
func mineGo(src []byte, fragment bool) ([]Ident, error) {
	if err := shallowGo(src); err != nil {
		return nil, err
	}
	f := &goFile{pkg: map[string]string{}, consts: map[string]*ast.BasicLit{}, roots: map[string]bool{}, args: map[string]argPart{},
		holders: map[*ast.CompositeLit]string{}, rootless: true, open: fragment}
	tree, err := f.parse(src, fragment)
	if tree == nil {
		return nil, err
	}
	f.survey(tree)
	for _, d := range tree.Decls {
		f.declared(d)
	}
	ast.Inspect(tree, f.visit)
	return f.out, err
}

// shallowGo refuses what is nested so deeply that parser and walk would take
// much of the stack.
func shallowGo(src []byte) error {
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(src))
	s.Init(file, src, nil, 0)
	depth, chain := 0, 0
	for {
		pos, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			return nil
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth = max(0, depth-1)
		case token.SEMICOLON, token.COMMA:
			chain = 0
		default:
			chain++
		}
		if depth > maxGoDepth || chain > maxGoChain {
			return fmt.Errorf("%w: go, line %d: nested too deep", ErrSyntax, file.Line(pos))
		}
	}
}

// parse reads a file; an example may lack its package clause, or be statements
// alone. A file with errors gives what was read up to them.
func (f *goFile) parse(src []byte, fragment bool) (*ast.File, error) {
	heads := []string{""}
	if fragment {
		heads = []string{"", "package p;", "package p;func _(){"}
	}
	var first *ast.File
	var firstErr error
	for i, head := range heads {
		files := token.NewFileSet()
		text := head + string(src)
		if i == 2 {
			text += "\n}"
		}
		tree, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
		if err == nil || !fragment {
			f.files, f.ownFunc = files, i == 2
			return tree, goError(err)
		}
		if i == 1 || first == nil {
			first, firstErr, f.files = tree, err, files
		}
	}
	return first, goError(firstErr)
}

// goError names the line of a parser's first error; its text quotes the file.
func goError(err error) error {
	if err == nil {
		return nil
	}
	if list := (scanner.ErrorList{}); errors.As(err, &list) && len(list) > 0 {
		return fmt.Errorf("%w: go, line %d", ErrSyntax, list[0].Pos.Line)
	}
	return fmt.Errorf("%w: go", ErrSyntax)
}

// survey notes imports, the constants of the top level, and which variable is
// the program.
func (f *goFile) survey(tree *ast.File) {
	for _, spec := range tree.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		f.pkg[name] = path
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			f.constants(n)
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && strings.HasPrefix(n.Sel.Name, "Execute") {
				f.roots[x.Name] = true
			}
		}
		return true
	})
}

// constants notes "const name = "text"", since flags and variables are often named so.
func (f *goFile) constants(d *ast.GenDecl) {
	if d.Tok != token.CONST {
		return
	}
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, name := range v.Names {
			if i < len(v.Values) {
				if lit, ok := v.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					f.consts[name.Name] = lit
				}
			}
		}
	}
}

// declared takes functions, and for fences types, of the top level.
func (f *goFile) declared(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.Name != "_" && !f.ownFunc {
			f.add(Function, d.Name.Name, d.Pos(), d.Name.Pos())
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok {
				f.add(class, t.Name.Name, t.Pos(), t.Name.Pos())
			}
		}
	}
}

func (f *goFile) add(kind Kind, name string, first, last token.Pos) {
	if name == "" || len(name) > maxName || !first.IsValid() || !last.IsValid() {
		return
	}
	// The line as it stands: a "//line" comment may claim another one.
	a, b := f.files.PositionFor(first, false).Line, f.files.PositionFor(last, false).Line
	f.out = append(f.out, Ident{kind, name, min(a, b), b})
}
