package setup

import (
	"fmt"
	"os"
	"runtime"
)

// files looks at the files that settings name for secrets: that they can be read is known by now, and here it is
// whether others can. Whoever has the key of withheld values can try out what they are; whoever has the others is the
// App, or its operator.
func (e *examiner) files() {
	for _, f := range e.Settings.Private {
		info, err := os.Stat(f.Path)
		about := f.Setting + " " + f.Path
		switch {
		case err != nil:
			e.say(AboutFile, about, Unknown, "it was there a moment ago and cannot be looked at now", "run this again")
		case runtime.GOOS == "windows":
			e.say(AboutFile, about, OK, "it is there and can be read", "")
		case info.Mode().Perm()&0o007 != 0:
			e.say(AboutFile, about, Mend, fmt.Sprintf("every user of this machine can use it (mode %03o)", info.Mode().Perm()), "chmod 600 "+f.Path)
		case info.Mode().Perm()&0o070 != 0:
			e.say(AboutFile, about, Note, fmt.Sprintf("its group can use it (mode %03o)", info.Mode().Perm()), "chmod 600 "+f.Path+", unless the group is the service's own")
		default:
			e.say(AboutFile, about, OK, fmt.Sprintf("only its owner can read it (mode %03o)", info.Mode().Perm()), "")
		}
	}
}
