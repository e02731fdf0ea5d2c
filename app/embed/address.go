package embed

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

var (
	// ErrAddress: the setting url is no address that can be asked.
	ErrAddress = errors.New("url must be an address such as http://127.0.0.1:11434 or https://api.example.com/v1, without a user, a query or a fragment")
	// ErrKey: the key cannot be sent, or not there.
	ErrKey = errors.New("the key for embeddings must be one line of letters, digits and signs, and goes to an https address or to this machine only")
)

// Address is the endpoint of a base address: with "/v1" or without, with a slash at
// its end or without. One that ends in /embeddings is the endpoint itself.
func Address(base string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil { // its text quotes the address, which may hold a password
		return "", ErrAddress
	}
	if u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", ErrAddress
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	switch {
	case strings.HasSuffix(path, "/embeddings"):
	case strings.HasSuffix(path, "/v1"):
		path += "/embeddings"
	default:
		path += "/v1/embeddings"
	}
	return fmt.Sprintf("%s://%s%s", u.Scheme, u.Host, path), nil
}

// Plain reports whether an address sends in the clear over a network: what is not
// https and does not stay on this machine. A key must not go there.
func Plain(base string) bool {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil || u.Scheme == "https" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())
}

// Sendable reports whether a text can be a key: a header holds one line of visible
// characters.
func Sendable(key string) bool {
	return key != "" && strings.IndexFunc(key, func(c rune) bool { return c <= ' ' || c > '~' }) < 0
}
