package fakehub

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// GraphQL is served in one form: a repository by variables owner and name, and in
// it objects by id under aliases, as Blob or as Tree. Any other query is refused,
// so that a test sees it.

const (
	// graphText is where GitHub cuts a blob's text without an error, in bytes.
	graphText = 512_000
	// graphUsual is how many objects a query may ask for before the hub gives up on
	// it. GitHub has no such number: it ends a query that takes over ten seconds.
	graphUsual = 1_000
)

var (
	graphFrame  = regexp.MustCompile(`^query\(\$owner:String!,\$name:String!\)\{repository\(owner:\$owner,name:\$name\)\{(.*)\}\}$`)
	graphObject = regexp.MustCompile(`^(\w+):object\(oid:"([0-9a-f]{40})"\)\{\.\.\. on (Blob|Tree)\{([^{}]*(?:\{[^{}]*\})?)\}\}`)
)

// The fields that an object may be asked for.
const (
	graphBlob = "oid isBinary isTruncated text"
	graphTree = "oid entries{name mode oid size}"
	graphRaw  = "oid entries{nameRaw mode oid size}"
)

// SetGraphLimit sets from how many objects on a query is not answered in time; 0
// fails them all.
func (h *Hub) SetGraphLimit(objects int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.graphLimit = objects
}

// graphError is an answer of 200 that says what went wrong.
func graphError(kind, message string) reply {
	e := object{"message": message}
	if kind != "" {
		e["type"] = kind
	}
	return reply{body: object{"data": nil, "errors": []object{e}}}
}

// graphql answers a query. Problems come as 200 too, a limit among them.
func (h *Hub) graphql(c *call) (reply, error) {
	var in struct {
		Query     string            `json:"query"`
		Variables map[string]string `json:"variables"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	frame := graphFrame.FindStringSubmatch(in.Query)
	if frame == nil {
		return graphError("", "Parse error: fakehub reads objects of one repository by id"), nil
	}
	r, _ := h.find(in.Variables["owner"] + "/" + in.Variables["name"]) // a former name is followed
	if r == nil || !c.token.covers(r) {
		return graphError("NOT_FOUND", "Could not resolve to a Repository with the name."), nil
	}
	if !c.token.may([]string{"contents:read"}) {
		return graphError("FORBIDDEN", "Resource not accessible by integration"), nil
	}
	found, count := object{}, 0
	for rest := frame[1]; rest != ""; count++ {
		part := graphObject.FindStringSubmatch(rest)
		if part == nil || part[3] == "Blob" && part[4] != graphBlob || part[3] == "Tree" && part[4] != graphTree && part[4] != graphRaw {
			return graphError("", "Parse error: fakehub knows a blob's text and a tree's entries"), nil
		}
		found[part[1]] = r.git.graphObject(part[2], strings.ToLower(part[3]), part[4] == graphRaw)
		rest = rest[len(part[0]):]
	}
	if count > h.graphLimit {
		return graphError("", "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug."), nil
	}
	return reply{body: object{"data": object{"repository": found}}}, nil
}

// graphObject is nil for what is not there, an empty object for one of another kind.
// The names of a tree are in base64 where they are asked for raw.
func (g *gitStore) graphObject(id, kind string, raw bool) any {
	_, have, data, err := g.object(id)
	if err != nil {
		return nil
	}
	if have != kind {
		return object{}
	}
	if kind == "blob" {
		return graphBlobShape(id, data)
	}
	return object{"oid": id, "entries": g.graphEntries(data, raw)}
}

// graphEntries reads a tree object, entry by entry: mode, blank, name, NUL, and the
// id in 20 bytes.
func (g *gitStore) graphEntries(data []byte, raw bool) []object {
	entries := []object{}
	for len(data) > 0 {
		head, rest, _ := bytes.Cut(data, []byte{0})
		octal, name, _ := strings.Cut(string(head), " ")
		mode, _ := strconv.ParseInt(octal, 8, 32) // git's own
		id, size := hex.EncodeToString(rest[:sha1.Size]), 0
		if _, kind, blob, err := g.object(id); err == nil && kind == "blob" {
			size = len(blob)
		}
		entry := object{"mode": mode, "oid": id, "size": size}
		if raw {
			entry["nameRaw"] = []byte(name)
		} else {
			entry["name"] = strings.ToValidUTF8(name, "\uFFFD")
		}
		entries = append(entries, entry)
		data = rest[sha1.Size:]
	}
	return entries
}

// graphBlobShape has no text for what is binary, and a cut one for what is long.
func graphBlobShape(id string, data []byte) object {
	out := object{"oid": id, "isBinary": false, "isTruncated": len(data) > graphText, "text": nil}
	if strings.ContainsRune(string(data[:min(len(data), 8_000)]), 0) {
		out["isBinary"] = true
		return out
	}
	if len(data) > graphText {
		end := graphText
		for n := 1; n < utf8.UTFMax && !utf8.RuneStart(data[end]); n++ { // never within a character
			end--
		}
		data = data[:end]
	}
	out["text"] = strings.ToValidUTF8(string(data), "\uFFFD")
	return out
}

// graphLimited is how a used-up hour is told here: with 200.
func graphLimited() reply { return graphError("RATE_LIMITED", "API rate limit already exceeded.") }
