//go:build !linux && !darwin

package store

// freeBytes is not known here; SQLite itself says when the disk is full.
func freeBytes(string) (bytes int64, known bool) { return 0, false }
