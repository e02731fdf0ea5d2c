package setup

import (
	"context"

	"github.com/cardkeeper/cardkeeper/app/embed"
)

// embeddings asks the server of meaning search for three words, where the settings name one.
// Without it answers come all the same, so that it is nothing to mend.
func (e *examiner) embeddings(ctx context.Context) {
	if !e.Settings.Embeddings.On() {
		return
	}
	const next = "look at url, model and key_file of embeddings; until it answers, facts are in the order of their words"
	client, err := embed.New(e.Settings.Embeddings, embed.Options{Now: e.Now})
	if err != nil {
		e.say(AboutEmbeddings, "", Note, "meaning search cannot be used: "+err.Error(), next)
		return
	}
	if _, err := client.Finder(nil).Alike(ctx, "question", []string{"fact", "other"}); err != nil {
		e.say(AboutEmbeddings, "", Note, "the server does not answer: "+err.Error(), next)
		return
	}
	e.say(AboutEmbeddings, "", OK, "the server answers", "")
}
