package secret

import (
	"encoding/base64"
	"strings"
	"testing"
)

// Each rule that goes by a name finds what it is for and leaves what is near.
func TestEachRuleByNameHitsAndMisses(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	table := byNameExamples(newMint(61))
	for _, rule := range byName() {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			tc := table[rule]
			if len(tc.hits) == 0 || len(tc.misses) == 0 {
				t.Fatal("no examples of what it finds and of what it leaves")
			}
			for i, text := range tc.hits {
				if !s.sees(t, rule, text) {
					t.Errorf("example %d is not found by the rule; findings: %v", i+1, rulesOf(mustScan(t, s, text)))
				}
			}
			for i, text := range tc.misses {
				if found := mustScan(t, s, text); len(found) > 0 {
					t.Errorf("near miss %d is found: %v", i+1, rulesOf(found))
				}
			}
		})
	}
	if len(table) != len(byName()) {
		t.Errorf("%d rules, %d with examples", len(byName()), len(table))
	}
}

func byNameExamples(m mint) map[string]struct{ hits, misses []string } {
	key := func(n int) string { return m.pick(alnum, n-1) + "7" }
	uuid := m.pick(hexes, 8) + "-" + m.pick(hexes, 4) + "-4" + m.pick(hexes, 3) + "-a" + m.pick(hexes, 3) + "-" + m.pick(hexes, 12)
	phrase := "copper tulip wagon marble lantern orbit saddle thunder velvet walnut zebra anchor"
	return map[string]struct{ hits, misses []string }{
		"labelled-password": {
			[]string{"DB_PASSWORD=" + m.password(18), "administrator_login_password = \"" + m.password(16) + "\"", "- Log in as `demo` with password `" + m.password(12) + "`.", "| Password | `" + m.password(14) + "` |",
				"- The password is `" + m.pick("bcdfghjkmnpqrtvwxzBCDFGHJKMNPQRTVWXZ", 14) + "`.", "- Grafana login: admin / " + m.password(12), "- Passwort: " + m.password(12), "密码：" + m.password(12), "password: Wagon" + "Marble" + "4821!", "requirepass " + key(20), "IDENTIFIED BY '" + m.password(14) + "'"},
			[]string{"password: changeme", "password = get_password()", "PASSWORD=${DB_PASSWORD}", "password: string", "password: 'your-password1'", "password: V@lidP4ss!", "- The password is hashed with bcrypt/argon2.", "- The password must have 8 characters.",
				"password_hash: " + key(30), "PasswordLastSet: 2026-05-04T09:00:00Z", "time_cost=3, password", "- Pass `--yes-to-all-2` to the tool.", "pass_rate: +0.50", "password: z.string().min(12)", "- [ ] Password reset (see RFC6749)", "PASSWORD_FILE=/run/secrets/pw-2026.txt"}},
		"worded-password": {
			[]string{"- Password: `tulip-wagon-marble-lantern-41`", "passphrase: \"orbit willow ginger canyon 33\"", "- Gmail app password: `qzjx vkwp hgbt ycmf`"},
			[]string{"password: use-a-strong-one", "password: \"Enter your password\"", "- Password: see the wiki page", "| Password | `openssl rand -base64 24` |"}},
		"labelled-token": {
			[]string{"client_secret: \"" + key(32) + "\"", "- The token of the bot that posts to the channel is " + key(24) + ".", "X-Auth-Token: " + key(40), "- API-Schlüssel: " + key(32), "cookie_secret = '" + key(20) + "$%^" + key(12) + "'", "apiKey: " + m.pick(hexes, 32) + "7a7",
				"HEROKU_API_KEY=" + uuid, "- `" + key(30) + "` is the API key of the build agent.", "- TOTP seed: " + strings.Join([]string{"qzjx", "vk7p", "hgb2", "ycmf", "x3wd", "pq4z"}, " "), "jwt.sign(payload, '" + key(30) + "')"},
			[]string{"secret_name = \"prod/openai/api-key\"", "const token = \"your-token-goes-here-1\"", "token_url: https://auth.acme.dev/oauth2/v2.0/token", "- The token is a JWT (RS256), see RFC7519.", "max_tokens=4096", "next_page_token: " + key(30), "api_key: moltguild_xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
				"TOKEN=0x" + m.pick(hexes, 40), "secretName: acme-tls-2026-prod", "token: MD5:" + strings.Repeat("6e:2a:", 7) + "11", "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("user:password"))}},
		"labelled-key": {
			[]string{"key = \"" + key(32) + "\"", "- Salt: `" + key(24) + "`", "hmac.new(b'" + key(36) + "', body)"},
			[]string{"cache_key: " + m.pick(hexes, 40), "salt: " + m.pick(hexes, 30) + "a7", "Idempotency-Key: " + uuid, "- Public key: " + key(44), "- Host key fingerprint: SHA256:" + key(43), "folderKey: '" + uuid + "'", "data-sitekey=\"6L" + key(38) + "\"", "const KEY = 'pk_live_" + key(24) + "'", "session `018ATTXVS14VW43Z9JADWY2KDE`"}},
		"labelled-nearby": {
			[]string{"- The license key we bought, good for ten people in two offices, goes like this: use " + key(30) + " until May."},
			[]string{"- the token is in `skills/v1/" + key(24) + ".md`", "- Token refresh was fixed in " + m.pick(hexes, 40) + ".", "- The secret sauce is `AbstractSingletonProxyFactoryBean2`.", "- token trace id " + m.pick(hexes, 32)}},
		"seed-phrase": {
			[]string{"- Seed phrase of the test wallet: `" + phrase + "`", "MNEMONIC=\"" + phrase + "\""},
			[]string{"- The seed phrase has twelve words and you write them down on paper and keep them where nobody else can find them ever.", "MNEMONIC=\"" + strings.Repeat("test ", 11) + "junk\""}},
		"recovery-code": {
			[]string{"- Backup codes: a1b2" + "x-9z8y7, k4j5" + "h-6g7f8", "Recovery codes:\n\n```\nq7w8" + "e-3r4t5\n```", "- SIM PUK: 8241" + "9037"},
			[]string{"- Recovery codes: print all ten, keep them in the safe (room 4-212).", "- Backup codes 2026-01-02 to 2026-02-03 were used up.", "- Alarm code: ask the office."}},
	}
}

// A value is found wherever Markdown puts the name for it.
func TestNamesAndValuesInAllShapes(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(62)
	shapes := map[string]string{
		"after a colon":                  "- API key: %",
		"in bold":                        "- **API key:** %",
		"with the colon outside":         "- **API key**: %",
		"the value in bold":              "- API key: **%**, rotate it",
		"the whole in bold":              "- **API key: %**",
		"in a sentence":                  "- The API key of the staging account is %.",
		"after a while":                  "- The API key for the sandbox is still %, so use that one.",
		"without a sign":                 "- Use the API key `%` for the sandbox.",
		"in brackets":                    "- Log in as the bot (API key %) and go on.",
		"before the name":                "- `%` is the API key of the bot.",
		"to be typed":                    "1. Open it; when asked for the API key, type `%`.",
		"entered as":                     "2. Enter % as the API key.",
		"after a dash":                   "- API key — %",
		"after a hyphen":                 "- API key - %",
		"after an arrow":                 "- API key → `%`",
		"in a heading":                   "## API key: %",
		"below a heading":                "### API key\n\n`%`",
		"in a fence below":               "The API key:\n\n```\n%\n```",
		"in a definition list":           "API key\n: %",
		"on the next line":               "- The API key that the job of the platform team uses is\n  % and it has a cap.",
		"after the name at a line's end": "> It was made by the old team. Its API key\n> is % and nobody has changed it.",
		"beside its name in a table":     "| Setting | Value |\n|---|---|\n| API key | % |",
		"under its name in a table":      "| Account | API key | Owner |\n|---|---|---|\n| staging | % | ops |",
		"in a tight table":               "|Env|API key|\n|-|-|\n|stage|`%`|",
		"behind a question":              "**Q: What is the API key?**\n\nA: %",
		"in folded HTML":                 "<details><summary>API key</summary>\n\n%\n\n</details>",
		"in a comment":                   "<!-- API key: % -->",
		"in the title of a link":         "[x](https://x.dev \"API key %\")",
		"in the text of a link":          "[API key: %](https://x.dev)",
		"in a query":                     "[x](https://x.dev/jobs?api_key=%&page=2)",
		"in code of HTML":                "<p>API key: <code>%</code></p>",
		"exported":                       "export ACME_API_KEY=%",
		"in YAML":                        "service:\n  api_key: %",
		"in JSON":                        "{\"user\": \"svc\", \"apiKey\": \"%\"}",
		"in TOML":                        "api_key   = \"%\"",
		"in a properties file":           "acme.service.api-key=%",
		"in XML":                         "<apiKey>%</apiKey>",
		"as an entry of YAML":            "env:\n  - name: API_KEY\n    value: \"%\"",
		"as an entry of XML":             "<add key=\"ApiKey\" value=\"%\"/>",
		"as a property list":             "<key>ApiKey</key>\n<string>%</string>",
		"as an option":                   "acmectl login --api-key %",
		"as an option with a sign":       "acmectl sync --api-key='%' --dry-run",
		"in a header":                    "X-Acme-Api-Key: %",
		"as an argument":                 "client = Client(api_key=\"%\", timeout=5)",
		"in base 64":                     "data: " + "@",
	}
	for name, shape := range shapes {
		secret := m.pick("ghjkmnpqrstvwxyz", 9) + "7" + m.pick(alnum, 10) + "K3" + m.pick(alnum, 12)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for value, want := range map[string]bool{secret: true, "YOUR_API_KEY_GOES_HERE": false} {
				text := strings.ReplaceAll(shape, "%", value)
				text = strings.ReplaceAll(text, "@", base64.StdEncoding.EncodeToString([]byte("api_key="+value+"\n")))
				if found := mustScan(t, s, "# Notes\n\n"+text+"\n\nMore.\n"); (len(found) == 1) != want || len(found) > 1 {
					t.Errorf("a value, wanted %v: %v", want, rulesOf(found))
				}
			}
		})
	}
}

