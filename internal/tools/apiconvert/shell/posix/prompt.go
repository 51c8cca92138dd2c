package posix

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// StartLine skips a prompt, and the output lines between prompts. It is called at the start of a line where a command
// may begin.
func (r *Reader) StartLine() {
	for r.Pos < r.Limit {
		if r.derived || r.substOnly || len(r.Lists.frames) > 0 {
			r.Pos = r.SkipContinuationPrompt(r.Pos)
			return
		}
		end := r.LineEnd(r.Pos)
		line := r.Text[r.Pos:end]
		if n := paste.PromptLength(line, r.rootPrompts); n > 0 {
			if !r.Session {
				r.Session = true
				r.NoteScript(script.PromptsRemoved)
			}
			r.edit(r.Pos, r.Pos+n, "")
			r.Pos += n
			return
		}
		if !r.Session || strings.TrimSpace(line) == "" || paste.IsCommandAmongOutput(line) {
			return
		}
		r.edit(r.Pos, r.AfterNewline(end), "")
		r.Pos = r.AfterNewline(end)
		r.Comment = ""
	}
}

// SkipContinuationPrompt skips the "> " that a terminal shows before the continuation lines of a command.
func (r *Reader) SkipContinuationPrompt(i int) int {
	if !r.Session || r.ByteAt(i) != '>' {
		return i
	}
	switch {
	case r.ByteAt(i+1) == ' ':
		r.edit(i, i+2, "")
		return i + 2
	case r.ByteAt(i+1) == '\n':
		r.edit(i, i+1, "")
		return i + 1
	}
	return i
}
