package fakehub

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

type object = map[string]any

// A route is one operation: who may ask for it and what answers. Need is a
// permission and its level; alternatives stand side by side.
type route struct {
	method, path string
	auth         authKind
	need         []string
	serve        func(*call) (reply, error)
}

type authKind int

const (
	byAnyone authKind = iota
	byApp             // the App's JWT
	byInstallation
)

// A call is one request on its way through a route.
type call struct {
	route *route
	r     *http.Request
	body  []byte
	vars  map[string]string
	token *token // of a call by an installation
	repo  *Repo  // where the path names one
}

func (c *call) path(name string) string  { return c.vars[name] }
func (c *call) query(name string) string { return c.r.URL.Query().Get(name) }

// decode reads the body and refuses fields that GitHub does not know.
func (c *call) decode(into any) error {
	dec := json.NewDecoder(strings.NewReader(string(c.body)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		// The error quotes what was sent, so it is not passed on.
		var wrongType *json.UnmarshalTypeError
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return problem(http.StatusBadRequest, "Problems parsing JSON")
		case errors.As(err, &wrongType):
			return problem(http.StatusUnprocessableEntity, "Invalid request.\n\nA field has the wrong type.")
		}
		return problem(http.StatusUnprocessableEntity, "Invalid request.\n\nA field is not a permitted key.")
	}
	return nil
}

// A reply is a successful answer. Raw, where set, is sent instead of body.
type reply struct {
	status int // 0 means 200
	body   any
	raw    []byte
	header http.Header
}

// A problemError is an answer that refuses.
type problemError struct {
	status  int
	message string
	errors  []object
	header  http.Header
}

func (p *problemError) Error() string { return p.message }

func problem(status int, message string) *problemError {
	return &problemError{status: status, message: message}
}

func notFound() *problemError { return problem(http.StatusNotFound, "Not Found") }

// invalid is GitHub's 422 for a field of a resource.
func invalid(resource, code, field, message string) *problemError {
	p := problem(http.StatusUnprocessableEntity, "Validation Failed")
	e := object{"resource": resource, "code": code, "field": field}
	if message != "" {
		e["message"] = message
	}
	p.errors = []object{e}
	return p
}

// match finds the route of a request and the values of its path. Segments are
// compared one by one, each unescaped on its own, so that %2F stays inside its
// segment; {name...} takes any number of them.
func (h *Hub) match(method, escaped string) (*route, map[string]string) {
	segments := strings.Split(strings.Trim(escaped, "/"), "/")
	for i, s := range segments {
		if plain, err := url.PathUnescape(s); err == nil {
			segments[i] = plain
		}
	}
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for i := range h.routes {
		r := &h.routes[i]
		if r.method != method {
			continue
		}
		if vars := matchPath(strings.Split(r.path[1:], "/"), segments); vars != nil {
			return r, vars
		}
	}
	return nil, nil
}

// matchPath returns nil where the path does not fit, and an empty map where it
// fits without variables.
func matchPath(pattern, segments []string) map[string]string {
	vars := map[string]string{}
	for i, p := range pattern {
		name, variable := strings.CutPrefix(strings.TrimSuffix(p, "}"), "{")
		rest, many := strings.CutSuffix(name, "...")
		switch {
		case variable && many:
			after := len(pattern) - i - 1
			if len(segments) <= after {
				return nil
			}
			vars[rest] = strings.Join(segments[:len(segments)-after], "/")
			segments = segments[len(segments)-after:]
			continue
		case len(segments) == 0 || (!variable && p != segments[0]) || segments[0] == "":
			return nil
		case variable:
			vars[name] = segments[0]
		}
		segments = segments[1:]
	}
	if len(segments) != 0 {
		return nil
	}
	return vars
}
