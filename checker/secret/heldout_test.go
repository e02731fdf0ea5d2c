package secret

import (
	"encoding/base64"
	"strings"
	"testing"
)

// unseen are kinds of secrets that were written down after the rules, as people
// write them.
func unseen(m mint) map[string][2]string {
	b32 := func(n int) string { return m.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", n) }
	key := func(n int) string { return m.pick(alnum, n) }
	mixed := func(n int) string { return m.password(n) }
	kinds := map[string]func() (string, string){
		"a Mapbox secret token": func() (string, string) {
			v := "sk" + ".eyJ1" + key(60) + "." + key(22)
			return v, "- Tiles are uploaded with " + v + "."
		},
		"a Fernet key":        func() (string, string) { v := m.pick(alnum+"-_", 42) + "x="; return v, "FERNET_KEY=" + v },
		"a Django secret key": func() (string, string) { v := "django-insecure-" + mixed(40); return v, "SECRET_KEY = '" + v + "'" },
		"a TOTP seed":         func() (string, string) { v := b32(32); return v, "- The 2FA secret of the ops account is `" + v + "`." },
		"an LDAP bind password": func() (string, string) {
			v := mixed(14)
			return v, "```\nbindDN: cn=svc,dc=acme\nbindPassword: " + v + "\n```"
		},
		"an SMTP login": func() (string, string) {
			v := mixed(16)
			return v, "| Host | User | Pass |\n|---|---|---|\n| smtp.acme.dev | bot | " + v + " |"
		},
		"a Wi-Fi password":      func() (string, string) { v := mixed(13); return v, "- Office Wi-Fi: SSID `acme-guest`, password: " + v },
		"an SSH login in words": func() (string, string) { v := mixed(12); return v, "- ssh root@10.0.0.5 (pw: " + v + ")" },
		"a Sentry auth token":   func() (string, string) { v := m.pick(hexes, 64); return v, "export SENTRY_AUTH_TOKEN=" + v },
		"a Render key":          func() (string, string) { v := "rnd" + "_" + key(32); return v, "- Deploy hook key: **" + v + "**." },
		"a Resend key":          func() (string, string) { v := "re" + "_" + key(8) + "_" + key(24); return v, "RESEND_API_KEY=" + v },
		"a Supabase access token": func() (string, string) {
			v := "sbp" + "_" + m.pick(hexes, 40)
			return v, "- Run `supabase login --token " + v + "`"
		},
		"a private key in hex": func() (string, string) { v := "0x" + m.pick(hexes, 64); return v, "DEPLOYER_PRIVATE_KEY=" + v },
		"a WireGuard key": func() (string, string) {
			v := m.pick(alnum+"+/", 43) + "="
			return v, "```ini\n[Interface]\nPrivateKey = " + v + "\n```"
		},
		"a session cookie": func() (string, string) {
			v := "s%3A" + key(32) + "." + key(43)
			return v, "curl --cookie 'connect.sid=" + v + "' https://app.acme.dev"
		},
		"an Elastic API key": func() (string, string) {
			v := base64.StdEncoding.EncodeToString([]byte(key(20) + ":" + key(22)))
			return v, "```\nAuthorization: ApiKey " + v + "\n```"
		},
		"a JSON password": func() (string, string) {
			v := mixed(14)
			return v, "```json\n{\"user\": \"svc\", \"pwd\": \"" + v + "\"}\n```"
		},
		"a Snowflake connection": func() (string, string) { v := mixed(15); return v, "- `snowsql -a acme -u etl` with SNOWSQL_PWD=" + v },
		"an ADO connection string": func() (string, string) {
			v := mixed(16)
			return v, "`Server=sql.acme.dev;Database=app;User Id=sa;Password=" + v + ";Encrypt=true`"
		},
		"a Flask signing key in code": func() (string, string) {
			v := key(48)
			return v, "```python\napp.config[\"SECRET_KEY\"] = \"" + v + "\"\n```"
		},
		"a Shopify-like storefront": func() (string, string) { v := m.pick(hexes, 32); return v, "- X-Shopify-Storefront-Access-Token: " + v },
		"a vault unseal key":        func() (string, string) { v := m.pick(alnum+"+/", 44); return v, "Unseal Key 1: " + v },
	}
	out := map[string][2]string{}
	for name, make := range kinds {
		value, text := make()
		out[name] = [2]string{value, "# Runbook\n\n" + text + "\n\n- Ask the platform team.\n"}
	}
	return out
}

// The promise is "catches the common ones": of kinds that nobody wrote a rule
// for, most are found too, some only as a warning.
func TestMostUnseenKindsAreFound(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	var all, hits, blocked int
	for seed := range uint64(5) {
		for name, c := range unseen(newMint(100 + seed)) {
			all++
			found := mustScan(t, s, c[1])
			if !touches(leakCase{Markdown: c[1], Secret: c[0]}, found) {
				t.Logf("missed: %s", name)
				continue
			}
			hits++
			if strings.Contains(strings.Join(rulesOf(found), " "), string(Block)) {
				blocked++
			}
		}
	}
	t.Logf("of %d: %d found, %d of them block", all, hits, blocked)
	if hits*100 < all*95 {
		t.Errorf("%d of %d found, fewer than 95 in 100", hits, all)
	}
}
