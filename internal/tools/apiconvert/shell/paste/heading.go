package paste

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// heading is the Markdown heading (CommonMark 4.2) directly above the current line.
type heading struct{ text string }

// add records a heading line, which begins with #.
func (h *heading) add(line string) { h.text = strings.Trim(line, "# ") }

// name returns the name of the next block, once. A heading that only announces a request or an example names nothing.
func (h *heading) name() string {
	name := h.text
	h.text = ""
	noLetter := func(c rune) bool { return (c < 'a' || c > 'z') && c < 0x80 }
	for _, word := range strings.FieldsFunc(strings.ToLower(name), noLetter) {
		if !exampleWords[word] {
			return name
		}
	}
	return ""
}

// exampleWords are the words of headings such as "Sample request", "Example: cURL", "Using curl".
var exampleWords = script.SetOf(`sample samples example examples request requests call calls curl http https api shell bash cli
	response responses code snippet snippets command commands usage use using with via the a an in and or for of by from terminal`)
