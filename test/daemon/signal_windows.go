package daemon

import (
	"os"
	"os/signal"
	"sync"

	"golang.org/x/sys/windows"
)

var kernel = windows.NewLazySystemDLL("kernel32.dll")

// prepare gives this process a console of its own, since Windows has Ctrl-C in place of signals, and Ctrl-C is for all
// programs of a console, this process included, which continues.
var prepare = sync.OnceFunc(func() {
	_, _, _ = kernel.NewProc("FreeConsole").Call()
	_, _, _ = kernel.NewProc("AllocConsole").Call()
	EnableCtrlC()
})

// EnableCtrlC makes Ctrl-C reach the programs that this process starts, even if this process was started without it, and lets
// this process continue after it.
func EnableCtrlC() {
	_, _, _ = kernel.NewProc("SetConsoleCtrlHandler").Call(0, 0)
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
}

// Signal sends Ctrl-C to all programs that this process has started since Main.
func Signal(*os.Process, os.Signal) error {
	return windows.GenerateConsoleCtrlEvent(windows.CTRL_C_EVENT, 0)
}
