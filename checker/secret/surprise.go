package secret

import "strings"

// surprise has, for each symbol and the one after it, how unlikely the second is
// in the words, names, addresses and versions of documentation, in half bits
// from 0 to z (35). Rows and columns are a to z without their case, any digit,
// any other byte. Counted over 43,000 different runs of 600 Markdown files;
// a digit is one of ten, another byte one of six.
const surprise = "" +
	"ka89je8o9nf797o9n785adeebjng" +
	"5feg5gef8cf5fe7fm9ad7itpaikd" +
	"7kbh6lm7ar88kl4ek8b69lmndqmf" +
	"6bea3edi6hgbfg8epaae9ghhdvlb" +
	"9f98cceiflm996gbe568gbdafmnc" +
	"7igi78mp4ul8jg6ho9cb9poucujb" +
	"8edg3ha97qqbeaaem79dakljfkpb" +
	"5ffh4jlk7nofee6fj7d69jlpcpnc" +
	"bd789b9oopi8946bjb87haygsbuh" +
	"8ngh4nnjdninjn6ein3n7jcnn9oh" +
	"9gfe39dg6nndfcdanf8bahfrfria" +
	"6fea5agi5wk7fi6fog999gipaqpd" +
	"5bda4kko7nmcbf76mjahbklpcppd" +
	"8i877b6jajdeecacng74dbjjgmrc" +
	"cd99jdcidgc884a9y5aa8bagfmqg" +
	"6kfc6igc8sl7gg69q6989mmhaqoe" +
	"eokfkiooooo7gookogho1ofookld" +
	"6haa4fcl7qcebc6ema9abbin9yrd" +
	"al9g5fka8pcdeha9gf859ificxpa" +
	"7gcg5fi85pnefh7bn89abihhaqob" +
	"a99a7fcr9vr796i9r666jkvinlrl" +
	"5igk2jgk4tpgejafpjhihtitgthg" +
	"6ged5gib5kldg86dj98dihbnnrnb" +
	"7j9h7dlf9mrbdhf6igd3giiffrja" +
	"adbdagggblj978a6ie78hhelgek9" +
	"6iio1ioo8oocij8oojij8ooieenf" +
	"cbedccklmpdnfpffpfhgmjndug89" +
	"8a79aabc9efb9bb8f978bbcigkfb"

// Half bits for the case of a letter after that of the letter before it, from
// the same count: small after small, capital after small, small after capital,
// capital after capital.
const (
	smallSmall   = 0
	smallCapital = 10.5
	capitalSmall = 1.5
	bothCapital  = 2.6
)

const (
	// leastOdd is above nineteen in twenty of the runs of documentation.
	leastOdd = 5.2
	// quiteOdd is above ninety-nine in a hundred of them.
	quiteOdd = 5.6
)

// odd is how surprising a value is, in bits for each step from one byte to the
// next. Random letters and digits have 7 to 9, hexadecimal digits 5 to 6, and of
// what stands in documentation 99 in 100 have less than 5.7 from 12 bytes on.
func odd(value string) float64 {
	if len(value) < 2 {
		return 0
	}
	sum := 0.0
	for i := 1; i < len(value); i++ {
		sum += step(value[i-1], value[i])
	}
	return sum / 2 / float64(len(value)-1)
}

func step(a, b byte) float64 {
	cost := float64(half(surprise[symbol(a)*symbols+symbol(b)]))
	if symbol(a) >= digitSymbol || symbol(b) >= digitSymbol {
		return cost
	}
	switch small, next := a >= 'a', b >= 'a'; {
	case small && next:
		return cost + smallSmall
	case small:
		return cost + smallCapital
	case next:
		return cost + capitalSmall
	}
	return cost + bothCapital
}

const (
	symbols     = 28
	digitSymbol = 26
)

func symbol(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return int(c - 'a')
	case c >= 'A' && c <= 'Z':
		return int(c - 'A')
	case c >= '0' && c <= '9':
		return digitSymbol
	}
	return digitSymbol + 1
}

func half(c byte) int {
	if c <= '9' {
		return int(c - '0')
	}
	return int(c-'a') + 10
}

// random reports a value that nobody thought up. Short ones must be odder:
// chance makes more of them.
func random(value string) bool {
	least := 5.8
	switch n := len(value); {
	case n < leastRun:
		return false
	case n < 12:
		least = 6.2
	case n < 16:
		least = 6
	}
	if !strings.ContainsAny(value, "0123456789") && strings.ToLower(value) != value {
		least = 6.5 // names in code have many capitals
	}
	return odd(value) >= least || len(value) >= 16 && hexadecimal(value)
}

// hexadecimal reports digits of base 16 in one case, both letters and numbers
// among them, that are no run or repetition.
func hexadecimal(value string) bool {
	if len(value) > 2 && value[0] == '0' && value[1]|0x20 == 'x' {
		value = value[2:]
	}
	letters, digits, capitals := 0, 0, 0
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'f':
			letters++
		case c >= 'A' && c <= 'F':
			capitals++
		default:
			return false
		}
	}
	return digits >= 3 && letters+capitals >= 3 && letters*capitals == 0 && entropy(value) > 2.5
}
