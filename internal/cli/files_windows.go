package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// open opens a file and lets other programs do anything with it meanwhile; os.Open would not let them rename it.
func open(name string, access uint32) (windows.Handle, error) {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return windows.InvalidHandle, err
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	return windows.CreateFile(path, access, share, nil, windows.OPEN_EXISTING, 0, 0)
}

// links returns how many names a file has.
func links(name string, _ fs.FileInfo) uint64 {
	file, err := open(name, windows.FILE_READ_ATTRIBUTES)
	if err != nil {
		return 1
	}
	defer func() { _ = windows.CloseHandle(file) }()
	var info windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(file, &info) != nil {
		return 1
	}
	return uint64(info.NumberOfLinks)
}

// irreplaceable reports why Windows does not let a rename replace a file: it is read-only, or another program has it open.
func irreplaceable(name string) error {
	if info, err := os.Stat(name); err == nil && info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("%s is read-only", name)
	}
	file, err := open(name, windows.DELETE)
	if err == nil {
		_ = windows.CloseHandle(file)
	}
	if errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		return fmt.Errorf("%s is open in another program and is left alone: close it there and run the command again", name)
	}
	return nil
}

// keepOwner does nothing: a new file has its folder's owner here.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// showsColors reports whether a console interprets escape sequences. Consoles do so only on request.
func showsColors(terminal *os.File) bool {
	console := windows.Handle(terminal.Fd())
	var mode uint32
	return windows.GetConsoleMode(console, &mode) == nil &&
		windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
