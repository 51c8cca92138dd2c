package secret

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// The limits in bytes of a command in prose, before and after an option.
const (
	maxBeforeOption = 96
	maxAfterOption  = 160
)

// option finds the passwords in the arguments of a command in prose, one of whose options begins at i.
func (f *finder) option(i int) {
	option := f.text[i : i+word.run(f.text[i:min(len(f.text), i+maxAssignedName)])]
	f.scanned += len(option)
	if !f.r.sensitivity(strings.TrimLeft(option, "-"), site.Field).isSecret() && !strings.Contains(passwordOptions, option[:2]) {
		return
	}
	line, end := max(f.done, i-maxBeforeOption), min(len(f.text), i+maxAfterOption)
	if n := strings.LastIndexAny(f.text[line:i], commandEnds); n >= 0 {
		line += n + 1
	}
	end = i + untilAny(f.text[i:end], commandEnds)
	f.scanned += end - line
	at := shellWord().FindAllStringIndex(f.text[line:end], -1)
	list := make([]string, len(at))
	for i, bounds := range at {
		list[i] = f.text[line+bounds[0] : line+bounds[1]]
	}
	arguments, _ := Arguments(list, nil)
	for _, a := range arguments {
		from := line + at[a.Word][0] + a.From
		value := f.text[from : line+at[a.Word][1]]
		trimmed := strings.TrimRight(strings.Trim(value, `'"\`), ".,")
		if trimmed != "" && trimmed[0] != '<' && !dummyWords[strings.ToLower(trimmed)] && (!a.named || words.IsMixed(trimmed)) {
			from += strings.Index(value, trimmed)
			f.add(from, from+len(trimmed), a.Name)
		}
	}
}

const commandEnds = "\n;|`&()"

// passwordOptions are the beginnings of the options of the commands in commandRules.
const passwordOptions = "-p -a -P -w -k -K -U -b -h -m"

// shellWord matches a word of a command.
var shellWord = expression.Lazy(`(?:"[^"]*"|'[^']*'|[^\s"'])+|["']`)

// netrc finds the password after the word at i in a line of .netrc: machine h.test login bob password hunter.
func (f *finder) netrc(i int) {
	if !strings.HasPrefix(f.text[i:], "password ") {
		return
	}
	before := f.text[max(f.done, i-maxStatement):i]
	f.scanned += len(before) + maxStatement
	fields := strings.Fields(before)
	if n := len(fields); n < 2 || fields[n-2] != "login" {
		return
	}
	from := i + len("password ")
	f.add(from, from+untilAny(f.text[from:min(len(f.text), from+maxAssigned)], " \t\r\n"), "password")
}
