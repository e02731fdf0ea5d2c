package setup

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/webhooks"
	"github.com/cardkeeper/cardkeeper/webhooks/event"
	"github.com/google/go-cmp/cmp"
)

// backing is GitHub's own table: the permission and level that each event needs.
func backing(t *testing.T) map[string][2]string {
	t.Helper()
	rows := map[string][2]string{}
	for line := range strings.Lines(string(must(os.ReadFile("../../testdata/openapi/events.tsv"))(t))) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
			rows[f[0]] = [2]string{f[1], f[2]}
		}
	}
	if len(rows) < 60 {
		t.Fatalf("%d events in the table", len(rows))
	}
	return rows
}

// unasked reports whether an App is sent an event without subscribing: those of
// its installations, and of check runs where it may write checks. The
// description does not say so of installation_target and ping.
func unasked(name string, rows map[string][2]string, have map[string]string) bool {
	checks := strings.HasPrefix(name, "check_") && rows[name] == [2]string{"checks", "write"} && have["checks"] == "write"
	return rows[name][0] == "always" || name == "installation_target" || name == "ping" || checks
}

// 2A-32: GitHub refuses a manifest with one event that its permissions do not back.
func TestEveryEventIsBackedByAPermission(t *testing.T) {
	t.Parallel()
	rows := backing(t)
	for _, write := range []bool{false, true} {
		have := keys(Permissions(write))
		for _, name := range Events() {
			need, known := rows[name]
			if got := have[need[0]]; !known || got != need[1] && got != "write" {
				t.Errorf("write %v: event %s needs %s: %s, the manifest has %q", write, name, need[0], need[1], got)
			}
			if unasked(name, rows, have) {
				t.Errorf("event %s comes without being asked for", name)
			}
		}
		if (have["contents"] == "write") != write {
			t.Errorf("write %v: contents is %s", write, have["contents"])
		}
	}
}

// 2A-20: what the code acts on is what the App is sent, and the other way round.
func TestTheEventsAreThoseThatAreActedOn(t *testing.T) {
	t.Parallel()
	rows, have := backing(t), keys(Permissions(false))
	var read []string
	for name := range rows {
		if _, err := event.Parse(name, []byte("{}")); errors.Is(err, event.ErrUnknown) {
			continue
		}
		if !unasked(name, rows, have) {
			read = append(read, name)
		}
	}
	slices.Sort(read)
	if diff := cmp.Diff(slices.Sorted(slices.Values(Events())), read); diff != "" {
		t.Errorf("subscribed to, and read:\n%s", diff)
	}
	acted := map[string]bool{}
	for _, file := range must(filepath.Glob("../../testdata/webhooks/*.json"))(t) {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		e, err := event.Parse(name, must(os.ReadFile(file))(t))
		if err == nil && len(webhooks.Plan(e, webhooks.App{ID: e.CheckRun.App + e.CheckSuite.App})) > 0 {
			acted[name] = true
		}
	}
	for name := range acted {
		if !slices.Contains(Events(), name) && !unasked(name, rows, have) {
			t.Errorf("%s is acted on, and the App is not sent it", name)
		}
	}
	if len(acted) < 6 {
		t.Errorf("the examples make it act on %v alone", slices.Sorted(maps.Keys(acted)))
	}
}

// Each route of the client is allowed by the manifest that only reads, or is one
// that commits. The fake GitHub knows what each route needs.
func TestEveryRouteIsAllowed(t *testing.T) {
	t.Parallel()
	hub := must(fakehub.New(fakehub.Options{}))(t)
	defer hub.Close()
	needs := map[string][]string{}
	for route, need := range hub.Needs() {
		needs[nameless(route)] = need
	}
	routes := clientRoutes(t)
	for _, route := range routes {
		if strings.Contains(route, " /app") || strings.HasSuffix(route, "/installation") {
			continue // as the App itself, by its key
		}
		need, known := needs[nameless(strings.Replace(route, "/repositories/{}", "/repos/{}/{}", 1))]
		if !known {
			t.Errorf("the fake GitHub does not know %s, so nobody knows what it needs", route)
			continue
		}
		if !allowed(need, keys(Permissions(false))) && !(slices.Contains(need, "contents:write") && allowed(need, keys(Permissions(true)))) {
			t.Errorf("%s needs one of %v, which no manifest asks for", route, need)
		}
	}
	if len(routes) < 20 || !slices.Contains(routes, "POST /repos/{}/{}/check-runs") || !slices.Contains(routes, "GET /repos/{}/{}/rules/branches/{}") {
		t.Errorf("the source gave %d routes: %v", len(routes), routes)
	}
}

