//go:build unix

package cli

import (
	"io/fs"
	"os"
	"syscall"
)

// links returns how many names a file has.
func links(_ string, info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}

// irreplaceable returns nil: a rename replaces any file here.
func irreplaceable(string) error { return nil }

// keepOwner gives a file the owner of the one that it replaces.
func keepOwner(file *os.File, original fs.FileInfo) error {
	before, ok := original.Sys().(*syscall.Stat_t)
	if !ok || int(before.Uid) == os.Geteuid() && int(before.Gid) == os.Getegid() {
		return nil
	}
	return file.Chown(int(before.Uid), int(before.Gid))
}

// showsColors returns true: terminals interpret escape sequences.
func showsColors(*os.File) bool { return true }
