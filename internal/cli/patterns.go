package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ExpandPatterns replaces patterns (*, ?, […]) by the names that match, in order. Shells of Windows pass patterns on to
// the command. The name of a file that exists is not a pattern, nor is one that begins with \\?\.
func ExpandPatterns(names []string) ([]string, error) {
	var expanded []string
	for _, name := range names {
		if _, err := os.Lstat(name); err == nil || !strings.ContainsAny(name, "*?[") || strings.HasPrefix(name, `\\?\`) {
			expanded = append(expanded, name)
			continue
		}
		matches, err := filepath.Glob(name)
		if len(matches) == 0 && LooksLikeInput(name) {
			return nil, ErrNoFile
		}
		if err != nil || len(matches) == 0 {
			return nil, fmt.Errorf("no file matches %s", Shown(name))
		}
		expanded = append(expanded, matches...)
	}
	return expanded, nil
}
