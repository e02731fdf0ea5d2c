package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/cardkeeper/cardkeeper/extractor"
)

const (
	// maxSource bounds the blobs of one job, in bytes: some 60,000 files of the usual
	// 4 KB. What is over it is answered with "more was to be read than fits".
	maxSource = 256 << 20
	// portion is how many blobs are asked for at once; what came is kept if the rest
	// does not.
	portion = 800
)

// A source is one repository as one job reads it. Blobs are kept for the job and
// shared by its trees, so that what base and head have in common is read once, and
// no skill is read twice and no text scanned twice.
type source struct {
	client *github.Client
	repo   github.Repo
	blobs  map[string][]byte
	size   int // of all blobs, in bytes
	scans  map[[sha256.Size]byte]scan
	memory *secret.Memory // what those scans found, for all that the job says
	skills map[skillKey]extractor.Skill
	made   int // segments that were kept

	outcomes map[string]map[string]suite.Outcome // of questions, by what is compared

	slices int
	put    time.Time
}

// A skillKey names a skill of a commit, as a shape has it.
type skillKey struct{ commit, shape, path string }

func newSource(client *github.Client, repo github.Repo) *source {
	return &source{
		client: client, repo: repo, blobs: map[string][]byte{},
		scans: map[[sha256.Size]byte]scan{}, memory: secret.NewMemory(), skills: map[skillKey]extractor.Skill{},
	}
}

// done counts what would not have to be done again.
func (s *source) done() int { return len(s.blobs) + len(s.scans) + len(s.skills) + s.made + s.asked() }

// reader reads each skill once, and none when the time is up.
func (s *source) reader(ctx context.Context) func(extractor.SkillFiles, fs.FS, extractor.Shape) (extractor.Skill, error) {
	return func(of extractor.SkillFiles, files fs.FS, shape extractor.Shape) (extractor.Skill, error) {
		form, _ := json.Marshal(shape) // strings and numbers always marshal
		key := skillKey{"", string(form), of.Path}
		if side, ok := files.(*snapshot); ok {
			key.commit = side.commit
		}
		if skill, ok := s.skills[key]; ok {
			return skill, nil
		}
		if ctx.Err() != nil {
			return extractor.Skill{}, ctx.Err()
		}
		skill, err := of.Read(files, shape)
		if err == nil && key.commit != "" {
			s.skills[key] = skill
		}
		return skill, err
	}
}

// fetch brings blobs into memory. It gives all of them or an error: a part would
// pass for the whole.
func (s *source) fetch(ctx context.Context, ids []string) error {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	missing := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return s.blobs[id] != nil })
	for len(missing) > 0 {
		n := min(portion, len(missing))
		blobs, err := s.client.Blobs(ctx, s.repo, missing[:n])
		var short *github.Short
		if errors.As(err, &short) { // of all that was asked for, and not of this portion
			return &github.Short{Read: len(ids) - len(missing) + short.Read, Wanted: len(ids), Cause: short.Cause}
		}
		if err != nil {
			return err
		}
		missing = missing[n:]
		for id, b := range blobs {
			s.blobs[id] = append([]byte{}, b...) // an empty file is there
			s.size += len(b)
		}
		if s.size > maxSource {
			return fmt.Errorf("jobs: read a repository: %w", github.ErrTooLarge)
		}
	}
	return nil
}

// remembering is the scanner under a policy, which scans no text of this job twice,
// and why it does not look for withheld values; see [Runner.scanner].
func (r *Runner) remembering(s *source, policy config.Config) (checker.Scanner, string) {
	scanner, blind := r.scanner(policy)
	return remembering{scanner, policyKey(policy), s.scans}, blind
}

// policyKey is what of a policy a finding depends on.
func policyKey(policy config.Config) []byte {
	key, _ := json.Marshal([]any{policy.Salt, policy.Withheld}) // numbers, bytes and days always marshal
	return key
}

// A scan is what was found in a text, and the memory of its values: who does not scan it again
// must not forget them.
type scan struct {
	found  []secret.Finding
	values *secret.Memory
}

// A remembering scanner scans each text once. It is for one goroutine.
type remembering struct {
	checker.Scanner
	policy []byte
	seen   map[[sha256.Size]byte]scan
}

// Scan looks the text's hash up before it scans.
func (r remembering) Scan(ctx context.Context, text string) ([]secret.Finding, error) {
	key := sha256.Sum256(append(slices.Clone(r.policy), text...))
	if kept, ok := r.seen[key]; ok {
		kept.values.Tell(ctx)
		return slices.Clone(kept.found), nil
	}
	apart, values := secret.Apart(ctx)
	found, err := r.Scanner.Scan(apart, text)
	if err == nil {
		r.seen[key] = scan{slices.Clone(found), values}
	}
	return found, err
}
