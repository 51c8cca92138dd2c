package converttest

import (
	"strings"
	"sync"
)

// Log is a log that a server writes while a test reads it.
type Log struct {
	mutex sync.Mutex
	text  strings.Builder
}

func (l *Log) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(p)
}

func (l *Log) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// Count returns how often the log contains text.
func (l *Log) Count(text string) int { return strings.Count(l.String(), text) }

// Has reports whether the log contains text.
func (l *Log) Has(text string) bool { return l.Count(text) > 0 }
