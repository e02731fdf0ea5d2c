//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package store

import (
	"os"
	"syscall"
)

// lockFolder holds a folder beside others, or alone where nobody else holds it. The system gives it up when
// the process dies.
func lockFolder(folder string, alone bool) (release func(), held bool) {
	f, err := os.Open(folder)
	if err != nil {
		return func() {}, false
	}
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX | syscall.LOCK_NB
	}
	if syscall.Flock(int(f.Fd()), how) != nil {
		_ = f.Close()
		return func() {}, false
	}
	return func() { _ = f.Close() }, true
}
