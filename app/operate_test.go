package app

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/meter"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// lines are the log's lines that name a delivery, each as "msg kind outcome" or
// "msg route", with GitHub's id of the request checked.
func (s *stage) lines(guid string) (out []string) {
	s.t.Helper()
	for line := range strings.Lines(s.log.String()) {
		var entry struct {
			Msg, Delivery, Kind, Outcome, Route, Conclusion string
			RequestID                                       string `json:"request_id"`
		}
		if json.Unmarshal([]byte(line), &entry) != nil || entry.Delivery != guid {
			continue
		}
		if entry.Msg == "github request" && entry.RequestID == "" {
			s.t.Errorf("a request without GitHub's id of it: %s", line)
		}
		if entry.Kind != "" && entry.Msg != "job" {
			entry.Kind = ""
		}
		out = append(out, strings.Join(strings.Fields(strings.Join([]string{entry.Msg, entry.Kind, entry.Outcome, entry.Route, entry.Conclusion}, " ")), " "))
	}
	return out
}

// follow waits until the log holds the steps of a delivery, in order.
func (s *stage) follow(guid string, steps ...string) {
	s.t.Helper()
	s.await("the whole way of a delivery", func() bool {
		rest := s.lines(guid)
		for _, step := range steps {
			at := slices.Index(rest, step)
			if at < 0 {
				return false
			}
			rest = rest[at+1:]
		}
		return true
	})
}

// deliverOne sends what happened and gives the guid of the one delivery that wanted work.
func (s *stage) deliverOne() (guid string) {
	s.t.Helper()
	for _, d := range must(s.hub.Deliver(s.t.Context()))(s.t) {
		if d.StatusCode == http.StatusAccepted {
			guid = d.GUID
		}
	}
	return guid
}

// From a delivery's id the whole way is read from the log: what came, what was asked
// of GitHub under which id of its, what each job made of it, what was said.
func TestADeliveryIsFollowedThroughTheLog(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.SQLite(t))
	s.play()
	number, _ := s.open("topic", "", map[string]fakehub.File{mail: fakehub.Text(s.text(mail, "wait one minute", "wait ten minutes"))})
	guid := s.deliverOne()
	s.follow(guid, "delivery", "github request GET /repos/{owner}/{repo}/pulls/{pull_number}", "job evaluate done",
		"github request POST /repos/{owner}/{repo}/check-runs", "check run published failure", "job publish done")
	must(s.repo.Comment(number, "mallory", "/ask What does mailrules apply refuse?"))(t)
	s.follow(s.deliverOne(), "delivery", "github request GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
		"github request POST /repos/{owner}/{repo}/issues/{issue_number}/comments", "job answer done")
	// A second commit is looked at for itself, by a job of its own.
	s.commit("topic", map[string]fakehub.File{mail: fakehub.Text(s.text(mail, "wait one minute", "wait twenty minutes"))})
	s.follow(s.deliverOne(), "delivery", "job evaluate done", "check run published failure", "job verdict done", "job history done")
	// What could not be checked is published by a job that ends no delivery. It is followed too.
	s.hub.Fail(fakehub.Fault{Path: "*/git/trees/*", Status: 500, Times: 100})
	s.commit("topic", map[string]fakehub.File{mail: fakehub.Text("# Mail\n\n- Another.\n")})
	s.follow(s.deliverOne(), "delivery", "job evaluate retried", "could not check", "job evaluate done", "check run published failure", "job publish done")
}

