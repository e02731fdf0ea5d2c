package secret

import (
	"os"
	"strings"
	"testing"
)

// 2A-61: in one line without a break, a token is found wherever it lies across the
// sizes in which files are read. The long form slides it byte by byte.
func TestATokenIsFoundAcrossEveryEdge(t *testing.T) {
	t.Parallel()
	s := newScanner(t, Options{})
	token := newMint(73).pat()
	filler := strings.Repeat("plain words in one row ", 9_000)
	edges, step := []int{4096, 8192, 32_768, 65_536, 100_000}, 7
	if os.Getenv("CARDKEEPER_LONG") != "" {
		edges, step = append(edges, 131_072, 200_000), 1
	}
	for _, edge := range edges {
		for at := edge - len(token) - 1; at <= edge+1; at += step {
			text := filler[:at] + " " + token + " " + filler[at:at+50]
			found := mustScan(t, s, text)
			if len(found) != 1 || found[0].FirstCol != at+2 || found[0].LastCol != at+1+len(token) {
				t.Fatalf("offset %d: %v", at, found)
			}
		}
	}
}
