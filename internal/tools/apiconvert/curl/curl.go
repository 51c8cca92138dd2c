// Package curl turns shell text with curl commands into the request model and
// writes the model as such text. Package shell finds the commands; here their
// options are read straight into the model's words: every option of curl (up to
// 8.22) is known. No file is opened, nothing is sent.
//
// A request is what goes over the wire where the text tells it: the URL with the
// query of -G and --url-query, the headers of -A, -e, --json and -r beside those
// of -H, the body with all -d joined. {{command_1}} is the output of the script's
// first unknown command substitution, {{file_1}} the content of its first file
// that stands among other data. {name} in a URL is a path parameter: curl's own
// globbing would only take the braces away.
package curl
