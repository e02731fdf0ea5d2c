package fakehub

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// bodyLimit bounds what the hub reads of a request. A blob of GitHub's own
// limit, 100 MB, is more than a test should send.
const bodyLimit = 32 << 20

// enterpriseVersion is what a hub with a prefix says of itself.
const enterpriseVersion = "3.19.0"

// ServeHTTP answers one request and keeps a record of it.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if registration.MatchString(r.URL.Path) {
		h.serveRegistration(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
	if err != nil {
		http.Error(w, `{"message":"Payload too big"}`, http.StatusRequestEntityTooLarge)
		return
	}
	f := h.faultFor(r)
	if f != nil && f.Hold != nil {
		select {
		case <-f.Hold:
		case <-r.Context().Done():
		}
	}
	status, header, out := h.answer(r, body, f)
	if f != nil && f.Drop {
		panic(http.ErrAbortHandler) // the connection ends here: no answer
	}
	for k, v := range header {
		w.Header()[k] = v
	}
	w.WriteHeader(status)
	_, _ = w.Write(out) // the client may be gone
}

// answer does the work under the lock and returns the whole answer.
func (h *Hub) answer(r *http.Request, body []byte, f *Fault) (int, http.Header, []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.base == "" {
		h.base = "http://" + r.Host + h.opts.Prefix
	}
	header := http.Header{
		"Content-Type":                  {"application/json; charset=utf-8"},
		"Date":                          {h.now().UTC().Format(http.TimeFormat)},
		"X-Github-Media-Type":           {"github.v3; format=json"},
		"X-Github-Request-Id":           {fmt.Sprintf("FA4E:%04X", len(h.requests)+1)},
		"X-Github-Api-Version-Selected": {"2022-11-28"},
	}
	if h.opts.Prefix != "" {
		header.Set("X-Github-Enterprise-Version", enterpriseVersion)
	}
	h.limitHeaders(h.bucket(bucketName(h.tokens[credential(r)], r.URL.Path)), header)
	if f != nil && f.Status != 0 && !f.Drop {
		h.record(r, "", f.Status, body)
		return f.answer(header)
	}
	route, out, err := h.work(r, body, header)
	status, data := encode(out, err, header)
	if r.Method == http.MethodGet && status == http.StatusOK {
		status, data = h.conditional(r, header, data)
	}
	h.record(r, route, status, body)
	return status, header, data
}

// work finds the route, lets the caller in and runs it.
func (h *Hub) work(r *http.Request, body []byte, header http.Header) (string, reply, error) {
	path, ok := strings.CutPrefix(r.URL.EscapedPath(), h.opts.Prefix)
	if r.URL.Path == strings.TrimSuffix(h.opts.Prefix, "/v3")+"/graphql" {
		path, ok = "/graphql", true
	}
	if !ok {
		return "", reply{}, notFound()
	}
	path = h.byID(path)
	route, vars := h.match(r.Method, path)
	if route == nil {
		return "", reply{}, problem(http.StatusNotImplemented, "fakehub does not serve this operation")
	}
	c := &call{route: route, r: r, body: body, vars: vars}
	name := route.method + " " + route.path
	err := h.admit(c, header)
	if errors.Is(err, errGraphLimited) {
		return name, graphLimited(), nil
	}
	if err != nil {
		return name, reply{}, err
	}
	out, err := route.serve(c)
	return name, out, err
}

// byID rewrites /repositories/{id}/... to the repository's present name. GitHub
// answers both; the first form is the one that redirects after a rename use. An id
// of none becomes a name that nobody can have.
func (h *Hub) byID(path string) string {
	rest, ok := strings.CutPrefix(path, "/repositories/")
	if !ok {
		return path
	}
	id, rest, deeper := strings.Cut(rest, "/")
	name := "-/-"
	for _, r := range h.repos {
		if strconv.FormatInt(r.id, 10) == id {
			name = r.fullName()
		}
	}
	if deeper {
		name += "/" + rest
	}
	return "/repos/" + name
}

func encode(out reply, err error, header http.Header) (int, []byte) {
	var p *problemError
	if errors.As(err, &p) {
		return p.encode(header)
	}
	if err != nil {
		p = problem(http.StatusInternalServerError, "fakehub: "+err.Error())
		return p.encode(header)
	}
	for k, v := range out.header {
		header[k] = v
	}
	status := out.status
	if status == 0 {
		status = http.StatusOK
	}
	if out.raw != nil || status == http.StatusNoContent {
		return status, out.raw
	}
	data, err := json.Marshal(out.body)
	if err != nil {
		return problem(http.StatusInternalServerError, "fakehub: "+err.Error()).encode(header)
	}
	return status, data
}

func (p *problemError) encode(header http.Header) (int, []byte) {
	for k, v := range p.header {
		header[k] = v
	}
	body := object{
		"message": p.message, "status": strconv.Itoa(p.status),
		"documentation_url": "https://docs.github.com/rest",
	}
	if len(p.errors) > 0 {
		body["errors"] = p.errors
	}
	if p.status == http.StatusMovedPermanently {
		body["url"] = header.Get("Location")
	}
	data, _ := json.Marshal(body) // strings and numbers only
	return p.status, data
}

// conditional gives a 200 its ETag, and answers 304 to who holds it already. A
// 304 takes nothing from the primary rate limit.
func (h *Hub) conditional(r *http.Request, header http.Header, data []byte) (int, []byte) {
	tag := fmt.Sprintf(`W/"%x"`, sha256.Sum256(data))
	header.Set("Etag", tag)
	if r.Header.Get("If-None-Match") != tag {
		return http.StatusOK, data
	}
	h.refund(r, header)
	header.Del("Content-Type")
	return http.StatusNotModified, nil
}

// A Request is one line of what the hub was asked.
type Request struct {
	Method string
	Path   string // as it was sent, with its query
	Route  string // "GET /repos/{owner}/{repo}", or "" where no route was run
	Status int
	At     time.Time // by the hub's clock
	Body   []byte    // of one that writes
}

func (h *Hub) record(r *http.Request, route string, status int, body []byte) {
	if r.Method == http.MethodGet {
		body = nil
	}
	h.requests = append(h.requests, Request{r.Method, r.URL.RequestURI(), route, status, h.now(), body})
}

// Requests returns all requests so far, in the order of their answers.
func (h *Hub) Requests() []Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Request(nil), h.requests...)
}

// Counts says how often each route was run: what a piece of work costs. A
// request that a fault answered was not run, and one that was answered 304 cost
// nothing; see [Hub.Unchanged].
func (h *Hub) Counts() map[string]int {
	return h.count(func(r Request) bool { return r.Status != http.StatusNotModified })
}

// Unchanged says how often each route was answered 304.
func (h *Hub) Unchanged() map[string]int {
	return h.count(func(r Request) bool { return r.Status == http.StatusNotModified })
}

func (h *Hub) count(fits func(Request) bool) map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	counts := map[string]int{}
	for _, r := range h.requests {
		if r.Route != "" && fits(r) {
			counts[r.Route]++
		}
	}
	return counts
}

// ForgetRequests empties the record.
func (h *Hub) ForgetRequests() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests = nil
}
