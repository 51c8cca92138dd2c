package posix

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
)

// StartLine skips a prompt, the output lines between prompts, and sentences. It is called at the start of a line where a
// command may begin.
func (r *Reader) StartLine() {
	for r.Pos < r.Limit {
		if r.derived || r.substOnly || len(r.Lists.frames) > 0 {
			r.Pos = r.skipContinuationPrompt(r.Pos)
			return
		}
		end := r.LineEnd(r.Pos)
		line := r.Text[r.Pos:end]
		if n := r.prompts.Length(line, r.rootPrompts); n > 0 {
			r.Session, r.corrected = true, true
			r.Pos += n
			return
		}
		if strings.TrimSpace(line) == "" || (!r.Session || paste.IsCommandAmongOutput(line)) && !r.sentence(line) {
			return
		}
		if r.Session {
			r.Comment = ""
		}
		r.Pos = r.AfterNewline(end)
	}
}

// sentence reports whether a line outside of Markdown blocks is a sentence, and rejects one with a command inside.
func (r *Reader) sentence(line string) bool {
	if r.markdown || r.Windows {
		return false
	}
	isProse, holdsCommand := paste.Prose(line)
	if holdsCommand {
		r.Fail(r.Pos, convert.Reject(convert.UnrecognizedSource,
			"A sentence seems to have a command or a value inside.",
			"Send each command on a line of its own, without the words before and after it."))
	}
	r.corrected = r.corrected || isProse
	return isProse
}

// skipContinuationPrompt skips the "> " that a terminal shows before the continuation lines of a command.
func (r *Reader) skipContinuationPrompt(i int) int {
	if !r.Session || r.ByteAt(i) != '>' {
		return i
	}
	switch r.ByteAt(i + 1) {
	case ' ':
		return i + 2
	case '\n':
		return i + 1
	}
	return i
}
