//go:build unix

package main

import (
	"os"
	"syscall"
)

// peakMemory returns the peak memory of a process that has ended, in bytes (Linux).
func peakMemory(ended *os.ProcessState) float64 {
	return float64(ended.SysUsage().(*syscall.Rusage).Maxrss << 10)
}
