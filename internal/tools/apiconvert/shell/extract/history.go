package extract

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// historyEntry matches what precedes a command in a shell's history: a number and perhaps a time, or in the file of zsh
// a time and a duration. The number may also be that of a list. chatMessage matches the time and the author of a
// message.
var (
	historyEntry = expression.Lazy(`^(?:\s*\d+([.)])?\*?\s+(?:[\[(]?` + date +
		`[ T]\d\d:\d\d(?::\d\d)?[\])]?\s+)?|: \d+:\d+;)(\S.*)$`)
	chatMessage = expression.Lazy(`^\[?(?:` + date + `[ T])?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?\]?\s+` +
		`(?:<[^>]+>|[\w.@-]+(?: [\w.@-]+){0,2}:)\s+(.*)$`)
)

const date = `\d{4}-\d\d-\d\d`

// history extracts the commands of a shell's history, or of a list of commands. Lines that are not entries continue the
// one above.
func history(lines, script []string) (ok bool) {
	for i, line := range lines {
		m := historyEntry().FindStringSubmatch(line)
		isCommand := m != nil && plainCommand().MatchString(m[2])
		if m == nil && i == 0 || m != nil && m[1] != "" && !isCommand {
			return false
		}
		if m != nil {
			line = m[2]
		}
		script[i], ok = line, ok || isCommand
	}
	return ok
}

func chat(lines, script []string) (ok bool) {
	command := false
	for i, line := range lines {
		m := chatMessage().FindStringSubmatch(line)
		if m == nil && i == 0 {
			return false
		}
		if m != nil {
			line = strings.Trim(m[1], "`")
			command = plainCommand().MatchString(line)
		}
		if command {
			script[i], ok = line, true
		}
	}
	return ok
}
