package posix

import (
	"regexp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Read finds the simple commands of text, which must be valid UTF-8; readers read the
// blocks of each dialect. The error is a *convert.Failure: InvalidSource, with the
// place, for a quote, a substitution or a here-document that does not end; TooComplex
// beyond the package's bounds. Words and what variables put into them are paid from b.
func Read(text string, b *budget.Budget, readers []func(*Reader)) (*script.Script, error) {
	s := newState(text, b)
	blocks := s.blocks(text)
	for _, b := range blocks {
		failure := s.block(b, readers[paste.DialectOf(b.Info, text[b.Start:b.End])])
		if failure == nil {
			continue
		}
		if failure.Code != convert.InvalidSource || len(blocks) == 1 || paste.Mentions(text[b.Start:b.End]) {
			return nil, failure
		}
		s.scopes, s.arguments, s.active = nil, nil, nil // a block without requests was not shell
	}
	s.partComment()
	s.script.Trailing = s.apart
	s.connect(0)
	s.settleCalls()
	return s.script, nil
}

// blocks returns the shell of a text.
func (s *State) blocks(text string) []paste.Block {
	s.Budget.Pass(3 * len(text))
	blocks, markdown := paste.Blocks(text)
	if markdown {
		s.script.Notes = append(s.script.Notes, script.MarkdownRemoved)
	}
	return blocks
}

func newState(text string, b *budget.Budget) *State {
	return &State{
		Budget:      b,
		source:      text,
		script:      &script.Script{},
		Vars:        map[string]script.Word{},
		told:        map[script.Expanded]bool{},
		arrays:      map[string][]script.Word{},
		rootPrompts: paste.OnlyCommentsCall(text),
	}
}

// block reads one block.
func (s *State) block(b paste.Block, read func(*Reader)) (failure *convert.Failure) {
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
	s.Comment = b.Heading
	read(&Reader{State: s, Text: s.source, Pos: b.Start, Limit: b.End})
	return nil
}

// Block reads a block of POSIX shell.
func (r *Reader) Block() {
	r.StartLine()
	r.list(outermost)
	r.readDocuments()
}

// stopped is what fail throws and Read catches.
type stopped struct{ failure *convert.Failure }

// State is what all readers of one script share.
type State struct {
	Budget *budget.Budget
	source string
	script *script.Script

	Vars   map[string]script.Word   // the variables whose value is known
	told   map[script.Expanded]bool // those that script.Expanded holds
	arrays map[string][]script.Word // bash arrays of words
	scopes []scope

	functions map[string]*function
	defined   []*function   // all of them, those of the same name too
	active    []*function   // those whose bodies are being read, the outermost first
	arguments []script.Word // of the innermost of them, nil outside of all

	parsed *script.Source // what Parse returns; nil while Read evaluates a script

	spent int // of MaxExpansion
	words int // of MaxWords

	Comment     string // the comment lines above the next command
	apart       string // the comments above those
	Session     bool   // a prompt has been seen: the text is a pasted session
	rootPrompts bool   // "# curl …" is a prompt, not a comment

	named         map[string]int // how many parts were named after a kind of place
	slowDocuments int            // here-documents whose end was searched to the end of the text
}

// Reader reads one stretch of text: the source, or the text that backquotes
// or a here-document hold once their backslashes are taken away.
type Reader struct {
	*State
	Text  string
	Pos   int
	Limit int // text[:limit] is read

	derived bool // text is not the source …
	base    int  // … and stands for this offset of it
	exact   bool // text is the source from base on

	Depth     int
	substOnly bool            // a command list inside $(…) or `…`
	Cur       *script.Command // what notes go to
	documents []*document     // here-documents whose text has not come yet
	Lists     ListState
}

// ListState is the state of one command list.
type ListState struct {
	around     script.Within // what the list itself stands in
	frames     []frame
	Feeder     int               // what the next command's input comes from
	doubtful   bool              // the next command stands behind || or a test
	closed     []*script.Command // those of the compound command that has just ended
	Piped      []*script.Command // those whose output the next command reads, beside its feeder
	defineNext bool              // the next { or ( opens a function's body …
	defineName string            // … of this name
}

// place returns the offset in the source that stands for i.
func (r *Reader) Place(i int) int {
	switch {
	case r.derived && r.exact:
		return r.base + i
	case r.derived:
		return r.base
	}
	return i
}

// fail ends the reading of the script. It does not return.
func (r *Reader) Fail(at int, f *convert.Failure) {
	panic(stopped{f.At(r.source, r.Place(at))})
}

// note adds a note to the command being read, or to the script.
func (r *Reader) Note(n script.Note) {
	notes := &r.script.Notes
	if r.Cur != nil {
		notes = &r.Cur.Notes
	}
	if !slices.Contains(*notes, n) {
		*notes = append(*notes, n)
	}
}

// noteScript adds a note to the script.
func (r *Reader) NoteScript(n script.Note) {
	cur := r.Cur
	r.Cur = nil
	r.Note(n)
	r.Cur = cur
}

// enter counts one level of nesting and refuses too many.
func (r *Reader) Enter(at int) {
	if r.Depth >= MaxNesting {
		r.TooDeep(at, MaxNesting)
	}
	r.Depth++
}

func (r *Reader) TooDeep(at, limit int) {
	r.Fail(at, convert.Refuse(convert.TooComplex,
		"The shell text nests substitutions or compound commands more than %d deep.",
		"Send the commands without the nesting around them.", limit))
}

// spend counts what a variable puts into a word.
func (r *Reader) Spend(bytes int) {
	r.Budget.Text(bytes)
	r.spent += bytes
	if r.spent > MaxExpansion {
		r.Fail(r.Pos, convert.Refuse(convert.TooComplex,
			"The variables of the shell text expand to more than %d bytes.",
			"Send fewer commands at a time, or write the values where they are used.", MaxExpansion))
	}
}

// byteAt returns the byte at i, or 0 behind the end.
func (r *Reader) ByteAt(i int) byte {
	if i < r.Limit {
		return r.Text[i]
	}
	return 0
}

// newlineAt returns how many bytes the line end at i has: 1 for LF, 2 for
// CR LF, 0 when there is none.
func (r *Reader) NewlineAt(i int) int {
	switch r.ByteAt(i) {
	case '\n':
		return 1
	case '\r':
		if r.ByteAt(i+1) == '\n' {
			return 2
		}
	}
	return 0
}

// lineEnd returns the offset of the line end at or behind i.
func (r *Reader) LineEnd(i int) int {
	n := strings.IndexByte(r.Text[i:r.Limit], '\n')
	if n < 0 {
		return r.Limit
	}
	if n > 0 && r.Text[i+n-1] == '\r' {
		n--
	}
	return i + n
}

// continuation skips a backslash and the line end behind it.
func (r *Reader) continuation() bool {
	if r.ByteAt(r.Pos) != '\\' || r.Continued() == 0 {
		return false
	}
	end := r.Continued()
	r.edit(r.Pos+1, end-1, "")
	r.Pos = r.SkipContinuationPrompt(end)
	return true
}

// blanks skips blanks and line continuations between words.
func (r *Reader) blanks() {
	for r.Pos < r.Limit {
		if script.IsBlank(r.Text[r.Pos]) {
			r.Pos++
		} else if !r.continuation() && !r.commentedContinuation() {
			return
		}
	}
}

// commentedContinuation skips a backslash with a comment between it and the line
// end that it was meant for.
func (r *Reader) commentedContinuation() bool {
	if r.Text[r.Pos] != '\\' || r.Ahead(commented()) == 0 || r.Cur == nil || len(r.Cur.Words) == 0 {
		return false
	}
	end := r.LineEnd(r.Pos)
	r.edit(r.Pos+1, end, "")
	r.Pos = end + r.NewlineAt(end)
	r.Note(script.ContinuationAdded)
	return true
}

var commented = expression.Lazy(`^\\[ \t]+#`)

// newline ends a line: the here-documents announced on it follow.
func (r *Reader) Newline() {
	r.Pos += r.NewlineAt(r.Pos)
	r.readDocuments()
	if r.NewlineAt(r.Span(r.Pos, &script.BlankBytes)) > 0 {
		r.partComment()
	}
}

// commentLine skips a comment and keeps its text for the command below it.
func (r *Reader) CommentLine() {
	end := r.LineEnd(r.Pos)
	if !strings.HasPrefix(r.Text[r.Pos:end], "#!") && r.startsLine(r.Pos) {
		r.KeepComment(strings.Trim(r.Text[r.Pos:end], "#=-* \t\r"))
	}
	r.record(&script.Token{Kind: script.CommentToken, From: r.Pos, To: end})
	r.Pos = end
}

// keepComment keeps a line of a comment for the command below it. Joining line
// by line is quadratic: more than a name needs is not kept.
func (r *Reader) KeepComment(text string) {
	switch {
	case text == "":
	case r.Comment == "":
		r.Comment = text
	case len(r.Comment)+len(text) <= maxComment:
		r.Comment += "\n" + text
	}
}

const maxComment = 2000

// partComment parts the comment from what follows: a blank line does.
func (s *State) partComment() {
	if s.Comment != "" && len(s.apart)+len(s.Comment) <= maxComment {
		if s.apart != "" {
			s.apart += "\n\n"
		}
		s.apart += s.Comment
	}
	s.Comment = ""
}

// start begins a command with the comments above it.
func (s *State) Start(cmd *script.Command) *script.Command {
	cmd.Comment, cmd.Apart = s.Comment, s.apart
	s.Comment, s.apart = "", ""
	return cmd
}

// startsLine reports whether only blanks stand before i on its line.
func (r *Reader) startsLine(i int) bool {
	before := strings.TrimRight(r.Text[:i], " \t")
	return before == "" || strings.HasSuffix(before, "\n")
}

// span returns the offset behind the bytes of the set that stand at i.
func (r *Reader) Span(i int, set *script.ByteSet) int {
	for i < r.Limit && set[r.Text[i]] {
		i++
	}
	return i
}

// match reads what the expression, which begins with ^, matches at the cursor
// and returns its groups, nil for no match.
func (r *Reader) Match(token *regexp.Regexp) []string {
	m := token.FindStringSubmatch(r.Text[r.Pos:min(r.Limit, r.Pos+script.MaxToken)])
	if m != nil {
		r.Pos += len(m[0])
	}
	return m
}

// ahead is how many bytes the expression matches at the cursor.
func (r *Reader) Ahead(token *regexp.Regexp) int {
	if at := token.FindStringIndex(r.Text[r.Pos:min(r.Limit, r.Pos+script.MaxToken)]); at != nil {
		return at[1]
	}
	return 0
}

// continued returns the offset behind the line end that the escape at the
// cursor takes away, 0 when it takes none. Blanks between the two, a common slip
// of the paste, are skipped.
func (r *Reader) Continued() int {
	i := r.Span(r.Pos+1, &script.BlankBytes)
	if n := r.NewlineAt(i); n > 0 {
		return i + n
	}
	return 0
}

// countWord pays for a word or redirection and refuses too many.
func (r *Reader) CountWord() {
	r.Budget.Parts(WordParts)
	if r.words++; r.words > MaxWords {
		r.tooMany()
	}
}

// addCommand adds a command to the script.
func (r *Reader) AddCommand(cmd *script.Command) {
	if len(r.script.Commands) >= MaxCommands {
		r.tooMany()
	}
	r.script.Commands = append(r.script.Commands, cmd)
}
