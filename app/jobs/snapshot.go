package jobs

import (
	"context"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// A snapshot is a commit's tree, of which so much is in memory as was fetched. A
// nil one stands for a side that is not there.
type snapshot struct {
	*tree.Tree
	from   *source
	commit string
	missed map[string]bool // ids that were read and not there

	late func(id string) ([]byte, error) // where what is not there comes from; nil for nowhere
}

// take lists a commit's tree, whole or not at all. It reads no file yet but those
// that decide what is a skill: which others are needed shows in the two lists
// of ids, so that the cost follows the change.
func take(ctx context.Context, from *source, commit string) (*snapshot, error) {
	entries, err := from.client.Tree(ctx, from.repo, commit)
	if err != nil {
		return nil, err
	}
	return laid(ctx, from, commit, entries)
}

// laid is take for a tree that need not be at GitHub, under a name that no other has.
func laid(ctx context.Context, from *source, name string, entries []tree.Entry) (s *snapshot, err error) {
	s = &snapshot{from: from, commit: name, missed: map[string]bool{}}
	if s.Tree, err = tree.New(entries, s.load); err != nil {
		return nil, hush(err)
	}
	var doubtful []string
	for _, e := range entries {
		if extractor.Doubtful(e.Path) {
			doubtful = append(doubtful, e.Path)
		}
	}
	return s, s.fetch(ctx, doubtful...)
}

// load gives what was fetched and remembers what was not.
func (s *snapshot) load(id string) ([]byte, error) {
	if b, ok := s.from.blobs[id]; ok {
		return b, nil
	}
	if s.late != nil {
		return s.late(id)
	}
	s.missed[id] = true
	return nil, errNotFetched
}

// fetch brings files into memory; those that the tree does not hold are passed over.
func (s *snapshot) fetch(ctx context.Context, names ...string) error {
	if s == nil {
		return nil
	}
	return s.from.fetch(ctx, s.ids(names))
}

// ids are the blobs of those files that the tree holds.
func (s *snapshot) ids(names []string) (ids []string) {
	for _, name := range names {
		if id, ok := s.ID(name); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// holds reports whether a file is in memory, or is none of the tree.
func (s *snapshot) holds(name string) bool {
	id, ok := s.ID(name)
	return !ok || s.from.blobs[id] != nil
}

// release lets files go that were fetched.
func (s *snapshot) release(names ...string) {
	for _, name := range names {
		if id, ok := s.ID(name); ok {
			s.from.size -= len(s.from.blobs[id])
			delete(s.from.blobs, id)
		}
	}
}

// fetchMissed brings what was read and not there.
func (s *snapshot) fetchMissed(ctx context.Context) error {
	if s == nil {
		return nil
	}
	var ids []string
	for id := range s.missed {
		ids = append(ids, id)
	}
	clear(s.missed)
	return s.from.fetch(ctx, ids)
}

// config reads the repository's configuration as the commit has it.
func (s *snapshot) config(ctx context.Context) (config.Config, error) {
	if err := s.fetch(ctx, checker.ConfigFile); err != nil {
		return config.Config{}, err
	}
	return config.Load(s.Tree)
}

// noConfig stands for the id of a configuration that is not there.
const noConfig = "0000000000000000000000000000000000000000"

// configID names the commit's configuration by its content.
func (s *snapshot) configID() string {
	if id, ok := s.ID(checker.ConfigFile); ok {
		return id
	}
	return noConfig
}
