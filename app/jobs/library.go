package jobs

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// The index of a commit is put together of segments, one a skill, which are kept
// in the database once they were scanned and nothing was found: a question costs
// the skills that changed since the last one. A skill with a finding is never kept
// and read each time, so that what is said of it is what the scanner says today.

// batch is how many skills are read, scanned and kept together.
const batch = 200

// A segment is a skill's facts as they are kept.
type segment struct {
	Entry  card.Entry   `json:"e"`
	Reason card.Reason  `json:"r"`
	Places []card.Place `json:"p"`
}

// program names what makes segments: the very file that runs. Another build may
// read or scan otherwise, and makes its own.
var program = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)[:16]), nil
})

// A binder puts the segments of one commit together.
type binder struct {
	r      *Runner
	head   *snapshot
	shape  extractor.Shape
	form   string // shape and policy, as part of each segment's key
	scan   checker.Scanner
	kept   store.Segment     // what the keys have in common
	known  map[string]bundle // what another binder of the same work bound, by key
	skills []answer.Skill
	clean  map[string]bool // the folders of skills in which nothing is found
}

// A bundle is the facts of a skill.
type bundle struct {
	facts []card.Fact
	clean bool // nothing is found in it
}

// bound says what a binder puts together, and under which policy.
type bound struct {
	from         *source
	side         *snapshot
	shape        extractor.Shape
	policy       config.Config
	scanner      checker.Scanner
	installation int64
	known        map[string]bundle
}

// library is the index of a commit's skills. The shape comes with the head, as it
// does for the cards; faults in it are [config.Faults]. What may be shown of a
// finding is the base's to say (law 7), and so the scanner's.
func (r *Runner) library(ctx context.Context, from *source, base config.Config, scanner checker.Scanner, installation int64, sha string) (*ask.Library, *binder, error) {
	head, err := take(ctx, from, sha)
	if err != nil {
		return nil, nil, err
	}
	cfg, err := head.config(ctx)
	if err != nil {
		return nil, nil, err
	}
	b, skills, err := r.binder(bound{from, head, cfg.Shape, base, scanner, installation, map[string]bundle{}})
	if err != nil {
		return nil, nil, err
	}
	stock, err := b.stock(ctx, skills)
	if err != nil {
		return nil, nil, err
	}
	gate := checker.NewGate(scanner, base.Policy.Allow, r.today())
	made := stock.Library(head, gate, b.fetch).Under(base.Answers.Rules)
	if r.cfg.Embed != nil {
		finder := r.cfg.Embed.Finder(vectorShelf{r, installation, from.repo.ID})
		made.ByMeaning(finder, finder.Weight())
	}
	return made, b, nil
}

// fetch brings files of the commit to hand.
func (b *binder) fetch(ctx context.Context, files []string) error { return b.head.fetch(ctx, files...) }

// add takes a skill's facts into the index that is put together.
func (b *binder) add(folder, key string, of bundle) {
	b.skills = append(b.skills, ask.Skill(folder, of.facts))
	b.known[key] = of
	b.clean[folder] = of.clean
}

// bound binds the facts of all skills of a commit.
func (r *Runner) bound(ctx context.Context, of bound) (*binder, error) {
	b, skills, err := r.binder(of)
	if err != nil {
		return nil, err
	}
	return b, b.bind(ctx, skills)
}

// binder returns a binder that has bound nothing yet, and the skills of its commit.
func (r *Runner) binder(of bound) (*binder, []extractor.SkillFiles, error) {
	layout, err := extractor.Discover(of.side.Tree, of.shape)
	if err != nil {
		return nil, nil, hush(err)
	}
	rules, err := program()
	if err != nil {
		return nil, nil, fmt.Errorf("jobs: name the running program: %w", err)
	}
	form, _ := json.Marshal(of.shape) // strings and numbers always marshal
	b := &binder{
		r: r, head: of.side, shape: of.shape, form: string(form) + string(policyKey(of.policy)), scan: of.scanner, known: of.known, clean: map[string]bool{},
		kept: store.Segment{Installation: of.installation, Repository: of.from.repo.ID, Edition: card.Edition, Rules: rules},
	}
	return b, layout.Skills, nil
}

