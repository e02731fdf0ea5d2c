package web

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// refuse keeps questions of a repository.
func (d *desk) refuse(repository int64, questions ...string) {
	d.t.Helper()
	err := d.store.Tx(d.t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		for _, q := range questions {
			if err := d.store.PutGapTx(ctx, tx, store.Gap{Installation: 9, Repository: repository, Question: q}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

func TestGapsAreShownByRepository(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.refuse(4, "How do I rotate the token?", "how to rotate tokens", "how to rotate tokens", "Which <b>moon</b>?")
	d.refuse(5, "Where is the telescope?")
	list := d.send("GET", "/operator/gaps", nil, d.bearer).Body.String()
	if at := strings.Index(list, `<a href="/operator/gaps/4">4</a>`); at < 0 || at > strings.Index(list, `<a href="/operator/gaps/5">5</a>`) || strings.Contains(list, "moon") {
		t.Errorf("the list: %s", list)
	}
	page := d.send("GET", "/operator/gaps/4", nil, d.bearer).Body.String()
	if !strings.Contains(page, "<ul><li>how to rotate tokens (2 times)</li><li>How do I rotate the token?</li></ul>") || !strings.Contains(page, "Which &lt;b&gt;moon&lt;/b&gt;?") ||
		!strings.Contains(page, "2 gaps") || strings.Contains(page, "telescope") || strings.Index(page, "tokens") > strings.Index(page, "moon") {
		t.Errorf("the page: %s", page)
	}
	if page := d.send("GET", "/operator/gaps/6", nil, d.bearer).Body.String(); !strings.Contains(page, "There is none.") {
		t.Errorf("a repository without gaps: %s", page)
	}
}

// What was kept under the rules of another day is scanned once more before it is shown (law 8).
func TestASecretInAKeptQuestionIsNotShown(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "AKIA" + strings.ToUpper(rand.Text())[:16]
	d.refuse(4, "Is "+key+" the key of staging?", "Where is the telescope?")
	page := d.send("GET", "/operator/gaps/4", nil, d.bearer).Body.String()
	if strings.Contains(page, key) || !strings.Contains(page, "the key of staging?") || !strings.Contains(page, "telescope") {
		t.Errorf("the page: %s", page)
	}
	d.pages.cfg.Scan = broken{}
	if page := d.send("GET", "/operator/gaps/4", nil, d.bearer).Body.String(); strings.Contains(page, "telescope") {
		t.Errorf("shown although the scan failed: %s", page)
	}
}

// broken is a scanner that does not finish.
type broken struct{}

func (broken) Withhold(context.Context, string, func(int) string) (string, error) {
	return "", secret.ErrNotScanned
}

// Deleting is a POST with the session's own form.
func TestGapsAreDeletedByAForm(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.refuse(4, "How do I rotate the token?", "how to rotate tokens", "Which moon?")
	d.refuse(5, "Where is the telescope?")
	session := d.signIn()
	page := d.send("GET", "/operator/gaps/4", nil, session).Body.String()
	token := form(page)
	kept := func() (out string) {
		for _, r := range []int64{4, 5} {
			list, err := d.store.Gaps(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			out += fmt.Sprint(len(list), " ")
		}
		return out
	}
	list, err := d.store.Gaps(t.Context(), 4)
	if err != nil {
		t.Fatal(err)
	}
	id := ""
	for _, g := range list {
		if strings.Contains(g.Question, "tokens") {
			id = g.ID // maybe not the one that the gap goes by
		}
	}
	path := "/operator/gaps/4/" + id + "/delete"
	for name, step := range map[string]struct {
		method string
		form   url.Values
		status int
	}{"a GET": {"GET", nil, 404}, "no form's token": {"POST", url.Values{}, 403}} {
		if w := d.send(step.method, path, step.form, session); w.Code != step.status || kept() != "3 1 " {
			t.Errorf("%s: %d, kept %s", name, w.Code, kept())
		}
	}
	for _, step := range []struct{ path, leads, kept string }{
		{path, "/operator/gaps/4?said=deleted", "1 1 "},
		{path, "/operator/gaps/4?said=undone", "1 1 "},
		{"/operator/gaps/4/canary/delete", "/operator/gaps/4?said=undone", "1 1 "},
		{"/operator/gaps/4/delete", "/operator/gaps?said=deleted", "0 1 "},
	} {
		if w := d.send("POST", step.path, url.Values{"form": {token}}, session); w.Code != 303 || w.Header().Get("Location") != step.leads || kept() != step.kept {
			t.Errorf("%s: %d to %s, kept %s", step.path, w.Code, w.Header().Get("Location"), kept())
		}
	}
	for _, path := range []string{"/operator/gaps/canary/delete", "/operator/gaps/0/x/delete"} {
		if w := d.send("POST", path, url.Values{"form": {token}}, session); w.Code != 404 || kept() != "0 1 " {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if w := d.send("GET", "/operator/gaps/4?said=undone", nil, session); !strings.Contains(w.Body.String(), "It is not there any more.") {
		t.Error("it is not said")
	}
}

func TestGapsAreInParts(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for n := range rows + 3 {
		d.refuse(4, fmt.Sprintf("Which moon%d?", n))
		d.refuse(int64(n+100), "Which moon?")
	}
	for _, path := range []string{"/operator/gaps", "/operator/gaps/4"} {
		first := d.send("GET", path, nil, d.bearer).Body.String()
		next := fmt.Sprintf(`href="%s?from=%d" rel="next"`, path, rows)
		if n := strings.Count(first, `data-label="Asked"`); n != rows || !strings.Contains(first, next) {
			t.Errorf("%s: %d rows on the first part", path, n)
		}
		last := d.send("GET", fmt.Sprintf("%s?from=%d", path, rows), nil, d.bearer).Body.String()
		if n := strings.Count(last, `data-label="Asked"`); n < 3 || n > 4 || strings.Contains(last, ">Next part<") || !strings.Contains(last, ">First part<") {
			t.Errorf("%s: %d rows on the last part", path, n)
		}
	}
}
