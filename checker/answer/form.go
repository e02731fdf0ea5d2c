package answer

import "encoding/json"

// A Form is an answer in the shape in which the command line prints it. It may
// be embedded beside an id.
type Form struct {
	Answered bool         `json:"answered"`
	Meaning  *MeaningForm `json:"meaning,omitempty"` // only where meaning search is on

	Hits     []HitForm    `json:"hits"`    // never null
	Refusal  *RefusalForm `json:"refusal"` // null where answered
	Withheld bool         `json:"withheld,omitempty"`
	LeftOut  int          `json:"left_out,omitempty"` // how many facts would be cited and may not be shown
	List     bool         `json:"list,omitempty"`     // the hits are one whole list
	Best     float64      `json:"best,omitempty"`     // of a list: what the floor read of it as a whole
	Outdone  bool         `json:"outdone,omitempty"`  // one of them answers better than what is cited

	Read      []ReadForm `json:"read,omitempty"`      // words that were read as others, where a hit hangs on it
	Elsewhere bool       `json:"elsewhere,omitempty"` // no hit is of the skill that the question names
}

// A HitForm is one cited fact, at its first place. Scores have four decimals.
type HitForm struct {
	Text    string   `json:"text"`
	Context []string `json:"context"` // outermost first
	File    string   `json:"file"`    // from the repository's root
	Line    int      `json:"line"`
	End     int      `json:"end"`
	Alike   *float64 `json:"alike,omitempty"` // the cosine to the question
	Skill   string   `json:"skill"`
	Section string   `json:"section"`
	Base    float64  `json:"base"`
	Bonus   float64  `json:"bonus"`
	Sure    float64  `json:"sure"` // base after doubts: what the floor reads
	New     bool     `json:"new,omitempty"`
	Wording string   `json:"wording,omitempty"` // the further wording that carries it, where the question itself does not
	Taught  int      `json:"taught,omitempty"`  // the line of the question suite without which it would not be cited
}

// A RefusalForm says what was looked through.
type RefusalForm struct {
	Facts int        `json:"facts"`
	Cards int        `json:"cards"`
	Terms []TermForm `json:"terms"`
	Best  float64    `json:"best"` // what the nearest reached; an answer needs the floor
	Floor float64    `json:"floor"`
	Why   string     `json:"why"` // as [Refusal.Reason]
}

// A TermForm is a word of the question and how many facts hold it.
type TermForm struct {
	Term  string `json:"term"`
	Facts int    `json:"facts"`

	ReadAs string `json:"read_as,omitempty"` // where it stands nowhere
}

// A ReadForm is a word of the question, and the one of the facts that it was read as.
type ReadForm struct {
	Term string `json:"term"`
	As   string `json:"as"`
}

// Form returns the answer in its printed shape.
func (a Answer) Form() Form {
	f := Form{Answered: a.Answered, Withheld: a.Withheld, LeftOut: len(a.LeftOut), Outdone: a.Outdone, Elsewhere: a.Elsewhere, Hits: []HitForm{}}
	for _, t := range a.Misread() {
		f.Read = append(f.Read, ReadForm{t.Term, t.ReadAs})
	}
	if a.List {
		f.List, f.Best = true, a.Best
	}
	for _, h := range a.Hits {
		e, at := h.Fact.Entry(), h.Fact.Places()[0]
		f.Hits = append(f.Hits, HitForm{
			Text: e.Text, Context: e.Context.Texts(), File: at.File, Line: at.First, End: at.Last,
			Skill: h.Skill, Section: string(e.Section), Base: h.Base, Bonus: h.Bonus, Sure: h.Sure, New: h.New, Wording: visible(h.Wording), Taught: h.taughtBy(),
		})
	}
	if r := a.Refusal; r != nil {
		f.Refusal = &RefusalForm{Facts: r.Facts, Cards: r.Cards, Terms: []TermForm{}, Best: r.Best, Floor: r.Floor, Why: r.Reason()}
		for _, t := range r.Terms {
			f.Refusal.Terms = append(f.Refusal.Terms, TermForm{t.Term, t.Facts, t.ReadAs})
		}
	}
	a.meant(&f)
	return f
}

// MarshalJSON writes the answer in its printed shape.
func (a Answer) MarshalJSON() ([]byte, error) { return json.Marshal(a.Form()) }
