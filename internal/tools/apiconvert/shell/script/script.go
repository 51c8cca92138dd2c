// Package script defines what the readers of shell scripts return: a Script of evaluated Commands, or a Source of
// Tokens as they are written. It also has the byte and word sets that the readers share.
//
//	script.go  Script, Command, Word, Part, Note
//	source.go  Source and its Tokens
//	text.go    sets, names and words
package script

import (
	"slices"
	"strings"
)

// Script is a parsed script.
type Script struct {
	// Commands are the simple commands in the order in which they end. Assignments or redirections alone also form a
	// command.
	Commands []*Command
	// Expanded are the literal values that variables were replaced by or that a loop sets, each once per name.
	Expanded []Expanded
	// Filled are those of them that follow a slash.
	Filled []Filled
	// Loops are the values that a loop sets, by its variable, if all are known.
	Loops map[string][]string
	// Settings are the values that commands give variables, one for each time that a command is read.
	Settings []*Setting
	// Comments are those with a text.
	Comments []Comment
	// Notes say how the script as a whole was read, each once.
	Notes []Note
}

// Expanded is a variable and the value that replaced it.
type Expanded struct{ Name, Value string }

// Filled is a variable that a value replaced after a slash.
type Filled struct {
	Expanded
	Offset int // of the command, or -1
}

// Comment is a comment at an offset of the source, without its #.
type Comment struct {
	Offset int
	Text   string
}

// Setting is a value that a command gives a variable.
type Setting struct {
	Name string
	By   *Command
}

// Command is one simple command (XCU 2.9.1).
type Command struct {
	// Offset is the byte offset of the command in the source. For a command inside backquotes with escapes it is the
	// offset of the opening backquote.
	Offset int
	// Written is the offset in the source of a command whose Offset is that of a call: one in a function.
	Written int
	// Comment holds the comment lines directly above the command, one per line, without their #.
	Comment string
	// Assignments precede the command's name.
	Assignments []Assignment
	// Words are the name and the arguments. Variables with a known value are replaced by it and, if unquoted, split
	// into fields (XCU 2.6.5).
	Words []Word
	// Redirects are in source order.
	Redirects []Redirect
	// Stdin is what is known about the standard input.
	Stdin Input
	// PipesInto is the name of the command that reads this one's output, "|" if that is not a plain name, or "" if the
	// output is not piped.
	PipesInto string
	// Within is the set of constructs around the command.
	Within Within
	// Notes say how the command was read, each once.
	Notes []Note
	// Inner are the commands of the substitutions in the command.
	Inner []*Command
	// Uses are the settings whose values the command has, and Sources other commands whose words it has.
	Uses    []*Setting
	Sources []*Command
	// Tokens are the tokens of Words. Only Parse sets them.
	Tokens []*Token

	// Feeders are the commands whose output this one reads: the one before it in the pipeline, or all in the compound
	// command before it. Only the readers use it and the fields that follow.
	Feeders []*Command
	// Level is how many substitutions contain the command.
	Level int
	// Runs are the commands of the function that this command calls.
	Runs []*Command
}

// CommandName returns the command's name, or "" if it is not a literal.
func (c *Command) CommandName() string {
	if len(c.Words) == 0 {
		return ""
	}
	name, _ := c.Words[0].Literal()
	return name
}

// Within is a set of the constructs that contain a command.
type Within uint8

// The constructs.
const (
	Conditional  Within = 1 << iota // if or case
	Loop                            // for, while, until or select
	Function                        // the body of a function
	Substitution                    // $(…) or `…`
)

// Assignment is a variable assignment before a command.
type Assignment struct {
	Name  string
	Value Word
}

// Redirect is a redirection (XCU 2.7).
type Redirect struct {
	FD int // the descriptor, explicit or implied
	Op string
	// Target is the word after Op. For << and <<- it is the document, for <<< the word and a newline.
	Target Word
}

