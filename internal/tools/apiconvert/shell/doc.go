// Package shell reads shell text far enough to find its simple commands with their
// words, and no further: it runs nothing, expands no file names and checks no grammar
// that does not decide where a command or a word ends.
//
//	text → paste.Blocks → paste.DialectOf ┬ posix ──────┬→ script.Script
//	                                      ├ cmd ────────┤
//	                                      └ powershell ─┘
//
// A text is one block, or the fenced ones of Markdown. Which shell wrote a block is
// decided once, before it is read, and all readers return the same words. Another
// dialect is a package with a Block function, a line in readers, and in paste the
// constant and the marks that it is known by.
//
// Commands are found wherever they are: in lists, pipelines, groups, subshells, the
// bodies of if, for, while, case and functions, and in command substitutions, whose
// commands come before the command that uses them. Literal assignments are put into
// the words that follow; every other variable stays a variable.
//
// Pasted text is read as it was meant, and each such reading leaves a note: CR LF, a
// byte order mark, prompts and the output between them, Markdown around fenced blocks,
// <placeholder> words and an unquoted & in a URL.
//
// Patterns (*, ?, […]), tildes and braces are kept, as if no file matched. Aliases,
// eval, other values of IFS and the second pass of a loop are not modelled.
//
//	script      commands, words and their positions
//	paste       what a text consists of: blocks, prompts, prose, dialects
//	posix       POSIX text, and the Reader that the others embed
//	cmd         the command prompt of Windows
//	powershell  PowerShell, whose web cmdlets become curl
//	extract     commands in Makefiles, Dockerfiles, CI workflows and the like
package shell
