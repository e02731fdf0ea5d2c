package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/app/shelf"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
)

// cacheVariable is the environment variable that says whether anything is kept in the cache folder.
const cacheVariable = "CARDKEEPER_CACHE"

// A caching says whether the index is kept for the next question.
type caching struct{ off bool }

func (c *caching) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.off, "no-cache", false, "neither use nor keep anything in the user's cache folder (always: "+cacheVariable+"=off)")
}

// place is where something is kept under a name; false for nowhere.
func (c caching) place(name string) (string, bool) {
	switch strings.ToLower(strings.TrimSpace(os.Getenv(cacheVariable))) {
	case "off", "no", "false", "0":
		return "", false
	}
	place, ok := shelf.In(name)
	return place, ok && !c.off
}

// A shelved is the index of a workspace, and the one that it was made of.
type shelved struct {
	ws     *workspace
	shelf  *shelf.Shelf // nil for none
	name   string
	had    *ask.Stock
	whole  *ask.Stock
	skills []extractor.SkillFiles // that were read
	parts  []ask.Part             // their names
	read   []answer.Skill         // what of them
}

// shelved makes the index of the folder's skills of what is kept and of the skills that differ. What is kept
// is known by the ids that git has for the files' contents, so that it tells a file
// that was changed and not committed from the one that is.
func (ws *workspace) shelved(c caching) (*shelved, error) {
	layout, err := extractor.Discover(ws.files, ws.config.Shape)
	if err != nil {
		return nil, fmt.Errorf("read the skills: %w", err)
	}
	s := &shelved{ws: ws, had: ask.NewStock()}
	wanted, ok := ws.parts(layout)
	if dir, there := c.place("indexes"); there && ok {
		sum := sha256.Sum256([]byte(ws.local.Root()))
		s.shelf, s.name = shelf.Open(dir), hex.EncodeToString(sum[:])
		if kept, err := ask.LoadStock(s.shelf.Load(s.name)); err == nil { // what is none is made anew
			s.had = kept
		}
	}
	for _, i := range s.had.Lacks(wanted) {
		of := layout.Skills[i]
		skill, err := of.Read(ws.files, ws.config.Shape)
		if err != nil {
			return nil, fmt.Errorf("read the skills: %w", err)
		}
		s.skills, s.parts, s.read = append(s.skills, of), append(s.parts, wanted[i]), append(s.read, ask.Skill(of.Path, slices.Concat(skill.Facts, skill.Rest)))
	}
	s.whole = s.had.Revised(wanted, s.read)
	return s, nil
}

// parts names what the folder's index is made of; false where that cannot be named.
func (ws *workspace) parts(layout extractor.Layout) (parts []ask.Part, ok bool) {
	program, err := programMark()
	// Strings, numbers, bytes and days always marshal.
	under, _ := json.Marshal([]any{program, card.Edition, answer.Edition, ws.config.Shape, ws.config.Salt, ws.config.Withheld})
	ok = err == nil
	for _, s := range layout.Skills {
		p, named := ask.PartOf(string(under), s, ws.files.ID)
		parts, ok = append(parts, p), ok && named
	}
	return parts, ok
}

// keep scans what was read and not scanned before, and keeps the index of the skills without a finding (law 8). It comes after the
// answer, since it may take as long. What fails there costs the next question time, and nobody is told.
func (s *shelved) keep(ctx context.Context) {
	if s.shelf == nil || len(s.read) == 0 && s.whole == s.had || s.shelf.Ready() != nil {
		return
	}
	tainted, err := s.tainted(ctx)
	if err != nil {
		return
	}
	if clean := s.whole.Without(tainted, s.had); clean != s.had {
		_ = s.shelf.Keep(s.name, clean.Bytes())
	}
}

// tainted scans what was read, on all processors: a scan takes as long as all that came before it.
func (s *shelved) tainted(ctx context.Context) (map[string]bool, error) {
	held := make([]bool, len(s.read))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, skill := range s.read {
		if held[i] = s.had.LeftOut(s.parts[i]); held[i] { // many findings take long, each time
			continue
		}
		group.Go(func() (err error) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			held[i], err = ask.Holds(ctx, s.ws.scanner, s.ws.files, s.skills[i], skill.Facts)
			return err
		})
	}
	err := group.Wait()
	tainted := map[string]bool{}
	for i, h := range held {
		tainted[s.skills[i].Path] = h
	}
	return tainted, err
}

// programStart is how much of the program's file is looked at, in bytes. The linker writes the id of the build
// there, a hash of all that went into it.
const programStart = 64 << 10

// programMark tells this build from any other, by the start of its file, its size and its time. To read all of
// it would take as long as the answer.
func programMark() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	start := make([]byte, programStart)
	n, err := io.ReadFull(f, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	sum := sha256.Sum256(start[:n])
	return fmt.Sprintf("%x %d %d", sum, info.Size(), info.ModTime().UnixNano()), nil
}
