//go:build !unix

package cli

import (
	"io/fs"
	"os"
)

// links returns 1: the number of a file's names is not known here.
func links(fs.FileInfo) uint64 { return 1 }

// keepOwner does nothing: a new file has its folder's owner here.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// runs reports whether there is a process with this id.
func runs(id int) bool {
	process, err := os.FindProcess(id)
	if err != nil {
		return false
	}
	_ = process.Release()
	return true
}
