//go:build !unix

package cli

import (
	"io/fs"
	"os"
)

// links is how many names a file has, as far as is known here.
func links(fs.FileInfo) uint64 { return 1 }

// keepOwner does nothing where owners are not the system's to copy.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
