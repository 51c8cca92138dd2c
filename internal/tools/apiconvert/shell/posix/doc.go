// Package posix reads POSIX shell scripts (IEEE Std 1003.1, Shell & Utilities, chapter 2) with bash's additions. It
// also has the Reader that the readers of other shells embed.
//
//	text → Blocks → Reader → commands, their words and redirections → Script
//
// Read evaluates assignments and functions: a variable with a known value is replaced by it, and a function body is
// read again for each call. Parse evaluates nothing and returns every word, comment and here-document with its
// position.
//
//	read.go       scripts, their blocks, and the Reader
//	list.go       lists, pipelines and compound commands; condition.go the tests of an if
//	command.go    simple commands; export, read, shift and others; functions
//	word.go       words, $'…' and field splitting; expansion.go $…, typographic.go “…”
//	document.go   redirections and here-documents
//	variables.go  assignments and arrays; output.go echo, printf, cat
//	prompt.go     terminal prompts and output
//	source.go     Parse
//
// Every input is read in linear time and memory.
package posix

// Limits of a script. Anything beyond them is rejected as too complex.
const (
	MaxNesting   = 100     // nested quotes, substitutions and expansions
	MaxOpen      = 1000    // nested compound commands
	MaxCommands  = 50_000  // simple commands
	MaxWords     = 250_000 // words and redirections of all commands
	MaxExpansion = 4 << 20 // bytes that variables expand to, and the cost of unknown parts in them
)