// Input is what a command reads from standard input.
type Input struct {
	Kind InputKind
	// Word is the content of a Text or the name of a File.
	Word Word
	// Output is what an Unknown input is known to be, or nil.
	Output *Output
}

// Output is what a command prints: curl a response, or another command what it makes of its Input.
type Output struct {
	Command *Command
	Input   *Output // nil for curl
}

// From returns the output that the input consists of, or nil.
func (in Input) From() *Output {
	if w := in.Word; len(w) == 1 || len(w) == 2 && w[1].Kind == Literal && strings.Trim(w[1].Text, "\n") == "" {
		return w[0].Output
	}
	return in.Output
}

// InputKind is the kind of an Input.
type InputKind uint8

// The kinds of input.
const (
	Terminal InputKind = iota // nothing is redirected or piped
	Text                      // a here-document, a here-string, echo … |
	File                      // < file, cat file |
	Unknown                   // the output of another command
)

// Word is a word after quote removal: its parts in order. A word without parts is the empty string.
type Word []Part

// Part is a piece of a word.
type Part struct {
	Kind Kind
	// Text is the string of a Literal. For other kinds it is a name: a variable's own, one generated from the kind or the
	// program ("date_2" is the second unknown substitution of the script that date prints), one derived from a file or
	// a command that prints a credential ("gcloud_auth_print_access_token"), or Postman's name for what a command
	// prints ("$guid"). A substitution that is assigned to a variable has the variable's name.
	Text string
	// Default is the literal after :- - := or = in ${name:-default}.
	Default    string
	HasDefault bool
	// JSON reports that the value is the output of a command that prints JSON.
	JSON bool
	// Output is what a substitution, also one that is a default, consists of if that derives from the response of a curl
	// command, or nil.
	Output *Output
	// File is the name of the file that a substitution consists of, as in $(cat file).
	File string
	// Quoted reports that a part other than a Literal is in double quotes.
	Quoted bool
	// From and To are the offsets of a part other than a Literal in the source of Parse. Read leaves them 0.
	From, To int
}

// Kind is the kind of a Part.
type Kind uint8

// The kinds of part.
const (
	Literal             Kind = iota
	Variable                 // $name, ${name}, $1
	CommandSubstitution      // $(…), `…`
	Arithmetic               // $((…)), ${#name}
	ProcessSubstitution      // <(…), >(…)
	Arguments                // $@, $*
)

// Literal returns the string of a word that consists of literals only.
func (w Word) Literal() (string, bool) {
	if len(w) == 1 && w[0].Kind == Literal {
		return w[0].Text, true
	}
	var text strings.Builder
	for _, p := range w {
		if p.Kind != Literal {
			return "", false
		}
		text.WriteString(p.Text)
	}
	return text.String(), true
}

// Note is a stable code for something a caller may want to report.
type Note string

// The notes of a script.
const (
	PowerShellDialect Note = "dialect_powershell" // PowerShell
	CmdDialect        Note = "dialect_cmd"        // the Windows command prompt
)

// The notes of a command.
const (
	PlaceholderKept    Note = "placeholder"          // <name> read as a word, not as a redirection
	AmpersandKept      Note = "ampersand"            // an unquoted & read as part of a URL
	ParenthesisKept    Note = "parenthesis"          // an unquoted ( read as part of a word
	ContinuationAdded  Note = "continuation"         // the next line began with an option: read as a continuation
	ExpansionUnknown   Note = "parameter_expansion"  // ${name…} with an operator that is not supported
	TypographyFixed    Note = "typography"           // typographic quotes and dashes read as plain ones
	NotUnicode         Note = "not_unicode"          // escapes that are not valid UTF-8, replaced by U+FFFD
	ArgumentsUnknown   Note = "arguments"            // $@ or $* among the words
	ProcessSubstituted Note = "process_substitution" // <(…) or >(…) among the words
	ArithmeticUsed     Note = "arithmetic"           // $((…)) among the words
)

// Corrections are the notes about what a shell would read differently.
var Corrections = map[Note]bool{
	PlaceholderKept: true, AmpersandKept: true, ParenthesisKept: true,
	ContinuationAdded: true, TypographyFixed: true, NotUnicode: true,
}

