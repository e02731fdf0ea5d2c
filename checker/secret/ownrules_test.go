package secret

import (
	"encoding/base64"
	"strings"
	"testing"
)

// password draws one as managers make them.
func (m mint) password(n int) string {
	return m.pick("ABCDEFGHJKLMNPQRSTUVWXYZ", 1) + m.pick("abcdefghijkmnopqrstuvwxyz", 1) + m.pick("23456789", 1) + "!" + m.pick(alnum+"!_%#-", n-4)
}

// examples are, by rule, texts that it must find, and near ones that nothing
// may find.
func examples(m mint) map[string]struct{ hits, misses []string } {
	b64 := func(n int) string { return m.pick(alnum+"+/", n) }
	url := func(n int) string { return m.pick(alnum, n-1) + m.pick(alnum, 1) }
	aws := func() string { return m.pick(alnum, 38) + "+/" }
	akia := func() string { return "AK" + "IA" + m.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16) }
	hook := "https://discord" + ".com/api/webhooks/"
	return map[string]struct{ hits, misses []string }{
		// 2A-33.
		"github-app-token-stateless": {[]string{"ghs" + "_12345_" + m.jwt()}, []string{"ghs_12345_<jwt>"}},
		"url-password": {[]string{"postgres://app:" + m.password(14) + "@db.acme.dev/x", "redis://:" + m.pick(alnum, 24) + "@localhost:6379", "amqp://u:" + m.password(12) + "@mq:5672"},
			[]string{"postgres://postgres:postgres@localhost:5432/x", "https://user:password@host/", "mysql://u:${PW}@h/x", "https://<user>:<token>@github.com/a", "postgres://app:s3cret@localhost/x", "https://example.com:8080/@scope/name"}},
		"url-user-token":         {[]string{"https://" + m.pick(alnum, 32) + "@git.acme.dev/x.git"}, []string{"https://example-organisation-user-name@dev.azure.com/x", "https://your_personal_access_token_here@github.com/x"}},
		"url-query-secret":       {[]string{"<https://api.acme.dev/v1?key=" + m.pick(alnum, 32) + "&x=1>"}, []string{"https://api.acme.dev/v1?key=YOUR_API_KEY_GOES_HERE", "https://x.dev/?token=abcdefghijklmnopqrst"}},
		"azure-shared-key":       {[]string{"AccountName=a;AccountKey=" + b64(86) + "==;E=x", "SharedAccessKey=" + b64(43) + "="}, []string{"AccountKey=<your key>;", "AccountKey=" + strings.Repeat("x", 86) + "=="}},
		"azure-sas-signature":    {[]string{"https://a.blob.core.windows.net/b?sp=r&sig=" + b64(43) + "%3D"}, []string{"https://a.blob.core.windows.net/b?sig=<signature>"}},
		"webhook-signing-secret": {[]string{"(whsec" + "_" + b64(32) + ")"}, []string{"`whsec_...`", "whsec_your_webhook_signing_secret"}},
		"docker-token":           {[]string{"docker login -p dckr" + "_pat_" + url(27)}, []string{"dckr_pat_xxxxxxxxxxxxxxxxxxxxxxxxxxx"}},
		"telegram-token":         {[]string{"https://api.telegram.org/bot81" + m.pick("0123456789", 8) + ":AA" + url(33) + "/getMe"}, []string{"https://api.telegram.org/bot123456789:ABC/getMe"}},
		"discord-token":          {[]string{"- Discord bot: M" + m.pick(alnum, 23) + "." + m.pick(alnum, 6) + "." + url(38) + "."}, []string{"- Discord bot: MTIz...abc"}},
		"discord-webhook":        {[]string{"<" + hook + m.pick("123456789", 19) + "/" + url(68) + ">"}, []string{hook + "123456789012345678/" + strings.Repeat("x", 68)}},
		"newrelic-key":           {[]string{"(key NR" + "AK-" + m.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 27) + ")"}, []string{"NRAK-XXXXXXXXXXXXXXXXXXXXXXXXXXX"}},
		"google-client-secret":   {[]string{"**GOC" + "SPX-" + url(28) + "**"}, []string{"GOCSPX-xxxxxxxxxxxxxxxxxxxxxxxxxxxx"}},
		"google-refresh-token":   {[]string{"refresh: 1/" + "/0" + url(60)}, []string{"http://0.0.0.0:1//0"}},
		"aws-secret-beside-id":   {[]string{"| `" + akia() + "` | `" + aws() + "` |", akia() + "\n" + aws() + "\n"}, []string{"| `AKIA" + "IOSFODNN7EXAMPLE` | `wJalrXUtnFEMI/K7MDENG" + "/bPxRfiCYEXAMPLEKEY` |"}},
		"aws-secret-labelled":    {[]string{"- The AWS secret access key of the user is `" + aws() + "`."}, []string{"- The secret access key is 40 characters long, see the page."}},
		"private-key-head":       {[]string{"-----BEGIN " + "PRIVATE KEY-----\n" + b64(64) + "\n" + b64(64) + "\n"}, []string{"It starts with `-----BEGIN " + "PRIVATE KEY-----` and goes on for many lines of letters."}},
		"authorization-header":   {[]string{"'Authorization': 'Bearer " + m.pick(alnum, 40) + "'", "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("ci:"+m.password(16)))}, []string{"Authorization: Bearer YOUR_API_KEY_HERE", "Authorization: Bearer $TOKEN", "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("user:password"))}},
		"bearer-token":           {[]string{"send `Bearer " + m.pick(alnum, 40) + "`"}, []string{"Bearer token_authentication_scheme"}},
		"curl-user":              {[]string{"`curl -s -u ops:" + m.password(14) + " https://x.dev`"}, []string{"curl -u user:pass https://x.dev", "curl -u $USER:$PASS https://x.dev", "curl -u \"$API_USER1:$API_PASS1\" https://x.dev"}},
		"cli-password": {[]string{"redis-cli -a " + m.pick(alnum, 20) + " ping", "mysql -uroot -p" + m.pick(alnum, 14), "7z x -p" + m.pick(alnum, 14) + " a.7z", "lftp -u deploy," + m.pick(alnum, 14) + " sftp://x.dev", "mc alias set a https://s3.dev KEY1 " + m.pick(alnum, 40), "htpasswd -bc file admin " + m.pick(alnum, 16)},
			[]string{"mkdir -p /srv/app1/data2", "docker run -p 8080:8080 -e TOKEN1=$TOKEN1 x", "ssh -p 2222 deploy@10.0.0.5", "pytest -k test_token_refresh_v2", "redis-cli -a $REDIS_PASSWORD1"}},
		"piped-password":   {[]string{"echo " + m.pick(alnum, 16) + " | sudo -S make install", "sudo -S <<< \"" + m.pick(alnum, 16) + "\" true", "expect \"assword:\"\nsend \"" + m.pick(alnum, 16) + "\\r\""}, []string{"echo $PASSWORD1 | sudo -S make", "echo hello-world1 | tee out.txt"}},
		"user-login":       {[]string{"- iDRAC: root / " + m.password(12), "- Log in as qa@acme.dev with " + m.password(12) + ".", "auth(\"app\", \"" + m.password(14) + "\")", "register => svc1:" + m.password(14) + "@sip.acme.dev/1"}, []string{"- The login is `admin` / `admin123`.", "user / password", "auth(\"app\", \"your-password-1\")", "a test with bcrypt2"}},
		"pgpass-line":      {[]string{"db.acme.dev:5432:app:deploy:" + m.pick(alnum, 15)}, []string{"hostname:5432:database:username:password", "0.0.0.0:5432:5432"}},
		"oracle-login":     {[]string{"jdbc:oracle:thin:app/" + m.pick(alnum, 14) + "@//ora.dev:1521/APP"}, []string{"jdbc:oracle:thin:scott/tiger@//localhost:1521/X", "sqlplus $USER1/$PASS1@ora"}},
		"registry-auth":    {[]string{`{"auths":{"r.dev":{"auth":"` + base64.StdEncoding.EncodeToString([]byte("ci:"+m.password(18))) + `"}}}`, "//npm.dev/:_auth=" + base64.StdEncoding.EncodeToString([]byte("ci:"+m.password(18)))}, []string{`"auth": "oauth2ClientCredentials"`, `"auth": "` + base64.StdEncoding.EncodeToString([]byte("user:password")) + `"`}},
		"private-member":   {[]string{`{"kty":"OKP","crv":"Ed25519","d":"` + url(43) + `","x":"` + url(43) + `"}`, `<RSAKeyValue><D>` + b64(170) + `==</D></RSAKeyValue>`}, []string{`{"kty":"EC","crv":"P-256","x":"` + url(43) + `","y":"` + url(43) + `"}`}},
		"ssh2-private-key": {[]string{"---- BEGIN SSH2 ENCRYPTED " + "PRIVATE KEY ----\n" + b64(64) + "\n" + b64(64) + "\n---- END", "Private-" + "Lines: 2\n" + b64(64) + "\n" + b64(40) + "\n"}, []string{"Public-Lines: 2\n" + b64(64) + "\n" + b64(40) + "\n"}},
		"wallet-key":       {[]string{"- Backup `xprv" + m.pick("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 107) + "`", "nsec1" + m.pick("qpzry9x8gf2tvdw0s3jn54khce6mua7l", 58)}, []string{"npub1" + m.pick("qpzry9x8gf2tvdw0s3jn54khce6mua7l", 58), "xprv..."}},
		"licence-form":     {[]string{"slmgr /ipk W2" + m.pick("BCDFGHJKMPQRTVWXY2346789", 3) + "-" + m.pick("BCDFGHJKMPQRTVWXY2346789", 5) + "-9X" + m.pick("BCDFGHJKMPQRTVWXY2346789", 3) + "-" + m.pick("BCDFGHJKMPQRTVWXY2346789", 5) + "-" + m.pick("BCDFGHJKMPQRTVWXY2346789", 5)}, []string{"XXXXX-XXXXX-XXXXX-XXXXX-XXXXX", "ABCDE-12345-FGHIJ-67890-KLMNO"}},
		"hook-address":     {[]string{"- https://hooks.zapier.com/hooks/catch/1234567/" + url(32) + "/", "- https://mainnet.infura.io/v3/" + m.pick(hexes, 32), "- https://app.acme.dev/reset-password/" + url(40)}, []string{"https://hooks.zapier.com/hooks/catch/123/abc/", "https://docs.acme.dev/hooks/use-effect-and-other-hooks", "https://mainnet.infura.io/v3/YOUR_PROJECT_ID_GOES_HERE"}},
		"shaped-token":     {[]string{"- Use acme_live_" + m.pick(alnum, 32) + ", it works."}, []string{"- `AbstractSingletonProxyFactoryBeanTokenAuthenticationProviderV2`", "file_" + m.pick(alnum, 24), "- `acme-platform-eu-west-1-prod-terraform-state-lock-2024`"}},
	}
}

// Each of our rules finds what it is for and leaves what is near. A rule without
// examples, or examples without a rule, is a fault too.
func TestEachOwnRuleHitsAndMisses(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	own, err := decodeRules(ownRules)
	if err != nil {
		t.Fatal(err)
	}
	table := examples(newMint(60))
	if len(table) != len(own.Rules) {
		t.Errorf("%d rules, %d with examples", len(own.Rules), len(table))
	}
	for _, rule := range own.Rules {
		t.Run(rule.ID, func(t *testing.T) {
			t.Parallel()
			tc := table[rule.ID]
			if len(tc.hits) == 0 || len(tc.misses) == 0 {
				t.Fatal("no examples of what it finds and of what it leaves")
			}
			for i, text := range tc.hits {
				if !s.sees(t, rule.ID, text) {
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
}

// sees reports whether one rule hits a text, under whatever name the finding
// goes at last.
func (s *Scanner) sees(t *testing.T, rule, text string) bool {
	t.Helper()
	hits, err := s.detect(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		if h.rule == rule {
			return true
		}
	}
	return false
}