// Half of a value in each of two lines is one value, and its place is both.
func TestValuesThatGoOnInTheNextLine(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	m := newMint(63)
	a, b := m.password(12), m.pick(alnum, 10)+"4x"
	for name, text := range map[string]string{
		"a password":            "- The password is " + a + "\n  " + b + " until May.\n",
		"a password in a quote": "> The password is " + a + "\n> " + b + " until May.\n",
		"a password in an address": "- It is at postgres://deploy:" + m.pick(alnum, 8) + "k2\n  " + m.pick(alnum, 9) +
			"@db.acme.dev/app for now.\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			over := false
			for _, f := range mustScan(t, s, text) {
				over = over || f.First == 1 && f.Last == 2
			}
			if !over {
				t.Errorf("no finding goes over both lines: %v", rulesOf(mustScan(t, s, text)))
			}
			out, err := s.Withhold(t.Context(), text, nil)
			if err != nil || strings.Contains(out, b) {
				t.Errorf("a half is left: %v", err)
			}
		})
	}
}

// A line of nothing but names, or one long identifier of them, takes no more
// than its length says.
func TestNamesWithoutEndAreRead(t *testing.T) {
	t.Parallel()
	j := newJudge()
	for _, line := range []string{strings.Repeat("password", 1<<16), strings.Repeat("password ", 1<<16), strings.Repeat("token=\"a1b2c3d4 ", 1<<15), strings.Repeat("|key", 1<<16), strings.Repeat("password: ", 1<<15) + strings.Repeat("x", 1<<16)} {
		j.named(t.Context(), line)
	}
}

// No text makes the search by name panic, and every value stands where its hit says.
func TestAnyTextIsReadByName(t *testing.T) {
	t.Parallel()
	j := newJudge()
	m := newMint(65)
	pieces := []string{"password", "API key", "token", "Passwörter", "密码", "mnemonic", "recovery codes", "login", "PUK", "name", "value", "http://", "postgres://a:", "@", ":", "=", "|", "---|---", "`", "\"", "'", "**", "(", ")", "](", "<", ">",
		"is", "as the", " ", " ", "\n", "\n", "\r\n", "\t", "- ", "# ", "```\n", "\xff", "\u200b", "“", "A: ", "?", "admin / "}
	for range 20_000 {
		var b strings.Builder
		for range 2 + m.IntN(14) {
			b.WriteString(pieces[m.IntN(len(pieces))])
			if m.IntN(4) == 0 {
				b.WriteString(m.pick(alnum+"!_-/+=.", 4+m.IntN(24)))
			}
		}
		text := b.String()
		for _, h := range j.named(t.Context(), text) {
			if h.start < 0 || h.end > len(text) || h.start >= h.end || !h.veiled && text[h.start:h.end] != h.value {
				t.Fatalf("%q: %+v", text, h)
			}
		}
	}
}
