package secret

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strings"
)

// A stub of a key block holds fewer base64 characters, or less random ones, than
// the shortest key there is.
const (
	keyLeast    = 40
	keyEntropy  = 3.5
	keyDistinct = 20
)

// stubKey reports a key block without a key in it.
func stubKey(block string) bool {
	block = strings.ReplaceAll(strings.ReplaceAll(block, `\n`, "\n"), `\r`, "")
	var body strings.Builder
	for _, line := range strings.Split(block, "\n") {
		if strings.Contains(line, "-----") {
			continue
		}
		for i := 0; i < len(line); i++ {
			if c := line[i]; alphanumeric(c) || c == '+' || c == '/' {
				body.WriteByte(c)
			}
		}
	}
	text := body.String()
	distinct := map[byte]bool{}
	for i := 0; i < len(text); i++ {
		distinct[text[i]] = true
	}
	return len(text) < keyLeast || entropy(text) < keyEntropy || len(distinct) < keyDistinct
}

// publicToken reports a JWT that says of itself that it opens nothing: unsigned,
// the one that tutorials print, the key that a Supabase page shows everybody, or the
// head of a token alone.
func publicToken(value string) bool {
	parts := strings.Split(value, ".")
	var head struct{ Alg string }
	if len(parts) < 2 { // the head of one, which says nothing
		return strings.HasPrefix(value, "eyJ") && unpack(parts[0], &head) == nil && head.Alg != ""
	}
	var claims struct {
		Sub, Name, Role, Iss any
	}
	if unpack(parts[0], &head) != nil || unpack(parts[1], &claims) != nil {
		return false
	}
	return strings.EqualFold(head.Alg, "none") || claims.Sub == "1234567890" && (claims.Name == "John Doe" || claims.Name == nil) ||
		claims.Role == "anon" && claims.Iss == "supabase"
}

func unpack(part string, into any) error {
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(part, "="))
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// entropy is Shannon's, in bits per byte.
func entropy(text string) float64 {
	var counts [256]int
	for i := 0; i < len(text); i++ {
		counts[text[i]]++
	}
	var sum float64
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
