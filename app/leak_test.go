package app

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/planted"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A canary is a stage with one value of each kind, and all that was seen of the
// service meanwhile.
type canary struct {
	*stage
	kinds []planted.Kind
	field planted.Field
	watch *planted.Watch

	pulls   []int
	heads   []string
	answers []string            // of the service's own routes
	panics  atomic.Pointer[any] // what the clock panics with next
	near    *ear                // the server for meaning search
}

// Law 8: planted values go through everything that the service reads, and no
// piece of one is found in anything that it writes: at GitHub, in the log, in its
// answers, in what another server is sent, in any byte of the database, the queue's rows and stored errors among
// them. A new way is a line in the table.
func TestNoPlantedValueGetsOut(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		kinds := planted.Kinds(90)
		c := &canary{stage: newStage(t, url), kinds: kinds, field: planted.Spread(kinds, 2), watch: planted.NewWatch(kinds)}
		c.patience = 5 * time.Minute // dozens of jobs are waited for at once
		c.main = c.commit("main", c.edits(c.field.Before, true))
		c.hub.Lose()
		c.near = c.listen()
		stop := c.playWith(Options{Now: c.now})
		for _, way := range []struct {
			name string
			take func()
		}{
			{"a pull request that adds them", c.comes},
			{"commits that held them", c.held},
			{"questions that hold them", func() { c.asks(func(k planted.Kind) string { return "Is " + k.Text + " still valid?" }) }},
			{"questions that they answer", func() { c.asks(planted.Kind.Question) }},
			{"facts beside them that another server is sent", c.nears},
			{"a configuration with faults", c.faulty},
			{"a configuration without", c.configured},
			{"errors of GitHub that quote them", c.refused},
			{"panics with them", c.panicked},
			{"requests of strangers", c.strangers},
			{"a default branch that holds them", c.pushed},
			{"a pull request that removes them", c.goes},
			{"a merge group", c.merges},
		} {
			t.Log(way.name)
			way.take()
		}
		stop()
		c.look()
	})
}

// look searches all that was written.
func (c *canary) look() {
	all := c.written(c.pulls[0], c.heads...)
	for _, number := range c.pulls[1:] {
		maps.Copy(all, c.written(number))
	}
	for i, a := range c.answers {
		all[fmt.Sprint("answer ", i+1)] = a
	}
	all["what was sent for meaning search"] = c.near.heard()
	for name, text := range all {
		for _, k := range c.watch.Seen(text) {
			c.t.Errorf("%s holds a piece of %s, planted in %s: %s", name, k.Name, c.field.Place(k), around(k, text))
		}
	}
}

// around is the text before a piece, to find out what wrote it.
func around(k planted.Kind, text string) string {
	for i := range text {
		if k.Shows(text[i:min(len(text), i+8)]) {
			return text[max(0, i-150):i]
		}
	}
	return ""
}

// edits are files as changes, with the cards that they give if these are wanted.
func (c *canary) edits(files map[string]string, cards bool) map[string]fakehub.File {
	c.t.Helper()
	data, out := map[string][]byte{}, map[string]fakehub.File{}
	for name, text := range files {
		data[name], out[name] = []byte(text), fakehub.Text(text)
	}
	shape := extractor.DefaultShape()
	for _, s := range must(extractor.Extract(tree.Memory(data), shape))(c.t).Skills {
		if cards {
			out[card.File(shape.Cards, s.Path)] = fakehub.File{Data: card.Render(s.Card)}
		}
	}
	return out
}

// begin opens a pull request whose every text holds values, waits for its run and
// holds it to a conclusion.
func (c *canary) begin(branch string, edits map[string]fakehub.File, conclusion string) fakehub.CheckRun {
	c.t.Helper()
	var all strings.Builder
	for _, k := range c.kinds {
		all.WriteString(k.Text + "\n")
	}
	head := must(c.repo.Commit(branch, edits, all.String(), c.main))(c.t)
	number := must(c.repo.OpenPull(branch, "main", "mallory", fakehub.PullOptions{Title: c.kinds[len(c.pulls)].Text, Body: all.String()}))(c.t)
	c.pulls, c.heads = append(c.pulls, number), append(c.heads, head)
	run := c.run(head)
	if run.Conclusion != conclusion {
		c.t.Errorf("the run on %.20s: %s, want %s: %s", branch, run.Conclusion, conclusion, run.Title)
	}
	return run
}

// bare are the values that fit into a name.
func (c *canary) bare() (out []string) {
	for _, k := range c.kinds {
		if k.Bare != "" {
			out = append(out, k.Bare)
		}
	}
	return out
}

