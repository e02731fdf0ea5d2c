package secret

import (
	"strings"
	"testing"
)

// Random values are told from names and words by how their bytes follow each other.
func TestRandomValuesAreOdd(t *testing.T) {
	t.Parallel()
	m := newMint(64)
	missed := 0
	for range 1000 {
		if !random(m.pick(alnum, 20)) {
			missed++
		}
	}
	if missed > 5 {
		t.Errorf("%d of 1000 values of 20 letters and digits pass for words", missed)
	}
	for _, word := range strings.Fields("AbstractTokenAuthenticationFilterConfigurerAdapterV3Impl acme-platform-eu-west-1-prod-terraform claude-sonnet-4-20250514 " +
		"test_password_reset_token_expires_after_24h X-Content-Type-Options PostgreSQLConnectionFactory2 src/components/Button.test.tsx") {
		if random(word) {
			t.Errorf("%s passes for random: %.1f", word, odd(word))
		}
	}
}
