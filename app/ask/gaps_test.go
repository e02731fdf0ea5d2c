package ask

import (
	"slices"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/google/go-cmp/cmp"
)

// Nothing that tells of a person is kept of a question.
func TestPersonalDataIsTakenOut(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"Who resets the mailbox of ann.lee+x@mail.example.org?": "Who resets the mailbox of [address]?",
		"mail to <ann@example.org>, or ann (at) example.org":    "mail to <[address]>, or [address]",
		"is https://ann:pw@host.example/x the mirror?":          "is https:[address]/x the mirror?",
		"may @ann and @org/team-one ship it?":                   "may [name] and [name] ship it?",
		"call +49 (0) 30 / 123 45-67 about the queue":           "call [number] about the queue",
		"is 0301234567 the desk?":                               "is [number] the desk?",
		"why does port 8443 fail on 10 machines?":               "why does port 8443 fail on 10 machines?",
		"how \x1b[31m do\u202e I\n\n  ship it?":                 "how [31m do I ship it?",
		"is 10.20.30.40 the host?":                              "is [number] the host?",
		"@ann @ben":                                             "",
		"who is ann@example.org?":                               "",
		"":                                                      "",
		"what does retry @once mean in v1.2?":                   "what does retry [name] mean in v1.2?",
		"why is ＠ann asked?\xff":                                "why is [name] asked?",
	} {
		if got := Anonymous(question); got != want {
			t.Errorf("%q: got %q, want %q", question, got, want)
		}
	}
}

func TestQuestionsAreGroupedByWhatTheyAskFor(t *testing.T) {
	t.Parallel()
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	gap := func(id, question string, asked, first, last int) store.Gap {
		return store.Gap{ID: id, Question: question, Asked: asked, FirstAt: at(first), LastAt: at(last)}
	}
	list := []store.Gap{
		gap("d", "Where are the telescopes?", 4, 3, 4),
		gap("a", "How do I rotate the token?", 2, 5, 6),
		gap("b", "how to rotate tokens", 3, 2, 9),
		gap("c", "Which moon has the best view?", 1, 1, 1),
		gap("e", "Which moon has rings?", 1, 1, 1),
	}
	want := []Gap{
		{"b", 5, at(2), at(9), []Wording{{"b", "how to rotate tokens", 3}, {"a", "How do I rotate the token?", 2}}},
		{"d", 4, at(3), at(4), []Wording{{"d", "Where are the telescopes?", 4}}},
		{"c", 1, at(1), at(1), []Wording{{"c", "Which moon has the best view?", 1}}},
		{"e", 1, at(1), at(1), []Wording{{"e", "Which moon has rings?", 1}}},
	}
	for range 5 {
		got := Gaps(list)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		if ids := got[0].IDs(); !slices.Equal(ids, []string{"b", "a"}) {
			t.Errorf("ids %q", ids)
		}
		list = append(list[1:], list[0])
	}
	if got := Gaps(nil); got == nil || len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

// One telling word more makes no gap of its own, and another one in its place does.
func TestQuestionsThatAreNearlyAlikeAreOneGap(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		questions []string
		want      int
	}{
		"a word more":                   {[]string{"Which port does the server use?", "which port is the server listening on"}, 1},
		"a word more of one":            {[]string{"How do I deploy?", "How do I deploy to staging?"}, 2},
		"another thing":                 {[]string{"What is the timeout of redis?", "What is the timeout of postgres?"}, 2},
		"another thing of three":        {[]string{"What is the largest upload in bytes?", "What is the largest download in bytes?"}, 2},
		"no drift over those between":   {[]string{"rotate staging token", "rotate staging token nightly", "rotate staging token nightly backup"}, 2},
		"questions without any of them": {[]string{"what is it?", "how so?"}, 1},
	} {
		var list []store.Gap
		for i, q := range tc.questions {
			list = append(list, store.Gap{ID: string(rune('a' + i)), Question: q, Asked: 9 - i})
		}
		if got := Gaps(list); len(got) != tc.want {
			t.Errorf("%s: %d gaps, want %d: %v", name, len(got), tc.want, got)
		}
	}
}
