package ident

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// input takes ${NAME:-x}, ${NAME:?x} and their like, where the script says that
// the variable may come from outside, and a bare $NAME that can come from nowhere else.
func (f *shellFile) input(n *syntax.ParamExp, set map[string]bool) {
	if n.Param == nil || n.Length || n.Excl || n.Index != nil {
		return
	}
	name := n.Param.Value
	if !shellEnv.MatchString(name) || set[name] || shellOwn(name) {
		return
	}
	if !hasDefault(n) && !f.given(name) {
		return
	}
	f.add(Env, name, n.Pos(), n.Pos())
}

func hasDefault(n *syntax.ParamExp) bool {
	if n.Exp == nil {
		return false
	}
	switch n.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return true
	}
	return false
}

// fromOutside returns whether a variable is assigned nowhere in the script. A
// script that reads another one with source may have it from there, and then no bare name counts.
func fromOutside(file *syntax.File) func(string) bool {
	assigned, sources := map[string]bool{}, false
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				assigned[n.Name.Value] = true
			}
		case *syntax.WordIter:
			assigned[n.Name.Value] = true
		case *syntax.CallExpr:
			if len(n.Args) == 0 {
				return true
			}
			switch command := n.Args[0].Lit(); command {
			case "source", ".", "eval":
				sources = true
			case "read", "mapfile", "readarray", "getopts", "printf":
				for _, arg := range n.Args[1:] {
					assigned[arg.Lit()] = true
				}
			}
		}
		return true
	})
	return func(name string) bool { return !sources && !assigned[name] && !everybodys(name) }
}

// everybodys are variables that every login has; a bare use of one asks nothing of anybody.
func everybodys(name string) bool {
	return slices.Contains([]string{"HOME", "PATH", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TMPDIR"}, name)
}

// shellOwn lists the variables that the shell itself sets.
func shellOwn(name string) bool {
	return strings.HasPrefix(name, "BASH_") || slices.Contains([]string{"BASH", "FUNCNAME", "LINENO", "RANDOM", "SECONDS", "PWD", "OLDPWD",
		"IFS", "OPTARG", "OPTIND", "REPLY", "PPID", "UID", "EUID", "SHLVL", "HOSTNAME", "HOSTTYPE", "OSTYPE", "MACHTYPE", "PIPESTATUS"}, name)
}
