package embed

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// longest is how much of a text is sent, in bytes: some 150 tokens of prose, and code
// still fits the 256 that the smallest common models read. Nearly all facts are
// shorter than half of it.
const longest = 600

// A Cache keeps vectors of facts. It may lose any of them at any time: they are made
// again. Vectors of questions are never kept.
type Cache interface {
	Load(ctx context.Context, keys []Key) map[Key]Vector
	Keep(ctx context.Context, made map[Key]Vector)
}

// A Finder tells how near facts are to a question.
type Finder struct {
	c     *Client
	cache Cache // nil keeps nothing
}

// Finder makes one over a cache; the facts of different repositories may be kept
// apart. Nil keeps nothing.
func (c *Client) Finder(cache Cache) *Finder { return &Finder{c, cache} }

// Weight is the setting, in hundredths.
func (f *Finder) Weight() int { return f.c.cfg.Weight }

// Alike returns for each fact the cosine between it and the question, in whole
// hundredths. All texts must have been scanned. On any error but the end of ctx,
// the question is to be answered without.
func (f *Finder) Alike(ctx context.Context, question string, facts []string) ([]int, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, f.c.cfg.Timeout, errSlow)
	defer cancel()
	texts, keys := make([]string, len(facts)), make([]Key, len(facts))
	for i, fact := range facts {
		texts[i] = cut(f.c.cfg.FactPrefix + fact)
		keys[i] = f.c.key(texts[i])
	}
	asked, have, err := f.gather(ctx, cut(f.c.cfg.QuestionPrefix+question), texts, keys)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(facts))
	for i, k := range keys {
		out[i] = asked.Alike(have[k])
	}
	return out, nil
}

// gather takes the vectors that are kept, and has the others made in the request that
// the question needs anyway. Kept ones of another length are of another model under
// the same name, and are made again.
func (f *Finder) gather(ctx context.Context, question string, texts []string, keys []Key) (Vector, map[Key]Vector, error) {
	have := map[Key]Vector{}
	if f.cache != nil {
		have = f.cache.Load(ctx, keys)
	}
	asked, err := f.make(ctx, []string{question}, texts, keys, have)
	if err != nil {
		return nil, nil, err
	}
	old := false
	for k, v := range have {
		if len(v) != len(asked[0]) {
			delete(have, k)
			old = true
		}
	}
	if !old {
		return asked[0], have, nil
	}
	if _, err = f.make(ctx, nil, texts, keys, have); err != nil {
		return nil, nil, err
	}
	for _, v := range have {
		if len(v) != len(asked[0]) {
			return nil, nil, unusable("vectors of one model differ in length")
		}
	}
	return asked[0], have, nil
}

// make has vectors made for some texts and for those of the facts that are not there
// yet. It returns the former, and adds the latter to what is there and to the cache.
func (f *Finder) make(ctx context.Context, first, texts []string, keys []Key, have map[Key]Vector) ([]Vector, error) {
	send, missing := slices.Clone(first), []Key{}
	for i, k := range keys {
		if _, ok := have[k]; !ok && !slices.Contains(missing, k) {
			send, missing = append(send, texts[i]), append(missing, k)
		}
	}
	vectors, err := f.c.vectors(ctx, send)
	made := map[Key]Vector{}
	for i := len(first); i < len(vectors); i++ {
		made[missing[i-len(first)]] = vectors[i]
	}
	if f.cache != nil && len(made) > 0 {
		f.cache.Keep(context.WithoutCancel(ctx), made)
	}
	if err != nil {
		return nil, err
	}
	maps.Copy(have, made)
	return vectors[:len(first)], nil
}

// key names a text as it is sent. The lengths keep two that run into each other apart.
func (c *Client) key(text string) (k Key) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%d:%s%d:%s%d:%s", len(c.address), c.address, len(c.cfg.Model), c.cfg.Model, len(text), text)
	return Key(hash.Sum(nil))
}

// cut shortens a text to what is sent of it, between two characters.
func cut(text string) string {
	if len(text) <= longest {
		return text
	}
	end := longest
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
