package convert

import (
	"fmt"
	"runtime"
	"strings"
)

// Stack returns the names and positions of the running functions, innermost first, for the log line of a panic. Unlike
// debug.Stack it omits the arguments: they may be numbers of the input.
func Stack() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	var b strings.Builder
	for {
		frame, more := frames.Next()
		fmt.Fprintf(&b, "%s\n\t%s:%d\n", frame.Function, frame.File, frame.Line)
		if !more {
			return b.String()
		}
	}
}
