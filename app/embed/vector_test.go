package embed

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func random(r *rand.Rand, dims int) []float64 {
	out := make([]float64, dims)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

func vector(t *testing.T, from ...float64) Vector {
	t.Helper()
	v, err := newVector(from)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The cosine in whole numbers is that of the numbers that came, to the hundredth that
// it is rounded to.
func TestLikenessIsTheCosine(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, dims := range []int{1, 2, 3, 384, 1536, mostDims} {
		for range 50 {
			a, b := random(r, dims), random(r, dims)
			for i := range b {
				b[i] += a[i] * r.Float64() * 3 // some near, some far
			}
			var ab, aa, bb float64
			for i := range a {
				ab, aa, bb = ab+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
			}
			want, got := 100*ab/math.Sqrt(aa*bb), vector(t, a...).Alike(vector(t, b...))
			if math.Abs(want-float64(got)) > .52 {
				t.Errorf("%d numbers: %d for %.3f", dims, got, want)
			}
		}
	}
	for _, tc := range []struct {
		a, b Vector
		want int
	}{
		{vector(t, 1, 0), vector(t, 0, 1), 0},
		{vector(t, 2, 2), vector(t, 7, 7), 100},
		{vector(t, 1, -1), vector(t, -1, 1), -100},
		{vector(t, 1e300, 1e300), vector(t, 1e-300, 1e-300), 100},
	} {
		if got := tc.a.Alike(tc.b); got != tc.want || tc.b.Alike(tc.a) != tc.want {
			t.Errorf("got %d, want %d", got, tc.want)
		}
	}
}

// What a server's arithmetic leaves to chance, a few of the last bits of 32, changes
// next to no likeness, and none by more than a hundredth.
func TestLastBitsMakeNoDifference(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	changed, total := 0, 2000
	for range total {
		a, b := random(r, 384), random(r, 384)
		c := slices.Clone(a)
		for i := range c {
			c[i] *= 1 + (r.Float64()-.5)/(1<<21)
		}
		d := vector(t, a...).Alike(vector(t, b...)) - vector(t, c...).Alike(vector(t, b...))
		if d != 0 {
			changed++
		}
		if d < -1 || d > 1 {
			t.Errorf("a difference of %d", d)
		}
	}
	if changed > total/200 {
		t.Errorf("%d of %d changed", changed, total)
	}
}

func TestVectorsAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for _, dims := range []int{1, 2, 768, mostDims} {
		v := vector(t, random(r, dims)...)
		if got := FromBytes(v.Bytes()); !slices.Equal(got, v) {
			t.Errorf("%d numbers do not come back", dims)
		}
	}
	for _, data := range [][]byte{nil, {1}, {1, 2, 3}, make([]byte, 2*mostDims+2)} {
		if got := FromBytes(data); got != nil {
			t.Errorf("%d bytes: %d numbers", len(data), len(got))
		}
	}
}

func BenchmarkLikenessOf31Facts(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	asked, err := newVector(random(r, 768))
	if err != nil {
		b.Fatal(err)
	}
	sum := 0
	for b.Loop() {
		for range 31 {
			sum += asked.Alike(asked)
		}
	}
	if sum == 0 {
		b.Error("nothing was compared")
	}
}