func (c *canary) comes() {
	c.t.Helper()
	c.hub.Fail(fakehub.Fault{Path: "*/git/blobs/*", Status: 500, Times: 3}, fakehub.Fault{Path: "*/check-runs", Status: 502, Times: 2})
	run := c.begin("topic-"+c.bare()[0], c.edits(c.field.After, false), "failure")
	if !strings.Contains(run.Title, "secrets found") || len(run.Annotations) == 0 {
		c.t.Errorf("the run says %q with %d annotations", run.Title, len(run.Annotations))
	}
	c.begin("with-cards", c.edits(c.field.After, true), "failure")
	c.begin("eve:without-cards", c.edits(c.field.After, false), "failure") // a fork gets a patch
}

// held adds values in one commit and takes them out in the next: a few of the kinds,
// since commits that change too much are not looked at.
func (c *canary) held() {
	c.t.Helper()
	few := planted.Spread(c.kinds[:12], 3)
	must(c.repo.Commit("held", c.edits(few.After, true), c.kinds[6].Text, c.main))(c.t)
	edits := map[string]fakehub.File{}
	for name := range c.edits(few.After, true) {
		edits[name] = fakehub.Removed()
	}
	maps.Copy(edits, c.edits(few.Before, true))
	head := must(c.repo.Commit("held", edits, c.kinds[7].Block))(c.t)
	c.pulls = append(c.pulls, must(c.repo.OpenPull("held", "main", "mallory", fakehub.PullOptions{}))(c.t))
	c.heads = append(c.heads, head)
	if run := c.run(head); run.Conclusion != "success" {
		c.t.Errorf("the run: %s %s", run.Conclusion, run.Title)
	}
	c.await("what the commits held", func() bool {
		return strings.Contains(c.hub.CheckRuns(c.repo, head)[0].Summary, "held a secret")
	})
}

// asks puts a question about each kind, five a comment.
func (c *canary) asks(question func(planted.Kind) string) {
	c.t.Helper()
	before := c.replies(c.pulls[0])
	n := 0
	for group := range slices.Chunk(c.kinds, 5) {
		var body strings.Builder
		for _, k := range group {
			body.WriteString("/ask " + question(k) + "\n")
		}
		must(c.repo.Comment(c.pulls[0], "mallory", body.String()))(c.t)
		n++
	}
	c.deliver()
	c.await("the replies", func() bool { return c.replies(c.pulls[0]) == before+n })
}

// nears asks for what harmless facts and facts with values say alike.
func (c *canary) nears() {
	c.t.Helper()
	gates := "# Gates\n\nThe gate of the mill opens at dawn.\n\nThe gate of the mill opens by a lantern.\n"
	for _, k := range c.kinds[:20] { // no more than one question looks at
		gates += "\nThe gate of the mill opens with " + k.Text + ".\n"
	}
	c.begin("nears", map[string]fakehub.File{"skills/gates/SKILL.md": fakehub.Text(gates)}, "failure")
	number := c.pulls[len(c.pulls)-1]
	must(c.repo.Comment(number, "mallory", "/ask How does the gate of the mill open?"))(c.t)
	c.deliver()
	c.await("the reply", func() bool { return c.replies(number) == 1 })
	for _, want := range []string{"opens at dawn.\n", "opens by a lantern.\n"} {
		if !strings.Contains(c.near.heard(), want) {
			c.t.Errorf("%q was not sent", want)
		}
	}
}

// replies counts the App's comments.
func (c *canary) replies(number int) (n int) {
	for _, comment := range c.hub.Comments(c.repo, number) {
		if strings.HasSuffix(comment.User, "[bot]") {
			n++
		}
	}
	return n
}

