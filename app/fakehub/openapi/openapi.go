// Package openapi holds requests and answers to GitHub's published OpenAPI
// document, cut to the operations that the App uses. It is for tests: it links
// a validator that no command needs.
//
// What the document cannot say (sizes in bytes, lines that count from 1) the
// hub checks itself. Never validate production traffic: GitHub's own answers do
// not all fit the document.
package openapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// A Document is the loaded description. It is safe for concurrent use.
type Document struct {
	router routers.Router
	Doc    *openapi3.T
}

// Load reads testdata/openapi/api.github.com.json of the repository that the
// working directory is in, as a test's is. It takes some 50 ms.
func Load() (*Document, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return LoadFile(filepath.Join(dir, "testdata", "openapi", "api.github.com.json"))
		}
		if dir == filepath.Dir(dir) {
			return nil, errors.New("openapi.Load: run it below the folder that holds go.mod")
		}
		dir = filepath.Dir(dir)
	}
}

// LoadFile reads a description. Its servers are dropped: it then fits any host.
func LoadFile(path string) (*Document, error) {
	doc, err := openapi3.NewLoader().LoadFromFile(path)
	if err != nil {
		return nil, fmt.Errorf("openapi.LoadFile: %w", err)
	}
	doc.Servers = nil
	router, err := gorillamux.NewRouter(doc) // the library's other router refuses GitHub's paths
	if err != nil {
		return nil, fmt.Errorf("openapi.LoadFile: %w", err)
	}
	return &Document{router, doc}, nil
}

// faultHeader marks an answer that is wrong on purpose (fakehub.FaultHeader).
const faultHeader = "X-Fakehub-Fault"

// Validate reports each request and each JSON answer that does not fit, and
// passes both on as they are. An operation that the document does not know is
// reported too; the GraphQL interface is no part of it and is passed on. Report may
// be called from several goroutines.
func (d *Document) Validate(next http.Handler, report func(error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/graphql") {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<20))
		if err != nil {
			report(fmt.Errorf("openapi: read %s %s: %w", r.Method, r.URL.Path, err))
		}
		input, known := d.request(r, body, report)
		r.Body = io.NopCloser(bytes.NewReader(body))
		rec := &recorder{header: w.Header(), status: http.StatusOK}
		next.ServeHTTP(rec, r)
		if known && w.Header().Get(faultHeader) == "" {
			d.response(input, rec, report)
		}
		w.WriteHeader(rec.status)
		_, _ = w.Write(rec.body.Bytes()) // the client may be gone
	})
}

func (d *Document) request(r *http.Request, body []byte, report func(error)) (*openapi3filter.RequestValidationInput, bool) {
	probe := r.Clone(r.Context())
	probe.URL = documented(r.URL)
	probe.Body = io.NopCloser(bytes.NewReader(body))
	route, vars, err := d.router.FindRoute(probe)
	if err != nil {
		report(fmt.Errorf("openapi: the document has no operation for %s %s", r.Method, r.URL.Path))
		return nil, false
	}
	input := &openapi3filter.RequestValidationInput{
		Request: probe, PathParams: vars, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
	if len(body) == 0 && (route.Operation.RequestBody == nil || !route.Operation.RequestBody.Value.Required) {
		input.Options.ExcludeRequestBody = true
	}
	if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
		report(fmt.Errorf("openapi: request of %s: %s", route.Operation.OperationID, plain(err)))
	}
	return input, true
}

func (d *Document) response(input *openapi3filter.RequestValidationInput, rec *recorder, report func(error)) {
	if rec.body.Len() == 0 || !strings.Contains(rec.header.Get("Content-Type"), "json;") {
		return // nothing, or a blob's own bytes
	}
	output := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: rec.status, Header: rec.header}
	output.SetBodyBytes(rec.body.Bytes())
	if err := openapi3filter.ValidateResponse(context.Background(), output); err != nil {
		report(fmt.Errorf("openapi: answer %d of %s: %s", rec.status, input.Route.Operation.OperationID, plain(err)))
	}
}

// plain is the place and the reason, without the document's schema and the
// whole value, which the library prints as well.
func plain(err error) string {
	var schema *openapi3.SchemaError
	if errors.As(err, &schema) {
		return "at /" + strings.Join(schema.JSONPointer(), "/") + ": " + schema.Reason
	}
	return err.Error()
}

// documented spells a path as the document does: without the prefix of GitHub
// Enterprise Server, by name instead of by id, and with names that may hold a
// slash in one segment.
func documented(u *url.URL) *url.URL {
	path := strings.TrimPrefix(u.EscapedPath(), "/api/v3")
	if rest, ok := strings.CutPrefix(path, "/repositories/"); ok {
		path = "/repos/by-id/" + rest
	}
	for _, last := range []string{"/git/ref/", "/git/refs/", "/compare/", "/branches/", "/commits/"} {
		before, name, ok := strings.Cut(path, last)
		if !ok || strings.Count(before, "/") != 3 {
			continue
		}
		after := ""
		for _, list := range []string{"/check-runs", "/pulls"} {
			if ref, ok := strings.CutSuffix(name, list); ok && last == "/commits/" {
				name, after = ref, list
			}
		}
		path = before + last + strings.ReplaceAll(name, "/", "%2F") + after
	}
	out := *u
	out.RawPath = path
	if plain, err := url.PathUnescape(path); err == nil {
		out.Path = plain
	}
	return &out
}

// A recorder holds an answer back until it has been checked.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header            { return r.header }
func (r *recorder) WriteHeader(status int)         { r.status = status }
func (r *recorder) Write(data []byte) (int, error) { return r.body.Write(data) }
