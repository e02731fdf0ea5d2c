package github

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	gh "github.com/google/go-github/v66/github"
	"golang.org/x/sync/errgroup"

	"github.com/cardkeeper/cardkeeper/app/tree"
)

const (
	// blobWorkers is how many blobs are fetched at once. GitHub allows 100
	// concurrent requests for everything the App does in an installation.
	blobWorkers = 8
	// maxTotal bounds the blobs of one call together, in bytes.
	maxTotal = 256 << 20
	// maxEntries bounds a tree, in entries: ten times what GitHub lists at once.
	maxEntries = 1_000_000
	// treeBody bounds one tree answer; GitHub truncates at 7 MB.
	treeBody = 32 << 20
	// blobBody bounds one blob answer: the largest blob in base64, with its JSON.
	blobBody = tree.MaxBlob/3*4 + tree.MaxBlob/32 + 64<<10
)

// Level lists one level of a tree, folders among it (mode [tree.Directory], ID
// that of their tree). id is a commit or a tree. Comparing two trees level by
// level, from the root down and only where ids differ, costs what the change
// costs and not what the repository does.
func (c *Client) Level(ctx context.Context, repo Repo, id string) ([]tree.Entry, error) {
	list, whole, err := c.listing(ctx, repo, id, false)
	if err == nil && !whole {
		err = &failure{method: http.MethodGet, route: repoRoute + treeRoute, kinds: []error{ErrTooLarge}}
	}
	return list, err
}

// Tree lists all files, links and submodules of a commit or tree; paths are
// relative to it. Where GitHub truncates the list, the folders are listed one by
// one (2A-36): the result is whole, or an error.
func (c *Client) Tree(ctx context.Context, repo Repo, id string) ([]tree.Entry, error) {
	var all []tree.Entry
	if err := c.walk(ctx, repo, id, "", &all); err != nil {
		return nil, err
	}
	return all, nil
}

// walk appends what lies below the tree id, whose path is prefix.
func (c *Client) walk(ctx context.Context, repo Repo, id, prefix string, all *[]tree.Entry) error {
	list, whole, err := c.listing(ctx, repo, id, true)
	if err != nil {
		return err
	}
	if !whole {
		if list, err = c.Level(ctx, repo, id); err != nil {
			return err
		}
	}
	for _, e := range list {
		e.Path = prefix + e.Path
		if e.Mode != tree.Directory {
			*all = append(*all, e)
		} else if !whole {
			if err := c.walk(ctx, repo, e.ID, e.Path+"/", all); err != nil {
				return err
			}
		}
	}
	if len(*all) > maxEntries {
		return &failure{method: http.MethodGet, route: repoRoute + treeRoute, kinds: []error{ErrTooLarge}}
	}
	return nil
}

const treeRoute = "/git/trees/{tree_sha}"

// listing asks for one tree; whole is false where GitHub truncated it.
func (c *Client) listing(ctx context.Context, repo Repo, id string, deep bool) (list []tree.Entry, whole bool, err error) {
	var t gh.Tree
	k := call{route: treeRoute, args: []any{id}, out: &t, limit: treeBody}
	if deep {
		k.query = url.Values{"recursive": {"1"}}
	}
	if _, err := c.in(ctx, repo, k); err != nil {
		return nil, false, err
	}
	if t.SHA == nil {
		return nil, false, odd(http.MethodGet, repoRoute+treeRoute)
	}
	if deep && t.GetTruncated() {
		return nil, false, nil
	}
	for _, e := range t.Entries {
		mode, err := tree.ParseMode(e.GetMode())
		if err != nil || e.GetPath() == "" || !objectID(e.GetSHA()) {
			return nil, false, odd(http.MethodGet, repoRoute+treeRoute)
		}
		list = append(list, tree.Entry{Path: e.GetPath(), Mode: mode, ID: e.GetSHA(), Size: int64(e.GetSize())})
	}
	return list, !t.GetTruncated(), nil
}

// Blobs fetches blobs by id, eight at a time, and checks each against its id. It
// gives all of them or an error: a blob that GitHub does not have is
// [tree.ErrUnreadable] and not [ErrNotFound], since a tree named it (law 13).
// One blob over [tree.MaxBlob], or all over 256 MiB, is [ErrTooLarge].
func (c *Client) Blobs(ctx context.Context, repo Repo, ids []string) (map[string][]byte, error) {
	wanted := slices.Compact(slices.Sorted(slices.Values(ids)))
	got := make(map[string][]byte, len(wanted))
	var mu sync.Mutex
	left := maxTotal
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(blobWorkers)
	for _, id := range wanted {
		work.Go(func() error {
			data, err := c.blob(ctx, repo, id)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			got[id] = data
			if left -= len(data); left < 0 {
				return &failure{method: http.MethodGet, route: repoRoute + blobRoute, kinds: []error{ErrTooLarge}}
			}
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	return got, nil
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
