package ask

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A Part is a skill that an index is made of, by a name of all that it gives.
type Part struct {
	Path string
	Key  [sha256.Size]byte
}

// PartOf names what the facts of a skill, and whether a scan finds something, depend on: its place, the names of
// its files and the ids of those that are read, and under, which says with what they are read and scanned. It is
// false where a file that is read has no id.
func PartOf(under string, s extractor.SkillFiles, id func(file string) (string, bool)) (Part, bool) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%d:%s%d:%s", len(under), under, len(s.Path), s.Path)
	for _, file := range s.Files {
		fmt.Fprintf(hash, "%d:%s\n", len(file), file)
	}
	all := true
	for _, file := range s.Sources() {
		name, ok := id(file)
		all = all && ok
		fmt.Fprintf(hash, "%d:%s\n", len(name), name)
	}
	return Part{s.Path, [sha256.Size]byte(hash.Sum(nil))}, all
}

// KeyOf names an index by all of its parts, in hex.
func KeyOf(parts []Part) string {
	hash := sha256.New()
	for _, p := range parts {
		hash.Write(p.Key[:]) // each names its place
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Holds reports whether a scan finds anything in a skill, allowed or not: in its Markdown, whole, in its
// facts, or in its names. What cannot be scanned to its end may hold anything. A skill of which it says
// no may be stored (law 8).
func Holds(ctx context.Context, s checker.Scanner, files fs.FS, of extractor.SkillFiles, facts []card.Fact) (bool, error) {
	found, err := findings(ctx, s, files, of, facts)
	if errors.Is(err, secret.ErrNotScanned) && ctx.Err() == nil {
		return true, nil
	}
	return found > 0, err
}

func findings(ctx context.Context, s checker.Scanner, files fs.FS, of extractor.SkillFiles, facts []card.Fact) (int, error) {
	for _, file := range of.Sources() {
		if !extractor.IsMarkdown(file) {
			continue
		}
		if found, err := checker.ScanFile(ctx, s, files, file); err != nil || len(found) > 0 {
			return len(found), err
		}
	}
	if found, err := checker.ScanFacts(ctx, s, facts); err != nil || len(found) > 0 {
		return len(found), err
	}
	found, err := s.Scan(ctx, of.Path+"\n"+strings.Join(of.Files, "\n"))
	return len(found), err
}

// ErrStock means bytes that are no stored index, or one of another edition. Make it anew.
var ErrStock = errors.New("these are not the bytes of a stored index with its parts; build it again")

// A Stock is an index with its parts, so that the next one is made of what differs. It is not
// changed once made. What it answers is what an index answers that was made anew, byte
// for byte (law 11).
type Stock struct {
	index *answer.Index
	parts []Part              // by path, as the index has its skills
	out   [][sha256.Size]byte // the keys of what was left out, by path
}

// NewStock is the stock of no skill.
func NewStock() *Stock { return &Stock{index: answer.NewIndex(nil)} }

// stockMark begins a stored stock. It is followed by the number of parts and their keys, the same of what was left
// out, the index, and SHA-256 over all before the index and the sum at the index's end.
const stockMark = "cardkeeper stock 1\n"

// LoadStock makes a stock of bytes that [Stock.Bytes] gave, and keeps them. It fails with
// [ErrStock] for any others.
func LoadStock(data []byte) (*Stock, error) {
	if !bytes.HasPrefix(data, []byte(stockMark)) || len(data) < len(stockMark)+2*sha256.Size {
		return nil, ErrStock
	}
	body, seal := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	parts, rest, ok := cutKeys(body[len(stockMark):])
	out, index, fine := cutKeys(rest)
	if !ok || !fine || len(index) < sha256.Size || !bytes.Equal(sealOf(body, len(body)-len(index)), seal) {
		return nil, ErrStock
	}
	x, err := answer.Load(index)
	if err != nil || x.Cards() != len(parts) {
		return nil, ErrStock
	}
	s := &Stock{index: x, out: out}
	for i, path := range x.Paths() {
		s.parts = append(s.parts, Part{path, parts[i]})
	}
	return s, nil
}

// cutKeys reads a number of keys, and them.
func cutKeys(b []byte) (keys [][sha256.Size]byte, rest []byte, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)/sha256.Size) || size+int(n)*sha256.Size > len(b) {
		return nil, nil, false
	}
	rest = b[size:]
	for range n {
		keys, rest = append(keys, [sha256.Size]byte(rest)), rest[sha256.Size:]
	}
	return keys, rest, true
}

// sealOf ties what stands before an index, which begins at a place, to the index whose bytes end with
// their own sum.
func sealOf(body []byte, index int) []byte {
	sum := sha256.Sum256(append(slices.Clone(body[:index]), body[len(body)-sha256.Size:]...))
	return sum[:]
}

// Bytes are the stock for [LoadStock]. Equal stocks have equal bytes. A stock that is stored may
// hold only skills of which [Holds] says no.
func (s *Stock) Bytes() []byte {
	b := binary.AppendUvarint([]byte(stockMark), uint64(len(s.parts)))
	for _, p := range s.parts {
		b = append(b, p.Key[:]...)
	}
	b = binary.AppendUvarint(b, uint64(len(s.out)))
	for _, key := range s.out {
		b = append(b, key[:]...)
	}
	index := len(b)
	b, _ = s.index.AppendBinary(b) // it never fails
	return append(b, sealOf(b, index)...)
}

// has reports whether the stock holds a part as it is.
func (s *Stock) has(p Part) bool {
	i, found := slices.BinarySearchFunc(s.parts, p.Path, byPath)
	return found && s.parts[i] == p
}

func byPath(p Part, path string) int { return strings.Compare(p.Path, path) }

// Lacks returns the numbers of those wanted parts that the stock does not hold.
func (s *Stock) Lacks(wanted []Part) (numbers []int) {
	for i, p := range wanted {
		if !s.has(p) {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// Revised is the stock of the wanted parts, which are sorted by path and of which it is given those that it
// [Stock.Lacks]. Where nothing differs it is the stock itself.
func (s *Stock) Revised(wanted []Part, read []answer.Skill) *Stock {
	if slices.Equal(s.parts, wanted) {
		return s
	}
	there := &Stock{parts: wanted}
	there.index = s.index.Revised(read, func(path string) bool {
		_, found := slices.BinarySearchFunc(wanted, path, byPath)
		return !found
	})
	return there
}

// Without is the stock without some skills, of which it remembers the keys. Had is another one that may be
// the same: then it is that one.
func (s *Stock) Without(gone map[string]bool, had *Stock) *Stock {
	var left []Part
	var out [][sha256.Size]byte
	for _, p := range s.parts {
		if gone[p.Path] {
			out = append(out, p.Key)
		} else {
			left = append(left, p)
		}
	}
	if slices.Equal(left, had.parts) {
		if slices.Equal(out, had.out) {
			return had
		}
		return &Stock{had.index, left, out}
	}
	return &Stock{s.Revised(left, nil).index, left, out}
}

// LeftOut reports whether a part was left out as it is, so that nobody need scan it again to know.
func (s *Stock) LeftOut(p Part) bool { return slices.Contains(s.out, p.Key) }

// Library answers from the stock; see [New].
func (s *Stock) Library(files fs.FS, scanner checker.Scanner, ready func(ctx context.Context, files []string) error) *Library {
	return over(s.index, files, scanner, ready)
}