// bind takes the segments that are kept, and makes the others.
func (b *binder) bind(ctx context.Context, skills []extractor.SkillFiles) error {
	wanted := make(map[string]extractor.SkillFiles, len(skills))
	for _, s := range skills {
		key := b.key(s)
		if kept, ok := b.known[key]; ok {
			b.add(s.Path, key, kept)
			continue
		}
		wanted[key] = s
	}
	if err := b.take(ctx, wanted, len(b.skills) > 0); err != nil {
		return err
	}
	var rest []extractor.SkillFiles
	for _, s := range wanted {
		rest = append(rest, s)
	}
	slices.SortFunc(rest, func(a, b extractor.SkillFiles) int { return strings.Compare(a.Path, b.Path) })
	for part := range slices.Chunk(rest, batch) {
		if err := b.make(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// take takes what is kept of the wanted skills out of the database and off the list. To
// go through all rows for a few skills, whose files the check has read, costs more
// than to read these again.
func (b *binder) take(ctx context.Context, wanted map[string]extractor.SkillFiles, few bool) error {
	if few && len(wanted) <= batch {
		return nil
	}
	if len(wanted) <= batch {
		return b.takeEach(ctx, wanted)
	}
	return b.r.cfg.Store.Segments(ctx, b.kept, func(key string, data []byte) error {
		s, ok := wanted[key]
		if !ok {
			return nil
		}
		b.taken(wanted, key, s, data)
		return nil
	})
}

// takeEach is take by the keys: where a few are wanted, they may be those that differ from thousands.
func (b *binder) takeEach(ctx context.Context, wanted map[string]extractor.SkillFiles) error {
	for key, s := range wanted {
		g := b.kept
		g.Tree = key
		data, err := b.r.cfg.Store.Segment(ctx, g)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		b.taken(wanted, key, s, data)
	}
	return nil
}

// taken takes one segment; what does not decode is made again.
func (b *binder) taken(wanted map[string]extractor.SkillFiles, key string, s extractor.SkillFiles, data []byte) {
	if facts, err := thaw(data); err == nil {
		b.add(s.Path, key, bundle{facts, true}) // what is found in is not kept
		delete(wanted, key)
	}
}

// part names all that the facts of a skill, and being clean, depend on beside the program.
func (b *binder) part(s extractor.SkillFiles) ask.Part {
	p, _ := ask.PartOf(b.form, s, b.head.ID) // a tree of GitHub's has the ids of all its files
	return p
}

// key is the part as the segments have it.
func (b *binder) key(s extractor.SkillFiles) string {
	p := b.part(s)
	return hex.EncodeToString(p.Key[:])
}

// make reads some skills and scans them, and keeps what is clean. Files that it had
// to fetch are let go: the index of a large repository needs none of them.
func (b *binder) make(ctx context.Context, skills []extractor.SkillFiles) error {
	var files, fetched []string
	for _, s := range skills {
		files = append(files, s.Sources()...)
	}
	for _, file := range files {
		if !b.head.holds(file) {
			fetched = append(fetched, file)
		}
	}
	if err := b.head.fetch(ctx, files...); err != nil {
		return err
	}
	var clean []store.Segment
	for _, s := range skills {
		skill, err := s.Read(b.head, b.shape)
		if err != nil {
			return hush(err)
		}
		facts := slices.Concat(skill.Facts, skill.Rest)
		found, err := ask.Holds(ctx, b.scan, b.head, s, facts)
		if err != nil {
			return hush(err)
		}
		if !found {
			g := b.kept
			g.Tree, g.Data = b.key(s), freeze(facts)
			clean = append(clean, g)
		}
		b.add(s.Path, b.key(s), bundle{facts, !found})
	}
	return b.keep(ctx, clean, fetched)
}

func (b *binder) keep(ctx context.Context, clean []store.Segment, files []string) error {
	err := b.r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, g := range clean {
			if err := b.r.cfg.Store.PutSegmentTx(ctx, tx, g); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		b.head.from.made += len(clean) + len(files)
		b.head.release(files...)
	}
	return err
}

func freeze(facts []card.Fact) []byte {
	list := make([]segment, len(facts))
	for i, f := range facts {
		list[i] = segment{f.Entry(), f.Reason(), f.Places()}
	}
	data, _ := json.Marshal(list) // strings and numbers always marshal
	return data
}

func thaw(data []byte) ([]card.Fact, error) {
	var list []segment
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	facts := make([]card.Fact, len(list))
	for i, s := range list {
		var err error
		if facts[i], err = card.Ground(s.Entry, s.Reason, s.Places...); err != nil {
			return nil, err
		}
	}
	return facts, nil
}