// Law 8: whatever stands in a repository, a name or a comment, no label, no page and
// no line of the log shows it; and the numbers say what happened.
func TestTheNumbersHoldNoText(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.SQLite(t))
	s.settings.OperatorToken = rand.Text() + rand.Text()
	s.play()
	number, head := s.open("canary-branch", "canary title", map[string]fakehub.File{
		mail: fakehub.Text(s.text(mail, "wait one minute", "wait for the canary")), "skills/mail/references/canary.md": fakehub.Text("# Canary\n\n- A canary.\n"),
	})
	s.run(head)
	must(s.repo.Comment(number, "mallory", "/ask What does the canary sing?"))(t)
	s.reply(number, 1)
	body := []byte(`{"action":"canary"}`)
	for _, event := range []string{"sparrow", "pull_request"} { // an unknown event, which GitHub alone could have signed
		s.send(s.address, event, bytes.NewReader(body), map[string]string{"X-Hub-Signature-256": fakehub.Sign(s.hub.Secret(), body)})
		s.send(s.address, event, bytes.NewReader(body), nil)
	}
	var text string
	s.await("the numbers", func() bool {
		text = s.operator("/metrics")
		return strings.Contains(text, meter.Answers+"{") && strings.Contains(text, meter.Jobs+`{kind="answer"`)
	})
	for _, want := range []string{
		meter.Deliveries + `{event="pull_request",outcome="fresh"} 1`, meter.Deliveries + `{event="pull_request",outcome="malformed"} 1`,
		meter.Deliveries + `{event="other",outcome="unsigned"} 2`, meter.Deliveries + `{event="other",outcome="nothing"} 1`,
		meter.Verdicts + `{conclusion="failure"} 1`, meter.PublishDelay + "_count 1", meter.Answers + `{outcome="refused"} 1`,
		meter.Jobs + `{kind="evaluate",outcome="done"} 1`, meter.Tokens + " 3", meter.QueueUp + " 1",
		meter.Budget + fmt.Sprintf(`{installation="%d"}`, s.hub.Installation("ada")), meter.Scans + `{outcome="clean"}`, meter.BuildInfo + "{",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("not scraped: %s", want)
		}
	}
	if strings.Contains(text, "sparrow") {
		t.Error("an event that nobody knows is a label")
	}
	pages := text + s.log.String()
	for _, path := range []string{"", "deliveries", "jobs", "installations"} {
		page := s.operator("/operator/" + path)
		if !strings.HasPrefix(page, "200") {
			t.Errorf("%s: %.60s", path, page)
		}
		pages += page
	}
	for _, d := range regexp.MustCompile(`/operator/deliveries/[0-9a-f-]+`).FindAllString(pages, -1) {
		pages += s.operator(d)
	}
	for _, word := range []string{"canary", "Canary", "mallory", "ada/", "mailrules"} {
		if i := strings.Index(pages, word); i >= 0 {
			t.Errorf("%q is shown: %.200s", word, pages[max(0, i-100):])
		}
	}
}

// operator asks with the operator's token, and gives status and answer.
func (s *stage) operator(path string) string {
	s.t.Helper()
	r := must(http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.address+path, nil))(s.t)
	r.Header.Set("Authorization", "Bearer "+s.settings.OperatorToken)
	resp := must(http.DefaultClient.Do(r))(s.t)
	defer resp.Body.Close()
	return fmt.Sprint(resp.StatusCode, " ", string(must(io.ReadAll(resp.Body))(s.t)))
}

// Without a setting nothing is shown; an address of its own needs no token and has
// nothing but the numbers.
func TestWhoSeesTheNumbers(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.SQLite(t))
	closed := must(New(t.Context(), s.settings, quiet(), Options{}))(t)
	for _, path := range []string{"/metrics", "/operator/", "/operator/jobs"} {
		if got := httpGet(closed.Handler, path); got.status != http.StatusNotFound {
			t.Errorf("%s without a setting: %d", path, got.status)
		}
	}
	own := closed.doors.numbers
	if got := httpGet(own, "/metrics"); got.status != 200 || !strings.Contains(got.body.String(), meter.BuildInfo) {
		t.Errorf("its own address: %d", got.status)
	}
	for _, path := range []string{"/webhook", "/operator/", "/readyz"} {
		if got := httpGet(own, path); got.status != http.StatusNotFound {
			t.Errorf("%s beside the numbers: %d", path, got.status)
		}
	}
	check(t, closed.Store.Close())
	s.settings.OperatorToken = rand.Text() + rand.Text()
	open := must(New(t.Context(), s.settings, quiet(), Options{}))(t)
	if got := httpGet(open.Handler, "/metrics"); got.status != http.StatusUnauthorized {
		t.Errorf("without the token: %d", got.status)
	}
	check(t, open.Store.Close())
}