// listed writes one text of each kind as a list of YAML.
func (c *canary) listed(text func(planted.Kind) string) string {
	var out []string
	for _, k := range c.kinds {
		if t := text(k); t != "" {
			out = append(out, planted.Single(t))
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func (c *canary) faulty() {
	c.t.Helper()
	text := func(k planted.Kind) string { return k.Text }
	config := "policy:\n  block: " + c.listed(text) + "\n  salt: " + planted.Single(c.kinds[0].Text) + "\nshape:\n  cards: " + planted.Single(c.kinds[1].Text) +
		"\n  vocabulary:\n"
	for _, k := range c.kinds {
		config += "    " + planted.Single(k.Text) + ": " + planted.Single(k.Text) + "\n"
	}
	c.begin("faulty", map[string]fakehub.File{checker.ConfigFile: fakehub.Text(config + "ask: " + c.listed(text) + "\n")}, "failure")
	c.begin("no-yaml", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy: [\n" + c.kinds[2].Block + "\n" + c.kinds[3].Text)}, "failure")
}

func (c *canary) configured() {
	c.t.Helper()
	config := "shape:\n  exclude: " + c.listed(func(k planted.Kind) string { return k.Bare }) + "\n  vocabulary:\n"
	for _, k := range c.kinds {
		config += "    " + planted.Single(k.Text) + ": setup\n"
	}
	edits := c.edits(c.field.After, false)
	edits[checker.ConfigFile] = fakehub.Text(config)
	c.begin("configured", edits, "failure")
}

// refused makes GitHub answer with texts that hold values.
func (c *canary) refused() {
	c.t.Helper()
	for i, status := range []int{http.StatusUnprocessableEntity, http.StatusForbidden, http.StatusNotFound, http.StatusInternalServerError, http.StatusOK} {
		k := c.kinds[i*7]
		for _, path := range []string{"*/compare/*", "*/git/blobs/*", "*/pulls/*"} {
			c.hub.Fail(fakehub.Fault{Path: path, Method: http.MethodGet, Status: status, Body: `{"message": "` + k.Bare + `", "documentation_url": "https://x.dev/` + k.Bare + `"}`})
		}
		head := c.commit(fmt.Sprint("refused-", i), map[string]fakehub.File{mail: fakehub.Text(c.text(mail, "wait one minute", fmt.Sprint("wait ", i+20, " minutes")))}, c.main)
		c.heads = append(c.heads, head)
		c.pulls = append(c.pulls, must(c.repo.OpenPull(fmt.Sprint("refused-", i), "main", "mallory", fakehub.PullOptions{}))(c.t))
		c.run(head)
		c.hub.Heal()
	}
}

// now is the service's clock, and panics on order.
func (c *canary) now() time.Time {
	if v := c.panics.Swap(nil); v != nil {
		panic(*v)
	}
	return time.Now()
}

// panicked lets the service panic with a value in the middle of its work.
func (c *canary) panicked() {
	c.t.Helper()
	for i, v := range []any{c.kinds[20].Text, fmt.Errorf("read %s", c.kinds[21].Bare), []string{c.kinds[22].Block}} {
		head := c.commit(fmt.Sprint("panics-", i), map[string]fakehub.File{mail: fakehub.Text(c.text(mail, "wait one minute", fmt.Sprint("wait ", i+2, " minutes")))}, c.main)
		c.heads = append(c.heads, head)
		c.pulls = append(c.pulls, must(c.repo.OpenPull(fmt.Sprint("panics-", i), "main", "mallory", fakehub.PullOptions{}))(c.t))
		come, release := c.hold(http.MethodGet, "*/git/trees/"+head)
		c.deliver()
		<-come
		c.panics.Store(&v)
		release()
		if run := c.run(head); run.Conclusion != "failure" {
			c.t.Errorf("after a panic: %s %s", run.Conclusion, run.Title)
		}
		if c.panics.Load() != nil {
			c.t.Error("nothing panicked")
		}
	}
	if !strings.Contains(c.log.String(), `"msg":"panic"`) {
		c.t.Error("the log says nothing of a panic")
	}
}

// strangers send values to every address of the service, signed and unsigned.
func (c *canary) strangers() {
	c.t.Helper()
	address := c.address
	for i, k := range c.kinds {
		value := k.Bare
		if value == "" {
			value = fmt.Sprint(i)
		}
		body := `{"action": "` + value + `", "installation": {"id": 1}, "zen": "` + value + `", "repository": ` + strings.Repeat("[", i%2) + `"` + value + `"}`
		header := map[string]string{"X-GitHub-Event": value, "X-GitHub-Delivery": value, "X-Hub-Signature-256": value}
		switch i % 3 {
		case 0:
			header = map[string]string{"X-Hub-Signature-256": fakehub.Sign(c.hub.Secret(), []byte(body))}
		case 1:
			header["X-Hub-Signature-256"] = fakehub.Sign(c.hub.Secret(), []byte(body))
		}
		status, text := c.send(address, []string{"pull_request", "push", "issue_comment"}[i%3], strings.NewReader(body), header)
		if status < 200 || status >= 500 {
			c.t.Errorf("a stranger got %d", status)
		}
		c.answers = append(c.answers, text, get(c.t, address+"/"+value+"?q="+value), get(c.t, address+"/healthz?"+value), get(c.t, address+"/webhook/"+value))
	}
}

// pushed makes the default branch hold the values, cards and all.
func (c *canary) pushed() {
	c.t.Helper()
	c.main = must(c.repo.Commit("main", c.edits(c.field.After, true), c.kinds[5].Text))(c.t)
	c.heads = append(c.heads, c.main)
	if run := c.run(c.main); run.Conclusion != "failure" {
		c.t.Errorf("the default branch: %s %s", run.Conclusion, run.Title)
	}
}

func (c *canary) goes() {
	c.t.Helper()
	edits := map[string]fakehub.File{}
	for name := range c.edits(c.field.After, true) {
		edits[name] = fakehub.Removed()
	}
	maps.Copy(edits, c.edits(c.field.Before, true))
	c.begin("cleanup", edits, "success")
	delete(edits, "cards/skills/s00.md")
	c.begin("cleanup-in-part", edits, "failure")
}

func (c *canary) merges() {
	c.t.Helper()
	group := must(c.repo.MergeGroup(c.pulls[len(c.pulls)-1]))(c.t)
	c.heads = append(c.heads, group)
	c.run(group)
}
