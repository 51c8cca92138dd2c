// Package script has what the readers of shell text return: a Script of Commands of
// Words, evaluated, or a Source of Tokens as they are written. It also has the sets of
// bytes and words that the readers share.
//
//	script.go  Script, Command, Word, Part, Note
//	source.go  Source and its Tokens
//	text.go    sets, names and words
package script

import "strings"

// Script is a text that has been read.
type Script struct {
	// Commands are the simple commands in the order in which they end; only
	// assignments or redirections count as a command too.
	Commands []*Command
	// Trailing are the comments behind the last command, as in Command.Apart.
	Trailing string
	// Expanded are the literal values that variables put into words, each
	// once under each name.
	Expanded []Expanded
	// Notes say what was done to the text as a whole, each once.
	Notes []Note
}

// Expanded is a variable and the value that stands where its name stood.
type Expanded struct{ Name, Value string }

// Command is one simple command (XCU 2.9.1).
type Command struct {
	// Offset is the byte of the text where the command begins. For a command
	// inside backquotes it is that of the opening backquote.
	Offset int
	// Comment is the text of the comment lines right above, without their #,
	// one line each.
	Comment string
	// Apart are the comments above Comment that a blank line or another
	// command parts from it, an empty line between them.
	Apart string
	// Assignments stand before the command's name.
	Assignments []Assignment
	// Words are the name and the arguments. Variables with a known value are
	// replaced by it and, unquoted, split into fields (XCU 2.6.5).
	Words []Word
	// Redirects are in the order of the text.
	Redirects []Redirect
	// Stdin is what is known of the standard input.
	Stdin Input
	// PipesInto is the name of the command that reads this one's output, "|"
	// when it is not a plain name, "" when the output is not piped.
	PipesInto string
	// Within says what the command stands in.
	Within Within
	// Notes say how the command was read, each once.
	Notes []Note
	// Tokens are those of Words, in what Parse returns.
	Tokens []*Token

	// Feeder is the index of the command before it in the pipeline, or one of the
	// two below. It, Piped and Runs are what a reader needs to know itself.
	Feeder int
	// Piped are the commands of the compound command before it in the pipeline.
	Piped []*Command
	// Runs are the commands of the function that it calls.
	Runs []*Command
}

// CommandName is the command's name, "" when it is not literal.
func (c *Command) CommandName() string {
	if len(c.Words) == 0 {
		return ""
	}
	name, _ := c.Words[0].Literal()
	return name
}

// What Feeder is for a command that no command feeds.
const (
	FedByNothing  = -1 // the first of its pipeline
	FedByCompound = -2 // behind a compound command: unknown
)

// Within is a set of the constructs that a command stands in.
type Within uint8

// The constructs.
const (
	Conditional  Within = 1 << iota // if or case
	Loop                            // for, while, until or select
	Function                        // the body of a function
	Substitution                    // $(…) or `…`
	Background                      // ended by &
)

// Assignment is a variable assignment before a command.
type Assignment struct {
	Name  string
	Value Word
}

// Redirect is a redirection (XCU 2.7).
type Redirect struct {
	FD int // the descriptor, written or implied
	Op string
	// Target is the word behind Op; for << and <<- the document, for <<< the
	// word and a newline.
	Target Word
}

// Input is what a command reads from its standard input.
type Input struct {
	Kind InputKind
	// Word is the text of a Text, the name of a File.
	Word Word
	// Document says that a Text stands in a here-document.
	Document bool
}

// InputKind says what an Input is.
type InputKind uint8

// The kinds of input.
const (
	Terminal InputKind = iota // nothing is redirected or piped
	Text                      // a here-document, a here-string, echo … |
	File                      // < file, cat file |
	Unknown                   // the output of another command
)

// Word is a word after quote removal: its parts in order. A word without
// parts is the empty string.
type Word []Part

// Part is a piece of a word.
type Part struct {
	Kind Kind
	// Text is a Literal's text, otherwise a name: a variable's own, or one
	// made from the place ("command_2" is the second substitution of the
	// script that is not known) or from a command that prints a credential
	// ("gcloud_auth_print_access_token").
	Text string
	// Default is the literal behind :- - := or = in ${name:-default}.
	Default    string
	HasDefault bool
	// Quoted says that a part other than a Literal stands in double quotes.
	Quoted bool
	// From and To are where a part other than a Literal is in the text that
	// Parse read; 0 in what Read returns.
	From, To int
}

// Kind says what a Part is.
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

// Literal returns the text of a word that has no other part than literals.
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

// Note is a stable code for something a reader may want to be told.
type Note string

// The notes of a script.
const (
	PromptsRemoved    Note = "prompts"            // prompts and the output between them
	MarkdownRemoved   Note = "markdown"           // text around fenced blocks
	DocumentUnclosed  Note = "here_document"      // a here-document's last line only matched without its blanks
	PowerShellDialect Note = "dialect_powershell" // text of PowerShell
	CmdDialect        Note = "dialect_cmd"        // text of Windows' command prompt
)

// The notes of a command.
const (
	PlaceholderKept    Note = "placeholder"          // <name> read as text, not as a redirection
	AmpersandKept      Note = "ampersand"            // an unquoted & read as part of a URL
	ParenthesisKept    Note = "parenthesis"          // an unquoted ( read as part of a word
	ContinuationAdded  Note = "continuation"         // the next line began with an option: read as going on
	ExpansionUnknown   Note = "parameter_expansion"  // ${name…} with an operator that is not worked out
	NotUnicode         Note = "not_unicode"          // escapes that form no UTF-8, replaced by U+FFFD
	ArgumentsUnknown   Note = "arguments"            // $@ or $* stands among the words
	ProcessSubstituted Note = "process_substitution" // <(…) or >(…) stands among the words
	SubstitutionUsed   Note = "command_output"       // an unknown $(…) stands among the words
	ArithmeticUsed     Note = "arithmetic"           // $((…)) stands among the words
)

// IsLiteral reports whether a word is a text.
func IsLiteral(w Word, text string) bool {
	literal, ok := w.Literal()
	return ok && literal == text
}

// LiteralWord is a text as a word.
func LiteralWord(text string) Word {
	if text == "" {
		return Word{}
	}
	return Word{{Kind: Literal, Text: text}}
}
