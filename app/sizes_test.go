package app

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
)

// sizes holds files, functions and interfaces small.
func (h *house) sizes() {
	var lines, bodies []int
	for folder, p := range h.packs {
		if base := path.Base(folder); slices.Contains([]string{"utils", "util", "common", "helpers", "types", "misc"}, base) {
			h.fault("%s: %s is no duty; name the package for what it does", folder, base)
		}
		for name, n := range p.lines {
			lines = append(lines, n)
			if n > 400 {
				h.fault("%s has %d lines; more than 400 hide a second topic", name, n)
			}
		}
		for _, file := range p.source {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					bodies = append(bodies, p.fset.Position(n.End()).Line-p.fset.Position(n.Pos()).Line+1)
				case *ast.InterfaceType:
					if m := p.methods(n); m > 3 {
						h.fault("%s: an interface of %d methods; three are the most", p.fset.Position(n.Pos()), m)
					}
				}
				return true
			})
		}
	}
	if m := houseQuantile(lines, 0.5); m > 150 {
		h.fault("the median file has %d lines; 150 are the most", m)
	}
	if m := houseQuantile(bodies, 0.9); m > 40 {
		h.fault("one function in ten has %d lines or more; 40 are the most", m)
	}
}

// methods counts what an interface asks for. An interface of another package that it embeds counts nothing.
func (p *housePack) methods(it *ast.InterfaceType) int {
	count := 0
	for _, field := range it.Methods.List {
		switch f := field.Type.(type) {
		case *ast.FuncType:
			count++
		case *ast.Ident:
			count += p.named(f.Name)
		}
	}
	return count
}

// named counts the methods of the interface that the package declares under a name.
func (p *housePack) named(name string) (count int) {
	for _, file := range p.source {
		for _, d := range file.Decls {
			g, _ := d.(*ast.GenDecl)
			if g == nil || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				t := s.(*ast.TypeSpec)
				if it, ok := t.Type.(*ast.InterfaceType); ok && t.Name.Name == name {
					count += p.methods(it)
				}
			}
		}
	}
	return count
}

func houseQuantile(n []int, q float64) int {
	if len(n) == 0 {
		return 0
	}
	slices.Sort(n)
	return n[int(q*float64(len(n)-1))]
}

// houseImporter lets a package be checked by itself: what it imports stays
// unknown, its own names do not.
type houseImporter struct{}

func (houseImporter) Import(string) (*types.Package, error) { return nil, errors.New("not needed") }

// variables finds package variables that change after their declaration: they
// are assigned, counted up, or lent out by address.
func (h *house) variables() {
	for _, p := range h.packs {
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		conf := types.Config{Importer: houseImporter{}, Error: func(error) {}}
		_, _ = conf.Check("p", p.fset, p.sources(), info)
		for name, file := range p.source {
			ast.Inspect(file, func(n ast.Node) bool {
				var changed []ast.Expr
				switch n := n.(type) {
				case *ast.AssignStmt:
					changed = n.Lhs
				case *ast.IncDecStmt:
					changed = []ast.Expr{n.X}
				case *ast.RangeStmt:
					changed = []ast.Expr{n.Key, n.Value}
				case *ast.UnaryExpr:
					if n.Op == token.AND {
						changed = []ast.Expr{n.X}
					}
				}
				for _, x := range changed {
					if id := houseRoot(x); id != nil {
						if v, ok := info.Uses[id].(*types.Var); ok && v.Parent() == v.Pkg().Scope() {
							h.fault("%s:%d changes the package variable %s", name, p.fset.Position(id.Pos()).Line, id.Name)
						}
					}
				}
				return true
			})
		}
	}
}

// houseRoot is the variable that an expression like a.b[i] is a part of.
func houseRoot(x ast.Expr) *ast.Ident {
	for {
		switch e := x.(type) {
		case *ast.Ident:
			return e
		case *ast.SelectorExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		case *ast.ParenExpr:
			x = e.X
		default:
			return nil
		}
	}
}
