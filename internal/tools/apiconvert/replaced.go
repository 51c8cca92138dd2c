package apiconvert

import (
	"bytes"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// replacedIn returns the names of those secrets whose placeholder is in the output. The others were dropped with a part
// that the target cannot hold, such as a saved response. In a script, the placeholder of token2 is TOKEN_2.
func replacedIn(out []byte, names []string, script bool) []string {
	if len(names) == 0 || bytes.Contains(out, []byte("redacted")) { // a placeholder that doesn't say of which secret
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
		if strings.IndexByte("${:\"", out[from-1]) >= 0 { // $name, ${name}, {{name}}, :name, "name"
			delete(missing, key(string(out[from:i])))
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return missing[key(name)] })
}
