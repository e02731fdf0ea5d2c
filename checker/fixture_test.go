package checker

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing/fstest"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"pgregory.net/rapid"
)

// A repo is the files of one side of a change.
type repo map[string]string

// with is a copy of the repo with files set: names and contents in turn.
func (r repo) with(files ...string) repo {
	out := maps.Clone(r)
	for i := 0; i < len(files); i += 2 {
		out[files[i]] = files[i+1]
	}
	return out
}

func (r repo) without(names ...string) repo {
	out := maps.Clone(r)
	for _, name := range names {
		delete(out, name)
	}
	return out
}

// built is the repo with the cards that its sources give, and no others.
func (r repo) built(shapes ...extractor.Shape) repo {
	shape := extractor.DefaultShape()
	if len(shapes) > 0 {
		shape = shapes[0]
	}
	out := maps.Clone(r)
	maps.DeleteFunc(out, func(name, _ string) bool { return strings.HasPrefix(name, shape.Cards+"/") })
	tree, err := extractor.Extract(out.files(), shape)
	if err != nil {
		panic(err)
	}
	for _, s := range tree.Skills {
		out[card.File(shape.Cards, s.Path)] = string(card.Render(s.Card))
	}
	return out
}

func (r repo) files() *files {
	m := fstest.MapFS{}
	for name, text := range r {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return &files{MapFS: m, read: map[string]bool{}}
}

func (r repo) side(shapes ...extractor.Shape) *Side {
	shape := extractor.DefaultShape()
	if len(shapes) > 0 {
		shape = shapes[0]
	}
	return &Side{Files: r.files(), Shape: shape}
}

// files are a file system that knows ids, keeps what was read, and can fail.
type files struct {
	fstest.MapFS
	read   map[string]bool
	ops    int
	failAt int // the operation that fails, from 1; 0 for none
}

var errBroken = errors.New("the disk is broken")

func (f *files) op(name string) error {
	f.ops++
	if f.ops == f.failAt {
		return &fs.PathError{Op: "read", Path: name, Err: errBroken}
	}
	return nil
}

func (f *files) ID(name string) (string, bool) {
	file, ok := f.MapFS[name]
	if !ok || file.Mode.IsDir() {
		return "", false
	}
	return fmt.Sprintf("%x", sha256.Sum256(file.Data)), true
}

func (f *files) ReadFile(name string) ([]byte, error) {
	f.read[name] = true
	if err := f.op(name); err != nil {
		return nil, err
	}
	if file := f.MapFS[name]; file != nil && file.Mode&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("a symbolic link is not followed")}
	}
	return f.MapFS.ReadFile(name)
}

func (f *files) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := f.op(name); err != nil {
		return nil, err
	}
	return f.MapFS.ReadDir(name)
}

func (f *files) Stat(name string) (fs.FileInfo, error) {
	if err := f.op(name); err != nil {
		return nil, err
	}
	return f.MapFS.Lstat(name)
}

func (f *files) Open(name string) (fs.File, error) {
	if err := f.op(name); err != nil {
		return nil, err
	}
	return f.MapFS.Open(name)
}

// unknown hides the ids, so that contents have to be compared.
type unknown struct{ fs.FS }

// testScanner is shared: making one takes longer than most tests.
var testScanner = sync.OnceValue(func() *secret.Scanner {
	s, err := secret.New(secret.Options{Salt: []byte("salt of the tests")})
	if err != nil {
		panic(err)
	}
	return s
})

// compare checks a change.
func compare(t rapid.TB, base, head *Side, policy ...Policy) Report {
	t.Helper()
	in := Input{Base: base, Head: *head, Scanner: testScanner()}
	if len(policy) > 0 {
		in.Policy = policy[0]
	}
	r, err := Check(context.Background(), in)
	if err != nil {
		t.Fatalf("Check: %v", err)
	}
	return r
}

// states writes the cards of a report as "card state", sorted.
func states(r Report) string {
	var out []string
	for _, c := range r.Cards {
		out = append(out, c.Card+" "+string(c.State))
	}
	return strings.Join(out, "; ")
}

// everything is all that a report can print.
func everything(r Report) string {
	o := r.Output()
	return strings.Join([]string{o.Title, o.Summary, o.Text, fmt.Sprintf("%+v", o.Annotations), r.Markdown(), r.Plain(), asJSON(r)}, "\n")
}

// A mint makes token-shaped values at run time, so that none stands in a source.
type mint struct{ *rand.Rand }

func newMint(seed uint64) mint { return mint{rand.New(rand.NewPCG(seed, 7))} }

func (m mint) token() string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	b := make([]byte, 36)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	return "ghp" + "_" + string(b)
}

// pieces returns every run of eight characters of a token behind its head.
func piecesOf(token string) []string {
	var out []string
	for i := 0; i+8 <= len(token); i++ {
		out = append(out, token[i:i+8])
	}
	return out
}

// A lazyScanner does not finish.
type lazyScanner struct{ Scanner }

func (lazyScanner) Scan(context.Context, string) ([]secret.Finding, error) {
	return nil, secret.ErrNotScanned
}

// A blindScanner finds nothing, but cannot take anything out.
type blindScanner struct{ Scanner }

func (blindScanner) Withhold(context.Context, string, func(int) string) (string, error) {
	return "", secret.ErrNotScanned
}

// A tiered scanner turns all findings into warnings.
type tieredScanner struct{ *secret.Scanner }

func (s tieredScanner) Scan(ctx context.Context, text string) ([]secret.Finding, error) {
	found, err := s.Scanner.Scan(ctx, text)
	for i := range found {
		found[i].Tier = secret.Warn
	}
	return found, err
}

const alpha = `---
name: alpha
description: Ships parcels
---
# Alpha

## Setup

- install git
- install the parcel tool

## Commands

1. run the first build
2. run the second build

## Troubleshooting

- restart the parcel daemon when it hangs
`

const beta = `# Beta

## Refusals

- never push to main
`

// two is a repository with two skills and their fresh cards.
func two() repo {
	return repo{
		ConfigFile:              "policy:\n",
		"README.md":             "# Read me\n",
		"skills/alpha/SKILL.md": alpha,
		"skills/beta/SKILL.md":  beta,
	}.built()
}

func sorted(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }
