package ask

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A Meaning says how near facts are to a question in meaning, as cosines in whole
// hundredths. The texts leave the process.
type Meaning interface {
	Alike(ctx context.Context, question string, facts []string) ([]int, error)
}

// ByMeaning has the library order the facts of an answer by keyword + weight * meaning,
// the weight in hundredths. It is called before the first question; nil orders by
// keyword alone. Whether a question is answered never depends on it (law 9), and where
// it fails the answer is the one without it, and says so. Error texts of m are shown as they are.
func (l *Library) ByMeaning(m Meaning, weight int) *Library {
	l.meaning, l.weight = m, weight
	return l
}

// order puts the hits of an answer in order by meaning, and takes in facts that pass
// the floor by themselves and stand nearer than one of the hits. The answer is decided
// and clean before. A fact that touches a finding, or a name that no answer may hold,
// is not sent, not even where a rule lets it be shown; such a hit keeps its place.
func (l *Library) order(ctx context.Context, question string, also []string, a answer.Answer) (answer.Answer, error) {
	if l.meaning == nil || a.List || a.Withheld {
		return a, nil
	}
	rivals, err := l.rivals(ctx, question, also, a)
	if ctx.Err() != nil {
		return a, ctx.Err()
	}
	if err != nil { // of a file that the answer does not quote; its text may quote it
		a.Meaning = &answer.Meaning{Why: unread}
		return a, nil
	}
	var texts []string
	for _, r := range rivals {
		if r.Known {
			texts = append(texts, worded(r.Fact.Entry()))
		}
	}
	if len(texts) < 2 {
		return a, nil // nothing to put in order
	}
	a.Meaning = &answer.Meaning{Facts: len(texts)}
	alike, err := l.meaning.Alike(ctx, question, texts)
	if ctx.Err() != nil {
		return a, ctx.Err()
	}
	if err != nil || len(alike) != len(texts) {
		a.Meaning.Why = reason(err)
		return a, nil
	}
	for i, next := 0, 0; i < len(rivals); i++ {
		if rivals[i].Known {
			rivals[i].Alike = alike[next]
			next++
		}
	}
	a.Hits, a.Meaning.Used = answer.ByMeaning(rivals, l.weight), true
	return a, nil
}

// Why an answer is ordered by keyword alone, where the server is not to blame.
const (
	unread   = "a file with a fact that could come in was not to be had, or its scan did not finish"
	unlikely = "the server gave no likeness for each fact"
)

func reason(err error) string {
	if err == nil {
		return unlikely
	}
	return err.Error()
}

// rivals are the answer's hits, and behind them facts that may come in. Known
// are those that may be sent.
func (l *Library) rivals(ctx context.Context, question string, also []string, a answer.Answer) ([]answer.Rival, error) {
	all := l.desk.Index().Rivals(question, also...)
	hits := make([]answer.Hit, len(all))
	for i, r := range all {
		hits[i] = r.Hit
	}
	clean, _, err := l.desk.Strict().Clean(ctx, hits)
	if err != nil {
		return nil, err
	}
	var out []answer.Rival
	for i, r := range all {
		r.Known = holds(clean, r.Hit)
		if shown := holds(a.Hits, r.Hit); shown || i >= answer.MaxHits && r.Known {
			out = append(out, r)
		}
	}
	return out, nil
}

// holds reports whether a hit is one of the list: a fact of a skill is there once.
func holds(list []answer.Hit, h answer.Hit) bool {
	return slices.ContainsFunc(list, func(other answer.Hit) bool {
		return h.Skill == other.Skill && h.Fact.Entry().Identity() == other.Fact.Entry().Identity()
	})
}

// mostAround is how much of what surrounds a fact is sent before it, in bytes: the
// nearest heading and the sentence that introduces it, seldom more.
const mostAround = 200

// worded is a fact as it is sent: the end of its context, then its text.
func worded(e card.Entry) string {
	around := strings.Join(e.Context.Texts(), " › ")
	if from := len(around) - mostAround; from > 0 {
		for !utf8.RuneStart(around[from]) {
			from++
		}
		around = around[from:]
	}
	return strings.TrimSpace(around + "\n" + e.Text)
}
