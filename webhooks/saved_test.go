package webhooks

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/webhooks/event"
	"github.com/google/go-cmp/cmp"
)

// GitHub's examples, saved in each form, mean what they meant when they came.
func TestASavedDeliveryIsReadInEachForm(t *testing.T) {
	t.Parallel()
	payload, err := os.ReadFile("../testdata/webhooks/pull_request.opened.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ file, event, guid string }{
		"headers and payload":   {`{"headers": {"x-github-event": "pull_request", "X-GitHub-Delivery": "` + guid + `", "X-Hub-Signature-256": "sha256=old"}, "payload": ` + string(payload) + `}`, "", guid},
		"what the API answers":  {`{"id": 12, "guid": "` + guid + `", "event": "pull_request", "request": {"headers": {"Accept": "*/*"}, "payload": ` + string(payload) + `}, "response": {"payload": "ok"}}`, "", guid},
		"a bare payload":        {string(payload), "pull_request", ""},
		"the event said anew":   {`{"headers": {"X-GitHub-Event": "push"}, "payload": ` + string(payload) + `}`, "pull_request", ""},
		"headers without an id": {`{"headers": {"X-GitHub-Event": "pull_request"}, "payload": ` + string(payload) + `}`, "", ""},
	} {
		s, err := ReadSaved([]byte(tc.file), tc.event)
		if err != nil || s.Event != "pull_request" || tc.guid != "" && s.GUID != tc.guid || len(s.GUID) != 36 || strings.TrimSpace(string(s.Body)) != strings.TrimSpace(string(payload)) {
			t.Errorf("%s: %v: %q %q, %d bytes", name, err, s.Event, s.GUID, len(s.Body))
			continue
		}
		d, work, err := s.Plan(App{ID: 29310})
		if err != nil || len(work) != 1 || work[0].Kind != Check || d.GUID != s.GUID || d.Pull != work[0].Pull || d.Pull == 0 {
			t.Errorf("%s: %v, %+v, %+v", name, err, d, work)
		}
		if again := s.Renewed(); again.GUID == s.GUID || len(again.GUID) != 36 {
			t.Errorf("%s: renewed under %q", name, again.GUID)
		}
	}
}

// What is wrong is named, and nothing of the file is quoted.
func TestABadFileIsToldWhatItLacks(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ file, event, want string }{
		"nothing":                 {"", "", "no JSON at byte 0"},
		"no JSON":                 {`{"payload": QQQ`, "", "no JSON at byte 13"},
		"a list":                  {`["QQQ"]`, "", "no JSON object"},
		"headers of another kind": {`{"headers": {"QQQ": ["QQQ"]}}`, "", "wrong type at headers"},
		"no payload":              {`{"headers": {"X-GitHub-Event": "push"}}`, "", "payload is missing"},
		"a payload of nothing":    {`{"headers": {"X-GitHub-Event": "push"}, "payload": null}`, "", "payload is missing"},
		"a bare payload":          {`{"action": "QQQ"}`, "", "payload is missing"},
		"no event":                {`{"headers": {"Accept": "QQQ"}, "payload": {}}`, "", "X-GitHub-Event is missing"},
		"an event that is none":   {`{"headers": {"X-GitHub-Event": "QQQ QQQ"}, "payload": {}}`, "", "no name of GitHub's"},
		"an id that is none":      {`{"headers": {"X-GitHub-Event": "push", "X-GitHub-Delivery": "QQQ!"}, "payload": {}}`, "", "no id of GitHub's"},
	} {
		_, err := ReadSaved([]byte(tc.file), tc.event)
		if !errors.Is(err, ErrSaved) || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "QQQ") {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
	s, err := ReadSaved([]byte(`{"action": "opened"}`), "pull_request")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Plan(App{ID: 1}); !errors.Is(err, event.ErrMalformed) || !strings.Contains(err.Error(), "installation.id") {
		t.Errorf("a payload without an installation: %v", err)
	}
	if s.Event = "star"; s.check() != nil {
		t.Error("an event that nobody reads is no fault of the file")
	} else if _, work, err := s.Plan(App{ID: 1}); err != nil || work != nil {
		t.Errorf("an event that nobody reads: %v, %v", work, err)
	}
}

// A replayed delivery passes the handler like GitHub's own.
func TestASavedDeliveryIsTaken(t *testing.T) {
	t.Parallel()
	body := opened(t)
	file, err := json.Marshal(map[string]any{"headers": map[string]string{"X-GitHub-Event": "pull_request", "X-GitHub-Delivery": guid}, "payload": json.RawMessage(body)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := ReadSaved(file, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Request(t.Context(), "http://127.0.0.1/webhook", vectorSecret)
	if err != nil {
		t.Fatal(err)
	}
	inbox := &memory{}
	if w := post(serving(t, inbox, quiet()), r); w.Code != http.StatusAccepted {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	d, _, err := s.Plan(App{ID: 29310})
	if diff := cmp.Diff(d, inbox.last); diff != "" || err != nil {
		t.Errorf("planned and stored differ: %v %s", err, diff)
	}
	if _, err := s.Request(t.Context(), "http://QQQ\x7f/", ""); err == nil || strings.Contains(err.Error(), "QQQ") {
		t.Errorf("an address that is none: %v", err)
	}
}
