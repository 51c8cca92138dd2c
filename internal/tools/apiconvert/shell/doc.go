// Package shell parses shell scripts just enough to find their simple commands and the words of each. It runs nothing,
// expands no file names and checks only the grammar that decides where a command or a word ends.
//
//	text → paste.Blocks → paste.DialectOf ┬ posix ──────┬→ script.Script
//	                                      ├ cmd ────────┤
//	                                      └ powershell ─┘
//
// The input is one block, or the fenced code blocks of a Markdown document. The dialect of a block is detected once,
// before the block is read, and all readers return the same types. To add a dialect, add a package with a Block
// function, an entry in readers, and in paste a constant and the marks that identify it. To report the dialect, its
// Block calls NoteScript with a Note (package script) that has an entry in shellWarnings (package curl).
//
// Commands are found in lists, pipelines, groups, subshells, the bodies of if, for, while, case and functions, and in
// command substitutions, whose commands precede the command that uses them. Literal assignments are substituted into
// the words that follow; every other variable stays a variable.
//
// Pasted input is cleaned up: CR LF, a byte order mark, prompts and the output between them, sentences, and Markdown around
// fenced blocks. Corrections of a command leave a note: <placeholder> words and an unquoted & in a URL.
//
// Patterns (*, ?, […]), tildes and braces are kept, as if no file matched. Aliases, eval, custom values of IFS and
// further iterations of a loop are not modelled.
//
//	script      commands, words and their positions
//	paste       blocks, prompts, prose and dialects of the input
//	posix       POSIX shell, and the Reader that the others embed
//	cmd         the Windows command prompt
//	powershell  PowerShell, whose web cmdlets become curl
//	extract     commands in Makefiles, Dockerfiles, workflows, manifests and documents
package shell
