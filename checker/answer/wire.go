package answer

import "encoding/binary"

// Numbers are stored as varints, texts with their length before them.

func appendNumber(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

func appendText(b []byte, s string) []byte { return append(appendNumber(b, len(s)), s...) }

// A wire is stored bytes that are read from the front. Where they are not what was
// written it turns bad and gives zeros from there on: nothing panics, and nothing
// larger than the bytes themselves is ever asked for.
type wire struct {
	rest []byte
	bad  bool
}

// number reads a number of at most most.
func (w *wire) number(most int) int {
	n, size := binary.Uvarint(w.rest)
	if w.bad || size <= 0 || most < 0 || n > uint64(most) {
		w.bad, w.rest = true, nil
		return 0
	}
	w.rest = w.rest[size:]
	return int(n)
}

// count reads how many things follow, each of which takes a byte or more.
func (w *wire) count() int { return w.number(len(w.rest)) }

// bytes reads n bytes. They are a part of what is read, not a copy.
func (w *wire) bytes(n int) []byte {
	if w.bad || n > len(w.rest) {
		w.bad, w.rest = true, nil
		return nil
	}
	out := w.rest[:n:n]
	w.rest = w.rest[n:]
	return out
}

// text reads a text, without a copy of it.
func (w *wire) text() []byte { return w.bytes(w.count()) }
