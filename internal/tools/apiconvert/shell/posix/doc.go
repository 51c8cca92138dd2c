// Package posix reads POSIX shell text (IEEE Std 1003.1, Shell & Utilities, chapter 2)
// with bash's additions, and has the Reader that the readers of other shells embed.
//
//	text → Blocks → Reader → commands, their words and redirections → Script
//
// Read evaluates assignments and functions: a variable with a known value is replaced
// by it, and a function is read again for each of its calls. Parse evaluates nothing
// and returns every word, comment and here-document with its position.
//
//	read.go       a script, its blocks, and what a Reader knows
//	list.go       lists, pipelines and compound commands
//	command.go    simple commands
//	word.go       words; expansion.go $…, ansi.go $'…', fields.go field splitting
//	redirect.go   redirections; document.go here-documents
//	variables.go  assignments; function.go functions; output.go echo, printf, cat
//	prompt.go     what a terminal shows
//	source.go     Parse
//
// Every input is read in linear time and memory.
package posix

// The bounds of a script. What lies beyond is refused as too complex.
const (
	MaxNesting   = 100     // quotes, substitutions and expansions inside one another
	MaxOpen      = 1000    // compound commands inside one another
	MaxCommands  = 50_000  // simple commands
	MaxWords     = 250_000 // words and redirections of all commands
	MaxExpansion = 4 << 20 // bytes that variables put into words, and what is not known in them
)
