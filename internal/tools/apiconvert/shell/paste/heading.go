package paste

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// headings are the Markdown headings (CommonMark 4.2) above the current line, by level.
type headings struct {
	texts [maxHeading + 1]string
	last  string // the heading that no block has used as its name yet
	level int    // its level
}

// maxHeading is the deepest level of a heading.
const maxHeading = 6

// add records a heading line, which begins with #.
func (h *headings) add(line string) {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	h.last, h.level = strings.Trim(line, "# "), min(level, maxHeading)
	h.texts[h.level] = h.last
	clear(h.texts[h.level+1:])
}

// name returns the name of the next block, once: the heading directly above it, or the one above that if the nearest
// only announces an example. The title of the document names no request.
func (h *headings) name() string {
	name, detail := h.last, ""
	h.last = ""
	for level := h.level; name != "" && level > 1; level-- {
		what, in, _ := strings.Cut(h.texts[level], "(")
		switch in = strings.TrimSuffix(in, ")"); {
		case what == "":
		case !isGenericHeading(what) && detail == "":
			return h.texts[level]
		case !isGenericHeading(what):
			return h.texts[level] + " (" + detail + ")"
		case detail == "" && in != "" && !isGenericHeading(in):
			detail = in
		}
	}
	return name
}

// isGenericHeading reports whether a heading only announces a request, an example or the like.
func isGenericHeading(heading string) bool {
	parts := strings.FieldsFunc(strings.ToLower(heading), func(c rune) bool { return (c < 'a' || c > 'z') && c < 0x80 })
	for _, word := range parts {
		if !exampleWords[word] {
			return false
		}
	}
	return len(parts) > 0
}

// exampleWords are the words of headings such as "Sample request", "Example:
// cURL", "Using curl".
var exampleWords = script.SetOf(`sample samples example examples request requests call calls curl http https api shell bash cli
	response responses code snippet snippets command commands usage use using with via the a an in and or for of by from terminal`)
