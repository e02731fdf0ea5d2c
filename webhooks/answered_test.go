package webhooks

import (
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is counted is a word of ours, whatever the request says.
func TestEachAnswerIsTold(t *testing.T) {
	t.Parallel()
	unknown := request("pull_request", []byte("{}"))
	unknown.Header.Set("X-GitHub-Event", "canary")
	stranger := request("pull_request", []byte("{}"))
	stranger.Header.Set("X-Hub-Signature-256", Sign("another", []byte("{}")))
	unsigned := request("pull_request", []byte("{}"))
	unsigned.Header.Del("X-Hub-Signature-256")
	large := request("pull_request", nil)
	large.ContentLength = MaxBody + 1
	header := request("pull_request", []byte("{}"))
	header.Header.Set("X-GitHub-Delivery", "no id of GitHub's")
	torn := request("pull_request", nil)
	torn.Body, torn.ContentLength = io.NopCloser(broken{}), -1
	get := request("pull_request", nil)
	get.Method = http.MethodGet
	inbox := &memory{}
	var told []Answered
	h, err := Handler([]string{vectorSecret}, App{ID: 29310}, inbox, quiet(), func(a Answered) {
		if a.Took < 0 {
			t.Error("an answer took less than no time")
		}
		a.Took = 0
		told = append(told, a)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*http.Request{
		request("pull_request", opened(t)), request("pull_request", opened(t)), request("ping", []byte(`{"hook_id":1}`)), unknown, stranger,
		unsigned, large, header, request("pull_request", []byte("{")), torn, get,
	} {
		post(h, r)
	}
	inbox.fail = errors.New("full")
	post(h, request("pull_request", opened(t)))
	inbox.panic = "a canary"
	post(h, request("pull_request", opened(t)))
	want := []Answered{
		{"pull_request", Fresh, 0}, {"pull_request", Duplicate, 0}, {"ping", Nothing, 0}, {"", Nothing, 0}, {"", Missigned, 0}, {"", Unsigned, 0},
		{"", TooLarge, 0}, {"", Malformed, 0}, {"pull_request", Malformed, 0}, {"", BrokenOff, 0}, {"", NoPost, 0}, {"pull_request", Unstored, 0}, {"", Panicked, 0},
	}
	if d := cmp.Diff(want, told); d != "" {
		t.Error(d)
	}
}
