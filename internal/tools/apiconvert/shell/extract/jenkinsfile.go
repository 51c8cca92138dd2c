package extract

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Patterns for a Jenkinsfile: its first block, a step that runs a shell, an assignment of a string, and the name of a
// stage. A string is in single or double quotes, or in three of them over several lines.
var (
	jenkinsBlock = expression.Lazy(`^\s*(?:pipeline|node(?:\s*\([^)]*\))?)\s*\{`)
	jenkinsStep  = expression.Lazy(`\bsh\s*\(?\s*(?:[a-z]\w*:\s*(?:true|false|"[^"]*"|'[^']*'),\s*)*?` +
		`(?:script:\s*)?('''|"""|'|")`)
	jenkinsAssign = expression.Lazy(`^\s*(?:def\s+|String\s+)?([A-Za-z_]\w*)\s*=\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*$`)
	jenkinsStage  = expression.Lazy(`\bstage\s*\(\s*['"]([^'"]+)['"]`)
	jenkinsValue  = expression.Lazy(`\\\\|\\\$|\$\{[A-Za-z_][\w.]*\}|\$[A-Za-z_][\w.]*`)
	jenkinsMark   = expression.Lazy(`\x00(\w+)\x00`) // a variable of Groovy
	jenkinsJoin   = expression.Lazy(`^\s*\+\s*('''|"""|'|")`)
	jenkinsEscape = strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\"`, `"`, `\$`, `$`)
)

func jenkinsfile(lines, script []string) (runs bool) {
	isJenkinsfile, stage := false, ""
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if isJenkinsfile = isJenkinsfile || jenkinsBlock().MatchString(line); !isJenkinsfile {
			continue
		}
		if m := jenkinsStage().FindStringSubmatch(line); m != nil {
			stage = m[1]
		}
		if m := jenkinsAssign().FindStringSubmatch(line); m != nil {
			script[i] = assignment(m[1], m[2]+m[3], false)
			continue
		}
		at := jenkinsStep().FindStringSubmatchIndex(line)
		if at == nil {
			continue
		}
		first, indent, quote, rest := i, -1, line[at[2]:at[3]], line[at[3]:]
		var q quotes
		for {
			end := closing(rest, quote)
			text, after := rest, ""
			if end >= 0 {
				text, after = rest[:end], rest[end+len(quote):]
			}
			script[i] += groovy(text, quote, &q)
			runs = runs || strings.Contains(text, "curl")
			if m := jenkinsJoin().FindStringSubmatch(after); m != nil {
				quote, rest = m[1], after[len(m[0]):]
				continue
			}
			if end >= 0 || len(quote) == 1 || i+1 == len(lines) {
				break
			}
			i++
			if indent < 0 {
				indent = indentation(lines[i])
			}
			rest = unindented(lines[i], indent)
		}
		if script[first] == "" {
			first++
		}
		if stage != "" && script[first-1] == "" {
			script[first-1], stage = "# "+stage, ""
		}
	}
	return runs
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

// groovy returns a piece of a string of Groovy as a shell reads it. Only double quotes interpolate.
func groovy(text, quote string, q *quotes) string {
	if quote[0] == '"' {
		text = jenkinsValue().ReplaceAllStringFunc(text, func(m string) string {
			if m[0] == '\\' {
				return m
			}
			name := strings.TrimPrefix(strings.TrimPrefix(strings.Trim(m, "${}"), "env."), "params.")
			return "\x00" + notName().ReplaceAllString(name, "_") + "\x00"
		})
	}
	return q.replace(jenkinsEscape.Replace(text), jenkinsMark(), func(m []string) string { return "${" + m[1] + "}" })
}
