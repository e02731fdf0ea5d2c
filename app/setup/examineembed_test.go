package setup

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/embed"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/checker/secret"
)

func TestWhetherMeaningSearchAnswersIsSaid(t *testing.T) {
	t.Parallel()
	c := newClinic(t, fakehub.Options{})
	for _, f := range c.examine().Findings {
		if f.About == AboutEmbeddings {
			t.Errorf("nothing is set, and it says: %+v", f)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":[1,0]},{"index":2,"embedding":[0,1]}]}`)
	}))
	c.with.Settings.Embeddings = embed.Config{URL: server.URL, Model: "tiny", Weight: embed.DefaultWeight, Batch: embed.DefaultBatch, Timeout: time.Second}
	r := c.examine()
	c.find(r, AboutEmbeddings, "", OK, "answers")
	if r.Conclusion != OK {
		t.Errorf("%s", listing(r))
	}
	server.Close()
	r = c.examine()
	c.find(r, AboutEmbeddings, "", Note, "does not answer", "embeddings")
	if r.Conclusion != OK { // answers come without it
		t.Errorf("%s", r.Conclusion)
	}
}

func TestAPolicyThatWithholdsWithoutAKeyOfOursIsSaid(t *testing.T) {
	t.Parallel()
	random := make([]byte, 32)
	_, _ = rand.Read(random) // it never fails
	key, err := secret.ParseKey(hex.EncodeToString(random))
	if err != nil {
		t.Fatal(err)
	}
	seal := key.Seal([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
	c := newClinic(t, fakehub.Options{})
	c.add("ada", "quiet", fmt.Sprintf("policy:\n  salt: 000102030405060708090a0b0c0d0e0f\n  withhold_check: %s\n  withhold:\n    - hash: %064d\n      reason: a client\n", seal.Check(), 7)).RequireByRule("cardkeeper", c.hub.AppID())
	c.find(c.examine(), AboutRepository, "ada/quiet", Mend, "no key that fits", "withhold_key_file")
	c.with.Settings.WithholdKeys = []secret.Key{key}
	c.find(c.examine(), AboutRepository, "ada/quiet", OK, "required on main")
}
