package jobs

import (
	"context"
	"database/sql"
	"encoding/hex"
	"log/slog"

	"github.com/cardkeeper/cardkeeper/app/embed"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker/answer"
)

// A vectorShelf keeps the vectors of one repository's facts in the database. What
// fails there costs a request more, and no answer.
type vectorShelf struct {
	r            *Runner
	installation int64
	repository   int64
}

var _ embed.Cache = vectorShelf{}

// Load returns what is kept under the keys.
func (s vectorShelf) Load(ctx context.Context, keys []embed.Key) map[embed.Key]embed.Vector {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = hex.EncodeToString(k[:])
	}
	data, err := s.r.cfg.Store.Vectors(ctx, s.repository, names)
	if err != nil {
		s.r.complain(ctx, slog.LevelWarn, "could not read vectors", err, "repository", s.repository)
	}
	out := map[embed.Key]embed.Vector{}
	for i, k := range keys {
		if v := embed.FromBytes(data[names[i]]); v != nil {
			out[k] = v
		}
	}
	return out
}

// Keep writes vectors down.
func (s vectorShelf) Keep(ctx context.Context, made map[embed.Key]embed.Vector) {
	v := store.Vectors{Installation: s.installation, Repository: s.repository, Data: map[string][]byte{}}
	for k, one := range made {
		v.Data[hex.EncodeToString(k[:])] = one.Bytes()
	}
	st := s.r.cfg.Store
	err := st.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error { return st.PutVectorsTx(ctx, tx, v) })
	if err != nil {
		s.r.complain(ctx, slog.LevelWarn, "could not keep vectors", err, "repository", s.repository)
	}
}

// LogMeaning is the key under which a log line says why an answer was ordered by
// keyword alone.
const LogMeaning = "meaning"

// tellMeaning writes down that an answer had to do without meaning search. The reason
// names a setting, and quotes nobody.
func (r *Runner) tellMeaning(ctx context.Context, a answer.Answer) {
	if m := a.Meaning; m != nil && !m.Used {
		r.cfg.Log.WarnContext(ctx, "answered without meaning search", LogMeaning, m.Why)
	}
}
