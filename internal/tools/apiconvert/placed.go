package apiconvert

import (
	"bytes"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// placed returns the names of replaced secrets whose placeholder is in the output. The others were dropped with a part
// that the target cannot hold, such as a saved response.
// A script writes TOKEN_2 for token2.
func placed(names []string, out []byte, script bool) []string {
	if len(names) == 0 || bytes.Contains(out, []byte("redacted")) { // a placeholder without a name
		return names
	}
	key := func(name string) string {
		if script {
			name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
		}
		return name
	}
	missing := map[string]bool{}
	for _, name := range names {
		missing[key(name)] = true
	}
	isWord := func(c byte) bool { return words.IsAlnum(c) || c == '_' || c == '-' }
	for i := 1; i < len(out) && len(missing) > 0; i++ {
		if !isWord(out[i]) {
			continue
		}
		from := i
		for i < len(out) && isWord(out[i]) {
			i++
		}
		if bytes.IndexByte([]byte("${:\""), out[from-1]) >= 0 {
			delete(missing, key(string(out[from:i])))
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return missing[key(name)] })
}
