// Package paste analyzes pasted input: the blocks that are shell, the dialect of each, prompts, and the sentences
// between commands. It looks at lines only, before any of them is parsed.
//
//	paste.go    Blocks: fenced code, terminal output, prompts; sentences
//	dialect.go  DialectOf: POSIX, cmd.exe, PowerShell, and JavaScript, which is rejected
package paste
