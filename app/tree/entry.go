package tree

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Mode is a git file mode.
type Mode uint32

// The modes that a git tree can hold.
const (
	Regular    Mode = 0o100644
	Executable Mode = 0o100755
	Symlink    Mode = 0o120000
	Submodule  Mode = 0o160000
	Directory  Mode = 0o040000
)

// ParseMode reads an octal git mode such as "100644". The group-writable
// 100664 of very old repositories counts as Regular.
func ParseMode(s string) (Mode, error) {
	n, err := strconv.ParseUint(s, 8, 32)
	if err != nil {
		return 0, fmt.Errorf("tree.ParseMode: not an octal git mode")
	}
	switch m := Mode(n); m {
	case Regular, Executable, Symlink, Submodule, Directory:
		return m, nil
	case 0o100664:
		return Regular, nil
	default:
		return 0, fmt.Errorf("tree.ParseMode: %06o is no mode that git writes", n)
	}
}

// String is the mode as git prints it, six octal digits.
func (m Mode) String() string { return fmt.Sprintf("%06o", uint32(m)) }

// FileMode is the mode as [fs.FileMode]. Trees are read-only, so no write bits.
func (m Mode) FileMode() fs.FileMode {
	switch m {
	case Executable:
		return 0o555
	case Symlink:
		return fs.ModeSymlink | 0o444
	case Submodule:
		return fs.ModeIrregular | 0o444
	case Directory:
		return fs.ModeDir | 0o555
	default:
		return 0o444
	}
}

// blob reports whether the entry's id names a blob.
func (m Mode) blob() bool { return m == Regular || m == Executable || m == Symlink }

// Entry is one file, symbolic link or submodule of a tree.
type Entry struct {
	Path string // slash-separated, relative to the tree's root
	Mode Mode
	ID   string // object id, 40 or 64 hex digits; "" where nothing was hashed yet
	Size int64  // bytes; 0 or less where it is not known
}

// BlobID is git's SHA-1 object id of data as a blob.
func BlobID(data []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// ID is git's SHA-1 object id of one level of a tree; paths are names. It is ""
// where an entry has no SHA-1 id, and thus no such tree.
func ID(level []Entry) string {
	key := func(e Entry) string { // git sorts a folder as if its name ended in a slash
		if e.Mode == Directory {
			return e.Path + "/"
		}
		return e.Path
	}
	sorted := slices.SortedFunc(slices.Values(level), func(a, b Entry) int { return strings.Compare(key(a), key(b)) })
	var body []byte
	for _, e := range sorted {
		id, err := hex.DecodeString(e.ID)
		if err != nil || len(id) != sha1.Size {
			return ""
		}
		body = append(fmt.Appendf(body, "%o %s\x00", uint32(e.Mode), e.Path), id...)
	}
	h := sha1.New()
	fmt.Fprintf(h, "tree %d\x00", len(body))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// hexID reports whether s is an object id: 40 (SHA-1) or 64 (SHA-256) lower-case
// hex digits. Nothing else is ever sent to git as an id.
func hexID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