// IsLiteral reports whether w is the literal text.
func IsLiteral(w Word, text string) bool {
	literal, ok := w.Literal()
	return ok && literal == text
}

// LiteralWord returns text as a word.
func LiteralWord(text string) Word {
	if text == "" {
		return Word{}
	}
	return Word{{Kind: Literal, Text: text}}
}

// Joined returns words as one, separated by blanks.
func Joined(words []Word) (joined Word) {
	for i, w := range words {
		if i > 0 {
			joined = append(joined, Part{Kind: Literal, Text: " "})
		}
		joined = append(joined, w...)
	}
	return joined
}

// Source is a POSIX script as it is written: its words, comments and here-documents with their positions. Nothing is
// evaluated, so a variable remains a part of its word even if its value is known.
type Source struct {
	Text string // what positions refer to
	// Text[From:To] is shell: all of it, or a fenced code block of Markdown below Heading.
	From, To int
	Heading  string
	Commands []*Command
	// Tokens are in the order in which they end, so the tokens in a substitution precede the word that contains it.
	Tokens []*Token
	// Functions are the names of the functions that the script defines.
	Functions map[string]bool
}

// Token is a stretch of the source with a meaning of its own.
type Token struct {
	Kind     TokenKind
	From, To int
	// Word is the value of a word, a default or a here-document.
	Word Word
	// Name is the variable that the word is assigned to; Array is the array that the word is an element of.
	Name, Array string
	// InQuotes reports that an OperandToken is in double quotes.
	InQuotes bool
	// Document is set for a DocumentToken.
	Document *Document
}

// TokenKind is the kind of a Token.
type TokenKind uint8

// The kinds of token.
const (
	WordToken     TokenKind = iota
	CommentToken            // includes its #
	OperandToken            // literal text or a quoted string in the operand of ${NAME:-operand}
	DocumentToken           // the lines of a here-document
)

// Document is a here-document.
type Document struct {
	Input    bool   // of a compound command, or of cat in a pipe
	End      string // its delimiter, without quotes
	From, To int    // the position of the delimiter after <<
	Quoted   bool   // the delimiter is quoted, so nothing is expanded
	// Inexact reports that the lines differ from the source because tabs were removed. The parts of Word then have no
	// positions.
	Inexact bool
}

// ByteSet is a set of bytes.
type ByteSet [256]bool

// BytesOf returns the set of the bytes of text.
func BytesOf(text string) (set ByteSet) {
	for i := 0; i < len(text); i++ {
		set[text[i]] = true
	}
	return set
}

// NameLength returns the length of the name (XBD 3.216) that text begins with.
func NameLength(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !IsNameStart(c) && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}

// IsNameStart reports whether a byte can begin a variable's name.
func IsNameStart(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// IsName reports whether text is the name of a variable (XBD 3.216).
func IsName(text string) bool { return text != "" && NameLength(text) == len(text) }

// IsBlank reports whether a byte is a blank or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// MaxToken limits how many bytes one lookahead reads, so that each lookahead takes constant time.
const MaxToken = 256

// SetOf returns the set of the blank-separated words in words, and of more.
func SetOf(words string, more ...string) map[string]bool {
	set := map[string]bool{}
	for _, word := range more {
		set[word] = true
	}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// NameLetters are the bytes that a name may contain.
const NameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// Sets that several readers share.
var (
	BlankBytes       = BytesOf(" \t")
	NameBytes        = BytesOf(NameLetters)
	CommandNameBytes = BytesOf(NameLetters + "-.")
)

// Declares are the commands that take assignments as arguments.
var Declares = SetOf("export readonly local declare typeset")

// Except returns the set of all bytes but those of text.
func Except(text string) ByteSet {
	set := BytesOf(text)
	for i := range set {
		set[i] = !set[i]
	}
	return set
}

// ContainsAny reports whether text contains any of the parts.
func ContainsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
