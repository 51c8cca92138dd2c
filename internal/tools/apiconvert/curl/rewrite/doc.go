// Package rewrite rewrites the curl commands of a POSIX script in place.
//
//	text → shell.Parse → words → sites → edits → text
//
// The rewritten script sends the same requests. Only these bytes of it change:
//
//   - options of curl get their long names, if both mean the same;
//   - secrets are replaced by variables in the words where they are written.
//
// A script that a shell would read differently (prompts, an & in an unquoted URL) is not rewritten.
//
// The shell parser returns the words with their positions and evaluates nothing. A word has one site: the argument of an
// option, the value of an assignment. Package spans has the parts of an option's argument, such as the password of --user. A
// word with a changed site is quoted again, with its variables and substitutions. One edit replaces its bytes, and all
// edits are applied at once.
//
//	rewrite.go  the script, its sites and its edits
//	command.go  the sites of a command
//	quote.go    quoting of changed words and here-documents
//
// For example, if hunter2 is a secret:
//
//	TOKEN=$(curl -s -u "ann:hunter2" "$API/login" | jq -r .token)
//	TOKEN=$(curl --silent --user "ann:$PASSWORD" "$API/login" | jq -r .token)
package rewrite
