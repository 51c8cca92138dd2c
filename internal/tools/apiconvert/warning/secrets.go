package warning

import (
	"fmt"
	"slices"
	"strings"
)

// Secrets counts the secrets that were found.
type Secrets struct {
	Replaced []string // a name for each distinct secret replaced by a placeholder
	Dropped  int      // distinct secrets that the output can't hold
	Users    int      // distinct user names dropped with them
}

// SecretsReplaced records what happened to secrets. AddPlaces records where they were.
func (l *List) SecretsReplaced(s Secrets) {
	if l != nil {
		l.secrets = s
	}
}

// text returns the warning, with where the secrets were.
func (s Secrets) text(where string, clean func(string) string) string {
	var sentences, dropped []string
	names := list(slices.Compact(slices.Sorted(slices.Values(s.Replaced))), clean)
	switch n := len(s.Replaced); {
	case n == 1:
		sentences = append(sentences, fmt.Sprintf("1 secret (%s) was replaced by a placeholder", names))
	case n > 1:
		sentences = append(sentences, fmt.Sprintf("%d secrets (%s) were replaced by placeholders", n, names))
	}
	if s.Dropped > 0 {
		dropped = append(dropped, Plural(s.Dropped, "secret"))
	}
	if s.Users > 0 {
		dropped = append(dropped, Plural(s.Users, "user name"))
	}
	if dropped != nil {
		verb := " were dropped"
		if s.Dropped+s.Users == 1 {
			verb = " was dropped"
		}
		sentences = append(sentences, strings.Join(dropped, " and ")+verb)
	}
	if len(sentences) == 0 {
		return ""
	}
	if where != "" {
		where = " in " + where
	}
	return strings.Join(sentences, ", ") + where + ". Detection is not complete: review the output before sharing it."
}
