package script

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
