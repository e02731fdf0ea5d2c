package secret

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WithheldRule is the rule of findings that are values which a policy withholds.
const WithheldRule = "withheld-value"

// Withheld values are kept as keyed hashes, so that a list of them tells nobody
// what they are, not even whether a guess is right:
//
//	repository key = HMAC-SHA-256(key, "cardkeeper withheld 1" 00 salt)
//	hash           = HMAC-SHA-256(repository key, "value" 00 words)
//	check          = HMAC-SHA-256(repository key, "check" 00)
//
// salt are the bytes of policy.salt, 00 is one zero byte, and words are the
// value's words as [Seal.Hash] makes them, in UTF-8, joined by one blank. Two
// repositories give one value two hashes. The check tells a wrong key from a
// value that is not there. Changing any of this voids every list.
const (
	sealDomain  = "cardkeeper withheld 1\x00"
	valueDomain = "value\x00"
	checkDomain = "check\x00"
)

const (
	// MaxWords is the longest value, in words.
	MaxWords = 8
	// MinLetters is the shortest value, in letters and digits; a Chinese or
	// Japanese character counts as two. What is shorter stands in every text.
	MinLetters = 4
	// MinDigits is the shortest value without a letter, in digits. Customer,
	// account and phone numbers have as many; years, ports and amounts have fewer.
	MinDigits = 6

	minKey      = 32 // bytes: as many as the hash gives
	minDistinct = 16 // of those; 32 random bytes have about 30 different ones
)

// A Key is what withheld values are hashed with. It is in no repository, and
// prints as "[key]".
type Key struct{ bytes []byte }

// ParseKey reads a key of at least 32 random bytes, written as hexadecimal digits
// or in base64, with blanks around it. Every error wraps [ErrBadKey] and quotes nothing.
func ParseKey(text string) (Key, error) {
	text = strings.TrimSpace(text)
	b, err := hex.DecodeString(text)
	if err != nil && strings.Trim(text, "0123456789abcdefABCDEF") != "" {
		plain := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
		b, err = base64.RawStdEncoding.DecodeString(plain)
	}
	distinct := map[byte]bool{}
	for _, c := range b {
		distinct[c] = true
	}
	switch {
	case err != nil:
		return Key{}, fmt.Errorf("%w: it is neither hexadecimal nor base64; cardkeeper withhold key makes one", ErrBadKey)
	case len(b) < minKey:
		return Key{}, fmt.Errorf("%w: it is shorter than %d bytes; cardkeeper withhold key makes one", ErrBadKey, minKey)
	case len(distinct) < minDistinct:
		return Key{}, fmt.Errorf("%w: it is not random; cardkeeper withhold key makes one", ErrBadKey)
	}
	return Key{b}, nil
}

// Format keeps the key out of logs and messages, whatever the verb.
func (Key) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "[key]") }

// A Hash stands for a withheld value, or for the check of a key.
type Hash [sha256.Size]byte

// ParseHash reads 64 hexadecimal digits.
func ParseHash(text string) (h Hash, ok bool) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(h) {
		return Hash{}, false
	}
	return Hash(b), true
}

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// A Seal hashes the withheld values of one repository.
type Seal struct{ key []byte }

// Seal returns what hashes the values of the repository with that salt.
func (k Key) Seal(salt []byte) Seal {
	mac := hmac.New(sha256.New, k.bytes)
	mac.Write([]byte(sealDomain))
	mac.Write(salt)
	return Seal{mac.Sum(nil)}
}

func (s Seal) of(domain string, words []byte) Hash {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(domain))
	mac.Write(words)
	return Hash(mac.Sum(nil))
}

// Check is what a list keeps to know its key again.
func (s Seal) Check() Hash { return s.of(checkDomain, nil) }

// Hash returns a value's hash. A value is its words: runs of letters and digits,
// in Unicode's compatibility form NFKC and case folded. Marks, hyphens and blanks
// part words and are no part of them, entities and percent escapes are read as
// what they stand for, and characters that nobody sees are left out. Han and
// Hiragana characters are a word each.
//
// It fails with [ErrUnfit], and a sentence that does not quote the value, for a
// value of more than [MaxWords] words, or of fewer letters and digits than
// [MinLetters] or, without a letter, [MinDigits].
func (s Seal) Hash(value string) (Hash, error) {
	w := readWords(value, reading{join: true})
	letters, digits := 0, 0
	for _, r := range string(w.text) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			letters += 2
		case unicode.IsLetter(r):
			letters++
		case unicode.IsNumber(r):
			digits++
		}
	}
	switch {
	case letters+digits == 0:
		return Hash{}, fmt.Errorf("%w: it holds no letter and no digit", ErrUnfit)
	case len(w.list) > MaxWords:
		return Hash{}, fmt.Errorf("%w: it has more than %d words; take those that tell it", ErrUnfit, MaxWords)
	case letters+digits < MinLetters:
		return Hash{}, fmt.Errorf("%w: with fewer than %d letters and digits it would stand in too many texts", ErrUnfit, MinLetters)
	case letters == 0 && digits < MinDigits:
		return Hash{}, fmt.Errorf("%w: of digits alone it needs %d or more, such as a customer, account or phone number; "+
			"years, ports and amounts stand in too many texts", ErrUnfit, MinDigits)
	}
	return s.of(valueDomain, w.text), nil
}

// Withheld is a policy's list of values that must never be indexed.
type Withheld struct {
	Hashes []Hash
	Check  Hash // of the key that they were made with
}

// WithWithheld returns a scanner that finds the listed values too, as findings of
// [WithheldRule] in the tier [Block], and no others than these: a list that the
// scanner had is dropped. It looks with that of the keys which fits the list and
// the scanner's salt: give the salt first. An empty list needs no key and costs nothing.
//
// With [ErrNoKey], and with [ErrWrongKey] where none of the keys fits, the
// scanner is one that does not look for withheld values: say so, since what was
// not looked for is not known to be absent.
func (s *Scanner) WithWithheld(list Withheld, keys ...Key) (*Scanner, error) {
	other := *s
	other.watch = nil
	if len(list.Hashes) == 0 {
		return &other, nil
	}
	if len(keys) == 0 {
		return &other, ErrNoKey
	}
	for _, k := range keys {
		seal := k.Seal(s.opts.Salt)
		if check := seal.Check(); hmac.Equal(check[:], list.Check[:]) {
			other.watch = newWatch(seal, list.Hashes)
			return &other, nil
		}
	}
	return &other, ErrWrongKey
}

// WithheldOnly returns a scanner that looks for withheld values and for nothing
// else, at a fraction of the cost.
func (s *Scanner) WithheldOnly() *Scanner {
	other := *s
	other.only = true
	return &other
}
