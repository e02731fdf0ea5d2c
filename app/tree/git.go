package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// git runs the git binary in one folder, with a clean environment.
type git struct {
	dir string
	env []string // added to the clean environment
}

// stderrMax bounds how much of git's own message an error may carry, in bytes.
const stderrMax = 400

// with is the same git with more environment.
func (g git) with(env ...string) git {
	return git{g.dir, append(append([]string{}, g.env...), env...)}
}

// gitEnv is the environment of the process without git's own variables, which
// would send git to another repository, index or configuration (a hook of git
// sets several of them), with plain English messages and no prompts.
func gitEnv(environ []string) []string {
	var env []string
	for _, kv := range environ {
		if !strings.HasPrefix(strings.ToUpper(kv), "GIT_") && !strings.HasPrefix(kv, "LC_ALL=") {
			env = append(env, kv)
		}
	}
	return append(env,
		"LC_ALL=C",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",     // never refresh the user's index
		"GIT_LITERAL_PATHSPECS=1",  // a file may be called ":(glob)*"
		"GIT_NO_REPLACE_OBJECTS=1", // an id means its own content
	)
}

// command prepares git with the settings that every call needs: paths
// unquoted, no hooks or monitors of the repository, a whole index in one file,
// and no refusal over line endings that a commit would convert as well.
func (g git) command(ctx context.Context, args ...string) *exec.Cmd {
	all := append([]string{
		"--no-pager",
		"-c", "core.quotepath=off",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "core.fsmonitor=false",
		"-c", "core.splitIndex=false",
		"-c", "core.safecrlf=false",
		"-c", "core.looseCompression=0", // what is written lives as long as the command
		"-c", "safe.bareRepository=explicit", // a tracked folder may look like a repository with filters of its own
	}, args...)
	cmd := exec.CommandContext(ctx, "git", all...)
	cmd.Dir = g.dir
	cmd.Env = append(gitEnv(os.Environ()), g.env...)
	cmd.WaitDelay = 5 * time.Second // a killed git's child may hold the pipes
	return cmd
}

// gitError is a git command that failed. Its text holds verb and exit alone.
type gitError struct {
	verb   string
	exit   int // -1 where git did not run or was killed
	stderr string
}

func (e *gitError) Error() string {
	if e.exit < 0 {
		return "git " + e.verb + ": did not run to its end; is git installed and on the PATH?"
	}
	return "git " + e.verb + ": exit " + strconv.Itoa(e.exit)
}

// run runs git to its end and returns its standard output. Git's message stays
// inside the error and is shown only by callers that know what it can hold.
func (g git) run(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := g.command(ctx, args...)
	var out, msg bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &msg
	err := cmd.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("git %s: %w", args[0], ctx.Err())
	}
	fail := &gitError{verb: args[0], exit: -1, stderr: plain(msg.String())}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		fail.exit = exit.ExitCode()
	}
	return nil, fail
}

// plain makes a message of git fit for one line: no control characters, bounded.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.TrimSpace(s))
	if len(s) > stderrMax {
		s = strings.ToValidUTF8(s[:stderrMax], "") + "..."
	}
	return s
}

// split cuts NUL-terminated output into its parts.
func split(out []byte) []string {
	s := strings.TrimSuffix(string(out), "\x00")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}
