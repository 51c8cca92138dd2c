// Package extract finds the shell commands in files of other formats: Makefiles, Dockerfiles, Jenkinsfiles, CI
// workflows and other YAML, tldr pages, reStructuredText, AsciiDoc, Org mode, a shell's history and chats.
//
//	Makefile ───────────────┐
//	Dockerfile, Jenkinsfile ┤
//	YAML ───────────────────┼→ a script with as many lines as the text
//	tldr, reST, AsciiDoc, … ┤
//	history, chats ─────────┘
//
// Each line of the script is what a shell runs of the same line of the input, so line numbers stay the same; all other
// lines are empty. Variables that the format sets become assignments; names of steps and targets become comments.
// Nothing is evaluated.
//
// To add a format, write one function in one file and add it to formats or verbatim.
package extract
