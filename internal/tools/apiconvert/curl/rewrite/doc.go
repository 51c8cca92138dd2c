// Package rewrite rewrites the curl commands of a POSIX script in place.
//
//	text → shell.Parse → words → pieces (sites) → edits → text
//
// The script sends the same requests afterwards, because only these bytes of it
// change:
//
//   - options of curl get their long names where both mean the same;
//   - secrets are replaced by variables in the words where they are written;
//   - what no shell was meant to read (prompts, a terminal's output) is left out, and
//     what a shell reads in another way than it was meant (an & in an unquoted URL)
//     is quoted.
//
// The shell reader returns the words with their positions and evaluates nothing.
// Each word is cut into pieces, which are the script's sites: the value of a header,
// the password of --user, the value of an assignment. A word whose pieces change is
// quoted again, with the variables and substitutions that it had. Its bytes are
// replaced by one edit, and the edits are applied once.
//
//	rewrite.go  the script, its sites and its edits
//	command.go  the pieces of a curl command
//	quote.go    words and here-documents that are quoted again
//
// For example, with hunter2 found to be a secret:
//
//	TOKEN=$(curl -s -u "ann:hunter2" "$API/login" | jq -r .token)
//	TOKEN=$(curl --silent --user "ann:$PASSWORD" "$API/login" | jq -r .token)
package rewrite
