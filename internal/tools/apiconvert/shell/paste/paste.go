package paste

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Converters rarely receive a plain script: people paste a README or the contents of a terminal.

// Block is a stretch of the input that is shell.
type Block struct {
	Start, End int
	Heading    string // the Markdown heading that names it
	Info       string // the first word after its fence, in lower case
}

// Blocks returns the shell in text: all of it, or the fenced code blocks of a Markdown document, which markdown reports.
// Blocks that are fenced as Windows shells are used only if there is no other block, since they repeat the same requests.
func Blocks(text string) (found []Block, markdown bool) {
	if found, _ = fencedBlocks(text); len(found) > 0 {
		return found, true
	}
	return []Block{{End: len(text)}}, false
}

// Unread returns the lines of a Markdown document with requests that Blocks leaves out.
func Unread(text string) []int {
	_, unread := fencedBlocks(text)
	return unread
}

// fencedBlocks returns the fenced code blocks that are shell, and the lines with requests outside of them. A command
// before the first of them shows that text is not Markdown.
func fencedBlocks(text string) (found []Block, unread []int) {
	var windows []Block
	var windowsLines []int
	var fence, heading string // the heading is the last one that names no block
	var open Block
	number, opened := 0, 0 // lines
	closeBlock := func(end int) {
		open.End, fence = end, ""
		content := text[open.Start:end]
		lines := &unread
		if _, ok := fenced[open.Info]; ok {
			windows, lines = append(windows, open), &windowsLines
		} else if beginsWithCommand(content) || isShell[open.Info] && mayRun(open.Info, content) {
			found = append(found, open)
			return
		}
		if Sends(content) {
			*lines = append(*lines, opened+1)
		}
	}
	i := 0
	for raw := range strings.Lines(text) {
		line, end := strings.TrimSpace(raw), i+len(raw)
		number++
		mark, info := fenceOf(line)
		switch {
		case fence != "" && mark == fence && info == "":
			closeBlock(i)
		case fence != "":
		case mark != "":
			fence, opened = mark, number
			open = Block{Start: end, Heading: heading, Info: strings.ToLower(info)}
			heading = ""
		case len(found) == 0 && IsPlainCommand(line):
			return nil, nil
		case strings.HasPrefix(line, "#"):
			heading = strings.Trim(line, "# ")
			fallthrough
		default:
			if InlineCall(line) || IsPlainCommand(line[Prompts{}.Length(line, false):]) {
				unread = append(unread, number)
			}
		}
		i = end
	}
	switch {
	case fence != "":
		closeBlock(len(text))
	case opened == 0 && !strings.Contains(text, "<pre"): // backquotes may be those of a shell
		return nil, nil
	}
	if len(found) == 0 {
		return windows, unread
	}
	unread = append(unread, windowsLines...)
	slices.Sort(unread)
	return found, unread
}

// InlineCall reports whether a line outside of blocks has inline code that calls curl.
func InlineCall(line string) bool {
	return strings.Contains(line, "curl ") && inlineCall().MatchString(line)
}

// Sends reports whether a block in any language seems to send a request: it calls curl, a cmdlet or a function with a URL,
// or is an HTTP request.
func Sends(block string) bool { return CallsCurl(block) || sends().MatchString(block) }

// CallsCurl reports whether text has what can only be a call of curl or a cmdlet, not a sentence about it.
func CallsCurl(text string) bool { return callsCurl().MatchString(text) }

var (
	inlineCall = expression.Lazy("(?:`|<(?:pre|code)\\b[^>]*>)(?:\\$ )?curl [^`]+")
	callsCurl  = expression.Lazy(`\bcurl(?:\.exe)? +["']?(?:-{1,2}[A-Za-z]|https?:|\$|\{\{|localhost)|(?i:\bInvoke-(?:RestMethod|WebRequest)) `)
	sends      = expression.Lazy("\\b(?:irm|iwr) |\\w\\(\\s*[a-z]?[\"'`]https?://|" +
		"(?m:^\\s*(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (?:https?:/)?/)")
)

