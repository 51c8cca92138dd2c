package extract

import "github.com/convertd/convertd/internal/tools/apiconvert/expression"

// historyEntry matches what a shell writes before a command in its history: a number and perhaps a time, or in the file
// of zsh a time and a duration.
var historyEntry = expression.Lazy(`^(?:\s*\d+\*?\s+(?:[\[(]?\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?[\])]?\s+)?|: \d+:\d+;)(\S.*)$`)

// history extracts the commands of a shell's history. Lines that are not entries continue the one above.
func history(lines []string) (script []string, ok bool) {
	script = make([]string, len(lines))
	for i, line := range lines {
		m := historyEntry().FindStringSubmatch(line)
		switch {
		case m != nil:
			script[i] = m[1]
			ok = ok || plainCommand().MatchString(m[1])
		case i == 0:
			return nil, false
		default:
			script[i] = line
		}
	}
	return script, ok
}
