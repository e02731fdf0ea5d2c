package ident

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShell(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		src  string
		want []string
	}{
		"flags of a loop":                 {"while [ $# -gt 0 ]; do\n  case \"$1\" in\n    -n|--name) shift ;;\n    --out=*) : ;;\n    \"--dry-run\") : ;;\n    --*) exit 1 ;;\n    *) break ;;\n  esac\ndone\n", []string{"flag --name 3", "flag -n 3", "flag --out 4", "flag --dry-run 5"}},
		"subcommands of $1":               {"case ${1:-help} in\n  start|stop) : ;;\n  help) : ;;\nesac\n", []string{"subcommand start 2", "subcommand stop 2", "subcommand help 3"}},
		"subcommands by variable":         {"what=\"${1:-}\"\ncase \"$what\" in up) : ;; esac\ncase $other in no) : ;; esac\n", []string{"subcommand up 2"}},
		"subcommands by the name of it":   {"case \"$cmd\" in up) : ;; esac\n", []string{"subcommand up 1"}},
		"$1 of a function":                {"log() {\n  case $1 in info) : ;; esac\n}\nlog info\n", []string{"function log 1"}},
		"$1 handed to a function":         {"main() {\n  case $1 in up) : ;; esac\n}\nmain \"$@\"\n", []string{"function main 1", "subcommand up 2"}},
		"a variable after a shift":        {"cmd=$1; shift\ncase $cmd in up) : ;; esac\nmode=$1\ncase $mode in no) : ;; esac\n", []string{"subcommand up 2"}},
		"a variable after options":        {"while [ $# -gt 0 ]; do\n  case $1 in --x) shift ;; *) break ;; esac\ndone\nwhat=$1\ncase $what in up) : ;; esac\n", []string{"flag --x 2", "subcommand up 5"}},
		"the rest handed to a function":   {"sub() {\n  case $1 in add) : ;; esac\n  how=$1\n  case $how in no) : ;; esac\n}\nfor x in a; do shift; done\nshift\nsub \"$@\"\n", []string{"function sub 1", "subcommand add 2"}},
		"getopts":                         {"while getopts ':ab:h' opt; do\n  case $opt in\n    a) : ;;\n    b) : ;;\n  esac\ndone\n", []string{"flag -a 1", "flag -b 1", "flag -h 1"}},
		"inputs with a default":           {"X=\"${REGION:-eu}\"\n: \"${TOKEN:?set it}\" ${lower:-x} ${BASH_SOURCE:-x} ${PLAIN} ${REGION:-us}\n", []string{"env REGION 1", "env PLAIN 2", "env TOKEN 2"}},
		"bare names that nothing assigns": {"echo \"$HOST_A\" ${B:-$HOST_B} $HOME $SET\nf() { SET=1; read -r READ; }\nfor EACH in a; do echo $EACH $READ; done\n", []string{"env B 1", "env HOST_A 1", "env HOST_B 1", "function f 2"}},
		"bare names beside a read script": {"source ./env.sh\necho $NAME ${OTHER:-x}\n", []string{"env OTHER 2"}},
		"a variable set before":           {"A=1\necho ${A:-2}\nif x; then B=1; fi\necho ${B:-2}\n", []string{"env B 4"}},
		"its own default":                 {"A=${A:-1}\necho ${A:-2}\nexport B=2\n", []string{"env A 1"}},
		"a local of a function":           {"f() {\n  local A=1\n  echo ${A:-}\n}\necho ${A:-}\n", []string{"function f 1", "env A 5"}},
		"arms in a here-document":         {"cat <<'EOF'\n  --x) no ;;\n  ${A:-no}\nEOF\ncat <<EOF\n${B:-yes}\nEOF\n", []string{"env B 6"}},
		"a flag in a comment or string":   {"# case $1 in --x) ;; esac\necho 'case $1 in --y) ;; esac'\n", nil},
		"functions, both ways":            {"a() { :; }\nfunction b-c { :; }\n", []string{"function a 1", "function b-c 2"}},
		"a bash file with arrays":         {"a=(1 2)\n[[ $x == y ]] && case $1 in --q) : ;; esac\n", []string{"flag --q 2"}},
		"line ends of Windows":            {"case $1 in\r\n  --x) : ;;\r\nesac\r\n", []string{"flag --x 2"}},
		"numbers and globs are no words":  {"case $1 in [0-9]*) : ;; 1) : ;; y*) : ;; esac\n", nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := Mine("a.sh", []byte(tc.src))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, show(r.Idents)); diff != "" {
				t.Errorf("identifiers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestShellThatDoesNotParse(t *testing.T) {
	t.Parallel()
	src := "case $1 in\n  -q|--quiet) : ;;\ncat <<EOF\n  --no) x\nEOF\n# --neither) x\nprivate-word ((\n"
	r, err := Mine("a.sh", []byte(src))
	if !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "line ") || strings.Contains(err.Error(), "private") {
		t.Errorf("error %v: want line and kind alone", err)
	}
	if diff := cmp.Diff([]string{"flag --quiet 2", "flag -q 2"}, show(r.Idents)); diff != "" {
		t.Errorf("identifiers (-want +got):\n%s", diff)
	}
}
