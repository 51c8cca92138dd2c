package extract

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Patterns for a Jenkinsfile: its first block, a step that runs a shell, an assignment of a string, and the name of a
// stage. A string is in single or double quotes, or in three of them over several lines.
var (
	jenkinsBlock  = expression.Lazy(`^\s*(?:pipeline|node(?:\s*\([^)]*\))?)\s*\{`)
	jenkinsStep   = expression.Lazy(`\bsh\s*\(?\s*(?:[a-z]\w*:\s*(?:true|false|"[^"]*"|'[^']*'),\s*)*?(?:script:\s*)?('''|"""|'|")`)
	jenkinsAssign = expression.Lazy(`^\s*(?:def\s+|String\s+)?([A-Za-z_]\w*)\s*=\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*$`)
	jenkinsStage  = expression.Lazy(`\bstage\s*\(\s*['"]([^'"]+)['"]`)
	jenkinsValue  = expression.Lazy(`\$\{(?:env|params)\.([A-Za-z_]\w*)\}`)
	jenkinsEscape = strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\"`, `"`, `\$`, `$`)
)

// jenkinsfile extracts the steps of a Jenkinsfile that run a shell.
func jenkinsfile(lines []string) (script []string, ok bool) {
	script = make([]string, len(lines))
	runs, stage := false, ""
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if ok = ok || jenkinsBlock().MatchString(line); !ok {
			continue
		}
		if m := jenkinsStage().FindStringSubmatch(line); m != nil {
			stage = m[1]
		}
		if m := jenkinsAssign().FindStringSubmatch(line); m != nil {
			script[i] = groovy(assignment(m[1], m[2]+m[3], false))
			continue
		}
		at := jenkinsStep().FindStringSubmatchIndex(line)
		if at == nil {
			continue
		}
		first, indent, quote, rest := i, -1, line[at[2]:at[3]], line[at[3]:]
		for {
			end := closing(rest, quote)
			if end >= 0 {
				rest = rest[:end]
			}
			script[i] = groovy(rest)
			runs = runs || strings.Contains(rest, "curl")
			if end >= 0 || len(quote) == 1 || i+1 == len(lines) {
				break
			}
			i++
			if indent < 0 {
				indent = indentation(lines[i])
			}
			rest = lines[i][min(indent, indentation(lines[i])):]
		}
		if script[first] == "" {
			first++
		}
		if stage != "" && script[first-1] == "" {
			script[first-1], stage = "# "+stage, ""
		}
	}
	return script, runs
}

// closing returns the offset of the quotes that close a string, or -1.
func closing(text, quote string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], quote):
			return i
		}
	}
	return -1
}

// groovy returns the value of a string of Groovy, with shell variables for its parameters and environment.
func groovy(text string) string {
	return jenkinsEscape.Replace(jenkinsValue().ReplaceAllString(text, "$${$1}"))
}
