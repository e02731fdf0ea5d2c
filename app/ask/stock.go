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
	parts []Part // by path, as the index has its skills
}

// NewStock is the stock of no skill.
func NewStock() *Stock { return &Stock{index: answer.NewIndex(nil)} }

// stockMark begins a stored stock. It is followed by the number of parts, their keys, the index, and SHA-256 over
// all before the index and the sum at the index's end.
const stockMark = "cardkeeper stock 1\n"

// LoadStock makes a stock of bytes that [Stock.Bytes] gave, and keeps them. It fails with
// [ErrStock] for any others.
func LoadStock(data []byte) (*Stock, error) {
	if !bytes.HasPrefix(data, []byte(stockMark)) || len(data) < len(stockMark)+2*sha256.Size {
		return nil, ErrStock
	}
	body, seal := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	rest := body[len(stockMark):]
	n, size := binary.Uvarint(rest)
	if size <= 0 || n > uint64(len(rest)/sha256.Size) {
		return nil, ErrStock
	}
	from := len(stockMark) + size
	to := from + int(n)*sha256.Size
	if to+sha256.Size > len(body) || !bytes.Equal(sealOf(body, to), seal) {
		return nil, ErrStock
	}
	index, err := answer.Load(body[to:])
	if err != nil || index.Cards() != int(n) {
		return nil, ErrStock
	}
	s := &Stock{index: index}
	for i, path := range index.Paths() {
		s.parts = append(s.parts, Part{path, [sha256.Size]byte(body[from+i*sha256.Size:])})
	}
	return s, nil
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
	out := binary.AppendUvarint([]byte(stockMark), uint64(len(s.parts)))
	for _, p := range s.parts {
		out = append(out, p.Key[:]...)
	}
	index := len(out)
	out, _ = s.index.AppendBinary(out) // it never fails
	return append(out, sealOf(out, index)...)
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

// Without is the stock without some skills; where it holds none of them, the stock itself. Had
// is another one that may be the same by its parts: then it is that one.
func (s *Stock) Without(gone map[string]bool, had *Stock) *Stock {
	left := slices.DeleteFunc(slices.Clone(s.parts), func(p Part) bool { return gone[p.Path] })
	if slices.Equal(left, had.parts) {
		return had
	}
	return s.Revised(left, nil)
}

// Library answers from the stock; see [New].
func (s *Stock) Library(files fs.FS, scanner checker.Scanner, ready func(ctx context.Context, files []string) error) *Library {
	return over(s.index, files, scanner, ready)
}
