package extractor

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/extractor/ident"
)

// A Skill is what was read from one skill's files.
type Skill struct {
	Path  string
	Card  card.Card
	Facts []card.Fact // the card's entries with their places, in canonical order
	Rest  []card.Fact // what the card holds by digest only: code lines and bulk
	Notes []Note
	Stats Stats

	Dead    []Reference // what its Markdown names and is not there, sorted
	OptOuts []Reference // the references with an opt-out, dead or not, sorted
}

// Stats counts what was read and how it was placed.
type Stats struct {
	Files   int
	Bytes   int
	Placed  map[card.Reason]int
	LeftOut int // under a licence, contents or version heading
}

// Add sums two counts.
func (s *Stats) Add(other Stats) {
	s.Files += other.Files
	s.Bytes += other.Bytes
	s.LeftOut += other.LeftOut
	if s.Placed == nil {
		s.Placed = map[card.Reason]int{}
	}
	for reason, n := range other.Placed {
		s.Placed[reason] += n
	}
}

// A Tree is the skills of a tree of files.
type Tree struct {
	Skills []Skill // sorted by path
	Notes  []Note  // of the layout; a skill's own are with it
}

// Extract reads all skills of a tree. It fails where anything cannot be
// listed or read, naming the file; see [Discover] for its other failure.
func Extract(fsys fs.FS, shape Shape) (Tree, error) {
	layout, err := Discover(fsys, shape)
	if err != nil {
		return Tree{}, err
	}
	out := Tree{Notes: layout.Notes}
	for _, s := range layout.Skills {
		skill, err := s.Read(fsys, shape)
		if err != nil {
			return Tree{}, err
		}
		out.Skills = append(out.Skills, skill)
	}
	return out, nil
}

// reader collects the facts of one skill.
type reader struct {
	files    SkillFiles
	shape    Shape
	title    string
	about    string
	words    map[string]bool // the words of the Markdown, to tell which functions it names
	facts    []card.Fact
	rest     []card.Fact
	notes    []Note
	stats    Stats
	scripted []script
	pages    []*page           // for references
	mined    map[string]*mined // by file
}

// Read reads the skill's files and makes its card. A file that cannot be read
// is an error; one that was read and is damaged is a note.
func (s SkillFiles) Read(fsys fs.FS, shape Shape) (Skill, error) {
	r := &reader{files: s, shape: shape, words: map[string]bool{}, title: path.Base(s.Path), mined: map[string]*mined{}}
	r.stats.Placed = map[card.Reason]int{}
	for _, file := range s.Sources() {
		src, err := fs.ReadFile(fsys, file)
		if err != nil {
			return Skill{}, fmt.Errorf("read %s: %w", file, err)
		}
		r.stats.Files++
		r.stats.Bytes += len(src)
		if IsMarkdown(file) {
			r.markdown(file, src)
		} else {
			r.scripted = append(r.scripted, script{file, src})
		}
	}
	r.scripts()
	r.noteTranslations()
	skill := r.skill()
	var err error
	skill.Dead, skill.OptOuts, err = r.references(fsys)
	return skill, err
}

// Sources lists the files that [SkillFiles.Read] reads: Markdown but for
// translations, and what could be a script by its name.
func (s SkillFiles) Sources() []string {
	var out []string
	other := s.translations()
	for _, file := range s.Files {
		if _, skip := slices.BinarySearch(other, file); !skip && (IsMarkdown(file) || ident.IsSource(file)) {
			out = append(out, file)
		}
	}
	return out
}

// relative returns a file's path from the skill's folder.
func (r *reader) relative(file string) string {
	if r.files.Path == "." {
		return file
	}
	return strings.TrimPrefix(file, r.files.Path+"/")
}

// IsMarkdown reports whether a file is indexed verbatim, by its name.
func IsMarkdown(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".markdown":
		return true
	}
	return false
}

func (r *reader) note(kind NoteKind, file string, line int, text string) {
	r.notes = append(r.notes, Note{kind, file, line, text})
}

// ground adds a fact. It cannot fail for a block that the parser read.
func (r *reader) ground(to *[]card.Fact, e card.Entry, why card.Reason, places ...card.Place) {
	f, err := card.Ground(e, why, places...)
	if errors.Is(err, card.ErrNoPlace) {
		r.note(Damaged, path.Join(r.files.Path, e.File), 0, "a statement without a line was left out; please report this") // unreachable
		return
	}
	*to = append(*to, f)
}

// skill makes the card of what was read.
func (r *reader) skill() Skill {
	facts := r.cut(card.Merge(number(r.facts)))
	entries := make([]card.Entry, len(facts))
	for i, f := range facts {
		entries[i] = f.Entry()
		r.stats.Placed[f.Reason()]++
	}
	return Skill{
		Path:  r.files.Path,
		Card:  card.New(r.files.Path, r.name(), r.about, entries),
		Facts: facts,
		Rest:  card.Merge(r.rest),
		Notes: r.notes,
		Stats: r.stats,
	}
}

// name is the card's title: the skill's own name, with its folder's where they differ.
func (r *reader) name() string {
	folder := path.Base(r.files.Path)
	if folder == "." || r.title == folder {
		if r.title == "." {
			return "Skill at the root"
		}
		return r.title
	}
	return fmt.Sprintf("%s (%s)", r.title, folder)
}
