package posix

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Read finds the simple commands of text, which must be valid UTF-8. readers read the blocks of each dialect. The error
// is a *convert.Failure: InvalidSource, with the position, for an unterminated quote, substitution or here-document;
// TooComplex beyond the package's limits. Words and expansions of variables are charged to b.
func Read(text string, b *budget.Budget, readers []func(*Reader)) (*script.Script, error) {
	s := newState(text, b)
	if _, err := s.read(readers); err != nil {
		return nil, err
	}
	s.replaceCalls()
	return s.script, nil
}

func newState(text string, b *budget.Budget) *State {
	return &State{
		Budget:    b,
		source:    text,
		script:    &script.Script{Loops: map[string][]string{}},
		Vars:      map[string]script.Word{},
		setBy:     map[string]*script.Setting{},
		expanded:  map[script.Expanded]bool{},
		arrays:    map[string]*array{},
		functions: map[string]*function{},
		named:     map[string]int{},
		files:     map[string]string{},
	}
}

// read reads the blocks of the source. ok is false if there is no reader for the dialect of one.
func (s *State) read(readers []func(*Reader)) (ok bool, err error) {
	s.Budget.Pass(3 * len(s.source))
	var blocks []paste.Block
	blocks, s.markdown = paste.Blocks(s.source)
	s.prompts = paste.FindPrompts(s.source)
	wholeSession := paste.OnlyCommentsCall(s.source)
	for _, b := range blocks {
		text := s.source[b.Start:b.End]
		dialect := paste.DialectOf(b.Info, text)
		if int(dialect) >= len(readers) {
			return false, nil
		}
		s.rootPrompts = wholeSession || b.IsSession() && paste.OnlyCommentsCall(text)
		commands, tokens := len(s.script.Commands), len(s.tokens)
		switch failure := s.block(b, readers[dialect]); {
		case failure == nil:
			s.blocks = append(s.blocks, b)
		case failure.Code == convert.TooComplex || len(blocks) == 1 || paste.Mentions(text):
			return true, failure
		default: // a block without requests is not needed
			s.context = context{}
			s.script.Commands, s.tokens = s.script.Commands[:commands], s.tokens[:tokens]
		}
	}
	s.connect(0)
	return true, nil
}

// block reads one block and returns the failure that stopped it, if any.
func (s *State) block(b paste.Block, read func(*Reader)) (failure *convert.Failure) {
	defer func() {
		// A failure deep inside the script ends the parse at once.
		switch stop := recover().(type) {
		case nil:
		case stopped:
			failure = stop.failure
		default:
			panic(stop)
		}
	}()
	s.Comment = b.Heading
	first := len(s.script.Commands)
	read(&Reader{State: s, Text: s.source, Pos: b.Start, Limit: b.End, exact: true})
	// The heading is about the request, not about what prepares it. If it is about several, the first one's own comment
	// names that one.
	var request *script.Command
	for _, cmd := range s.script.Commands[first:] {
		switch {
		case cmd.CommandName() != "curl":
		case request == nil:
			request = cmd
			request.Comment = cmp.Or(request.Comment, b.Heading)
		default:
			request.Comment = strings.TrimPrefix(request.Comment, b.Heading+"\n")
		}
	}
	return nil
}

// Block reads a block of POSIX shell.
func (r *Reader) Block() {
	r.StartLine()
	r.list(false)
	r.readDocuments()
}

// stopped is the panic value of Fail, which block recovers.
type stopped struct{ failure *convert.Failure }

// State is shared by all readers of one script.
type State struct {
	Budget *budget.Budget
	source string
	script *script.Script

	Vars     map[string]script.Word     // variables with a known value
	setBy    map[string]*script.Setting // the settings of variables, if it is known which
	expanded map[script.Expanded]bool   // the entries of script.Expanded
	arrays   map[string]*array          // bash arrays; nil if its elements are unknown
	context

	functions map[string]*function
	defined   []*function // all functions, including redefined ones

	parses    bool // Parse records tokens; Read evaluates the script
	tokens    []*script.Token
	token     *script.Token // of the word that was just read, nil if it has none
	blocks    []paste.Block // those that are shell
	corrected bool          // a shell would read the source differently

	spent int // counts towards MaxExpansion
	words int // counts towards MaxWords

	markdown    bool // the blocks are those of a Markdown document
	Session     bool // a prompt has been seen: the input is a terminal session
	prompts     paste.Prompts
	rootPrompts bool // "# curl …" is a prompt, not a comment

	named map[string]int    // how many parts were named after each kind, program or file
	files map[string]string // the names of the contents of files
}

