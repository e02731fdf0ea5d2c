package setup

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Permission is one that the App asks for, and why.
type Permission struct {
	Key   string // as the API spells it
	Name  string // as GitHub's pages spell it
	Level string // "read" or "write"
	For   string
}

// Permissions lists what the App asks for, in the order of the README's table.
// With write it may also commit cards, which is what the button does.
func Permissions(write bool) []Permission {
	contents := Permission{"contents", "Contents", "read", "the skills, the cards, the configuration"}
	if write {
		contents.Level, contents.For = "write", contents.For+", and the commit that the button makes"
	}
	return []Permission{
		{"metadata", "Metadata", "read", "given to every App; which role a person has who asks or presses the button"},
		contents,
		{"checks", "Checks", "write", "the check run"},
		{"pull_requests", "Pull requests", "write", "the pull request, and the replies to /ask"},
		{"issues", "Issues", "read", "GitHub demands it for comment events"},
		{"merge_queues", "Merge queues", "read", "checks for the merge queue"},
	}
}

// Events lists what the App subscribes to. Events of installations, check runs
// and check suites come without being asked for.
func Events() []string {
	return []string{"pull_request", "issue_comment", "push", "merge_group", "repository"}
}

// keys gives the permissions as the API and the manifest spell them.
func keys(list []Permission) map[string]string {
	m := map[string]string{}
	for _, p := range list {
		m[p.Key] = p.Level
	}
	return m
}

// Draft is what a person decides about a new App.
type Draft struct {
	Name         string // shown at GitHub, unique there, at most 34 characters
	Organization string // that will own it; "" is the person
	URL          string // where GitHub reaches the service, without /webhook
	Write        bool   // may commit cards
}

const maxName = 34 // GitHub's limit for an App's name, in characters

// organization is a login: letters, digits and single hyphens, and an underscore
// for accounts that an enterprise manages.
var organization = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$`)

// faults lists what is wrong with the draft, by field. inside allows addresses
// of this machine: the GitHub is on it too.
func (d Draft) faults(inside bool) map[string]string {
	bad := map[string]string{}
	control := func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }
	if n := utf8.RuneCountInString(d.Name); n == 0 || n > maxName || !utf8.ValidString(d.Name) || strings.ContainsFunc(d.Name, control) {
		bad["name"] = fmt.Sprintf("Give a name of 1 to %d characters.", maxName)
	}
	if d.Organization != "" && !organization.MatchString(d.Organization) {
		bad["organization"] = "Give the organisation's login as it stands in its address, or leave it empty."
	}
	if words := addressFault(d.URL, inside); words != "" {
		bad["url"] = words
	}
	return bad
}

// addressFault says what is wrong with the service's address, "" for nothing.
// GitHub refuses some of these itself, others it takes and then never delivers.
func addressFault(address string, inside bool) string {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "":
		return "Give an address such as https://cardkeeper.example.com."
	case local(u.Hostname()) && !inside:
		return "GitHub cannot reach this machine under that name. Give the public address of the server, or of a tunnel to it."
	case u.Scheme != "https" && !(u.Scheme == "http" && local(u.Hostname())):
		return "The address must begin with https://, since the events of private repositories travel on it."
	}
	return ""
}

// local reports whether a host is this machine.
func local(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// hook is the webhook's address.
func (d Draft) hook() string { return strings.TrimRight(d.URL, "/") + "/webhook" }

// manifest is the JSON that GitHub's registration page takes. back is where it
// sends the person afterwards.
func (d Draft) manifest(back string) string {
	type hook struct {
		URL    string `json:"url"`
		Active bool   `json:"active"`
	}
	text, _ := json.Marshal(struct {
		Name        string            `json:"name"`
		URL         string            `json:"url"`
		Hook        hook              `json:"hook_attributes"`
		Back        string            `json:"redirect_url"`
		About       string            `json:"description"`
		Public      bool              `json:"public"`
		Permissions map[string]string `json:"default_permissions"`
		Events      []string          `json:"default_events"`
	}{
		Name: d.Name, URL: strings.TrimRight(d.URL, "/"), Hook: hook{d.hook(), true}, Back: back,
		About:       "Keeps the repository's index of skills true.",
		Permissions: keys(Permissions(d.Write)), Events: Events(),
	}) // strings and a map of them always marshal
	return string(text)
}

// lacking lists the permissions that are wanted and not in have, by the names of
// GitHub's pages.
func lacking(want []Permission, have map[string]string) []string {
	var list []string
	for _, p := range want {
		if got := have[p.Key]; got != p.Level && got != "write" && got != "admin" {
			list = append(list, p.Name+": "+p.Level)
		}
	}
	return list
}

// beyond lists the permissions in have that the App has no use for.
func beyond(have map[string]string) []string {
	use := keys(Permissions(true))
	var list []string
	for _, key := range slices.Sorted(maps.Keys(have)) {
		if level, ok := use[key]; !ok || level == "read" && have[key] != "read" {
			list = append(list, key+": "+have[key])
		}
	}
	return list
}
