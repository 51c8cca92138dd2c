package shell

import (
	"regexp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Read finds the simple commands of text, which must be valid UTF-8. The
// error is a *convert.Failure: InvalidSource, with the place, for a quote, a
// substitution or a here-document that does not end; TooComplex beyond the
// package's bounds. Words and what variables put into them are paid from b.
func Read(text string, b *budget.Budget) (*Script, error) {
	s := newState(text, b)
	blocks := s.blocks(text)
	for _, b := range blocks {
		failure := s.block(b)
		if failure == nil {
			continue
		}
		if failure.Code != convert.InvalidSource || len(blocks) == 1 || Mentions(text[b.start:b.end]) {
			return nil, failure
		}
		s.scopes, s.arguments, s.active = nil, nil, nil // a block without requests was no shell
	}
	s.partComment()
	s.script.Trailing = s.apart
	s.connect(0)
	s.settleCalls()
	return s.script, nil
}

func newState(text string, b *budget.Budget) *state {
	return &state{
		budget:      b,
		source:      text,
		script:      &Script{},
		vars:        map[string]Word{},
		told:        map[Expanded]bool{},
		arrays:      map[string][]Word{},
		rootPrompts: onlyCommentsCall(text),
	}
}

// block reads one block.
func (s *state) block(b block) (failure *convert.Failure) {
	defer func() {
		// A failure deep inside the text ends the reading at once.
		switch stop := recover().(type) {
		case nil:
		case stopped:
			failure = stop.failure
		default:
			panic(stop)
		}
	}()
	r := &reader{state: s, text: s.source, pos: b.start, limit: b.end}
	s.comment = b.heading
	d := dialectOf(b.info, s.source[b.start:b.end])
	if note := dialectNotes[d]; note != "" {
		r.noteScript(note)
	}
	readers[d](r)
	return nil
}

// stopped is what fail throws and Read catches.
type stopped struct{ failure *convert.Failure }

// state is what all readers of one script share.
type state struct {
	budget *budget.Budget
	source string
	script *Script

	vars   map[string]Word   // the variables whose value is known
	told   map[Expanded]bool // those that script.Expanded holds
	arrays map[string][]Word // bash arrays of words
	scopes []scope

	functions map[string]*function
	defined   []*function // all of them, those of the same name too
	active    []*function // those whose bodies are being read, the outermost first
	arguments []Word      // of the innermost of them, nil outside of all

	parsed *Source // what Parse returns; nil while Read evaluates a script

	spent int // of MaxExpansion
	words int // of MaxWords

	comment     string // the comment lines above the next command
	apart       string // the comments above those
	session     bool   // a prompt has been seen: the text is a pasted session
	rootPrompts bool   // "# curl …" is a prompt, not a comment

	named         map[string]int // how many parts were named after a kind of place
	slowDocuments int            // here-documents whose end was searched to the end of the text
}

// reader reads one stretch of text: the source, or the text that backquotes
// or a here-document hold once their backslashes are taken away.
type reader struct {
	*state
	text  string
	pos   int
	limit int // text[:limit] is read

	derived bool // text is not the source …
	base    int  // … and stands for this offset of it
	exact   bool // text is the source from base on

	depth     int
	substOnly bool        // a command list inside $(…) or `…`
	cur       *Command    // what notes go to
	documents []*document // here-documents whose text has not come yet
	lists     listState
}

// listState is the state of one command list.
type listState struct {
	around     Within // what the list itself stands in
	frames     []frame
	feeder     int        // what the next command's input comes from
	doubtful   bool       // the next command stands behind || or a test
	closed     []*Command // those of the compound command that has just ended
	piped      []*Command // those whose output the next command reads, beside its feeder
	defineNext bool       // the next { or ( opens a function's body …
	defineName string     // … of this name
}

// place returns the offset in the source that stands for i.
func (r *reader) place(i int) int {
	switch {
	case r.derived && r.exact:
		return r.base + i
	case r.derived:
		return r.base
	}
	return i
}

// fail ends the reading of the script. It does not return.
func (r *reader) fail(at int, f *convert.Failure) {
	panic(stopped{f.At(r.source, r.place(at))})
}

// note adds a note to the command being read, or to the script.
func (r *reader) note(n Note) {
	notes := &r.script.Notes
	if r.cur != nil {
		notes = &r.cur.Notes
	}
	if !slices.Contains(*notes, n) {
		*notes = append(*notes, n)
	}
}

// noteScript adds a note to the script.
func (r *reader) noteScript(n Note) {
	cur := r.cur
	r.cur = nil
	r.note(n)
	r.cur = cur
}

// enter counts one level of nesting and refuses too many.
func (r *reader) enter(at int) {
	if r.depth >= MaxNesting {
		r.tooDeep(at, MaxNesting)
	}
	r.depth++
}

func (r *reader) tooDeep(at, limit int) {
	r.fail(at, convert.Refuse(convert.TooComplex,
		"The shell text nests substitutions or compound commands more than %d deep.",
		"Send the commands without the nesting around them.", limit))
}

// spend counts what a variable puts into a word.
func (r *reader) spend(bytes int) {
	r.budget.Text(bytes)
	r.spent += bytes
	if r.spent > MaxExpansion {
		r.fail(r.pos, convert.Refuse(convert.TooComplex,
			"The variables of the shell text expand to more than %d bytes.",
			"Send fewer commands at a time, or write the values where they are used.", MaxExpansion))
	}
}

// byteAt returns the byte at i, or 0 behind the end.
func (r *reader) byteAt(i int) byte {
	if i < r.limit {
		return r.text[i]
	}
	return 0
}

// newlineAt returns how many bytes the line end at i has: 1 for LF, 2 for
// CR LF, 0 when there is none.
func (r *reader) newlineAt(i int) int {
	switch r.byteAt(i) {
	case '\n':
		return 1
	case '\r':
		if r.byteAt(i+1) == '\n' {
			return 2
		}
	}
	return 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// lineEnd returns the offset of the line end at or behind i.
func (r *reader) lineEnd(i int) int {
	n := strings.IndexByte(r.text[i:r.limit], '\n')
	if n < 0 {
		return r.limit
	}
	if n > 0 && r.text[i+n-1] == '\r' {
		n--
	}
	return i + n
}

// continuation skips a backslash and the line end behind it.
func (r *reader) continuation() bool {
	if r.byteAt(r.pos) != '\\' || r.continued() == 0 {
		return false
	}
	end := r.continued()
	r.edit(r.pos+1, end-1, "")
	r.pos = r.skipContinuationPrompt(end)
	return true
}

// blanks skips blanks and line continuations between words.
func (r *reader) blanks() {
	for r.pos < r.limit {
		if isBlank(r.text[r.pos]) {
			r.pos++
		} else if !r.continuation() && !r.commentedContinuation() {
			return
		}
	}
}

// commentedContinuation skips a backslash with a comment between it and the line
// end that it was meant for.
func (r *reader) commentedContinuation() bool {
	if r.text[r.pos] != '\\' || r.ahead(commented()) == 0 || r.cur == nil || len(r.cur.Words) == 0 {
		return false
	}
	end := r.lineEnd(r.pos)
	r.edit(r.pos+1, end, "")
	r.pos = end + r.newlineAt(end)
	r.note(ContinuationAdded)
	return true
}

var commented = expression.Lazy(`^\\[ \t]+#`)

// newline ends a line: the here-documents announced on it follow.
func (r *reader) newline() {
	r.pos += r.newlineAt(r.pos)
	r.readDocuments()
	if r.newlineAt(r.span(r.pos, &blankBytes)) > 0 {
		r.partComment()
	}
}

// commentLine skips a comment and keeps its text for the command below it.
func (r *reader) commentLine() {
	end := r.lineEnd(r.pos)
	if !strings.HasPrefix(r.text[r.pos:end], "#!") && r.startsLine(r.pos) {
		r.keepComment(strings.Trim(r.text[r.pos:end], "#=-* \t\r"))
	}
	r.record(&Token{Kind: CommentToken, From: r.pos, To: end})
	r.pos = end
}

// keepComment keeps a line of a comment for the command below it. Joining line
// by line is quadratic: more than a name needs is not kept.
func (r *reader) keepComment(text string) {
	switch {
	case text == "":
	case r.comment == "":
		r.comment = text
	case len(r.comment)+len(text) <= maxComment:
		r.comment += "\n" + text
	}
}

const maxComment = 2000

// partComment parts the comment from what follows: a blank line does.
func (s *state) partComment() {
	if s.comment != "" && len(s.apart)+len(s.comment) <= maxComment {
		if s.apart != "" {
			s.apart += "\n\n"
		}
		s.apart += s.comment
	}
	s.comment = ""
}

// start begins a command with the comments above it.
func (s *state) start(cmd *Command) *Command {
	cmd.Comment, cmd.Apart = s.comment, s.apart
	s.comment, s.apart = "", ""
	return cmd
}

// startsLine reports whether only blanks stand before i on its line.
func (r *reader) startsLine(i int) bool {
	before := strings.TrimRight(r.text[:i], " \t")
	return before == "" || strings.HasSuffix(before, "\n")
}

// span returns the offset behind the bytes of the set that stand at i.
func (r *reader) span(i int, set *byteSet) int {
	for i < r.limit && set[r.text[i]] {
		i++
	}
	return i
}

// maxToken bounds what match and the like look at, so that asking for a token
// takes the same time everywhere.
const maxToken = 256

// match reads what the expression, which begins with ^, matches at the cursor
// and returns its groups, nil for no match.
func (r *reader) match(token *regexp.Regexp) []string {
	m := token.FindStringSubmatch(r.text[r.pos:min(r.limit, r.pos+maxToken)])
	if m != nil {
		r.pos += len(m[0])
	}
	return m
}

// ahead is how many bytes the expression matches at the cursor.
func (r *reader) ahead(token *regexp.Regexp) int {
	if at := token.FindStringIndex(r.text[r.pos:min(r.limit, r.pos+maxToken)]); at != nil {
		return at[1]
	}
	return 0
}

// continued returns the offset behind the line end that the escape at the
// cursor takes away, 0 when it takes none. Blanks between the two, a common slip
// of the paste, are skipped.
func (r *reader) continued() int {
	i := r.span(r.pos+1, &blankBytes)
	if n := r.newlineAt(i); n > 0 {
		return i + n
	}
	return 0
}

// countWord pays for a word or redirection and refuses too many.
func (r *reader) countWord() {
	r.budget.Parts(wordParts)
	if r.words++; r.words > MaxWords {
		r.tooMany()
	}
}

// addCommand adds a command to the script.
func (r *reader) addCommand(cmd *Command) {
	if len(r.script.Commands) >= MaxCommands {
		r.tooMany()
	}
	r.script.Commands = append(r.script.Commands, cmd)
}
