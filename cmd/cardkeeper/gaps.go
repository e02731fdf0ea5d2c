package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/spf13/cobra"
)

const (
	// shownID is as much of a gap's id as is printed; leastID as much as --delete takes.
	shownID = 12
	leastID = 8
	// allGaps is the word for all of them.
	allGaps = "all"
	// gapPart is how many repositories are asked for at once.
	gapPart = 100
)

// listing is what the flags of gaps say.
type listing struct {
	settings, repository, format, drop string
}

func gapsCommand() *cobra.Command {
	var l listing
	c := &cobra.Command{
		Use:   "gaps",
		Short: "List what people asked the App and no skill says, or delete it",
		Long: "Reads the App's database, and of the settings where that is; only OWNER/NAME takes the App's key. Refused /ask questions by repository, those with nearly the same telling words\n" +
			"as one gap, the most asked for first. Who asked is not kept. --delete takes the id of a gap, or its first\n" +
			"8 characters or more, and deletes all its wordings; \"all\" deletes every gap of the repository, or\n" +
			"without --repository of all.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if l.format != "text" && l.format != "json" {
				return fmt.Errorf("%w: --format is text or json", errUsage)
			}
			if l.drop != "" && l.drop != allGaps && len(l.drop) < leastID {
				return fmt.Errorf("%w: --delete takes %d characters of an id or more, or all", errUsage, leastID)
			}
			return l.run(c.Context(), c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringVar(&l.settings, "settings", "cardkeeper.yml", "the settings file of the App")
	f.StringVar(&l.repository, "repository", "", "one repository alone: OWNER/NAME, which GitHub is asked about, or its number")
	f.StringVar(&l.format, "format", "text", "text or json")
	f.StringVar(&l.drop, "delete", "", "delete a gap by its id, or all")
	return c
}

func (l listing) run(ctx context.Context, out io.Writer) error {
	database, err := config.LoadDatabase(l.settings)
	if err != nil {
		return unusable{err}
	}
	repository, err := l.named(ctx)
	if err != nil {
		return err
	}
	st, err := openStore(ctx, database)
	if err != nil {
		return err
	}
	err = l.work(ctx, st, repository, out)
	return errors.Join(err, st.Close())
}

// openStore opens the App's database where it is there, and no older than we are:
// a command that only reads migrates nothing.
func openStore(ctx context.Context, url string) (*store.Store, error) {
	schema, err := store.Inspect(ctx, url)
	switch {
	case errors.Is(err, store.ErrInvalid):
		return nil, unusable{err}
	case err != nil:
		return nil, err
	case !schema.Made:
		return nil, fmt.Errorf("%w: there is no database where the settings say; cardkeeper serve makes it", errUsage)
	case schema.Version < schema.Newest:
		return nil, fmt.Errorf("%w: the database is of an older version; start cardkeeper serve of this version once", errUsage)
	}
	return store.Open(ctx, url, slog.New(slog.DiscardHandler))
}

// named is the repository's number; 0 is every one. Only GitHub knows which one a name means, and
// only for that are the App's other settings read.
func (l listing) named(ctx context.Context) (int64, error) {
	if l.repository == "" {
		return 0, nil
	}
	if id, err := strconv.ParseInt(l.repository, 10, 64); err == nil && id > 0 {
		return id, nil
	}
	owner, name, ok := strings.Cut(l.repository, "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return 0, fmt.Errorf("%w: --repository is OWNER/NAME, or a number", errUsage)
	}
	s, err := config.LoadSettings(l.settings)
	if err != nil {
		return 0, fmt.Errorf("%w; the repository's number does without these settings", unusable{err})
	}
	app, err := github.New(github.Config{AppID: s.AppID, Key: s.Key, Spare: s.SpareKey, BaseURL: s.API})
	if err != nil {
		return 0, unusable{err}
	}
	repo, err := app.Find(ctx, owner, name)
	if errors.Is(err, github.ErrNotFound) {
		return 0, fmt.Errorf("%w: the App is not installed in a repository of that name", errUsage)
	}
	if err != nil {
		return 0, fmt.Errorf("ask GitHub which repository that is; its number does without: %w", err)
	}
	return repo.ID, nil
}

// A gapRow is a gap and where it was asked for.
type gapRow struct {
	Repository   int64 `json:"repository"`
	Installation int64 `json:"installation"`
	ask.Gap
}

func (l listing) work(ctx context.Context, st *store.Store, repository int64, out io.Writer) error {
	if l.drop == allGaps {
		n, err := st.DropAllGaps(ctx, repository)
		if err != nil {
			return err
		}
		return l.dropped(out, n)
	}
	rows, err := gapRows(ctx, st, repository)
	if err != nil {
		return err
	}
	if l.drop != "" {
		return l.dropOne(ctx, st, rows, out)
	}
	if err := withholdGaps(ctx, rows); err != nil {
		return err
	}
	if l.format == "json" {
		return encode(out, map[string]any{"gaps": rows})
	}
	return writeGaps(out, rows)
}

// gapRows lists the gaps of one repository, or of all.
func gapRows(ctx context.Context, st *store.Store, repository int64) ([]gapRow, error) {
	rows := []gapRow{}
	for from := 0; ; from += gapPart {
		part, err := st.CountGaps(ctx, from, gapPart)
		if err != nil {
			return nil, err
		}
		for _, c := range part {
			if repository != 0 && c.Repository != repository {
				continue
			}
			list, err := st.Gaps(ctx, c.Repository)
			if err != nil {
				return nil, err
			}
			for _, g := range ask.Gaps(list) {
				rows = append(rows, gapRow{c.Repository, c.Installation, g})
			}
		}
		if len(part) < gapPart {
			return rows, nil
		}
	}
}

// dropOne deletes the one gap that the id begins.
func (l listing) dropOne(ctx context.Context, st *store.Store, rows []gapRow, out io.Writer) error {
	var found []gapRow
	for _, r := range rows {
		for _, id := range r.IDs() {
			if strings.HasPrefix(id, l.drop) {
				found = append(found, r)
				break
			}
		}
	}
	switch len(found) {
	case 0:
		return fmt.Errorf("%w: there is no gap with this id", errUsage)
	case 1:
	default:
		return fmt.Errorf("%w: %d gaps have an id that begins so; give more of it, or --repository", errUsage, len(found))
	}
	n, err := st.DropGaps(ctx, found[0].Repository, found[0].IDs()...)
	if err != nil {
		return err
	}
	return l.dropped(out, n)
}

// dropped says how many questions were deleted.
func (l listing) dropped(out io.Writer, n int) error {
	if l.format == "json" {
		return encode(out, map[string]int{"deleted": n})
	}
	_, err := fmt.Fprintf(out, "%s deleted\n", count(n, "question"))
	return err
}

// withholdGaps scans what is printed.
func withholdGaps(ctx context.Context, rows []gapRow) error {
	s, err := secret.New(secret.Options{})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := ask.Show(ctx, s, []ask.Gap{r.Gap}); err != nil {
			return err
		}
		for i := range r.Questions {
			r.Questions[i].Text = printable(r.Questions[i].Text)
		}
	}
	return nil
}

// writeGaps prints a line for each gap and one for each of its other wordings.
func writeGaps(out io.Writer, rows []gapRow) error {
	var b strings.Builder
	if len(rows) == 0 {
		b.WriteString("No gaps are kept.\n")
	}
	last := int64(0)
	for _, r := range rows {
		if r.Repository != last {
			if last != 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "repository %d, installation %d\n", r.Repository, r.Installation)
			last = r.Repository
		}
		fmt.Fprintf(&b, "%6d  %s  %s  %s\n", r.Asked, r.LastAt.Format("2006-01-02"), r.ID[:min(shownID, len(r.ID))], r.Questions[0].Text)
		for _, q := range r.Questions[1:] {
			fmt.Fprintf(&b, "%34s%s\n", "", q.Text)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