// beginsWithCommand reports whether the first line of a block invokes curl, whatever its fence says: some authors write
// javascript for the syntax highlighting.
func beginsWithCommand(text string) bool {
	line, _, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), "\n")
	return IsPlainCommand(line[Prompts{}.Length(line, false):])
}

// fenceOf splits a code fence (CommonMark 4.5) into its mark and the first word after it.
func fenceOf(line string) (mark, info string) {
	for _, mark := range []string{"```", "~~~"} {
		if rest, ok := strings.CutPrefix(line, mark); ok && !strings.Contains(rest, mark) {
			info, _, _ = strings.Cut(strings.TrimLeft(rest, mark[:1]+" \t{.:"), " ")
			if n := strings.IndexAny(info, "{},"); n >= 0 { // bash{1,3}, {.bash}
				info = info[:n]
			}
			return mark, info
		}
	}
	return "", ""
}

// mayRun reports whether a block can matter. A block without an info word, or marked as plain text, must mention a
// request or set variables. Any other block must not be an HTTP message, JSON or XML, unless it mentions a request.
func mayRun(info, text string) bool {
	switch info {
	case "", "text", "txt":
		return Mentions(text) || assigns().MatchString(text)
	}
	return !message().MatchString(text[:min(len(text), script.MaxToken)]) || Mentions(text)
}

var assigns = expression.Lazy(`(?m)^[ \t]*(?:\$ +)?(?:export +)?[A-Za-z_][A-Za-z0-9_]*=`)

var message = expression.Lazy(`^\s*(?:[{\[<]|HTTP/|[A-Z]{3,7} [/<{:]|[A-Z]{3,7} https?:)`)

// IsSession reports whether a block is fenced as a terminal session, in which "# " is the root prompt.
func (b Block) IsSession() bool {
	return b.Info == "console" || b.Info == "terminal" || strings.HasSuffix(b.Info, "session")
}

// isShell holds the info words of fenced code blocks that may contain shell, including "".
var isShell = script.SetOf(`sh bash zsh shell console curl shell-session shellsession sh-session bash-session terminal cmd text
	txt ksh dash posix`, "")

// IsPlainCommand reports whether line can only be a relevant command. It is for lines that could also be prose, a
// comment or output, so it is false for "curl is a tool".
func IsPlainCommand(line string) bool {
	word, rest, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	word = word[strings.LastIndexByte(word, '/')+1:]
	switch word {
	case "curl", "curl.exe":
		rest = strings.TrimLeft(rest, " \t")
		first, _, _ := strings.Cut(rest, " ")
		if usage().MatchString(rest) {
			return false
		}
		return strings.Contains(rest, "://") && strings.Trim(first, "abcdefghijklmnopqrstuvwxyz") != "" ||
			strings.HasPrefix(rest, "localhost") ||
			rest != "" && strings.IndexByte("-'\"$\\", rest[0]) >= 0
	case "sudo", "env", "time":
		return strings.Contains(rest, "curl ")
	case "export":
		return strings.Contains(rest, "=")
	}
	return false
}

// usage matches the arguments in the synopsis of a command, such as [options] and URL...
var usage = expression.Lazy(`^\[[A-Za-z -]+\]`)

// OnlyCommentsCall reports whether every mention of curl is after a #, which is then the root prompt.
func OnlyCommentsCall(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		if !strings.HasPrefix(line, "#") && strings.Contains(line, "curl") {
			return false
		}
	}
	return true
}

