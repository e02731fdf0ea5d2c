package jobs

import (
	"context"
	"errors"
	"slices"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

const (
	// maxCompared bounds the skills of an answer that are compared with the merge
	// base: as many as an answer that is no list has hits.
	maxCompared = answer.MaxHits
	// maxSources bounds the files of a skill that are read at the merge base to know
	// what it said there; a skill has five or six.
	maxSources = 50
)

// A novelty knows which facts a pull request brings: those that do not stand at its
// merge base. What it could not tell cheaply it does not tell. It costs nothing
// where the files of an answer are on the base branch as they are, and otherwise
// the comparison that the check has asked for already, the merge base's list of
// files, and the skills that were never read there.
type novelty struct {
	*binder           // of the head
	tip     *snapshot // of the base branch

	looked bool
	base   *snapshot // the merge base; nil where there is none
	layout map[string]extractor.SkillFiles
	blobs  map[string]bool // ids of all files of the base
	moved  bool            // a skill is gone since the base: others may be it, renamed
	read   map[string][]card.Fact
}

// An age says where a fact comes from.
type age int

const (
	unknown age = iota
	old         // it stands at the base
	brought     // it does not
)

// mark marks the hits that are new, and reports whether the first stands at the
// base. Only what would fail for every other request as well is an error.
func (n *novelty) mark(ctx context.Context, hits []answer.Hit) (stands bool, err error) {
	for i := range hits {
		a, err := n.age(ctx, hits[i])
		if limit(err) != nil || over(err) || ctx.Err() != nil {
			return false, errors.Join(err, ctx.Err())
		}
		hits[i].New = err == nil && a == brought
		stands = stands || i == 0 && err == nil && a == old
	}
	return stands, nil
}

func (n *novelty) age(ctx context.Context, h answer.Hit) (age, error) {
	places := h.Fact.Places()
	for _, p := range places {
		if here, ok := n.head.ID(p.File); ok {
			if there, ok := n.tip.ID(p.File); ok && here == there {
				return old, nil
			}
		}
	}
	if err := n.look(ctx); err != nil || n.base == nil {
		return unknown, err
	}
	for _, p := range places {
		if id, ok := n.head.ID(p.File); ok && n.blobs[id] {
			return old, nil // the same file, maybe elsewhere
		}
	}
	if _, there := n.layout[h.Skill]; !there && n.moved {
		return unknown, nil
	}
	return n.among(ctx, h)
}

// among looks for a hit in what its skill, and those that say the same, said at the
// merge base.
func (n *novelty) among(ctx context.Context, h answer.Hit) (age, error) {
	skills := append([]string{h.Skill}, h.Also...)
	found, statement := brought, ask.Statement(h.Fact.Entry())
	for i, name := range skills {
		was, there := n.layout[name]
		if !there {
			continue
		}
		if i == maxCompared {
			return unknown, nil
		}
		facts, known, err := n.facts(ctx, was)
		if err != nil {
			return unknown, err
		}
		if !known {
			found = unknown
		}
		if slices.ContainsFunc(facts, func(f card.Fact) bool { return ask.Statement(f.Entry()) == statement }) {
			return old, nil
		}
	}
	return found, nil
}

// look takes the merge base, once: what failed for one hit is not asked again for the
// next.
func (n *novelty) look(ctx context.Context) error {
	if n.looked {
		return nil
	}
	n.looked = true
	ahead, err := n.head.from.client.Compare(ctx, n.head.from.repo, n.tip.commit, n.head.commit)
	if err != nil {
		return err
	}
	base := n.tip
	if ahead.MergeBase != n.tip.commit {
		if base, err = take(ctx, n.head.from, ahead.MergeBase); err != nil {
			return err
		}
	}
	was, err := extractor.Discover(base.Tree, n.shape)
	if err != nil {
		return hush(err)
	}
	is, err := extractor.Discover(n.head.Tree, n.shape)
	if err != nil {
		return hush(err)
	}
	n.layout, n.blobs, n.read = map[string]extractor.SkillFiles{}, map[string]bool{}, map[string][]card.Fact{}
	stay := map[string]bool{}
	for _, s := range is.Skills {
		stay[s.Path] = true
	}
	for _, s := range was.Skills {
		n.layout[s.Path] = s
		for _, file := range s.Files {
			if id, ok := base.ID(file); ok {
				n.blobs[id] = true
			}
		}
		n.moved = n.moved || !stay[s.Path]
	}
	n.base = base
	return nil
}

// facts are those of a skill at the merge base, as they are kept or read anew. They
// are compared and not shown, so they need not be scanned.
func (n *novelty) facts(ctx context.Context, s extractor.SkillFiles) (facts []card.Fact, known bool, err error) {
	if facts, ok := n.read[s.Path]; ok {
		return facts, true, nil
	}
	sources := s.Sources()
	if len(n.read) == maxCompared || len(sources) > maxSources {
		return nil, false, nil
	}
	there := *n.binder
	there.head = n.base
	kept := there.kept
	kept.Tree = there.key(s)
	data, err := n.r.cfg.Store.Segment(ctx, kept)
	if err == nil {
		facts, err = thaw(data)
	}
	if err != nil { // not kept, or damaged
		if !errors.Is(err, store.ErrNotFound) && ctx.Err() != nil {
			return nil, false, err
		}
		if err := n.base.fetch(ctx, sources...); err != nil {
			return nil, false, err
		}
		skill, err := s.Read(n.base, n.shape)
		if err != nil {
			return nil, false, hush(err)
		}
		facts = slices.Concat(skill.Facts, skill.Rest)
	}
	n.read[s.Path] = facts
	return facts, true, nil
}
