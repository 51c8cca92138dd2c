package shell

import "strings"

// What is pasted into a converter is seldom a script: it is a README, or what
// a terminal showed.

// block is a stretch of the text that is shell.
type block struct {
	start, end int
	heading    string // the Markdown heading above it
	info       string // the first word behind its fence, in lower case
	dialect    dialect
}

// blocks returns the shell of a text: all of it behind a byte order mark, or
// the fenced code blocks of a Markdown text.
func (s *state) blocks(text string) []block {
	found := s.stretches(text)
	for i, b := range found {
		found[i].dialect = dialectOf(b.info, text[b.start:b.end])
	}
	return found
}

// stretches finds the blocks. Those that are fenced as Windows' are only
// taken when no other is there: the same requests stand in both.
func (s *state) stretches(text string) []block {
	start := len(text) - len(strings.TrimPrefix(text, "\uFEFF"))
	whole := []block{{start: start, end: len(text)}}
	var found, windows []block
	var open *block
	var fence, heading string
	for i := start; i < len(text); {
		end := i + strings.IndexByte(text[i:], '\n') + 1
		if end <= i {
			end = len(text)
		}
		line := strings.TrimSpace(text[i:end])
		mark, info := fenceOf(line)
		switch {
		case fence != "" && mark == fence && info == "":
			fence = ""
			if open != nil {
				open.end = i
				if _, ok := fenced[open.info]; ok {
					windows = append(windows, *open)
				} else {
					found = append(found, *open)
				}
				open = nil
			}
		case fence != "":
		case mark != "":
			fence = mark
			info = strings.ToLower(info)
			if _, ok := fenced[info]; ok || isShell[info] {
				open = &block{start: end, end: len(text), heading: heading, info: info}
			}
			heading = ""
		case len(found) == 0 && isPlainCommand(line):
			return whole // a command outside: no Markdown, whatever follows
		case strings.HasPrefix(line, "#"):
			heading = strings.Trim(line, "# ")
		}
		i = end
	}
	if open != nil {
		found = append(found, *open)
	}
	if len(found) == 0 {
		found = windows
	}
	if len(found) == 0 {
		return whole
	}
	s.script.Notes = append(s.script.Notes, MarkdownRemoved)
	return found
}

// fenceOf splits a code fence (CommonMark 4.5) into its mark and the first
// word behind it.
func fenceOf(line string) (mark, info string) {
	for _, mark := range []string{"```", "~~~"} {
		if rest, ok := strings.CutPrefix(line, mark); ok && !strings.Contains(rest, mark) {
			info, _, _ = strings.Cut(strings.TrimSpace(strings.TrimLeft(rest, mark[:1])), " ")
			return mark, info
		}
	}
	return "", ""
}

// isShell are the info words of fenced blocks that may hold shell.
var isShell = map[string]bool{
	"": true, "sh": true, "bash": true, "zsh": true, "shell": true, "console": true, "curl": true,
	"shell-session": true, "shellsession": true, "sh-session": true, "bash-session": true,
	"terminal": true, "cmd": true, "text": true, "txt": true, "ksh": true, "dash": true, "posix": true,
}

// isPlainCommand reports whether a line can only be a command that matters
// here. It is asked where a line could also be prose, a comment or output, so
// "curl is a tool" is none.
func isPlainCommand(line string) bool {
	word, rest, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	word = word[strings.LastIndexByte(word, '/')+1:]
	switch word {
	case "curl", "curl.exe":
		rest = strings.TrimLeft(rest, " \t")
		return strings.Contains(rest, "://") || strings.HasPrefix(rest, "localhost") ||
			rest != "" && strings.IndexByte("-'\"$\\", rest[0]) >= 0
	case "sudo", "env", "time":
		return strings.Contains(rest, "curl ")
	case "export":
		return strings.Contains(rest, "=")
	}
	return false
}

// onlyCommentsCall reports whether curl is called behind a # and nowhere else:
// then the # is root's prompt.
func onlyCommentsCall(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t\uFEFF")
		if !strings.HasPrefix(line, "#") && strings.Contains(line, "curl") {
			return false
		}
	}
	return true
}

