package github

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// oid is a commit or tree id made of a number.
func oid(n int) string { return fmt.Sprintf("%040x", n) }

// listed is one page of a comparison, of the commits from first to last.
func listed(total, first, last int) answer {
	commits := []object{}
	for n := first; n <= last; n++ {
		commits = append(commits, object{"sha": oid(n), "commit": object{"message": "x", "tree": object{"sha": oid(n + 1000)}}, "parents": []object{{"sha": oid(n - 1)}}})
	}
	return ok(object{"merge_base_commit": object{"sha": oid(0)}, "total_commits": total, "commits": commits, "files": []object{{"patch": "x"}}})
}

// The newest commits are at the end of the last page, however many there are: the
// list of a pull request's commits would end at 250.
func TestTheNewestCommitsAreRead(t *testing.T) {
	t.Parallel()
	route := "GET /repos/o/r/compare/" + sha("a") + "..." + sha("b")
	for name, tc := range map[string]struct {
		most        int
		pages       []answer
		first, last int
		asked       string
	}{
		"none":                         {50, []answer{listed(0, 1, 0)}, 1, 0, "1"},
		"one":                          {50, []answer{listed(1, 1, 1)}, 1, 1, "1"},
		"as many as are wanted":        {50, []answer{listed(50, 1, 50)}, 1, 50, "1"},
		"a full page":                  {50, []answer{listed(100, 1, 100)}, 51, 100, "1"},
		"over two pages":               {50, []answer{listed(101, 1, 100), listed(101, 101, 101)}, 52, 101, "12"},
		"over 250":                     {50, []answer{listed(310, 1, 100), listed(310, 301, 310), listed(310, 201, 300)}, 261, 310, "143"},
		"all on the last":              {50, []answer{listed(260, 1, 100), listed(260, 201, 260)}, 211, 260, "13"},
		"never more than a page holds": {500, []answer{listed(200, 1, 100), listed(200, 101, 200)}, 101, 200, "12"},
	} {
		h := newHub(t)
		h.on(route, tc.pages...)
		got, err := h.client().History(t.Context(), here, sha("a"), sha("b"), tc.most)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var asked strings.Builder
		for _, c := range h.calls {
			_, page, _ := strings.Cut(c, "page=")
			asked.WriteString(page[:1])
		}
		if n := len(got.Commits); n != tc.last-tc.first+1 || asked.String() != tc.asked || got.MergeBase != oid(0) {
			t.Errorf("%s: %d commits of pages %s, base %s", name, n, &asked, got.MergeBase)
			continue
		}
		for i, c := range got.Commits {
			want(t, Commit{ID: oid(tc.first + i), Tree: oid(tc.first + i + 1000), Parents: []string{oid(tc.first + i - 1)}}, c)
		}
	}
}

// Ids of an answer are used as ids of the next question, so they must be some.
func TestCommitsWithoutIDsAreRefused(t *testing.T) {
	t.Parallel()
	route := "GET /repos/o/r/compare/" + sha("a") + "..." + sha("b")
	bad := func(commit object) answer {
		return ok(object{"merge_base_commit": object{"sha": oid(0)}, "total_commits": 1, "commits": []object{commit}})
	}
	tree := object{"tree": object{"sha": oid(3)}}
	for name, a := range map[string]answer{
		"no id":              bad(object{"commit": tree}),
		"no tree":            bad(object{"sha": oid(1)}),
		"a branch as parent": bad(object{"sha": oid(1), "commit": tree, "parents": []object{{"sha": "main"}}}),
		"fewer than said":    ok(object{"merge_base_commit": object{"sha": oid(0)}, "total_commits": 1, "commits": []object{}}),
		"no merge base":      ok(object{"total_commits": 0}),
	} {
		h := newHub(t)
		h.on(route, a)
		if got, err := h.client().History(t.Context(), here, sha("a"), sha("b"), 50); !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestCompareTellsASoleCommit(t *testing.T) {
	t.Parallel()
	route := "GET /repos/o/r/compare/" + sha("a") + "..." + sha("b")
	aside := ok(object{"merge_base_commit": object{"sha": oid(9)}, "total_commits": 1, "commits": []object{{"sha": oid(1), "parents": []object{{"sha": oid(0)}}}}})
	merge := ok(object{"merge_base_commit": object{"sha": oid(0)}, "total_commits": 1, "commits": []object{{"sha": oid(1), "parents": []object{{"sha": oid(0)}, {"sha": oid(5)}}}}})
	for name, tc := range map[string]struct {
		answer answer
		want   Ahead
	}{
		"none":                {listed(0, 1, 0), Ahead{oid(0), 0, false}},
		"one":                 {listed(1, 1, 1), Ahead{oid(0), 1, true}},
		"two":                 {listed(2, 1, 1), Ahead{oid(0), 2, false}},
		"one of another":      {aside, Ahead{oid(9), 1, false}},
		"one that is a merge": {merge, Ahead{oid(0), 1, false}},
	} {
		h := newHub(t)
		h.on(route, tc.answer)
		got, err := h.client().Compare(t.Context(), here, sha("a"), sha("b"))
		if err != nil {
			t.Fatal(err)
		}
		if got != tc.want || !strings.Contains(h.calls[0], "per_page=1") {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
	}
}
