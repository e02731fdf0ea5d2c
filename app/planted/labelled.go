package planted

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
)

// fence puts lines into a code block.
func fence(language, lines string) string { return "```" + language + "\n" + lines + "\n```" }

// assigned is a kind that stands behind a name, in a fence.
func assigned(name, value, language, format string) Kind {
	line := fmt.Sprintf(format, value)
	return lined(name, value, line, fence(language, line))
}

// labelled are told by the words beside them. A line a kind.
func (m mint) labelled() []Kind {
	id := "AK" + "IA" + m.pick(upper+"234567", 16)
	half, other := m.pick(base, 38)+"+/", m.pick(base, 38)+"/+"
	return []Kind{
		assigned("dotenv-password", m.password(18), "", "DB_PASSWORD=%s"),
		assigned("terraform-password", m.password(16), "hcl", `administrator_login_password = "%s"`),
		assigned("yaml-password", m.password(16), "yaml", "password: %s"),
		assigned("bearer-header", m.any(40), "sh", `curl -H "Authorization: Bearer %s" https://api.acme.dev/v1`),
		assigned("quoted-secret", m.any(20)+"$%^"+m.any(12), "python", "cookie_secret = '%s'"),
		assigned("cli-password", m.password(20), "sh", "tool login --password %s"),
		assigned("azure-account", m.pick(base, 86)+"==", "", "AccountName=acme;AccountKey=%s;EndpointSuffix=core.windows.net"),
		assigned("cloudflare", m.any(40), "sh", `export CLOUDFLARE_API_TOKEN="%s"`),
		assigned("datadog", m.pick(hexes, 32), "yaml", "apiKey: %s"),
		lined("twilio", m.pick(hexes, 32), "", "").labelled("The Twilio auth token for the test number is %s", "- %s"),
		lined("table-hex", m.pick(hexes, 64), "", "").labelled("API key: %s", "| API key | %[1]s |"),
		lined("table-password", m.password(14), "", "").labelled("password: `%s`", "| Password | `%[1]s` |"),
		lined("aws-pair", half, id+" "+half, fence("", id+"\n"+half)),
		lined("aws-statements", other, id+" "+other, "- "+id+"\n- "+other),
		lined("azure-client", m.pick(lower, 3)+"8Q~"+m.any(34), "", "").labelled("client secret: %s", "| client secret | %[1]s |"),
		lined("prose-password", m.password(12), "", "").labelled("Log in as demo with password `%s`", "- %s"),
		lined("licence", m.any(30), "", "").labelled("The license key we bought is %s until May", "- %s"),
		warned(lined("unknown-vendor", "acme_live_"+m.any(32), "", "").labelled("Use %s, it works", "- %s")),
	}
}

// labelled puts a kind's value into a line, and the line, or the value itself,
// into its block.
func (k Kind) labelled(text, block string) Kind {
	k.Text = fmt.Sprintf(text, k.values[0])
	switch {
	case strings.HasPrefix(block, "|"):
		k.Block = "| Setting | Value |\n|---|---|\n" + fmt.Sprintf(block, k.values[0]) + "\n"
	default:
		k.Block = fmt.Sprintf(block, k.Text) + "\n"
	}
	return k
}

// addresses hold a value in a URL.
func (m mint) addresses() []Kind {
	linked := func(name, value, format string) Kind {
		address := fmt.Sprintf(format, value)
		return lined(name, value, "see "+address, "- See [the page]("+address+").")
	}
	hook := "https://hooks.slack" + ".com/services/"
	return []Kind{
		linked("postgres", m.password(16), "postgres://deploy:%s@db.acme.dev:5432/app"),
		linked("redis", m.any(32), "redis://:%s@cache.acme.dev:6379/0"),
		linked("basic-address", m.password(15), "https://ci-bot:%s@artifacts.acme.dev/releases/"),
		linked("query-key", m.any(32), "https://api.acme.dev/v1?key=%s&x=1"),
		linked("azure-signature", url.QueryEscape(m.pick(base, 43)+"="), "https://a.blob.core.windows.net/b?sp=r&sig=%s"),
		linked("slack-hook", "T"+m.pick(upper+digits, 10)+"/B"+m.pick(upper+digits, 10)+"/"+m.any(24), hook+"%s"),
		linked("telegram", m.pick("123456789", 10)+":AA"+m.any(33), "https://api.telegram.org/bot%s/getMe"),
		linked("discord-hook", m.pick("123456789", 19)+"/"+m.any(68), "https://discord"+".com/api/webhooks/%s"),
	}
}

// blocks need several lines, or stand in them.
func (m mint) blocks() []Kind {
	var out []Kind
	for _, row := range []struct{ name, head string }{
		{"pem", "PRIVATE " + "KEY"}, {"pem-rsa", "RSA PRIVATE " + "KEY"}, {"openssh", "OPENSSH PRIVATE " + "KEY"},
	} {
		block, body := m.pem(row.head, 5)
		out = append(out, Kind{
			Name: row.name, Text: strings.ReplaceAll(block, "\n", `\n`), Block: fence("", block) + "\n", values: body,
		})
	}
	json, body := m.pem("PRIVATE "+"KEY", 4)
	json = `{"type": "service_account", "private_key": "` + strings.ReplaceAll(json, "\n", `\n`) + `"}`
	jwt, service := m.jwt("admin"), m.jwt("service_role")
	heredoc, lines := m.pem("PRIVATE "+"KEY", 4)
	list, items := m.pem("PRIVATE "+"KEY", 4)
	return append(out,
		Kind{
			Name: "pem-command", Text: strings.ReplaceAll(heredoc, "\n", `\n`),
			Block: fence("sh", "cat >key.pem <<EOF\n"+heredoc+"\nEOF") + "\n", values: lines,
		},
		Kind{
			Name: "pem-list", Text: strings.ReplaceAll(list, "\n", `\n`),
			Block: "- " + strings.ReplaceAll(list, "\n", "\n- ") + "\n", values: items,
		},
		Kind{Name: "service-account", Text: json, Block: fence("json", json) + "\n", values: body},
		lined("jwt", jwt, "token "+jwt, fence("sh", "curl -s https://api.acme.dev \\\n  -H \"Authorization: Bearer "+jwt+"\"")),
		lined("jwt-setting", service, "service_key: "+service, fence("yaml", "supabase:\n  service_key: "+service)),
		assigned("curl-user", m.password(14), "sh", "curl -u ops:%s https://grafana.acme.dev/api/health"),
		assigned("basic-header", base64.StdEncoding.EncodeToString([]byte("ci:"+m.password(16))), "", "Authorization: Basic %s"),
	)
}

// disguised are tokens that do not stand in the text as they are. Both forms are
// looked for afterwards.
func (m mint) disguised() (out []Kind) {
	hide := func(name string, disguise func(token string) string) {
		token := "ghp" + "_" + m.any(36)
		form := disguise(token)
		out = append(out, Kind{Name: name, Text: "data " + form + " ends", Block: "- data " + form + " ends\n", values: []string{token, form}})
	}
	hide("in-base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte("TOKEN=" + s + "\n")) })
	hide("in-percent", func(s string) string {
		var b strings.Builder
		for i := range len(s) {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
		return b.String()
	})
	hide("with-entities", func(s string) string { return strings.ReplaceAll(s, "_", "&#95;") })
	hide("with-backslash", func(s string) string { return strings.ReplaceAll(s, "_", `\_`) })
	hide("with-zero-width", func(s string) string { return s[:12] + "\u200b" + s[12:25] + "\u200d" + s[25:] })
	return out
}
