package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/store"
)

// reword changes the words of a kept verdict and has it published again, together;
// it reports whether the verdict is still the current one. One at a time does so,
// so that nothing is lost of what another adds meanwhile.
func (r *Runner) reword(ctx context.Context, v store.Verdict, guid string, change func(*outcome)) (kept bool, err error) {
	unlock, err := r.alone(ctx, fmt.Sprintf("reword:%d:%d", v.Repository, v.Number))
	if err != nil {
		return false, err
	}
	defer unlock()
	now, err := r.cfg.Store.VerdictOf(ctx, v.Repository, v.Number, v.Generation)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var out outcome
	if json.Unmarshal(now.Report, &out) != nil {
		return false, errRow
	}
	change(&out)
	report, err := json.Marshal(out)
	if err != nil {
		return false, fmt.Errorf("jobs: reword a verdict: %w", err) // unreachable: strings and numbers
	}
	err = r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		kept, err = r.cfg.Store.AmendVerdictTx(ctx, tx, v.Repository, v.Number, v.Generation, report)
		if err != nil || !kept {
			return err
		}
		return r.insert(ctx, tx, publishArgs{guid, v.Installation, v.Repository, v.HeadSHA})
	})
	return kept, err
}