// context is the state that calls of functions and substitutions replace.
type context struct {
	Comment   string        // the comment lines above the next command
	disabled  bool          // the next comment line continues a command that was commented out
	scopes    []scope       // of the constructs that are being read
	level     int           // how many substitutions are being read
	active    []*function   // functions whose bodies are being read, outermost first
	arguments []script.Word // arguments of the innermost call
}

// Reader reads one string: the source, or the contents of backquotes or a here-document with the backslashes removed.
type Reader struct {
	*State
	Text  string
	Pos   int
	Limit int // Text is read up to Limit

	derived bool // Text is not the source
	base    int  // the position of Text in the source
	exact   bool // Text is the source from base on
	origin  int  // the offset in the source that Text is from, or -1

	Depth     int
	Windows   bool            // the shell is one of Windows, whose comments and values resemble sentences
	substOnly bool            // a command list inside $(…) or `…`
	Cur       *script.Command // the command that receives notes
	documents []*document     // announced here-documents that have not been read yet
	Lists     ListState
}

// ListState is the state of one command list.
type ListState struct {
	around     script.Within // the constructs around the list
	dead       bool          // the list does not run
	frames     []frame
	doubtful   bool              // the next command is after || or a test
	outcome    verdict           // of the tests before the next command
	skips      bool              // the next command does not run, because of the outcome
	ended      []*script.Command // the command that just ended, or those of the compound command
	feeders    []*script.Command // the commands whose output the next command reads
	defineNext bool              // the next { or ( opens a function's body …
	defineName string            // … with this name
}

// place returns the offset in the source that corresponds to i.
func (r *Reader) place(i int) int {
	if r.exact {
		return r.base + i
	}
	return r.base
}

// written returns the offset of i in the source, which in a function is not that of the call.
func (r *Reader) written(i int) int {
	if r.origin < 0 {
		return r.place(i)
	}
	return r.origin + i
}

// Fail aborts reading the script. It does not return.
func (r *Reader) Fail(at int, f *convert.Failure) {
	panic(stopped{f.At(r.source, r.place(at))})
}

// Note adds a note to the current command, or to the script if there isn't one.
func (r *Reader) Note(n script.Note) {
	if r.Cur == nil {
		r.NoteScript(n)
		return
	}
	r.corrected = r.corrected || script.Corrections[n]
	if !slices.Contains(r.Cur.Notes, n) {
		r.Cur.Notes = append(r.Cur.Notes, n)
	}
}

// NoteScript adds a note to the script.
func (s *State) NoteScript(n script.Note) {
	s.corrected = s.corrected || script.Corrections[n]
	if !slices.Contains(s.script.Notes, n) {
		s.script.Notes = append(s.script.Notes, n)
	}
}

// Enter adds one level of nesting and rejects a script with too many.
func (r *Reader) Enter(at int) {
	if r.Depth >= MaxNesting {
		r.tooDeep(at, MaxNesting)
	}
	r.Depth++
}

func (r *Reader) tooDeep(at, limit int) {
	r.Fail(at, convert.Reject(convert.TooComplex,
		"The script nests substitutions or compound commands more than %d deep.",
		"Send the commands without the nesting around them.", limit))
}

// Spend charges the bytes that a variable expands to.
func (r *Reader) Spend(bytes int) {
	r.Budget.Text(bytes)
	r.spent += bytes
	if r.spent > MaxExpansion {
		r.Fail(r.Pos, convert.Reject(convert.TooComplex,
			"The variables of the script expand to more than %d bytes.",
			"Send fewer commands at a time, or write the values where they are used.", MaxExpansion))
	}
}

// ByteAt returns the byte at i, or 0 at the end of the input.
func (r *Reader) ByteAt(i int) byte {
	if i < r.Limit {
		return r.Text[i]
	}
	return 0
}

// AfterNewline returns the offset after the line end at i, or i if there isn't one.
func (r *Reader) AfterNewline(i int) int {
	if r.ByteAt(i) == '\n' {
		return i + 1
	}
	return i
}

// LineEnd returns the offset of the first line end at or after i.
func (r *Reader) LineEnd(i int) int {
	if n := strings.IndexByte(r.Text[i:r.Limit], '\n'); n >= 0 {
		return i + n
	}
	return r.Limit
}

// continuation skips a backslash and the line end after it.
func (r *Reader) continuation() bool {
	if r.ByteAt(r.Pos) != '\\' || r.Continued() == 0 {
		return false
	}
	end := r.Continued()
	r.corrected = r.corrected || end > r.Pos+len("\\\n")
	r.Pos = r.skipContinuationPrompt(end)
	return true
}

