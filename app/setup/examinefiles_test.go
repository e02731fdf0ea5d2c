package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/config"
)

// Of each file with a secret it is said who can read it, and how to mend that.
func TestFilesThatOthersCanRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		sentence string
		mode     os.FileMode
		state    State
		text     string
	}{
		{"its owner alone", 0o600, OK, "only its owner can read it (mode 600)"},
		{"its owner may not even write", 0o400, OK, "mode 400"},
		{"its group", 0o640, Note, "its group can use it"},
		{"everybody", 0o644, Mend, "every user of this machine can use it (mode 644)"},
		{"it is gone by now", 0, Unknown, "cannot be looked at"},
	} {
		t.Run(tc.sentence, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "withhold.key")
			if tc.mode != 0 {
				if err := os.WriteFile(path, []byte("x"), tc.mode); err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(path, tc.mode); err != nil { // whatever the umask is
					t.Fatal(err)
				}
			}
			e := &examiner{Subject: Subject{Settings: config.Settings{Private: []config.PrivateFile{{Setting: "withhold_key_file", Path: path}}}}}
			e.files()
			if len(e.report.Findings) != 1 {
				t.Fatalf("findings: %+v", e.report.Findings)
			}
			f := e.report.Findings[0]
			if f.State != tc.state || !strings.Contains(f.Text, tc.text) || f.Subject != "withhold_key_file "+path {
				t.Errorf("%+v", f)
			}
			if advised := f.Next != ""; advised != (tc.state != OK) {
				t.Errorf("what to do: %q", f.Next)
			}
		})
	}
}
