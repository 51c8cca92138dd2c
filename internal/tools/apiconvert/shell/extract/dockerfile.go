package extract

import (
	"encoding/json"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Patterns for an instruction of a Dockerfile, the flags of an instruction, and a here-document of RUN.
var (
	instruction   = expression.Lazy(`^\s*(?i:(FROM|RUN|CMD|ENTRYPOINT|HEALTHCHECK|ARG|ENV))\s+(.*)$`)
	dockerFlags   = expression.Lazy(`^(?:--[a-z-]+(?:=\S*)?\s+)*`)
	dockerHere    = expression.Lazy(`^<<-?["']?([A-Za-z_]+)["']?\s*$`)
	dockerSetting = expression.Lazy(`^([A-Za-z_][A-Za-z0-9_]*) +([^=]*)$`)
	dockerPair    = expression.Lazy(`([A-Za-z_][A-Za-z0-9_]*)=("(?:[^"\\]|\\.)*"|'[^']*'|\S*)`)
)

func dockerfile(lines, script []string) (runs bool) {
	from := false
	for i := 0; i < len(lines); i++ {
		m := instruction().FindStringSubmatch(lines[i])
		if m == nil && !from && lines[i] != "" && lines[i][0] != '#' {
			return false
		}
		if m == nil {
			continue
		}
		name, rest := strings.ToUpper(m[1]), m[2]
		if from = from || name == "FROM"; !from && name != "ARG" {
			return false
		}
		last := i
		for (continues(lines[last]) || last > i && isComment(lines[last])) && last+1 < len(lines) {
			last++
		}
		rest = rest[len(dockerFlags().FindString(rest)):]
		switch name {
		case "HEALTHCHECK":
			_, after, found := strings.Cut(rest, "CMD ")
			for ; !found && i < last; _, after, found = strings.Cut(lines[i], "CMD ") {
				i++
			}
			rest = after
			fallthrough
		case "RUN", "CMD", "ENTRYPOINT":
			runs = runs || strings.Contains(strings.Join(lines[i:last+1], " "), "curl")
			if here := dockerHere().FindStringSubmatch(rest); here != nil {
				for i++; i < len(lines) && strings.TrimSpace(lines[i]) != here[1]; i++ {
					runs = runs || strings.Contains(lines[i], "curl")
					script[i] = lines[i]
				}
				continue
			}
			i = dockerCommand(script, lines, i, last, rest)
			continue
		case "ARG", "ENV":
			for j, line := range append([]string{rest}, lines[i+1:last+1]...) {
				script[i+j] = dockerVariables(strings.Trim(line, " \t\\"), name == "ARG")
			}
		}
		i = last
	}
	return runs
}

// dockerCommand writes the command of an instruction whose first line begins with rest.
func dockerCommand(script, lines []string, first, last int, rest string) int {
	var words []string
	joined := strings.ReplaceAll(strings.Join(append([]string{rest}, lines[first+1:last+1]...), " "), "\\ ", " ")
	if strings.HasPrefix(rest, "[") && json.Unmarshal([]byte(joined), &words) == nil && len(words) > 0 {
		script[first] = commandLine(words)
		return last
	}
	script[first] = rest
	for i := first + 1; i <= last; i++ {
		script[i] = lines[i]
		if isComment(lines[i]) { // a comment does not end the command
			script[i] = `\`
		}
	}
	return last
}

func isComment(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") }

// dockerVariables returns the assignments of ENV and ARG: NAME=value ..., or NAME value.
func dockerVariables(text string, unless bool) string {
	if m := dockerSetting().FindStringSubmatch(text); m != nil {
		return assignment(m[1], m[2], unless)
	}
	var all []string
	for _, m := range dockerPair().FindAllStringSubmatch(text, -1) {
		all = append(all, assignment(m[1], unquoted(m[2]), unless))
	}
	return strings.Join(all, " ")
}
