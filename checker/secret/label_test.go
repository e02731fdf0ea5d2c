package secret

import "testing"

// What stands before or after a name can make another thing of it.
func TestNamesThatMeanNoSecret(t *testing.T) {
	t.Parallel()
	l := newLexicon()
	for line, want := range map[string]string{
		"password": "password", "DB_PASSWORD_STAGING": "PASSWORD_STAGING", "rootPassword": "Password", "PGPASSWORD": "PGPASSWORD", "api-key": "api-key", "the API key of": "API key", "Passwörter": "Passwörter",
		"token count": "", "tokenizer": "", "password_hash": "", "secretName": "", "public key": "", "nextPageToken": "", "compass": "", "monkey": "", "key takeaway": "", "PublicKeyToken": "", "tokens per second": "",
	} {
		got := ""
		for _, found := range l.labels(line) {
			got = line[found.start:found.end]
		}
		if got != want {
			t.Errorf("%q: a name in %q, want %q", line, got, want)
		}
	}
}
