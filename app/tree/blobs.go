package tree

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// blobs reads objects through one long-lived git cat-file process, started by
// the first question. It is safe for concurrent use: one question at a time.
type blobs struct {
	start func() (*exec.Cmd, error)
	body  bool // --batch sends the content, --batch-check only its size

	mu     sync.Mutex
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	closed bool
}

var (
	errMissing   = errors.New("git does not have the object; in a shallow or partial clone fetch it first")
	errOtherKind = errors.New("the object is of another kind")
	errBadID     = errors.New("not an object id")
	errProtocol  = errors.New("git cat-file stopped or answered in an unknown form")
)

// ask returns size and, for a --batch process, content of one blob. A missing
// object leaves the process usable; a process that broke is replaced next time.
func (b *blobs) ask(id string) (data []byte, size int64, err error) {
	if !hexID(id) {
		return nil, 0, errBadID
	}
	got, data, size, err := b.question(id, "blob")
	if err == nil && got != id {
		err = errProtocol
	}
	return data, size, err
}

// object returns id and content of what a name of ours means, if it is of that kind.
func (b *blobs) object(name, kind string) (id string, data []byte, err error) {
	id, data, _, err = b.question(name, kind)
	return id, data, err
}

// question sends one name and reads the answer.
func (b *blobs) question(name, kind string) (id string, data []byte, size int64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return "", nil, 0, ErrClosed
	}
	if err := b.ensure(); err != nil {
		return "", nil, 0, err
	}
	id, data, size, err = b.exchange(name, kind)
	if errors.Is(err, errProtocol) {
		b.stop()
	}
	return id, data, size, err
}

// ensure starts the process if there is none. It writes its messages nowhere: a
// lost object is told by its answer.
func (b *blobs) ensure() (err error) {
	if b.cmd != nil {
		return nil
	}
	cmd, err := b.start()
	if err != nil {
		return err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	b.cmd, b.in, b.out = cmd, in, bufio.NewReaderSize(out, 64<<10)
	return nil
}

// exchange sends one name and reads one answer: "<id> <kind> <size>", then for a
// --batch process the content and a line feed; or "<name> missing".
func (b *blobs) exchange(name, kind string) (id string, data []byte, size int64, err error) {
	if _, err := io.WriteString(b.in, name+"\n"); err != nil {
		return "", nil, 0, errProtocol
	}
	line, err := b.out.ReadString('\n')
	if err != nil {
		return "", nil, 0, errProtocol
	}
	if line == name+" missing\n" {
		return "", nil, 0, errMissing
	}
	words := strings.Fields(line)
	if len(words) != 3 || !hexID(words[0]) {
		return "", nil, 0, errProtocol
	}
	if size, err = strconv.ParseInt(words[2], 10, 64); err != nil || size < 0 {
		return "", nil, 0, errProtocol
	}
	data, err = b.take(size)
	if err == nil && words[1] != kind {
		err = errOtherKind
	}
	return words[0], data, size, err
}

// take reads the content of one answer. What is over MaxBlob is read past, not kept.
func (b *blobs) take(size int64) ([]byte, error) {
	if !b.body {
		return nil, nil
	}
	if size > MaxBlob {
		if _, err := io.CopyN(io.Discard, b.out, size+1); err != nil {
			return nil, errProtocol
		}
		return nil, ErrTooLarge
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(b.out, data); err != nil {
		return nil, errProtocol
	}
	if _, err := b.out.Discard(1); err != nil {
		return nil, errProtocol
	}
	return data, nil
}

// stop ends the process. Closing its input lets git end by itself; a process
// that broke the protocol is past that and is killed.
func (b *blobs) stop() {
	if b.cmd == nil {
		return
	}
	_ = b.in.Close()
	_ = b.cmd.Process.Kill()
	_ = b.cmd.Wait()
	b.cmd = nil
}

// close ends the process for good; later questions are ErrClosed.
func (b *blobs) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.stop()
}
