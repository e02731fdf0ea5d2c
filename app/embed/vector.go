package embed

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
)

// unit is the length of a vector: components are whole numbers, so that sums are
// the same on every machine and in every order. A component is exact to a 65,000th,
// and a cosine to far less than the hundredth that it is rounded to.
const unit = math.MaxInt16

// mostDims bounds the length of a vector; 4,096 is the longest in wide use.
const mostDims = 8192

// A Vector is a direction: components of a vector of the length [unit].
type Vector []int16

// A Key names a text as one model at one address sees it: SHA-256 over all three.
type Key [sha256.Size]byte

var errVector = errors.New("a vector is empty, too long, without a direction, or holds what is no number")

// newVector brings a vector to unit length.
func newVector(from []float64) (Vector, error) {
	if len(from) == 0 || len(from) > mostDims {
		return nil, errVector
	}
	most := 0.0
	for _, x := range from {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, errVector
		}
		most = max(most, math.Abs(x))
	}
	if most == 0 {
		return nil, errVector
	}
	sum := 0.0
	for _, x := range from {
		part := x / most // no square is too large or too small for a number
		sum += float64(part * part)
	}
	length := math.Sqrt(sum)
	out := make(Vector, len(from))
	for i, x := range from {
		out[i] = int16(math.Round(float64(x/most) / length * unit))
	}
	return out, nil
}

// Alike is the cosine of two vectors in whole hundredths, -100 to 100. It is so
// coarse that the last bits of a server's numbers make no difference to an order.
func (v Vector) Alike(w Vector) int {
	sum := int64(0)
	for i := range min(len(v), len(w)) {
		sum += int64(v[i]) * int64(w[i])
	}
	const whole = unit * unit
	half := int64(whole / 2)
	if sum < 0 {
		half = -half
	}
	return int(max(-100, min(100, (sum*100+half)/whole)))
}

// Bytes is the vector as it is kept: two bytes a component, the low one first.
func (v Vector) Bytes() []byte {
	out := make([]byte, 0, 2*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint16(out, uint16(x))
	}
	return out
}

// FromBytes reads what [Vector.Bytes] wrote; nil for what it cannot have written.
func FromBytes(data []byte) Vector {
	if len(data) == 0 || len(data)%2 != 0 || len(data) > 2*mostDims {
		return nil
	}
	out := make(Vector, len(data)/2)
	for i := range out {
		out[i] = int16(binary.LittleEndian.Uint16(data[2*i:]))
	}
	return out
}
