package paste

import (
	"regexp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Dialect is a supported shell. The dialect of a block is detected once, before the block is read; all readers return
// the same commands.
type Dialect uint8

// The dialects.
const (
	POSIX      Dialect = iota // with bash's additions
	Cmd                       // cmd.exe of Windows
	PowerShell                // of Windows and elsewhere
	JavaScript                // not a shell: a fetch call, as browsers copy it
	unsure                    // of a line that fits every dialect
)

// fenced maps the info word of a fenced code block to its dialect. The words for POSIX shells are missing because
// authors use them for any dialect.
var fenced = map[string]Dialect{
	"bat": Cmd, "batch": Cmd, "batchfile": Cmd, "dos": Cmd,
	"powershell": PowerShell, "pwsh": PowerShell, "posh": PowerShell, "ps1": PowerShell, "ps": PowerShell,
}

// DialectOf detects which shell a block is written for: by the info word of its fence, or by the first line that is
// specific to one of them.
func DialectOf(info, text string) Dialect {
	if d, ok := fenced[info]; ok {
		return d
	}
	for line := range strings.Lines(text) {
		if d := dialectOfLine(strings.TrimSpace(line)); d != unsure {
			return d
		}
	}
	return POSIX
}

// maxWord is longer than any word that identifies a line.
const maxWord = 80

// marks identify lines of one shell by their beginning and, for speed, their first byte: commands and remarks of
// cmd.exe; commands of PowerShell, method calls on $name, and assignments to it or one of its properties.
var marks = []struct {
	first   string
	line    func() *regexp.Regexp
	dialect Dialect
}{
	{"@sSrR:", expression.Lazy(`(?i)^(?:(?:@echo|setlocal|rem)(?: |$)|::|set +[^- =][^=]*=)`), Cmd},
	{"fF", expression.Lazy(`(?i)^for +(?:/[a-z]+ +(?:"[^"]*" +)?)?%%?[a-z] +in +\(`), Cmd},
	{"iI", expression.Lazy(`(?i)^(?:invoke-webrequest|invoke-restmethod|iwr|irm) +[^ ]`), PowerShell},
	{"pP<", expression.Lazy(`(?i)^(?:param\((?: |$)|<#)`), PowerShell},
	{"$", psStatement, PowerShell},
}

var psStatement = expression.Lazy(
	`^\$[A-Za-z_]\w*(?::\w*)?(?:(?:\.[A-Za-z_]\w*)+\(|(?:\.[A-Za-z_]\w*)*(?:\["| *\+?=))`)

// dialectOfLine returns the only shell that line can be written for, or unsure.
func dialectOfLine(line string) Dialect {
	line, prompted := withoutPrompt(line)
	if strings.HasPrefix(line, "#!") {
		return POSIX
	}
	if line == "" || line[0] == '#' {
		return unsure
	}
	for _, m := range marks {
		if strings.IndexByte(m.first, line[0]) >= 0 && m.line().MatchString(line[:min(len(line), script.MaxToken)]) {
			return m.dialect
		}
	}
	word, rest, _ := strings.Cut(line, " ")
	lower := strings.ToLower(word[:min(len(word), maxWord)])
	n := script.NameLength(line)
	switch {
	case lower == "&" && IsCurl(firstWord(strings.TrimLeft(rest, " "))), callsCmdlet(line):
		return PowerShell
	case IsCurl(strings.TrimPrefix(lower, "@")):
		return dialectOfCurl(line, strings.HasSuffix(lower, ".exe"), prompted)
	case callsFetch(line):
		return JavaScript
	case lower == "export", n > 0 && strings.HasPrefix(line[n:], "="), strings.Contains(line, "<<"):
		return POSIX
	}
	return prompted
}

// IsCurl reports whether word invokes curl, with or without a path.
func IsCurl(word string) bool {
	name := strings.Trim(word[strings.LastIndexAny(word, `/\`)+1:], `"'`)
	return name == "curl" || name == "curl.exe"
}

func firstWord(line string) string {
	word, _, _ := strings.Cut(line, " ")
	return strings.ToLower(strings.Trim(word[:min(len(word), maxWord)], `"'`))
}

// callsCmdlet reports whether line invokes a web cmdlet after its beginning.
func callsCmdlet(line string) bool {
	return script.ContainsAny(line, "equest ", "ethod ") &&
		cmdletCall().MatchString(line)
}

var cmdletCall = expression.Lazy(`(?i)[=(|{;] *invoke-(?:webrequest|restmethod) `)

// callsFetch reports whether a line is JavaScript that calls fetch.
func callsFetch(line string) bool {
	return strings.Contains(line, "fetch(") && fetchCall().MatchString(line)
}

var fetchCall = expression.Lazy("(?:^|=|await|return)\\s*fetch\\((?:[\"'`]|$)")

// withoutPrompt removes the prompt from line and returns the dialect that the prompt belongs to.
func withoutPrompt(line string) (string, Dialect) {
	n := Prompts{}.Length(line, false)
	if n == 0 {
		return line, unsure
	}
	switch {
	case strings.HasPrefix(line, "PS "):
		return line[n:], PowerShell
	case line[1] == ':':
		return line[n:], Cmd
	}
	return line[n:], POSIX
}

var (
	hereStringEnd = expression.Lazy(`[ =]@['"]`)
	cmdletOnly    = expression.Lazy(`\$env:|(?i: -uri | -headers @\{| -usebasicparsing )`)
)

// dialectOfCurl returns the only shell that a line with a curl command can be written for, or unsure. The strongest
// evidence comes first. exe reports that the command is curl.exe.
func dialectOfCurl(line string, exe bool, prompted Dialect) Dialect {
	doubled, unclosed := quotes(line)
	single, double := false, false // the kind of the first quote
	quoted, before := "", ""       // the line from the first quote on, and before it
	if i := strings.IndexAny(line, `'"`); i >= 0 {
		single, double = line[i] == '\'', line[i] == '"'
		before, quoted = line[:i], line[i:]
	}
	switch {
	// A string that spans lines.
	case unclosed && hereStringEnd().MatchString(line[max(0, len(line)-3):]):
		return PowerShell // @"
	case unclosed && single && !exe:
		return POSIX

	// A line that continues on the next one. Joined lines keep a ^ between blanks.
	case strings.HasSuffix(line, "^"), strings.Contains(line, `" ^ -`), double && strings.HasSuffix(before, "^"):
		return Cmd
	case strings.HasSuffix(line, `\`):
		return POSIX
	case strings.HasSuffix(line, " `") && strings.Count(line, "`")%2 == 1:
		return PowerShell

	// Parameters and variables of PowerShell, whose alias curl is not curl.
	case cmdletOnly().MatchString(line):
		return PowerShell
	case prompted != unsure:
		return prompted

	// How quotes are escaped. The name of a file (-d "@a") proves nothing.
	case double && !strings.HasPrefix(quoted, `"@`) && (doubled || script.ContainsAny(quoted, `^\^"`, `^%^`, `"^%"`)):
		return Cmd

	// curl.exe is called by name where curl is an alias, so POSIX is unlikely.
	case exe && double && !strings.HasPrefix(quoted, `"@`) && script.ContainsAny(line, `\"`, `""`):
		return Cmd
	case exe && single && !strings.Contains(line, `'\''`),
		exe && !strings.HasPrefix(quoted, `"@`) && strings.Contains(line, "$"):
		return PowerShell

	case unclosed, script.ContainsAny(line, "$'", "$(", "<<", `'\''`):
		return POSIX
	}
	return unsure
}

// quotes reports in doubled whether the double-quoted words of line contain doubled quotes, or a % between two quoted
// stretches, which no POSIX shell needs. open reports whether a quote of the line, as POSIX reads it, is not closed on
// it.
func quotes(line string) (doubled, open bool) {
	var quote byte
	start := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote == 0 && (c == '\'' || c == '"'):
			quote, start = c, i+1
		case c == quote:
			doubled = doubled || c == '"' && strings.IndexByte(line[start:min(i, start+maxWord)], '$') < 0 &&
				(strings.HasPrefix(line[i+1:], `"`) || strings.HasPrefix(line[i+1:], `%"`))
			quote = 0
		}
	}
	return doubled, quote != 0
}

// calls matches the words that may introduce a request.
var calls = expression.Lazy(`\b(?:curl|iwr|irm)\b|fetch\(|(?i:invoke-(?:webrequest|restmethod))`)

// Mentions reports whether text contains a word that may introduce a request. Read decides whether it is a command.
func Mentions(text string) bool { return calls().MatchString(text) }

// WebCmdlets are the PowerShell commands that send a request, with their aliases.
var WebCmdlets = script.SetOf("invoke-webrequest invoke-restmethod iwr irm")

// CopyAsBash is the hint for input that browsers can also copy in a supported form.
const CopyAsBash = "In the Network panel of your browser's developer tools, choose Copy > Copy as cURL (bash) and send the result."
