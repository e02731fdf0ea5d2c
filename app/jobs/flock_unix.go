//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package jobs

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockAlone takes the file for this process, or returns errShared.
func lockAlone(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errShared
	}
	if err != nil {
		return fmt.Errorf("jobs: lock the database: %w", err)
	}
	return nil
}

// lockShared holds the file beside others. It waits for one that is starting,
// which is milliseconds.
func lockShared(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH); err != nil {
		return fmt.Errorf("jobs: lock the database: %w", err)
	}
	return nil
}