// IsCommandAmongOutput reports whether a line of a terminal session without a prompt is nevertheless a command.
func IsCommandAmongOutput(line string) bool {
	start := line[:min(len(line), script.MaxToken)]
	if IsPlainCommand(line) || strings.HasPrefix(line, "#") || WebCmdlets[firstWord(line)] ||
		psStatement().MatchString(start) || callsCmdlet(line) {
		return true
	}
	n := script.NameLength(line)
	if n > 0 && strings.HasPrefix(line[n:], "=") {
		return true
	}
	_, rest, calls := strings.Cut(line, "curl ")
	return calls && IsPlainCommand("curl "+rest)
}

const (
	promptMarks = "$#%>❯➜"   // that end a prompt
	notInPrompt = "'\"=;|<`" // before its mark
)

// Prompts: "$ " and "% ", which cannot begin a command, and the arrow of Oh My Zsh with the directory after it;
// PS C:\dir> and C:\dir>. A longer prompt may have any form, such as user@host:~$ or [user@host dir]$, but "word # curl",
// "word > curl" and "xargs -I % curl" may be shell, so what precedes these marks must have a host or be a directory.
var (
	shellPrompt   = expression.Lazy(`^[ \t]*(?:➜ (?: [^ ]+|~[^ ]*) +(?:git:\([^ ]*\) +)?(?:✗ +)?|[$%❯➜] )[ \t]*`)
	windowsPrompt = expression.Lazy("^[ \\t]*(?:PS(?: /[^'\"=;|<`>]*)?|(?:PS )?[A-Za-z_]:(?:[\\\\/][^'\"=;|<`>]*)?)>[ \\t]*")
	surePrompt    = expression.Lazy(`^(?:\([^ ]*\) )?(?:[^ ]*@.*|[~/][^ ]*|(?:ba)?sh-[^ ]*)$`)
	promptWord    = expression.Lazy(`[\w.~/+-]+`)
)

// Prompts are the shapes of the longer prompts before curl commands in a text. Other commands may follow these, too.
type Prompts map[string]bool

// FindPrompts returns the prompts of text.
func FindPrompts(text string) Prompts {
	found := Prompts{}
	last := ""
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "curl ") || last != "" && strings.HasPrefix(line, last) {
			continue
		}
		if n := found.Length(line, false); n > 0 {
			last = line[:n]
			found[shapeOf(strings.TrimSpace(last))] = true
		}
	}
	return found
}

// shapeOf returns what is common to a prompt in several directories: the first word and the mark, with w for a name or
// path, or all words if the first one is only that.
func shapeOf(prompt string) string {
	shape := promptWord().ReplaceAllString(prompt, "w")
	if word, _, _ := strings.Cut(shape, " "); word != "w" {
		_, size := utf8.DecodeLastRuneInString(shape)
		return word + shape[len(shape)-size:]
	}
	return shape
}

// Length returns the length of the prompt at the beginning of line, or 0 if there isn't one. A prompt that is neither
// "$ ", "% " nor a Windows prompt must precede a plain command or be one of p. root allows "# " as a prompt.
func (p Prompts) Length(line string, root bool) int {
	text := strings.TrimLeft(line, " \t")
	if text == "" {
		return 0
	}
	start := line[:min(len(line), script.MaxToken)]
	prompt := shellPrompt()
	if script.IsNameStart(text[0]) {
		prompt = windowsPrompt()
	}
	if strings.IndexByte("$%\xe2", text[0]) >= 0 || prompt == windowsPrompt() && strings.IndexByte(start, '>') >= 0 {
		rest := line[len(prompt.FindString(start)):]
		if len(rest) < len(line) && strings.TrimSpace(rest) != "" && !strings.HasPrefix(rest, "Total ") { // curl's "% Total"
			return len(line) - len(rest)
		}
	}
	const longest = 100
	for i, mark := range text[:min(len(text), longest)] {
		if strings.ContainsRune(notInPrompt, mark) {
			return 0
		}
		if !strings.ContainsRune(promptMarks, mark) {
			continue
		}
		end := i + utf8.RuneLen(mark)
		command := strings.TrimLeft(text[end:], " \t")
		spaced := strings.HasPrefix(text[end:], " ")
		if command == "" || !spaced && mark != '>' || !IsPlainCommand(command) && (!spaced || len(p) == 0 || !p[shapeOf(text[:end])]) {
			continue
		}
		if mark == '>' {
			if isProse, _ := Prose(command); isProse {
				return 0 // quoted in a mail
			}
		}
		needsHost := mark == '>' || strings.HasSuffix(text[:i], " ") && strings.ContainsRune("#%", mark)
		if i == 0 && spaced && (mark == '>' || mark == '#' && root) ||
			i > 0 && (!needsHost || surePrompt().MatchString(strings.TrimSpace(text[:i]))) && !IsPlainCommand(text) {
			return len(line) - len(command)
		}
	}
	return 0
}