// isCommandAmongOutput reports whether a line of a session that has no prompt
// is a command all the same.
func isCommandAmongOutput(line string) bool {
	if isPlainCommand(line) || strings.HasPrefix(line, "#") || webCmdlets[firstWord(line)] || psAssigns(line) || callsCmdlet(line) {
		return true
	}
	n := nameLength(line)
	if n > 0 && strings.HasPrefix(line[n:], "=") {
		return true
	}
	_, rest, calls := strings.Cut(line, "curl ")
	return calls && isPlainCommand("curl "+rest)
}

// isDrive reports whether text is the prompt of Windows' shells: PS C:\dir,
// C:\dir.
func isDrive(text string) bool {
	path := strings.TrimPrefix(text, "PS ")
	return len(path) > 1 && path[1] == ':' && isNameStart(path[0]) && strings.IndexByte("\\/", (path + "\\")[2]) >= 0 &&
		!strings.ContainsAny(text, "'\"=;|<`")
}

// startLine is called where a command could begin with a line: it steps over
// a prompt, and over the lines between prompts, which are output.
func (r *reader) startLine() {
	for r.pos < r.limit {
		if r.derived || r.substOnly || len(r.lists.frames) > 0 {
			r.pos = r.skipContinuationPrompt(r.pos)
			return
		}
		end := r.lineEnd(r.pos)
		line := r.text[r.pos:end]
		if n := promptLength(line, r.rootPrompts); n > 0 {
			if !r.session {
				r.session = true
				r.noteScript(PromptsRemoved)
			}
			r.pos += n
			return
		}
		if !r.session || strings.TrimSpace(line) == "" || isCommandAmongOutput(line) {
			return
		}
		r.pos = end + r.newlineAt(end)
		r.comment = ""
	}
}

// skipContinuationPrompt steps over the "> " that a terminal shows in front
// of the further lines of a command.
func (r *reader) skipContinuationPrompt(i int) int {
	if !r.session || r.byteAt(i) != '>' {
		return i
	}
	if r.byteAt(i+1) == ' ' {
		return i + 2
	}
	if r.newlineAt(i+1) > 0 {
		return i + 1
	}
	return i
}

// promptLength returns how long the prompt at the beginning of a line is, 0
// when there is none. "$ " and "% " begin no command, so they are prompts;
// anything longer, "# " (where rootPrompts says that it is one) and "> " only in
// front of a plain command.
func promptLength(line string, rootPrompts bool) int {
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	text := line[indent:]
	for _, mark := range []string{"$ ", "% ", "❯ ", "➜ "} {
		if rest, ok := strings.CutPrefix(text, mark); ok && strings.TrimSpace(rest) != "" {
			return len(line) - len(strings.TrimLeft(rest, " \t"))
		}
	}
	const longest = 100
	if mark := strings.IndexByte(text[:min(len(text), longest)], '>'); mark > 0 && isDrive(text[:mark]) && strings.TrimSpace(text[mark+1:]) != "" {
		return len(line) - len(strings.TrimLeft(text[mark+1:], " \t"))
	}
	for i := 0; i < min(len(text), longest); i++ {
		if strings.IndexByte("$#%>", text[i]) < 0 || !isPlainCommand(text[i+1:]) {
			continue
		}
		spaced := strings.HasPrefix(text[i+1:], " ")
		switch prefix := text[:i]; {
		case prefix == "" && (text[i] == '>' && spaced || text[i] == '#' && spaced && rootPrompts),
			prefix != "" && isPrompt(prefix) && (spaced || text[i] == '>'):
			return len(line) - len(strings.TrimLeft(text[i+1:], " \t"))
		}
	}
	return 0
}

// isPrompt reports whether text in front of a prompt's mark is the rest of
// it: user@host:~, [user@host dir], bash-5.2.
func isPrompt(text string) bool {
	if strings.ContainsAny(text, "'\"=;|<`") {
		return false
	}
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		return true
	}
	return strings.IndexByte(text, ' ') < 0 &&
		(strings.Contains(text, "@") || strings.HasPrefix(text, "bash-") || strings.HasPrefix(text, "sh-") || strings.HasPrefix(text, "~"))
}
