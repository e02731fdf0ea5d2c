package jobs

import (
	"context"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// A snapshot is a commit's tree, of which so much is in memory as was fetched.
type snapshot struct {
	*tree.Tree
	client *github.Client
	repo   github.Repo
	blobs  map[string][]byte
}

var errNotFetched = errors.New("the file was not fetched")

// take lists a commit's tree. It reads no file yet.
func take(ctx context.Context, client *github.Client, repo github.Repo, commit string) (*snapshot, error) {
	entries, err := client.Tree(ctx, repo, commit)
	if err != nil {
		return nil, err
	}
	s := &snapshot{client: client, repo: repo, blobs: map[string][]byte{}}
	s.Tree, err = tree.New(entries, func(id string) ([]byte, error) {
		if b, ok := s.blobs[id]; ok {
			return b, nil
		}
		return nil, errNotFetched
	})
	return s, err
}

// fetch brings files into memory; those that the tree does not hold are passed over.
func (s *snapshot) fetch(ctx context.Context, names ...string) error {
	var ids []string
	for _, name := range names {
		if id, ok := s.ID(name); ok && s.blobs[id] == nil {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	blobs, err := s.client.Blobs(ctx, s.repo, ids)
	if err != nil {
		return err
	}
	for id, b := range blobs {
		if b == nil {
			b = []byte{} // an empty file is there
		}
		s.blobs[id] = b
	}
	return nil
}

// config reads the repository's configuration as the commit has it.
func (s *snapshot) config(ctx context.Context) (config.Config, error) {
	if err := s.fetch(ctx, checker.ConfigFile); err != nil {
		return config.Config{}, err
	}
	return config.Load(s.Tree)
}

// fetchSkills brings all that is read of all skills into memory.
func (s *snapshot) fetchSkills(ctx context.Context, shape extractor.Shape) error {
	layout, err := extractor.Discover(s.Tree, shape)
	if err != nil {
		return fmt.Errorf("list the skills: %w", err)
	}
	var names []string
	for _, skill := range layout.Skills {
		names = append(names, skill.Sources()...)
	}
	return s.fetch(ctx, names...)
}
