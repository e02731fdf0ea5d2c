//go:build linux || darwin

package store

import "syscall"

// freeBytes is the room on the disk of a folder, for who is not root.
func freeBytes(folder string) (bytes int64, known bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(folder, &s) != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
