package ask

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker/answer"
)

// What tells of a person in a question, and what is kept in its place.
const (
	anAddress = "[address]"
	aNumber   = "[number]"
	aName     = "[name]"
)

var (
	// address is an e-mail address, also with its marks escaped, and the person and
	// password of a web address.
	address = regexp.MustCompile(`(?i)[^\s<>()\[\],;:"'@]+(?::[^\s@/]*)?(?:@|%40|\s?\(at\)\s?|\s?\[at\]\s?)[\pL\pN-]+(?:(?:\.|\s?\(dot\)\s?|\s?\[dot\]\s?)[\pL\pN-]+)+`)
	// mention is a name with an "@" before it, of a person or a team.
	mention = regexp.MustCompile(`[@＠][\pL\pN](?:[\pL\pN._-]*[\pL\pN_])?(?:/[\pL\pN._-]+)?`)
	// number may be one to call: seven digits or more, with what people write between them.
	number = regexp.MustCompile(`[+(]{0,2}\pN(?:[\s().,/·-]{0,3}\pN){6,}`)
)

// Anonymous takes out of a question what tells of a person: addresses, names with
// an "@", and numbers that could be called. It returns it on one line, and "" where
// nothing is left that could be looked for. It is for a question that was scanned.
func Anonymous(question string) string {
	question = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case unicode.IsControl(c) || unicode.Is(unicode.Cf, c):
			return -1
		}
		return c
	}, strings.ToValidUTF8(question, ""))
	question = address.ReplaceAllString(question, anAddress)
	question = mention.ReplaceAllString(question, aName)
	question = number.ReplaceAllString(question, aNumber)
	question = strings.Join(strings.Fields(question), " ")
	var alike answer.Alikeness
	if alike.Key(strings.NewReplacer(anAddress, "", aName, "", aNumber, "").Replace(question)) == "" {
		return ""
	}
	return question
}

// A Gap is what people ask for and do not find: refused questions with nearly the
// same informative words.
type Gap struct {
	ID        string    `json:"id"`    // of the question that was asked most; changes with it
	Asked     int       `json:"asked"` // how often, in all its wordings
	FirstAt   time.Time `json:"first"`
	LastAt    time.Time `json:"last"`
	Questions []Wording `json:"questions"` // the most asked one first
}

// A Wording is one question of a gap.
type Wording struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Asked int    `json:"asked"`
}

// Gaps puts a repository's refused questions together, the gap that was asked for
// most first, then the latest. A question joins the first gap whose most asked question
// is near it ([answer.Near]), so that none drifts to another by those between. The
// order of the list makes no difference.
func Gaps(list []store.Gap) []Gap {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b store.Gap) int {
		return cmp.Or(cmp.Compare(b.Asked, a.Asked), b.LastAt.Compare(a.LastAt), strings.Compare(a.ID, b.ID))
	})
	gaps, first := []Gap{}, [][]string{}
	var alike answer.Alikeness
	for _, g := range list {
		terms := alike.Terms(g.Question)
		i := slices.IndexFunc(first, func(of []string) bool { return answer.Near(of, terms) || slices.Equal(of, terms) })
		if i < 0 {
			i = len(gaps)
			first = append(first, terms)
			gaps = append(gaps, Gap{ID: g.ID, FirstAt: g.FirstAt, LastAt: g.LastAt})
		}
		gaps[i].add(g)
	}
	slices.SortStableFunc(gaps, func(a, b Gap) int {
		return cmp.Or(cmp.Compare(b.Asked, a.Asked), b.LastAt.Compare(a.LastAt), strings.Compare(a.ID, b.ID))
	})
	return gaps
}

// A Withholder cuts secrets out of a text. *secret.Scanner does.
type Withholder interface {
	Withhold(ctx context.Context, text string, place func(line int) string) (string, error)
}

// Show makes gaps fit to be shown: the rules of today may know more than those under
// which they were kept (law 8). On an error they are not to be shown.
func Show(ctx context.Context, w Withholder, gaps []Gap) (err error) {
	for _, g := range gaps {
		for i := range g.Questions {
			if g.Questions[i].Text, err = w.Withhold(ctx, g.Questions[i].Text, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Gap) add(g store.Gap) {
	p.Asked += g.Asked
	p.Questions = append(p.Questions, Wording{g.ID, g.Question, g.Asked})
	if g.FirstAt.Before(p.FirstAt) {
		p.FirstAt = g.FirstAt
	}
	if g.LastAt.After(p.LastAt) {
		p.LastAt = g.LastAt
	}
}

// IDs are the ids of all questions of a gap.
func (p Gap) IDs() (ids []string) {
	for _, q := range p.Questions {
		ids = append(ids, q.ID)
	}
	return ids
}
