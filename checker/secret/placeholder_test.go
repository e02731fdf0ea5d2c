package secret

import (
	"strings"
	"testing"
)

// 2A-58, 2A-59: what stands for a secret does not block; the same line with a
// random value does.
func TestStandInsDoNotBlock(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(50)
	tests := map[string]string{ // line with %, and what stands for it
		"{{secret}}":                `client_secret: "%"`,
		"YOUR_KEY":                  `api_key: "%"`,
		"sk-" + "1234567890abcdef":  `api_key = "%"`,
		"YOUR_API_KEY_HERE":         `curl -H "Authorization: Bearer %" https://api.example.com`,
		"${API_TOKEN}":              `token=%`,
		"<your-token>":              `API_TOKEN=%`,
		"$API_TOKEN":                `API_TOKEN=%`,
		"os.environ['API_TOKEN']":   `api_token = %`,
		"op://vault/item/password1": `API_TOKEN=%`,
		"%API_TOKEN9%":              `API_TOKEN=%`,
		"xxxxxxxxxxxxxxxxxxxxxxxx":  `secret_key: %`,
		"AbCdEfGhIjKlMnOpQrStUvWx":  `secret_key: %`,
		"generate-a-random-secret":  `NEXTAUTH_SECRET=%`,
		"acme-prod-eu-west-1-state": `secret_key: "%"`,
		"[withheld: a/SKILL.md:12]": `api_key: "%"`,
	}
	for value, line := range tests {
		t.Run(value, func(t *testing.T) {
			t.Parallel()
			for _, f := range mustScan(t, s, strings.ReplaceAll(line, "%", value)+"\n") {
				if f.Tier == Block {
					t.Errorf("blocked by %s", f.Rule)
				}
			}
			random := m.pick(alnum, 36)
			found := mustScan(t, s, strings.ReplaceAll(line, "%", random)+"\n")
			if len(found) != 1 || found[0].Tier != Block {
				t.Errorf("the line with a random value: %v", rulesOf(found))
			}
		})
	}
}

// A random value stays a finding whatever word was put before, in or after it.
func TestNoWordExcusesARandomValue(t *testing.T) {
	t.Parallel()
	j := newJudge()
	m := newMint(51)
	for range 2000 {
		random := m.pick(alnum, 24)
		for _, value := range []string{
			random, "your-" + random, random + "EXAMPLE", random[:10] + "hook" + random[10:], "sk-test-" + random,
			"ghp" + "_" + random, random + "12345", "$" + random + "9x", "xxxx" + random, "my_secret_" + random, "{{x}}" + random,
		} {
			h := hit{rule: "labelled-token", value: value}
			if j.excused(h, "") {
				t.Fatalf("excused: %q", value) // made at run time, opens nothing
			}
		}
	}
}

func TestKeyBlocksAndTokensWithoutASecret(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(52)
	head, tail := "-----BEGIN "+"PRIVATE KEY-----\n", "\n-----END "+"PRIVATE KEY-----\n"
	tests := map[string]struct {
		text string
		want int
	}{
		"a block of dots":             {head + strings.Repeat(".", 80) + tail, 0},
		"a block of one letter":       {head + strings.Repeat("M", 80) + tail, 0},
		"a block of words":            {head + "your private key goes here, in as many lines as it has when you make it" + tail, 0},
		"a block with a key":          {head + m.pick(alnum, 64) + "\n" + m.pick(alnum, 64) + tail, 1},
		"a token cut short":           {"token: ghp" + "_" + m.pick(alnum, 8) + "...\n", 0},
		"a host's own example":        {"- `AKIA" + "IOSFODNN7EXAMPLE`\n", 0},
		"a random id of the same way": {"- `AKIA" + m.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16) + "`\n", 1},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if found := mustScan(t, s, tc.text); len(found) != tc.want {
				t.Errorf("got %v, want %d", rulesOf(found), tc.want)
			}
		})
	}
}