func allowed(need []string, have map[string]string) bool {
	for _, n := range need {
		key, level, _ := strings.Cut(n, ":")
		if have[key] == "write" || have[key] == level {
			return true
		}
	}
	return len(need) == 0
}

// nameless takes the names of variables out of a route.
func nameless(route string) string {
	return regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(route, "{}")
}

// clientRoutes reads from the client's source which routes it calls: the method
// and the path of each call{...}. A path that is no constant is a local variable
// set to one.
func clientRoutes(t *testing.T) []string {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range must(filepath.Glob("../github/*.go"))(t) {
		if !strings.HasSuffix(name, "_test.go") {
			files = append(files, must(parser.ParseFile(fset, name, nil, 0))(t))
		}
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: nothing{}, Error: func(error) {}}
	_, _ = conf.Check("github", fset, files, info) // other packages stay unknown; constants do not
	set := map[types.Object]string{}
	var routes []string
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
				if id, ok := a.Lhs[0].(*ast.Ident); ok && info.Defs[id] != nil {
					set[info.Defs[id]] = text(info, a.Rhs[0], nil)
				}
			}
			lit, ok := n.(*ast.CompositeLit)
			if id, named := litType(lit); !ok || !named || id != "call" {
				return true
			}
			method, path := "GET", ""
			for _, el := range lit.Elts {
				kv, _ := el.(*ast.KeyValueExpr)
				switch fmt.Sprint(kv.Key) {
				case "method":
					method = text(info, kv.Value, set)
				case "route":
					path = text(info, kv.Value, set)
				}
			}
			if path == "" || method == "" {
				t.Errorf("%s: the route is no constant", fset.Position(lit.Pos()))
			}
			if !slices.ContainsFunc([]string{"/app", "/repos", "/installation", "/graphql", "/user/"}, func(p string) bool { return strings.HasPrefix(path, p) }) {
				path = "/repos/{}/{}" + path // continues that of a repository
			}
			routes = append(routes, nameless(method+" "+path))
			return true
		})
	}
	slices.Sort(routes)
	return slices.Compact(routes)
}

func litType(lit *ast.CompositeLit) (string, bool) {
	if lit == nil {
		return "", false
	}
	id, ok := lit.Type.(*ast.Ident)
	if !ok {
		return "", false
	}
	return id.Name, true
}

// text is a constant's value, one of net/http's for methods among them, or that
// of a local variable.
func text(info *types.Info, x ast.Expr, set map[types.Object]string) string {
	if sel, ok := x.(*ast.SelectorExpr); ok {
		return strings.ToUpper(strings.TrimPrefix(sel.Sel.Name, "Method"))
	}
	if v := info.Types[x].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	if id, ok := x.(*ast.Ident); ok {
		return set[info.Uses[id]]
	}
	return ""
}

// nothing imports nothing.
type nothing struct{}

func (nothing) Import(string) (*types.Package, error) { return nil, errors.New("not needed") }

// The README shows the table and the events as they are.
func TestTheReadmeSaysWhatTheManifestAsksFor(t *testing.T) {
	t.Parallel()
	readme := string(must(os.ReadFile("../../README.md"))(t))
	table := "| permission | level | for |\n|---|---|---|\n"
	for _, p := range Permissions(false) {
		table += fmt.Sprintf("| %s | %s | %s |\n", p.Name, p.Level, strings.ReplaceAll(p.For, "/ask", "`/ask`"))
	}
	if !strings.Contains(readme, table) {
		t.Errorf("the README lacks this table:\n%s", table)
	}
	words := strings.ReplaceAll(strings.Join(Events(), ", "), "_", " ")
	if want := "Events: " + words + "."; !strings.Contains(strings.ReplaceAll(readme, "\n", " "), want) {
		t.Errorf("the README does not say %q", want)
	}
}

func TestPermissionsThatLackAndThatAreTooMany(t *testing.T) {
	t.Parallel()
	have := keys(Permissions(true))
	if got := lacking(Permissions(false), have); got != nil {
		t.Errorf("more than asked for lacks %v", got)
	}
	delete(have, "merge_queues")
	have["checks"], have["issues"], have["administration"] = "read", "write", "write"
	if diff := cmp.Diff([]string{"Checks: write", "Merge queues: read"}, lacking(Permissions(false), have)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"administration: write", "issues: write"}, beyond(have)); diff != "" {
		t.Error(diff)
	}
}
