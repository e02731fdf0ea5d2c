package secret

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"slices"
)

// A watch finds withheld values in texts. It is safe for concurrent use.
type watch struct {
	key    []byte
	hashes map[Hash]struct{}
}

func newWatch(seal Seal, hashes []Hash) *watch {
	w := &watch{key: seal.key, hashes: make(map[Hash]struct{}, len(hashes))}
	for _, h := range hashes {
		w.hashes[h] = struct{}{}
	}
	return w
}

// sealed reports a hit of a withheld value. Its value is the keyed hash and not
// the text: a fingerprint of words from a dictionary could be guessed by anybody
// who reads it, and this one only with the key.
func (h hit) sealed() bool { return h.rule == WithheldRule }

// withheld adds the withheld values of a text to the hits.
func (s *Scanner) withheld(ctx context.Context, text string, hits []hit) ([]hit, error) {
	if s.watch == nil {
		return hits, nil
	}
	found := s.watch.find(ctx, text)
	if ctx.Err() != nil {
		return nil, s.unscanned(ctx)
	}
	return append(hits, found...), nil
}

// find looks through the text as it is written and as it is shown. It ends early
// with the context, which the caller asks. Where characters that nobody sees
// stand in it, some may part words and others not, so both are tried.
func (w *watch) find(ctx context.Context, text string) []hit {
	mac := hmac.New(sha256.New, w.key)
	written := readWords(text, reading{})
	out := w.windows(ctx, mac, written, false)
	more := w.windows(ctx, mac, readWords(text, reading{join: true, shown: true}), true)
	if written.formless {
		more = append(more, w.windows(ctx, mac, readWords(text, reading{join: true}), true)...)
		more = append(more, w.windows(ctx, mac, readWords(text, reading{shown: true}), true)...)
	}
	for _, h := range more {
		if !slices.ContainsFunc(out, func(o hit) bool { return o.value == h.value && o.start < h.end && h.start < o.end }) {
			out = append(out, h)
		}
	}
	return out
}

// pace is how many words are looked at between two looks at the clock: about a millisecond.
const pace = 512

// windows hashes every run of 1 to MaxWords words; where only what differs from
// another reading is wanted, those alone that hold something hidden. The hash of
// a run goes on from that of the run before it.
func (w *watch) windows(ctx context.Context, mac hash.Hash, in words, differing bool) []hit {
	var out []hit
	domain, sum := []byte(valueDomain), make([]byte, 0, sha256.Size)
	for i, first := range in.list {
		if i%pace == 0 && ctx.Err() != nil {
			return nil
		}
		last := in.reach(i)
		if differing && !in.differs(i, last) {
			continue
		}
		mac.Reset()
		mac.Write(domain)
		at := first.from
		for k := i; k <= last; k++ {
			mac.Write(in.text[at:in.list[k].to])
			at = in.list[k].to
			if at-first.from < MinLetters || differing && !in.differs(i, k) {
				continue
			}
			sum = mac.Sum(sum[:0])
			if _, listed := w.hashes[Hash(sum)]; listed {
				out = append(out, hit{rule: WithheldRule, value: Hash(sum).String(), start: first.start, end: in.list[k].end})
			}
		}
	}
	return out
}

// reach is the last word of the longest run that starts at a word.
func (in words) reach(i int) int {
	last := i
	for last+1 < len(in.list) && last+1 < i+MaxWords && !in.list[last+1].apart {
		last++
	}
	return last
}

// differs reports whether something hidden stands in or between the words of a run.
func (in words) differs(i, last int) bool {
	for k := i; k <= last; k++ {
		if in.list[k].inside || k > i && in.list[k].gap {
			return true
		}
	}
	return false
}
