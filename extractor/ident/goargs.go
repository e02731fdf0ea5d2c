package ident

import (
	"go/ast"
	"go/token"
	"strconv"
)

// hold notes what a variable has of the arguments, and the variable of a command.
func (f *goFile) hold(target, value ast.Expr) {
	name, ok := target.(*ast.Ident)
	if !ok {
		return
	}
	if part := f.part(value); part != argNone {
		f.args[name.Name] = part
	} else {
		delete(f.args, name.Name)
	}
	if ref, ok := value.(*ast.UnaryExpr); ok && ref.Op == token.AND {
		value = ref.X
	}
	if lit, ok := value.(*ast.CompositeLit); ok {
		f.holders[lit] = name.Name
	}
}

// part is what an expression has of the arguments. os.Args holds one name before
// them, where argWhole has two.
func (f *goFile) part(e ast.Expr) argPart {
	switch e := e.(type) {
	case *ast.Ident:
		return f.args[e.Name]
	case *ast.SelectorExpr:
		if path, name := f.qualified(e); path == "os" && name == "Args" {
			return argWhole
		}
	case *ast.CallExpr:
		switch path, name := f.qualified(e.Fun); {
		case path == "flag" && name == "Args":
			return argRest
		case path == "flag" && name == "Arg" && len(e.Args) == 1:
			return argRest.element(goNumber(e.Args[0], 0))
		}
	case *ast.IndexExpr:
		part := f.part(e.X)
		return part.element(goNumber(e.Index, goBefore(part)))
	case *ast.SliceExpr:
		part := f.part(e.X)
		if n := goNumber(e.Low, goBefore(part)); n >= 0 && e.Low != nil {
			return part.from(n)
		} else if part.list() && e.Low != nil {
			return argTail
		}
		return part
	}
	return argNone
}

// goBefore is how many names more argWhole counts before the arguments than os.Args
// holds.
func goBefore(part argPart) int {
	if part == argWhole {
		return 1
	}
	return 0
}

// goNumber reads an index and adds what argWhole counts more: -1 if computed.
func goNumber(e ast.Expr, more int) int {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.INT {
		if n, err := strconv.Atoi(lit.Value); err == nil {
			return n + more
		}
	}
	return -1
}

// compared takes a string that an argument is compared with.
func (f *goFile) compared(x, y ast.Expr) {
	if part := f.part(x); part.single() {
		f.argument(part, y)
	}
}

// cases takes the strings of a switch over an argument.
func (f *goFile) cases(n *ast.SwitchStmt) {
	part := f.part(n.Tag)
	if n.Init != nil {
		if a, ok := n.Init.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			f.hold(a.Lhs[0], a.Rhs[0])
			part = f.part(n.Tag)
		}
	}
	if !part.single() || n.Body == nil {
		return
	}
	if part == argSecond {
		part = argFirst
	}
	for _, s := range n.Body.List {
		if c, ok := s.(*ast.CaseClause); ok {
			for _, e := range c.List {
				f.argument(part, e)
			}
		}
	}
}

// argument adds a string that an argument is compared with as what it is on a
// command line.
func (f *goFile) argument(part argPart, e ast.Expr) {
	lit, text := f.text(e)
	switch {
	case lit == nil:
	case flagForm.MatchString(text):
		f.add(Flag, text, lit.Pos(), lit.Pos())
	case part == argFirst && shellWord.MatchString(text):
		f.add(Subcommand, text, lit.Pos(), lit.Pos())
	}
}
