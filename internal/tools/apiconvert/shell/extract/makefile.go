package extract

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Patterns for a rule, a variable definition and the references of make (GNU make, sections 2.1, 6.5 and 6.1).
var (
	makeRule      = expression.Lazy(`^([A-Za-z0-9_./%$(){} -]+?)\s*::?(?:[^=]|$)`)
	makeVariable  = expression.Lazy(`^(?:export +|override +)?([A-Za-z_][A-Za-z0-9_]*)\s*(\?|:{1,3}|\+|!)?=\s*(.*)$`)
	makeReference = expression.Lazy(`\$(?:\$|[@<^*?+%]|\(shell ([^()]*)\)|[({]([A-Za-z_][A-Za-z0-9_]*)[)}])`)
)

// makefile extracts the recipes of a Makefile.
func makefile(lines []string) (script []string, ok bool) {
	script = make([]string, len(lines))
	target, rules, recipe := "", 0, false
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "\t") && target != "":
			recipe = recipe || strings.Contains(strings.ToLower(line), "curl")
			var q quotes
			script[i] = makeText(strings.TrimLeft(line, "\t @+-"), target, &q)
			for continues(lines[i]) && i+1 < len(lines) {
				i++
				recipe = recipe || strings.Contains(strings.ToLower(lines[i]), "curl")
				script[i] = makeText(strings.TrimPrefix(lines[i], "\t"), target, &q)
			}
		case strings.HasPrefix(line, "#"), strings.TrimSpace(line) == "":
		default:
			if m := makeVariable().FindStringSubmatch(line); m != nil {
				if m[2] != "!" && m[2] != "+" {
					script[i] = assignment(m[1], unquoted(makeText(m[3], target, &quotes{})), m[2] == "?")
				}
				continue
			}
			if m := makeRule().FindStringSubmatch(line); m != nil && line[0] != '.' {
				target, _, _ = strings.Cut(m[1], " ")
				_, about, _ := strings.Cut(line, "##")
				if about = strings.TrimSpace(about); about == "" {
					about = target
				}
				script[i] = "# " + about
				rules++
			}
		}
	}
	return script, rules > 0 && recipe
}

// makeText converts references of make to shell expansions.
func makeText(text, target string, q *quotes) string {
	return q.replace(text, makeReference(), func(m []string) string {
		switch {
		case m[0] == "$$":
			return "$"
		case m[0] == "$@":
			return target
		case m[1] != "":
			return "$(" + m[1] + ")"
		case m[2] != "":
			return "${" + m[2] + "}"
		}
		return "${prerequisite}"
	})
}
