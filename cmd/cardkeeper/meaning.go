package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/embed"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/spf13/cobra"
)

// The environment variables of meaning search. The key is the App's too.
const (
	embeddingsURL   = "CARDKEEPER_EMBEDDINGS_URL"
	embeddingsModel = "CARDKEEPER_EMBEDDINGS_MODEL"
	embeddingsKey   = "CARDKEEPER_EMBEDDINGS_KEY"
)

// A nearness is where meaning search comes from; without a file or variables, from
// nowhere.
type nearness struct {
	file  string
	cache *embed.File
	told  bool
}

func (n *nearness) flags(c *cobra.Command) {
	c.Flags().StringVar(&n.file, "embeddings", "", "a file with url and model of a server that says which facts are near in meaning\n(default: the variables "+embeddingsURL+" and "+embeddingsModel+"); scanned texts are sent there")
}

// keyed takes the key from the environment where no file names one.
func keyed(c embed.Config) embed.Config {
	if c.On() {
		c.Key = cmp.Or(c.Key, strings.TrimSpace(os.Getenv(embeddingsKey)))
	}
	return c
}

// config reads the file or the variables. A file below root is refused: who changes the
// repository would choose where its texts go.
func (n *nearness) config(root string) (embed.Config, error) {
	if n.file != "" {
		if inside(root, n.file) {
			return embed.Config{}, fmt.Errorf("%w: --embeddings: the file must not lie in the repository; move it out", errUsage)
		}
		c, err := config.LoadEmbeddings(n.file)
		if err != nil {
			return c, fmt.Errorf("%w: --embeddings: %w", errUsage, err)
		}
		return keyed(c), nil
	}
	c := embed.Config{URL: os.Getenv(embeddingsURL), Model: os.Getenv(embeddingsModel), Weight: embed.DefaultWeight}
	if c.URL != "" && c.Model == "" {
		return c, fmt.Errorf("%w: %s is set and %s is not: name the model at the server", errUsage, embeddingsURL, embeddingsModel)
	}
	return keyed(c), nil
}

// open has a library ordered by meaning, where that is asked for.
func (n *nearness) open(root string, library *ask.Library, caching caching) error {
	c, err := n.config(root)
	if err != nil || !c.On() {
		return err
	}
	client, err := embed.New(c, embed.Options{})
	if err != nil {
		return fmt.Errorf("%w: meaning search: %w", errUsage, err)
	}
	var kept embed.Cache // an interface with nothing in it where there is no folder
	if file, ok := caching.place("vectors"); ok {
		n.cache = embed.OpenFile(file)
		kept = n.cache
	}
	library.ByMeaning(client.Finder(kept), c.Weight)
	return nil
}

// tell says once that answers do without meaning search.
func (n *nearness) tell(a answer.Answer, stderr io.Writer) {
	if m := a.Meaning; m != nil && !m.Used && !n.told {
		n.told = true
		fmt.Fprintln(stderr, "answered without meaning search:", m.Why)
	}
}

// close keeps the vectors that were made.
func (n *nearness) close(stderr io.Writer) {
	if n.cache != nil && n.cache.Save() != nil {
		fmt.Fprintln(stderr, "the vectors of facts could not be kept in the user's cache folder; they are made again next time")
	}
}
