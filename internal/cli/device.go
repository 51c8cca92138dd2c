package cli

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// CheckDevice rejects the name of a device of Windows before it is opened: AUX and COM1, and with older versions
// aux.json, are a serial port, whose data may never come, and CON is the console. NUL itself is accepted, since many
// commands discard their output with it; nul.json is not, because its output would be lost.
func CheckDevice(name string) error {
	if runtime.GOOS != "windows" || strings.HasPrefix(name, `\\`) { // \\.\COM1 is meant as a device, \\?\ begins the path of a file
		return nil
	}
	base, _, _ := strings.Cut(filepath.Base(name), ":")
	switch {
	case filepath.IsLocal(filepath.Join("folder", base)), strings.EqualFold(base, "NUL"):
		return nil
	case len(base) >= 3 && strings.EqualFold(base[:3], "CON") && !strings.Contains(base, "."):
		return fmt.Errorf("%s is the console: use - for standard input or output", Shown(name))
	}
	return fmt.Errorf(`%s is the name of a device on Windows: use another name, or \\?\ and the full path of a file`, Shown(name))
}
