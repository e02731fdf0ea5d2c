package ident

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// visit takes what one node of the tree declares.
func (f *goFile) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		f.rootless = !strings.Contains(strings.ToLower(n.Name.Name), "root")
	case *ast.CallExpr:
		f.environment(n)
		f.flag(n)
	case *ast.CompositeLit:
		f.cobra(n)
	case *ast.AssignStmt:
		for i, value := range n.Rhs {
			if i < len(n.Lhs) {
				f.hold(n.Lhs[i], value)
			}
		}
	case *ast.ValueSpec:
		for i, value := range n.Values {
			if i < len(n.Names) {
				f.hold(n.Names[i], value)
			}
		}
	case *ast.RangeStmt:
		if name, ok := n.Value.(*ast.Ident); ok {
			f.args[name.Name] = f.part(n.X).element(-1)
		}
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			f.compared(n.X, n.Y)
			f.compared(n.Y, n.X)
		}
	case *ast.SwitchStmt:
		f.cases(n)
	}
	return true
}

// qualified returns the import path and the name of "pkg.Name".
func (f *goFile) qualified(e ast.Expr) (path, name string) {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	x, ok := sel.X.(*ast.Ident)
	if !ok {
		return "", sel.Sel.Name
	}
	path = f.pkg[x.Name]
	if path == "" && f.open {
		path = x.Name
	}
	return path, sel.Sel.Name
}

// text is the string that an expression is, as a literal or a constant of the
// file.
func (f *goFile) text(e ast.Expr) (*ast.BasicLit, string) {
	lit, _ := e.(*ast.BasicLit)
	if name, ok := e.(*ast.Ident); ok {
		lit = f.consts[name.Name]
	}
	if lit == nil || lit.Kind != token.STRING {
		return nil, ""
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return nil, ""
	}
	return lit, text
}

// environment takes os.Getenv("X") and os.LookupEnv("X"). A name that is a
// constant stands where the constant does.
func (f *goFile) environment(n *ast.CallExpr) {
	path, name := f.qualified(n.Fun)
	if path != "os" || name != "Getenv" && name != "LookupEnv" || len(n.Args) != 1 {
		return
	}
	lit, text := f.text(n.Args[0])
	if lit == nil || !envForm.MatchString(text) {
		return
	}
	first := n.Pos()
	if lit != n.Args[0] {
		first = lit.Pos()
	}
	f.add(Env, text, first, lit.Pos())
}

// A goFlag tells how a method of a flag set is called: where the name stands,
// and how many arguments there are.
type goFlag struct {
	name, args int
	short      bool // a letter follows the name
}

// goFlagForm reads a method's name: "String", "StringVar", "StringVarP" and so on.
func goFlagForm(method string) (goFlag, bool) {
	base, short := strings.CutSuffix(method, "P")
	if base == "I" {
		base, short = method, false // the type IP
	}
	base, variable := strings.CutSuffix(base, "Var")
	form := goFlag{args: 3, short: short}
	switch base {
	case "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "Uint", "Uint8", "Uint16", "Uint32", "Uint64", "Float32", "Float64", "String", "Duration", "Text",
		"StringSlice", "StringArray", "StringToString", "IntSlice", "BoolSlice", "IP", "IPNet", "BytesHex", "BytesBase64":
	case "Count", "Func", "BoolFunc":
		if base == "Count" {
			form.args = 2
		}
	case "":
		form.args = 2 // Var(value, name, usage)
	default:
		return form, false
	}
	if variable {
		form.name, form.args = 1, form.args+1
	} else if base == "" {
		return form, false
	}
	if short {
		form.args++
	}
	return form, true
}

// flag takes what a flag set declares, by its method and the number of arguments.
func (f *goFile) flag(n *ast.CallExpr) {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	form, ok := goFlagForm(sel.Sel.Name)
	if !ok || len(n.Args) != form.args {
		return
	}
	dash, ok := f.flagSet(sel.X)
	if !ok {
		return
	}
	lit, name := f.text(n.Args[form.name])
	if lit == nil {
		return
	}
	if flag := dash + name; flagForm.MatchString(flag) {
		f.add(Flag, flag, f.start(n.Pos(), lit.Pos()), lit.Pos())
	}
	if form.short {
		if lit, letter := f.text(n.Args[form.name+1]); lit != nil && len(letter) == 1 {
			f.add(Flag, "-"+letter, f.start(n.Pos(), lit.Pos()), lit.Pos())
		}
	}
}

// start is the first of the two, unless the name is a constant that stands apart.
func (f *goFile) start(call, name token.Pos) token.Pos {
	if name < call || f.files.PositionFor(name, false).Line > f.files.PositionFor(call, false).Line+reach {
		return name
	}
	return call
}

// flagSet tells the dashes of an object's flags. The standard library takes one
// or two and shows one; its helpers print "-name", and so do we.
func (f *goFile) flagSet(e ast.Expr) (dash string, ok bool) {
	posix := f.imported("github.com/spf13/cobra") || f.imported("github.com/spf13/pflag")
	switch e := e.(type) {
	case *ast.CallExpr: // cmd.Flags()
		sel, ok := e.Fun.(*ast.SelectorExpr)
		return "--", ok && strings.HasSuffix(sel.Sel.Name, "Flags")
	case *ast.Ident:
		switch path := f.pkg[e.Name]; {
		case path == "flag", path == "" && f.open && e.Name == "flag":
			return "-", true
		case path != "":
			return "--", path == "github.com/spf13/pflag"
		case posix:
			return "--", true
		}
		return "-", f.imported("flag")
	}
	return "", false
}

// imported reports whether the file imports a path, under whatever name.
func (f *goFile) imported(path string) bool {
	for _, p := range f.pkg {
		if p == path {
			return true
		}
	}
	return false
}

// program reports that a command is the program itself: it is executed, or the
// first that a function for the root makes.
func (f *goFile) program(n *ast.CompositeLit) bool {
	if f.roots[f.holders[n]] {
		return true
	}
	first := !f.rootless
	f.rootless = true
	return first
}

// cobra takes the first word of Use in a command that is not the program.
func (f *goFile) cobra(n *ast.CompositeLit) {
	path, name := f.qualified(n.Type)
	if name != "Command" || path != "github.com/spf13/cobra" && path != "cobra" {
		return
	}
	for _, e := range n.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); !ok || key.Name != "Use" {
			continue
		}
		lit, use := f.text(kv.Value)
		if lit == nil || f.program(n) {
			return
		}
		if word, _, _ := strings.Cut(use, " "); wordForm.MatchString(word) {
			f.add(Subcommand, word, f.start(kv.Pos(), lit.Pos()), lit.Pos())
		}
	}
}
