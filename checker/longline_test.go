package checker

import (
	"strings"
	"testing"
)

// 2A-60: a file of one line of 2 MB with a token at its end is checked, and no
// output carries the line about: a finding says where, not what stands beside it.
func TestAFileOfOneLongLine(t *testing.T) {
	t.Parallel()
	token := newMint(82).token()
	line := strings.Repeat("one long line of words without a break ", 2<<20/39) + token
	r := compare(t, two().side(), two().with("skills/alpha/long.md", line).side())
	if r.leaks() != 1 || r.Secrets[0].File != "skills/alpha/long.md" || r.Secrets[0].Line != 1 {
		t.Errorf("secrets: %+v", r.Secrets)
	}
	out := r.Output()
	if len(out.Summary) > MaxField || len(out.Text) > MaxField || strings.Contains(out.Summary, "without a break") {
		t.Errorf("summary of %d bytes, text of %d", len(out.Summary), len(out.Text))
	}
	for _, a := range out.Annotations {
		if len(a.Message) > 200 {
			t.Errorf("an annotation of %d bytes", len(a.Message))
		}
	}
	unspoken(t, token, everything(r))
}
