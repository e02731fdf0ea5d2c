package checker

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/checker/drift"
)

// patch is what turns a file into another, as git apply takes it: nil for a file
// that is not there. Git quotes names that need it; a name of a card that does is
// left to the command ("").
func patch(file string, before, after []byte) string {
	if !plainFolder.MatchString(file) || bytes.Equal(before, after) {
		return ""
	}
	head, from, to := "", "a/"+file, "b/"+file
	if before == nil {
		head, from = "new file mode 100644\n", "/dev/null"
	}
	if after == nil {
		head, to = "deleted file mode 100644\n", "/dev/null"
	}
	return "diff --git a/" + file + " b/" + file + "\n" + head + "--- " + from + "\n+++ " + to + "\n" +
		drift.Hunks(string(before), string(after))
}

// copyable reports whether a text survives the way over a page and a clipboard.
func copyable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	})
}