// blanks skips blanks and line continuations between words.
func (r *Reader) blanks() {
	for r.Pos < r.Limit {
		if script.IsBlank(r.Text[r.Pos]) {
			r.Pos++
		} else if !r.continuation() {
			return
		}
	}
}

// newline ends a line and reads the here-documents announced on it.
func (r *Reader) newline() {
	r.Pos++
	r.readDocuments()
	if r.ByteAt(r.Span(r.Pos, &script.BlankBytes)) == '\n' {
		r.Comment = ""
	}
}

// commentLine skips a comment and keeps it for the command below.
func (r *Reader) commentLine() {
	if text := r.comment(); r.startsLine(r.Pos) {
		r.KeepComment(text)
	}
	r.Pos = r.LineEnd(r.Pos)
}

// comment records the comment at the cursor and returns its text, which is "" for the line that names the shell.
func (r *Reader) comment() (text string) {
	end := r.LineEnd(r.Pos)
	if !strings.HasPrefix(r.Text[r.Pos:end], "#!") {
		text = strings.Trim(r.Text[r.Pos:end], "#=-* \t")
	}
	r.record(&script.Token{Kind: script.CommentToken, From: r.Pos, To: end})
	r.RecordComment(r.Pos, text)
	return text
}

// RecordComment records a comment of the source unless it has no text.
func (r *Reader) RecordComment(at int, text string) {
	if text != "" && r.exact && !r.parses {
		r.script.Comments = append(r.script.Comments, script.Comment{Offset: r.place(at), Text: text})
	}
}

// KeepComment keeps a comment line for the command below it, unless the line is a command that was commented out. It
// limits the length, since joining line by line is quadratic and a name needs little.
func (r *Reader) KeepComment(text string) {
	const maxComment = 2000
	disabled := r.disabled || paste.IsPlainCommand(text) || strings.HasPrefix(text, "echo $") || strings.HasPrefix(text, `echo "`)
	r.disabled = disabled && strings.HasSuffix(text, `\`)
	switch {
	case text == "", disabled:
	case r.Comment == "":
		r.Comment = text
	case len(r.Comment)+len(text) <= maxComment:
		r.Comment += "\n" + text
	}
}

// Start begins the command at an offset with the comments above it.
func (r *Reader) Start(at int, within script.Within) *script.Command {
	cmd := &script.Command{
		Offset: r.place(at), Written: r.written(at), Comment: r.Comment,
		Within: within, Level: r.level, Feeders: r.Lists.feeders,
	}
	r.Comment, r.disabled, r.Lists.ended, r.Lists.feeders = "", false, nil, nil
	return cmd
}

// startsLine reports whether only blanks precede i on its line.
func (r *Reader) startsLine(i int) bool {
	before := strings.TrimRight(r.Text[:i], " \t")
	return before == "" || strings.HasSuffix(before, "\n")
}

// Span returns the offset after the bytes at i that are in the set.
func (r *Reader) Span(i int, set *script.ByteSet) int {
	for i < r.Limit && set[r.Text[i]] {
		i++
	}
	return i
}

// Match reads what token, which must begin with ^, matches at the cursor and returns its groups, or nil if it doesn't
// match.
func (r *Reader) Match(token *regexp.Regexp) []string {
	m := token.FindStringSubmatch(r.ahead())
	if m != nil {
		r.Pos += len(m[0])
	}
	return m
}

// Ahead returns how many bytes token matches at the cursor.
func (r *Reader) Ahead(token *regexp.Regexp) int { return len(token.FindString(r.ahead())) }

// ahead returns the text at the cursor that one lookahead reads.
func (r *Reader) ahead() string { return r.Text[r.Pos:min(r.Limit, r.Pos+script.MaxToken)] }

// Continued returns the offset after the line end that the escape at the cursor removes, or 0 if there isn't one. It
// accepts blanks between the two, which pasting often adds.
func (r *Reader) Continued() int {
	if i := r.Span(r.Pos+1, &script.BlankBytes); r.ByteAt(i) == '\n' {
		return i + 1
	}
	return 0
}

// CountWord charges for a word or redirection and rejects a script with too many.
func (r *Reader) CountWord() {
	r.Budget.Parts(WordParts)
	if r.words++; r.words > MaxWords {
		r.tooMany()
	}
}

// AddCommand adds a command to the script.
func (r *Reader) AddCommand(cmd *script.Command) {
	if len(r.script.Commands) >= MaxCommands {
		r.tooMany()
	}
	r.script.Commands = append(r.script.Commands, cmd)
}

// commandsFrom returns the commands read so far from an index on.
func (s *State) commandsFrom(first int) []*script.Command {
	n := len(s.script.Commands)
	return s.script.Commands[first:n:n]
}
