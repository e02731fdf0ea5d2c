package github

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	listComments = "GET /repos/o/r/issues/7/comments"
	postComment  = "POST /repos/o/r/issues/7/comments"
)

func said(id int, body string, app any, login string) object {
	kind := "User"
	if strings.HasSuffix(login, "[bot]") {
		kind = "Bot"
	}
	return object{"id": id, "body": body, "issue_url": "https://api.github.com/repos/o/r/issues/7", "user": object{"login": login, "type": kind}, "performed_via_github_app": app}
}

// 2A-53: one comment for one key, whoever else writes markers.
func TestACommentIsEditedWhereItIsOursAndMadeOtherwise(t *testing.T) {
	t.Parallel()
	ours, theirs := object{"id": appID}, object{"id": 1}
	for _, tc := range []struct {
		name string
		list []object
		want []string
	}{
		{"none yet", nil, []string{postComment}},
		{"our own", []object{said(5, Marker("answer:1")+"\nold", ours, "ck[bot]")}, []string{"PATCH /repos/o/r/issues/comments/5"}},
		{"our own, with the same body", []object{said(5, Marker("answer:1")+"\nnew", ours, "ck[bot]")}, nil},
		{"the marker in a person's comment", []object{said(5, Marker("answer:1")+"\nold", nil, "eve")}, []string{postComment}},
		{"the marker of another App", []object{said(5, Marker("answer:1")+"\nold", theirs, "ck[bot]")}, []string{postComment}},
		{"the marker quoted further down", []object{said(5, "> "+Marker("answer:1"), ours, "ck[bot]")}, []string{postComment}},
		{"a longer key", []object{said(5, Marker("answer:12"), ours, "ck[bot]")}, []string{postComment}},
		{"an old server that does not name the App", []object{said(5, Marker("answer:1")+"\nold", nil, "ck[bot]")}, []string{"GET /app", "PATCH /repos/o/r/issues/comments/5"}},
		{"another bot on such a server", []object{said(5, Marker("answer:1")+"\nold", nil, "evil[bot]")}, []string{"GET /app", postComment}},
		{"two of ours", []object{said(6, Marker("answer:1")+"\nold", ours, "ck[bot]"), said(5, Marker("answer:1")+"\nold", ours, "ck[bot]")},
			[]string{"PATCH /repos/o/r/issues/comments/5", "DELETE /repos/o/r/issues/comments/6"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t)
			h.on(listComments, ok(tc.list))
			h.on(postComment, answer{201, nil, object{"id": 8}})
			h.on("PATCH /repos/o/r/issues/comments/5", ok(object{"id": 5}))
			h.on("DELETE /repos/o/r/issues/comments/6", answer{204, nil, nil})
			h.on("GET /app", ok(object{"id": appID, "slug": "ck"}))
			if _, err := h.client().PublishComment(t.Context(), here, 7, "answer:1", "new"); err != nil {
				t.Fatal(err)
			}
			if got := h.calls[1:]; strings.Join(got, " ") != strings.Join(tc.want, " ") {
				t.Errorf("calls %q, want %q", got, tc.want)
			}
		})
	}
}

// 2A-54: an over-long comment is cut and says so.
func TestALongCommentIsCut(t *testing.T) {
	t.Parallel()
	for _, big := range []string{strings.Repeat("é", 80_000), strings.Repeat("🙂", 40_000), strings.Repeat("\xffa", 70_000)} {
		h := newHub(t)
		h.on(listComments, ok([]object{}))
		h.on(postComment, answer{201, nil, object{"id": 8}})
		if _, err := h.client().PublishComment(t.Context(), here, 7, "k", big); err != nil {
			t.Fatal(err)
		}
		body := decode[struct{ Body string }](t, h.sent[postComment][0]).Body
		if n := units(body); n > maxComment || n < maxComment-2 || !utf8.ValidString(body) {
			t.Errorf("%d units", n)
		}
		if !strings.HasPrefix(body, Marker("k")+"\n") || !strings.HasSuffix(body, cutNote) {
			t.Errorf("%q ... %q", body[:30], body[len(body)-30:])
		}
	}
}

func TestAMarkerKeyCannotEndTheMarker(t *testing.T) {
	t.Parallel()
	c := newHub(t).client()
	for _, key := range []string{"", "a b", "-->", "a--b", "a-", "-a", "a\nb", "<", "ü"} {
		if _, err := c.PublishComment(t.Context(), here, 7, key, "x"); !errors.Is(err, ErrInvalid) {
			t.Errorf("key %q: %v", key, err)
		}
	}
}

func TestACommentIsReadWithItsPlaceAndWriter(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("GET /repos/o/r/issues/comments/5", ok(said(5, "/ask x", nil, "ann")))
	h.on("GET /repos/o/r/issues/comments/6", ok(object{}))
	c := h.client()
	got, err := c.Comment(t.Context(), here, 5)
	if err != nil {
		t.Fatal(err)
	}
	want(t, Comment{ID: 5, Number: 7, Body: "/ask x", Author: "ann"}, got)
	if _, err := c.Comment(t.Context(), here, 6); !errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
}

func TestALockedConversationIsForbidden(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on(listComments, ok([]object{}))
	h.on(postComment, refuse(403, "Unable to create comment because issue is locked."))
	if _, err := h.client().PublishComment(t.Context(), here, 7, "k", "x"); !errors.Is(err, ErrForbidden) {
		t.Error(err)
	}
}
