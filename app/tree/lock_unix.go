//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tree

import (
	"errors"
	"os"
	"syscall"
)

// lockFile takes a file for this opening of it, and reports whether it was free.
func lockFile(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return false, nil
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.EOPNOTSUPP), errors.Is(err, syscall.ENOSYS):
		return true, nil // a file system without locks
	}
	return err == nil, err
}
