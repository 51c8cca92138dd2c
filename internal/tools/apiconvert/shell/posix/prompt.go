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
			r.Pos = r.skipContinuationPrompt(r.Pos)
			return
		}
		end := r.LineEnd(r.Pos)
		line := r.Text[r.Pos:end]
		if n := r.prompts.Length(line, r.rootPrompts); n > 0 {
			if !r.Session {
				r.Session = true
				r.NoteScript(script.PromptsRemoved)
			}
			r.Pos += n
			return
		}
		if !r.Session || strings.TrimSpace(line) == "" || paste.IsCommandAmongOutput(line) {
			return
		}
		r.Pos = r.AfterNewline(end)
		r.Comment = ""
	}
}

// skipContinuationPrompt skips the "> " that a terminal shows before the continuation lines of a command.
func (r *Reader) skipContinuationPrompt(i int) int {
	if !r.Session || r.ByteAt(i) != '>' {
		return i
	}
	end := i + 1
	if r.ByteAt(end) == ' ' {
		end++
	} else if r.ByteAt(end) != '\n' {
		return i
	}
	return end
}
