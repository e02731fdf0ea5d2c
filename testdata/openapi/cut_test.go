package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const whole = `{
 "openapi":"3.0.3","info":{"title":"x","version":"1"},"servers":[{"url":"https://api.example"}],
 "paths":{
  "/a":{"get":{"operationId":"a/get","summary":"s","tags":["t"],"x-github":{},"parameters":[{"$ref":"#/components/parameters/p"}],
    "responses":{"200":{"description":"words","content":{"application/json":{"schema":{"$ref":"#/components/schemas/node"},"examples":{"default":{}}}}}}},
   "post":{"operationId":"a/post","requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/input"}}}},
    "responses":{"201":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/input"}}}}}}},
  "/b":{"get":{"operationId":"b/get","responses":{}}}
 },
 "components":{
  "parameters":{"p":{"name":"p","in":"query","description":"d","schema":{"type":"string"}},"q":{}},
  "schemas":{
   "node":{"type":"object","title":"Node","properties":{"title":{"type":"string","description":"d"},"next":{"$ref":"#/components/schemas/node"}}},
   "input":{"type":"object","properties":{"name":{"type":"string","example":"e"}}},
   "unused":{"type":"object"}
  }
 }
}`

const want = `{
 "openapi":"3.0.3","info":{"title":"GitHub REST API, cut","version":"1","license":{"name":"MIT"}},"servers":[{"url":"https://api.example"}],
 "paths":{
  "/a":{"get":{"operationId":"a/get","parameters":[{"$ref":"#/components/parameters/p"}],
    "responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/node"}}}}}},
   "post":{"operationId":"a/post","requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{"name":{"type":"string"}},"additionalProperties":false}}}},
    "responses":{"201":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/input"}}}}}}}
 },
 "components":{
  "parameters":{"p":{"name":"p","in":"query","schema":{"type":"string"}}},
  "schemas":{
   "node":{"type":"object","properties":{"title":{"type":"string"},"next":{"$ref":"#/components/schemas/node"}}},
   "input":{"type":"object","properties":{"name":{"type":"string"}}}
  }
 }
}`

// TestCut: other operations and prose go, what is reached stays, a property may
// be called title, and only the request's copy of a shared schema is closed.
func TestCut(t *testing.T) {
	t.Parallel()
	var doc, wanted object
	if err := json.Unmarshal([]byte(whole), &doc); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	cut, err := cutDocument(doc, operations("# a comment\nGET /a\nPOST  /a # and one here\n"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(cut)
	if err != nil {
		t.Fatal(err)
	}
	var got object
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnUnknownOperationIsAnError(t *testing.T) {
	t.Parallel()
	var doc object
	if err := json.Unmarshal([]byte(whole), &doc); err != nil {
		t.Fatal(err)
	}
	if _, err := cutDocument(doc, operations("GET /c")); err == nil {
		t.Error("cut without complaint")
	}
}

func TestTheTableOfEventsNamesTheHighestLevel(t *testing.T) {
	t.Parallel()
	hook := func(name, text string) object {
		return object{"post": object{"summary": text, "description": "words", "x-github": object{"subcategory": name}}}
	}
	read := `To subscribe, an App must have at least read-level access for the "Pull requests" repository permission.`
	write := read + ` For the rest it must have at least write-level access for the "Pull requests" permission.`
	got := eventTable(object{"x-webhooks": object{
		"a": hook("sub-issues", read), "b": hook("sub-issues", write), "c": hook("sub-issues", read),
		"d": hook("installation", "All GitHub Apps receive this event by default."), "e": hook("other", "It happens."),
	}})
	want := "# event, permission, level: the least that an App must have. Made by events.go.\n" +
		"installation\talways\t-\nother\t-\t-\nsub_issues\tpull_requests\twrite\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
