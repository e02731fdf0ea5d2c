package store

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// BenchmarkAccept measures the transaction of one webhook: delivery, generation and
// queue job. Its figures depend on the disk and on who else uses the machine.
func BenchmarkAccept(b *testing.B) {
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.Postgres} {
		for _, writers := range []int{1, 16} {
			b.Run(fmt.Sprintf("%s/writers=%d", name, writers), func(b *testing.B) {
				s := open(b, url(b))
				client := queue(b, s)
				var next atomic.Int64
				var group sync.WaitGroup
				b.ResetTimer()
				for range writers {
					group.Go(func() {
						for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
							if err := s.Tx(b.Context(), acceptWithJob(s, client, guid(int(i)), i)); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				group.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "accepts/s")
			})
		}
	}
}
