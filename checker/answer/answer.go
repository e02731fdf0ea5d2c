package answer

import (
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// MaxHits is how many facts an answer cites, unless the question asks for a list.
const MaxHits = 5

// An Answer is what the index says to one question: hits, best first, or a refusal.
type Answer struct {
	Answered  bool
	Hits      []Hit    // empty on refusal; a list stands in the card's order
	Refusal   *Refusal // nil where answered
	List      bool     // the hits are one whole list
	Elsewhere bool     // the question names a skill, and no hit is of it or names it
	Withheld  bool     // the one hit holds a marker where the asked value would stand
	Best      float64  // what the floor read: of the best hit, or of the list as a whole
	Terms     []Term   // how the question was read, further wordings included
	Meaning   *Meaning // nil where there is no meaning search, or nothing for it to order

	// LeftOut are the numbers of facts that would be cited and may not be shown, of a refusal
	// all that would be cited; set by who knows that.
	LeftOut []int
	// Outdone says that one of them answers better than what is cited; set by the same.
	Outdone bool

	standings []standing // of the shortlist
}

// A Hit is one cited fact.
type Hit struct {
	Fact  card.Fact
	Skill string      // the path of the skill that holds it
	Also  []string    // paths of other skills that say the same
	New   bool        // known not to stand where the change begins; set by who knows that
	Base  float64     // share of the question that the fact covers, 0 to 1
	Sure  float64     // base after doubts: what the floor read
	Doubt []Doubt     // of the question's first wording
	Bonus float64     // a preference of its section: orders only
	Alike *int        // how near it is in meaning, in hundredths: orders only; nil where nobody asked
	Terms []TermScore // in the question's order

	Number int  // of the fact, as [Index.Each] gives it
	Lesson int  // the line of the lesson that counted for it, 0 for none
	Taught bool // without that lesson it would not be cited

	Wording string // the further wording that carries it, where the question itself does not; the caller's words
}

// A Doubt is a reason to trust a match less, and the part of its base that it leaves.
type Doubt struct {
	Why  string // for a person; holds no word of the question
	Left float64
}

// A TermScore says how far one term of the question is covered by a fact.
type TermScore struct {
	Term    string
	Share   float64 // its part in the question's weight
	Covered float64 // 0 to 1; 0.6 where only the context holds it
	By      By
}

// By says what of a fact covers a term.
type By string

// What may cover a term. A word that [Related] covers counts for the order alone.
const (
	Nothing  By = "nothing"
	OwnText  By = "its own text"
	Synonym  By = "a synonym"
	Typo     By = "the word it was read as"
	Around   By = "its context"
	ItsSkill By = "the name of its skill"
	Related  By = "a related word, for the order only"
	Taught   By = "a question of the suite"
)

// A Term is an informative word of the question.
type Term struct {
	Term   string // as written, in lower case
	Facts  int    // how many facts hold it in their own text
	Known  bool   // it stands somewhere in a fact or in what surrounds one
	ReadAs string // the word it was taken for, where it stands nowhere
	Share  float64
	Weight float64 // how rare it is: its inverse document frequency, in nats, damped for parts
}

// A Refusal is the answer "not documented", with what was looked through (law 10).
type Refusal struct {
	Facts, Cards int
	Terms        []Term
	Floor        float64
	Best         float64 // the highest that any fact reached; below the floor
	Why          string  // for a person; holds no word of the question
	Nearest      []Hit   // what came closest; it may not be shown before it was scanned
}

// Why a question was refused.
const (
	whyUncovered = "No fact covers enough of the question."
	whyTooLong   = "The question is longer than 1,000 characters. Ask a shorter one."
	whyNoWords   = "The question holds no word that could be searched for. Name the thing that you ask about."
	whyInstructs = "It instructs and asks nothing. Instructions are never followed; ask a question."
	whyElsewhere = "No fact of the skill that the question names covers enough of it, and other skills are not taken for it."
	whyFlag      = "No fact says it of the flag that the question names."
	whyTooMany   = "More than 60 names fit. Name the script or the skill that you ask about."
	whyNumber    = "A number alone is found beside too many things. Name the thing that it belongs to."
	whyNoFacts   = "The index holds no facts. Build it first."
)
