package script

// Source is a POSIX script as it is written: its words, comments and
// here-documents with their positions. Nothing in it is evaluated, so a variable
// stays a part of its word wherever it has a value.
type Source struct {
	Text     string // what the positions are in
	Blocks   []Block
	Commands []*Command
	// Tokens are in the order in which they end, so those within a substitution
	// are in front of the word around them.
	Tokens []*Token
	Notes  []Note
	// Functions are the names of the functions that it defines.
	Functions map[string]bool
}

// Block is a stretch of the text that is shell: all of it, or one that is fenced
// in Markdown or found among sentences.
type Block struct {
	From, To int
	Heading  string
}

// Token is a stretch of the text that has a meaning of its own.
type Token struct {
	Kind     TokenKind
	From, To int
	// Word is what a word, a default or a here-document says.
	Word Word
	// Name is the variable that a word is assigned to, Array the one of an array
	// that it is an element of.
	Name, Array string
	// Misquoted says that an operator in a word was read as text, as an & in a URL
	// is, so that a shell needs it quoted.
	Misquoted bool
	// With replaces a Fix.
	With string
	// Document is set for a DocumentToken.
	Document *Document
}

// TokenKind says what a Token is.
type TokenKind uint8

// The kinds of token.
const (
	WordToken     TokenKind = iota
	CommentToken            // with its #
	DefaultToken            // the literal word of ${NAME:-word}
	DocumentToken           // the lines of a here-document
	FixToken                // what was not meant for a shell: a prompt, a terminal's output
)

// Document is a here-document.
type Document struct {
	Command  *Command // that reads it
	End      string   // its closing word, without quotes
	From, To int      // where the closing word is announced
	Quoted   bool     // the closing word is quoted, so nothing is expanded
	// Inexact says that the lines differ from the text: tabs or prompts were
	// removed. The parts of Word then have no positions.
	Inexact bool
}
