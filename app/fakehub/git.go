package fakehub

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// errNoObject says that a repository holds no such object or ref.
var errNoObject = errors.New("no such git object")

// A gitStore is one bare repository on disk. Forks share it, as a fork network
// on GitHub does, so any commit of it is readable through the base repository.
// It is not safe for concurrent use: the hub's lock guards it.
type gitStore struct {
	dir   string
	trees map[string][]treeEntry // listings by tree id and depth: they never change
	diffs map[string][]fileDiff  // by the two commits

	merges map[string]bool // whether two commits merge, by both

	batch *exec.Cmd // git cat-file --batch, started at the first read
	ask   io.WriteCloser
	reply *bufio.Reader

	closed bool // no more reads: the folder is going away
}

// newGitStore names the object format and the first branch, so that the
// machine's git settings cannot change either.
func newGitStore(dir string) (*gitStore, error) {
	g := &gitStore{dir: dir, trees: map[string][]treeEntry{}, diffs: map[string][]fileDiff{}, merges: map[string]bool{}}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	_, err := g.run(nil, "init", "--quiet", "--bare", "--object-format=sha1", "--initial-branch=main", "--template=")
	return g, err
}

// environ keeps the person's own git settings out, so that object ids are the
// same on every machine.
func (g *gitStore) environ(extra ...string) []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + g.dir, "GIT_DIR=" + g.dir, "LC_ALL=C", "TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_TERMINAL_PROMPT=0",
	}
	return append(env, extra...)
}

// run runs git and returns its standard output. An exit status other than 0 is
// an error that names the subcommand alone: arguments and git's own words hold
// the repository's text.
func (g *gitStore) run(stdin []byte, args ...string) ([]byte, error) {
	return g.runEnv(stdin, nil, args...)
}

func (g *gitStore) runEnv(stdin []byte, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(context.Background(), "git", args...)
	cmd.Dir, cmd.Env = g.dir, g.environ(env...)
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, nil
}

// object reads one object by id or by an expression that names one, such as
// "refs/heads/main^{commit}".
func (g *gitStore) object(name string) (sha, kind string, data []byte, err error) {
	if strings.ContainsAny(name, " \n\x00") || name == "" {
		return "", "", nil, errNoObject
	}
	if err := g.startBatch(); err != nil {
		return "", "", nil, err
	}
	if _, err := io.WriteString(g.ask, name+"\n"); err != nil {
		return "", "", nil, err
	}
	head, err := g.reply.ReadString('\n')
	if err != nil {
		return "", "", nil, err
	}
	f := strings.Fields(head)
	if len(f) != 3 || len(f[0]) != 40 {
		return "", "", nil, errNoObject // "missing" or "ambiguous"
	}
	size, err := strconv.Atoi(f[2])
	if err != nil {
		return "", "", nil, err
	}
	data = make([]byte, size+1) // and the newline that ends it
	if _, err := io.ReadFull(g.reply, data); err != nil {
		return "", "", nil, err
	}
	return f[0], f[1], data[:size], nil
}

// startBatch keeps one git process for all reads: a process per blob would make
// a repository of ten thousand skills take half a minute.
func (g *gitStore) startBatch() error {
	if g.batch != nil {
		return nil
	}
	if g.closed {
		return errors.New("the hub is closed")
	}
	cmd := exec.CommandContext(context.Background(), "git", "cat-file", "--batch")
	cmd.Dir, cmd.Env = g.dir, g.environ()
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	g.batch, g.ask, g.reply = cmd, in, bufio.NewReaderSize(out, 1<<16)
	return nil
}

// close ends the reading process; the caller removes the folder.
func (g *gitStore) close() {
	g.closed = true
	if g.batch != nil {
		g.ask.Close()
		_ = g.batch.Wait() // it ends at the end of its input
		g.batch = nil
	}
}

// fewBlobs are written as files one by one; more than that as one stream, which is
// ten times as quick.
const fewBlobs = 100

// blobs writes contents as blobs and returns their ids in order.
func (g *gitStore) blobs(contents [][]byte) ([]string, error) {
	if len(contents) == 0 {
		return nil, nil
	}
	dir, err := os.MkdirTemp(g.dir, "in-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if len(contents) > fewBlobs {
		return g.manyBlobs(contents, filepath.Join(dir, "marks"))
	}
	var names strings.Builder
	for i, data := range contents {
		name := filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return nil, err
		}
		names.WriteString(name + "\n")
	}
	out, err := g.run([]byte(names.String()), "hash-object", "-w", "--no-filters", "--stdin-paths")
	return strings.Fields(string(out)), err
}

// manyBlobs lets git number them: the file of marks has ":number id" on each line.
func (g *gitStore) manyBlobs(contents [][]byte, marks string) ([]string, error) {
	var stream bytes.Buffer
	for i, data := range contents {
		fmt.Fprintf(&stream, "blob\nmark :%d\ndata %d\n", i+1, len(data))
		stream.Write(data)
		stream.WriteString("\n")
	}
	if _, err := g.run(stream.Bytes(), "fast-import", "--quiet", "--export-marks="+marks); err != nil {
		return nil, err
	}
	out, err := os.ReadFile(marks)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(contents))
	for line := range strings.Lines(string(out)) {
		mark, id, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(strings.TrimPrefix(mark, ":"))
		if err != nil || n < 1 || n > len(ids) {
			return nil, errors.New("git fast-import: unknown mark")
		}
		ids[n-1] = id
	}
	return ids, nil
}
