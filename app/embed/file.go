package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

const (
	// magic begins the file; another form gets another one.
	magic = "ckvec01\n"
	// mostKept bounds the file: 13 MB of vectors with 768 numbers. The oldest go first.
	mostKept = 8192
	// mostFile is more than such a file can have with vectors of 8,192 numbers.
	mostFile = 256 << 20
)

// A File keeps vectors in one file. What is missing, damaged or of another form is
// empty, and made again. It is safe for concurrent use; of two processes that save
// at once, what one has made may have to be made again.
type File struct {
	name string

	mu    sync.Mutex
	read  bool
	order []Key // the oldest first
	kept  map[Key]Vector
	fresh bool // holds what the file does not
}

// OpenFile is a cache in a file, which is read when it is first asked for.
func OpenFile(name string) *File { return &File{name: name, kept: map[Key]Vector{}} }

var _ Cache = (*File)(nil)

// Load returns what is kept under the keys.
func (f *File) Load(_ context.Context, keys []Key) map[Key]Vector {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fill()
	out := map[Key]Vector{}
	for _, k := range keys {
		if v, ok := f.kept[k]; ok {
			out[k] = v
		}
	}
	return out
}

// Keep adds vectors; [File.Save] writes them.
func (f *File) Keep(_ context.Context, made map[Key]Vector) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fill()
	keys := make([]Key, 0, len(made))
	for k := range made {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b Key) int { return bytes.Compare(a[:], b[:]) })
	for _, k := range keys {
		f.put(k, made[k])
	}
	f.fresh = f.fresh || len(made) > 0
}

func (f *File) put(k Key, v Vector) {
	if _, there := f.kept[k]; !there {
		f.order = append(f.order, k)
	}
	f.kept[k] = v
}

// fill reads the file once.
func (f *File) fill() {
	if f.read {
		return
	}
	f.read = true
	for _, r := range readFile(f.name) {
		f.put(r.key, r.vector)
	}
}

// Save writes what was made, together with what others have written meanwhile. The
// file is exchanged whole, and only its owner can read it.
func (f *File) Save() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.fresh {
		return nil
	}
	var all []record
	for _, r := range readFile(f.name) {
		if _, ours := f.kept[r.key]; !ours {
			all = append(all, r)
		}
	}
	for _, k := range f.order {
		all = append(all, record{k, f.kept[k]})
	}
	all = all[max(0, len(all)-mostKept):]
	if err := replace(f.name, encode(all)); err != nil {
		return fmt.Errorf("embed: keep vectors: %w", err)
	}
	f.fresh = false
	return nil
}

// A record is one vector of the file.
type record struct {
	key    Key
	vector Vector
}

// encode is the file: magic, then for each vector its key, its length and its bytes,
// then SHA-256 over all of that.
func encode(list []record) []byte {
	out := []byte(magic)
	for _, r := range list {
		out = append(out, r.key[:]...)
		out = binary.LittleEndian.AppendUint16(out, uint16(len(r.vector)))
		out = append(out, r.vector.Bytes()...)
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

// readFile reads the whole file, or nothing.
func readFile(name string) (out []record) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostFile {
		return nil
	}
	data, err := os.ReadFile(name)
	body := len(data) - sha256.Size
	if err != nil || body < len(magic) || string(data[:len(magic)]) != magic {
		return nil
	}
	if sum := sha256.Sum256(data[:body]); !bytes.Equal(sum[:], data[body:]) {
		return nil
	}
	for rest := data[len(magic):body]; len(rest) > 0; {
		const head = sha256.Size + 2
		if len(rest) < head {
			return nil
		}
		size := 2 * int(binary.LittleEndian.Uint16(rest[sha256.Size:]))
		if len(rest) < head+size {
			return nil
		}
		v := FromBytes(rest[head : head+size])
		if v == nil {
			return nil
		}
		out = append(out, record{Key(rest[:sha256.Size]), v})
		rest = rest[head+size:]
	}
	return out
}

// replace puts a file in the place of another in one step.
func replace(name string, data []byte) (err error) {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".vectors-*")
	if err != nil {
		return err
	}
	defer func() {
		if e := os.Remove(temp.Name()); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}()
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}
