package extractor

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/google/go-cmp/cmp"
)

// Law 2: five sections, always, and the empty ones are reported.
func TestEveryCardHasFiveSections(t *testing.T) {
	t.Parallel()
	skillsOf(t, func(name string, _ fs.FS, s Skill) { checkSections(t, name, s.Card) })
	nothing := skill(t, "")
	checkSections(t, "an empty file", nothing.Card)
	if got := len(nothing.Card.Empty()); got != 5 {
		t.Errorf("an empty SKILL.md has %d empty sections, want 5", got)
	}
}

func checkSections(t *testing.T, name string, c card.Card) {
	t.Helper()
	text := string(card.Render(c))
	at := 0
	for _, s := range card.Sections() {
		head := "\n## " + strings.ToUpper(string(s[:1])) + string(s[1:]) + "\n"
		i := strings.Index(text[at:], head)
		if i < 0 {
			t.Errorf("%s: the card of %s has no section %s in its place", name, c.Path, s)
			return
		}
		at += i
		reported := false
		for _, e := range c.Empty() {
			reported = reported || e == s
		}
		if says := strings.HasPrefix(text[at+len(head):], "\n*Nothing documented.*\n"); says != reported {
			t.Errorf("%s: section %s of %s says it is empty: %v, reported: %v", name, s, c.Path, says, reported)
		}
	}
}

// Law 4: same sources, same shape, same edition: same bytes, on any machine.
func TestCardsAreByteStable(t *testing.T) {
	for name, fsys := range trees(t) {
		t.Run(name, func(t *testing.T) {
			want := rendered(t, fsys)
			rounds := 20
			if len(want) > 1<<20 && !long() {
				rounds = 2 // the collections take up to a second each
			}
			for i := range rounds {
				procs := runtime.GOMAXPROCS([]int{1, 8}[i%2])
				t.Setenv("LANG", []string{"C", "de_DE.UTF-8", "tr_TR.UTF-8"}[i%3])
				t.Setenv("LC_ALL", []string{"C", "zh_CN.UTF-8", "tr_TR"}[i%3])
				t.Setenv("TZ", []string{"UTC", "Asia/Tokyo"}[i%2])
				got := rendered(t, shuffled{fsys, uint64(i)})
				runtime.GOMAXPROCS(procs)
				if got != want {
					t.Fatalf("other bytes in round %d", i)
				}
			}
		})
	}
}

func rendered(t *testing.T, fsys fs.FS) string {
	t.Helper()
	var b strings.Builder
	out := extract(t, fsys)
	for _, s := range out.Skills {
		b.Write(card.Render(s.Card))
		fmt.Fprintln(&b, s.Notes, s.Stats)
		for _, f := range append(append([]card.Fact{}, s.Facts...), s.Rest...) {
			fmt.Fprintln(&b, f.Entry().Identity(), f.Places(), f.Reason())
		}
	}
	fmt.Fprintln(&b, out.Notes)
	return b.String()
}

// shuffled lists each folder in an order of its own.
type shuffled struct {
	fs.FS
	seed uint64
}

func (s shuffled) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(s.FS, name)
	r := rand.New(rand.NewPCG(s.seed, uint64(len(name))))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list, err
}

// Law 4: Parse(Render(card)) == card.
func TestCardsParseBack(t *testing.T) {
	t.Parallel()
	cards := 0
	skillsOf(t, func(name string, _ fs.FS, s Skill) {
		cards++
		b := card.Render(s.Card)
		got, err := card.Parse(b)
		if err != nil {
			t.Errorf("%s: %s: %v", name, s.Path, err)
		} else if !reflect.DeepEqual(s.Card, got) {
			t.Errorf("%s: %s: -want +got\n%s", name, s.Path, cmp.Diff(s.Card, got))
		} else if !bytes.Equal(card.Render(got), b) {
			t.Errorf("%s: %s renders to other bytes after parsing", name, s.Path)
		}
	})
	t.Logf("%d cards", cards)
}

// The card's entries are the facts' entries: nothing on a card is without a place.
func TestCardsHoldTheirFacts(t *testing.T) {
	t.Parallel()
	skillsOf(t, func(name string, _ fs.FS, s Skill) {
		var entries []card.Entry
		for _, f := range s.Facts {
			entries = append(entries, f.Entry())
			if len(f.Places()) == 0 {
				t.Errorf("%s: %s: a fact without a place", name, s.Path)
			}
		}
		if !reflect.DeepEqual(s.Card.Entries, entries) {
			t.Errorf("%s: %s: -card +facts\n%s", name, s.Path, cmp.Diff(s.Card.Entries, entries))
		}
	})
}

// Law 14: no file is shared by two skills.
func TestNoFileHasTwoOwners(t *testing.T) {
	t.Parallel()
	for name, fsys := range trees(t) {
		layout, err := Discover(fsys, DefaultShape())
		if err != nil {
			t.Fatal(err)
		}
		owner, cards := map[string]string{}, map[string]string{}
		for _, s := range layout.Skills {
			for _, f := range s.Files {
				if other, taken := owner[f]; taken {
					t.Errorf("%s: %s belongs to %s and %s", name, f, other, s.Path)
				}
				owner[f] = s.Path
			}
			file := card.File("cards", s.Path)
			if other, taken := cards[file]; taken {
				t.Errorf("%s: %s is the card of %s and %s", name, file, other, s.Path)
			}
			cards[file] = s.Path
			if folder, ok := card.Folder("cards", file); !ok || folder != s.Path {
				t.Errorf("%s: the card %s leads to %q, not back to %s", name, file, folder, s.Path)
			}
		}
	}
}

// Law 13: whatever operation fails, there is an error and no tree.
func TestAnyFailingReadFails(t *testing.T) {
	t.Parallel()
	for file, archive := range archives(t) {
		fsys := sources(archive)
		for _, mode := range []string{"extract", "discover"} {
			tried := 0
			for n := 1; ; n++ {
				broken := &breaking{fsys: fsys, left: n}
				got, err := Tree{}, error(nil)
				if mode == "extract" {
					got, err = Extract(broken, DefaultShape())
				} else {
					var layout Layout
					layout, err = Discover(broken, DefaultShape())
					if err != nil && (layout.Skills != nil || layout.Notes != nil) {
						t.Fatalf("%s: %s gave a layout with its error", file, mode)
					}
				}
				if broken.left > 0 {
					break // more operations allowed than there are
				}
				tried++
				if !errors.Is(err, errBroken) {
					t.Fatalf("%s: %s with operation %d failing: got %v", file, mode, n, err)
				}
				if got.Skills != nil || got.Notes != nil {
					t.Fatalf("%s: a tree came with the error", file)
				}
			}
			if tried < 5 {
				t.Errorf("%s: %s made only %d operations", file, mode, tried)
			}
		}
	}
}

var errBroken = errors.New("the disk is broken")

// breaking fails on one operation, counted over the whole file system.
type breaking struct {
	fsys fs.FS
	left int
}

func (b *breaking) fails() bool {
	b.left--
	return b.left == 0
}

func (b *breaking) Open(name string) (fs.File, error) {
	if b.fails() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errBroken}
	}
	f, err := b.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	return &breakingFile{f, b}, nil
}

type breakingFile struct {
	fs.File
	of *breaking
}

func (f *breakingFile) Read(p []byte) (int, error) {
	if f.of.fails() {
		return 0, errBroken
	}
	return f.File.Read(p)
}

func (f *breakingFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if f.of.fails() {
		return nil, errBroken
	}
	return f.File.(fs.ReadDirFile).ReadDir(n)
}
