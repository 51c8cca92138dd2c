// Package paste tells what a pasted text consists of: the blocks that are shell, the
// shell that wrote each, prompts, and sentences between commands. Everything is
// decided from lines, before any of them is read.
//
//	paste.go    Blocks: fenced code, what a terminal showed, prompts
//	prose.go    commands among sentences
//	heading.go  names of blocks from Markdown headings
//	dialect.go  DialectOf: POSIX, cmd.exe, PowerShell
package paste
