// Package extract finds the shell commands in files of other formats.
//
//	Makefile, Dockerfile ────────────────────────────────────┐
//	YAML: GitHub Actions, GitLab CI, Compose and Kubernetes ─┼→ a script, and the line of the file for each of its lines
//	AsciiDoc, reStructuredText, Markdown without fences ─────┘
//
// A script of commands runs each in a subshell, as the program of the file runs it in a shell of its own; variables that
// the file sets become assignments, and names of steps, services and targets become comments. What the format replaces
// itself (${{ … }}, $(…), $$) becomes an expansion of the shell, also where a shell would expand nothing. The script of a
// document is its blocks with commands.
//
// The tests of a format compare the calls of curl with those of the program or library that the format belongs to: make
// and the YAML library here, and those in test/extract. A format without such a test is refused by name, in package
// source.
//
//	extract.go     Find, Script; file, which collects the script
//	reference.go   what a format replaces in words and scripts
//	yaml.go        YAML documents, and those of CI systems; container.go those of containers
//	dockerfile.go, makefile.go, document.go
package extract
