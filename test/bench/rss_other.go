//go:build !unix

package main

import "os"

// peakMemory returns 0: the peak is not known on this system.
func peakMemory(*os.ProcessState) float64 { return 0 }
