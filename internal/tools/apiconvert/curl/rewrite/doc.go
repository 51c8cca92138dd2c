// Package rewrite rewrites the curl commands of a POSIX script in place.
//
//	text → shell.Parse → words → pieces (sites) → edits → text
//
// The rewritten script sends the same requests. Only these bytes of it change:
//
//   - options of curl get their long names, if both mean the same;
//   - secrets are replaced by variables in the words where they are written;
//   - text that isn't meant for a shell (prompts, a terminal's output) is removed, and
//     words that a shell would misread (an & in an unquoted URL) are quoted.
//
// The shell parser returns the words with their positions and evaluates nothing. Each word is split into pieces, which
// are the script's sites: the value of a header, the password of --user, the value of an assignment. A word with a
// changed piece is quoted again, with its variables and substitutions. One edit replaces its bytes, and all edits are
// applied at once.
//
//	rewrite.go  the script, its sites and its edits
//	command.go  the pieces of a curl command
//	quote.go    quoting of changed words and here-documents
//
// For example, if hunter2 is a secret:
//
//	TOKEN=$(curl -s -u "ann:hunter2" "$API/login" | jq -r .token)
//	TOKEN=$(curl --silent --user "ann:$PASSWORD" "$API/login" | jq -r .token)
package rewrite
