package github

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	gh "github.com/google/go-github/v66/github"

	"github.com/cardkeeper/cardkeeper/app/tree"
)

const (
	// blobWorkers is how many blobs are fetched at once. GitHub allows 100
	// concurrent requests for everything the App does in an installation.
	blobWorkers = 8
	// maxTotal bounds the blobs of one call together, in bytes.
	maxTotal = 256 << 20
	// blobBody bounds one blob answer: the largest blob in base64, with its JSON.
	blobBody = tree.MaxBlob/3*4 + tree.MaxBlob/32 + 64<<10
)

// maxLost ends a call in which so many blobs could not be had: that is no lost file but another
// trouble, and each more would cost a request.
const maxLost = 20

// A Short haul is an error of [Client.Blobs] with how far it came, so that what could not be checked
// can be said in numbers (2A-62).
type Short struct {
	Read, Wanted int // blobs
	Cause        error
}

func (s *Short) Error() string {
	return fmt.Sprintf("%d of %d blobs read: %v", s.Read, s.Wanted, s.Cause)
}

func (s *Short) Unwrap() error { return s.Cause }

// Blobs fetches blobs by id and checks each against its id: few by REST, eight at
// a time, more than that in batches. It gives all of them or a [Short]: a blob that
// GitHub does not have is [tree.ErrUnreadable] and not [ErrNotFound], since a tree
// named it (law 13); the others are read all the same. One blob over [tree.MaxBlob],
// or all over 256 MiB, is [ErrTooLarge].
func (c *Client) Blobs(ctx context.Context, repo Repo, ids []string) (map[string][]byte, error) {
	wanted := slices.Compact(slices.Sorted(slices.Values(ids)))
	all := len(wanted)
	h := &haul{blobs: make(map[string][]byte, all), left: maxTotal}
	if all >= graphFrom {
		var err error
		if wanted, err = c.graphBlobs(ctx, repo, wanted, h.add); err != nil {
			return nil, &Short{len(h.blobs), all, err}
		}
	}
	work, ctx := NewCrew(ctx, blobWorkers)
	for _, id := range wanted {
		work.Go(func() error {
			data, err := c.blob(ctx, repo, id)
			if err == nil {
				h.add(id, data)
			}
			if errors.Is(err, tree.ErrUnreadable) {
				err = h.lose(err)
			}
			return errors.Join(err, h.full())
		})
	}
	if err := cmp.Or(errors.Join(work.Wait(), h.full()), errors.Join(h.lost...)); err != nil {
		return nil, &Short{len(h.blobs), all, err}
	}
	return h.blobs, nil
}

// A haul is the blobs of one call.
type haul struct {
	mu    sync.Mutex
	blobs map[string][]byte
	left  int // of the bound, in bytes
	lost  []error
}

// lose notes a blob that cannot be had, and gives its error back once there are too many.
func (h *haul) lose(err error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.lost = append(h.lost, err); len(h.lost) < maxLost {
		return nil
	}
	return err
}

func (h *haul) add(id string, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.left -= len(data); h.left >= 0 {
		h.blobs[id] = data
	}
}

// full is the error of a haul over its bound.
func (h *haul) full() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.left < 0 {
		return &failure{method: http.MethodGet, route: repoRoute + blobRoute, kinds: []error{ErrTooLarge}}
	}
	return nil
}

const blobRoute = "/git/blobs/{file_sha}"

var errWrongBlob = errors.New("the content does not hash to the blob's id")

// blob fetches one blob and hashes it, so that a cache by id can trust it.
func (c *Client) blob(ctx context.Context, repo Repo, id string) ([]byte, error) {
	if ctx.Err() != nil { // a sibling failed; do not ask for the rest
		return nil, ctx.Err()
	}
	var b gh.Blob
	_, err := c.in(ctx, repo, call{route: blobRoute, args: []any{id}, out: &b, limit: blobBody})
	if errors.Is(err, ErrNotFound) {
		return nil, fmt.Errorf("GET %s: 404: %w", repoRoute+blobRoute, tree.ErrUnreadable)
	}
	if err != nil {
		return nil, err
	}
	data := []byte(b.GetContent())
	if b.GetEncoding() == "base64" {
		// GitHub breaks the text into lines.
		if data, err = base64.StdEncoding.DecodeString(strings.ReplaceAll(b.GetContent(), "\n", "")); err != nil {
			return nil, odd(http.MethodGet, repoRoute+blobRoute)
		}
	}
	if tree.BlobID(data) != id {
		return nil, fmt.Errorf("GET %s: %w: %w", repoRoute+blobRoute, tree.ErrUnreadable, errWrongBlob)
	}
	return data, nil
}
