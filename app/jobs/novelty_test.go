package jobs

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

const newHere = "**new in this pull request**"

// A statement that does not stand at the merge base is marked; one that was moved,
// or stands there in a file that changed elsewhere, is not.
func TestWhatAPullRequestBringsIsMarked(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		said := w.text(mail, "wait one minute", "wait ten minutes")
		files := map[string]fakehub.File{
			mail:                   fakehub.Text(strings.Replace(said, "# Mail\n", "# Mail\n\nSome words more.\n", 1)),
			"skills/post/SKILL.md": fakehub.Text("# Post\n\n- Weigh the parcel on the scale.\n"),
			"skills/post/copy.md":  {Data: []byte(w.text(backup, "# Backup\n", "# Backup \n"))},
			"skills/post/same.md":  {Data: []byte(git(w, "show", w.main+":"+backup))},
		}
		number, head := w.open("topic", files)
		w.settled()
		for question, marks := range map[string]int{
			"How long to wait when the quota is exceeded?": 1, // changed
			"What does mailrules apply refuse?":            0, // its file changed, it did not
			"How do I weigh the parcel?":                   1, // a skill that is new
			"What is a large backup split into?":           0, // copied from another skill
			"Which words are there some more of?":          1,
		} {
			before := len(w.replies(number))
			must(w.repo.Comment(number, "mallory", "/ask "+question))(t)
			w.settled()
			got := w.replies(number)[before:]
			if len(got) != 1 || !strings.Contains(got[0], head) {
				t.Fatalf("%s: %q", question, got)
			}
			first, _, _ := strings.Cut(got[0], "**2.**")
			if n := strings.Count(first, newHere); n != marks {
				t.Errorf("%s: %d marks on the first hit, want %d:\n%s", question, n, marks, got[0])
			}
		}
	})
}

// What is on the base branch after the branch began is measured at the merge base.
func TestTheMergeBaseDecidesWhatIsNew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", map[string]fakehub.File{mail: fakehub.Text(w.text(mail, "- Do not write", "- Do not ever write"))})
	w.commit("main", map[string]fakehub.File{mail: fakehub.Text(w.text(mail, "wait one minute", "wait ten minutes"))})
	w.settled()
	for question, marks := range map[string]int{"May a rule name TRASH?": 1, "How long to wait when the quota is exceeded?": 0} {
		before := len(w.replies(number))
		must(w.repo.Comment(number, "mallory", "/ask "+question))(t)
		w.settled()
		got := w.replies(number)[before:]
		if len(got) != 1 || strings.Count(got[0], newHere) != marks {
			t.Errorf("%s: want %d marks: %q", question, marks, got)
		}
	}
}

// Where it cannot be known nothing is said of it: for a skill that may be another
// one, renamed and changed, and where GitHub does not say what the merge base is.
func TestWhatIsNotKnownToBeNewIsNotMarked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	renamed, _ := w.open("renamed", map[string]fakehub.File{
		"skills/mail": fakehub.Removed(), "skills/letters/SKILL.md": fakehub.Text(w.text(mail, "wait one minute", "wait ten minutes")),
	})
	moved, _ := w.open("moved", map[string]fakehub.File{"skills/mail": fakehub.Removed(), "skills/letters/SKILL.md": {Data: []byte(git(w, "show", w.main+":"+mail))}})
	silent, _ := w.open("silent", w.stale())
	w.settled()
	w.restart() // nothing is known of how the commits stand to each other
	w.hub.Fail(fakehub.Fault{Path: "*/compare/*", Status: http.StatusInternalServerError, Times: -1})
	must(w.repo.Comment(silent, "mallory", "/ask How long to wait when the quota is exceeded?"))(t)
	w.settled()
	w.hub.Heal()
	for _, number := range []int{renamed, moved} {
		must(w.repo.Comment(number, "mallory", "/ask How long to wait when the quota is exceeded?"))(t)
	}
	w.settled()
	for _, number := range []int{renamed, moved, silent} {
		if got := w.replies(number); len(got) != 1 || !strings.Contains(got[0], "quota exceeded") || strings.Contains(got[0], newHere) {
			t.Errorf("#%d: %q", number, got)
		}
	}
}

// To know what is new costs two requests at most, and none where the answer stands on
// the base branch; the skill is kept from the last question.
func TestWhatItCostsToKnowWhatIsNew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", w.stale())
	w.settled()
	ask := func(question string) bill {
		return w.cost(question, func() { must(w.repo.Comment(number, "mallory", "/ask "+question))(t) })
	}
	const same, changed = "Which PostgreSQL is needed?", "How long to wait when the quota is exceeded?"
	ask(same)
	plain, first, again := ask(same), ask(changed), ask(changed)
	if first.paid > plain.paid+2 || again.paid > plain.paid+1 {
		t.Errorf("%d requests without, %d with it, %d again", plain.paid, first.paid, again.paid)
	}
	if n := len(w.replies(number)); n != 4 || strings.Count(fmt.Sprint(w.replies(number)), newHere) != 2 {
		t.Errorf("replies: %q", w.replies(number))
	}
}