// Patterns that no shell script contains: a sentence, an apostrophe inside a word, and words around a curl command.
var (
	sentence = expression.Lazy(`^(?:[-*>•]+ +|[0-9]+[.)] +)?[A-Z](?:` +
		`[A-Za-z]*,?(?: [A-Za-z(][A-Za-z'’)-]*,?){2,}[^|;&$=]*[.:!?]\*{0,2}$|[a-z]*,?(?: [a-z][a-z'’-]*,?){5})`)
	withCode   = expression.Lazy("^[A-Z][a-z]+ (?:[a-z]+ )*`[^`]+`.*[.:]$") // Run `curl …`, or download it:
	apostrophe = expression.Lazy(`[a-z]['’](?:t|s|re|ll|ve|d|m)(?:[ ,.;:!?)]|$)`)
	aroundCall = expression.Lazy(`^(?:[A-Za-z]+,? )*curl .*(?:https?://[^ '";|]+|['"])(?: [a-z]+,?){2,}[.:!?]?$|` +
		`^(?:[A-Za-z]+,? ){2,}curl .*(?:https?://[^ '"]+|['"])[.:!?]$`)
)

// Prose reports whether a line outside of Markdown blocks is natural language rather than a command, and whether it may
// contain a command or a value.
func Prose(line string) (is, holdsCommand bool) {
	line = strings.TrimSpace(line[:min(len(line), script.MaxToken)])
	if n := script.NameLength(line); strings.HasSuffix(line, `\`) || n > 0 && strings.HasPrefix(line[n:], "=") {
		return false, false
	}
	line, _, _ = strings.Cut(line, " # ")
	is = strings.Contains(line, "curl ") && aroundCall().MatchString(line)
	if !is && (strings.HasPrefix(line, "#") || IsPlainCommand(line)) {
		return false, false
	}
	is = is || mayBeSentence(line) && (sentence().MatchString(line) || withCode().MatchString(line))
	if !is && hasApostrophe(line) {
		at := apostrophe().FindStringIndex(line)
		is = at != nil && strings.Count(line[:at[0]], `"`)%2 == 0
	}
	return is, is && (strings.ContainsAny(line, "=|<>{$") || strings.Contains(line, "&&") || CallsCurl(line))
}

// mayBeSentence reports whether a line begins with a capital, perhaps after the bullet or number of a list.
func mayBeSentence(line string) bool {
	text := strings.TrimLeft(line, "-*>•0123456789.)")
	if text != line && !strings.HasPrefix(text, " ") {
		return false
	}
	text = strings.TrimLeft(text, " ")
	return text != "" && words.IsUpper(text[0])
}

// OptionLine matches a line end and the option at the beginning of the next line. No command begins with an option, so
// it continues the line before.
var OptionLine = expression.Lazy(`^\n[ \t]*(--?[A-Za-z])`)

// hasApostrophe reports whether an apostrophe follows a letter. In a command it follows a blank or the end of a quoted string.
func hasApostrophe(line string) bool {
	for i := 1; i < len(line); i++ {
		if (line[i] == '\'' || strings.HasPrefix(line[i:], "’")) && words.IsLetter(line[i-1]) {
			return true
		}
	}
	return false
}