// The settings' two addresses are served together, and end together.
func TestTheNumbersHaveAnAddressOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.SQLite(t))
	service := must(New(t.Context(), s.settings, quiet(), Options{}))(t)
	public, numbers := must(net.Listen("tcp", "127.0.0.1:0"))(t), must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx, public, numbers) }()
	if got := get(t, "http://"+numbers.Addr().String()+"/metrics"); !strings.HasPrefix(got, "200") || !strings.Contains(got, meter.QueueUp+" 1") {
		t.Errorf("the numbers: %.60s", got)
	}
	if got := get(t, "http://"+public.Addr().String()+"/metrics"); !strings.HasPrefix(got, "404") {
		t.Errorf("the numbers at the public address: %.60s", got)
	}
	cancel()
	check(t, <-ended)
	if conn, err := net.Dial("tcp", numbers.Addr().String()); err == nil {
		conn.Close()
		t.Error("the numbers are still served")
	}
	taken := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	s.settings.Listen, s.settings.MetricsListen = "127.0.0.1:0", taken.Addr().String()
	if err := Serve(t.Context(), s.settings, quiet()); err == nil || !strings.Contains(err.Error(), "set metrics_listen to a free address") {
		t.Errorf("a taken address: %v", err)
	}
}

// A stop is said before it is felt: not ready first, while deliveries are still
// taken; one that is on its way is answered even after the door is closed.
func TestAStopIsSaidBeforeItIsFelt(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.SQLite(t))
	s.settings.Drain = 2 * time.Second
	service := must(New(t.Context(), s.settings, quiet(), Options{}))(t)
	address, stop := run(t, service)
	payload := must(json.Marshal(map[string]any{
		"action": "created", "installation": map[string]any{"id": 7}, "sender": map[string]any{"id": 1, "login": "x", "type": "User"},
	}))(t)
	conn := must(net.Dial("tcp", strings.TrimPrefix(address, "http://")))(t)
	defer conn.Close()
	fmt.Fprintf(conn, "POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-GitHub-Event: installation\r\nX-GitHub-Delivery: 8a6f0c1e-0000-4000-8000-000000000001\r\n"+
		"X-Hub-Signature-256: %s\r\nContent-Length: %d\r\n\r\n%s", fakehub.Sign(s.hub.Secret(), payload), len(payload), payload[:10])
	if got := get(t, address+"/readyz"); got != "200 ready" { // it serves: a stop before would be another case
		t.Fatal(got)
	}
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	var said, taken bool
	s.await("the closed door", func() bool {
		resp, err := http.Get(address + "/readyz")
		if err != nil {
			return true
		}
		defer resp.Body.Close()
		said = said || resp.StatusCode == http.StatusServiceUnavailable
		if said && !taken {
			status, _ := s.send(address, "installation", bytes.NewReader(payload), map[string]string{"X-Hub-Signature-256": fakehub.Sign(s.hub.Secret(), payload)})
			taken = status == http.StatusAccepted
		}
		return false
	})
	if !said || !taken {
		t.Errorf("said that it is not ready: %v; took a delivery meanwhile: %v", said, taken)
	}
	_, err := conn.Write(payload[10:])
	check(t, err)
	resp := must(http.ReadResponse(bufio.NewReader(conn), nil))(t)
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted {
		t.Errorf("the delivery that was on its way: %d", resp.StatusCode)
	}
	check(t, <-ended)
	st := must(store.Open(t.Context(), s.settings.Database, quiet()))(t)
	defer st.Close()
	if d, err := st.Delivery(t.Context(), "8a6f0c1e-0000-4000-8000-000000000001"); err != nil || d.Event != "installation" {
		t.Errorf("the delivery that was on its way: %+v, %v", d, err)
	}
}
