// Package curl reads shell text with curl commands into the request model. Package
// shell finds the commands; here their options are read straight into the model:
// every option of curl up to 8.22 is known. No file is opened, nothing is sent.
//
//	text → extract → shell.Read → commands → invocation.Call → operations → requests
//
// A request is what is sent where the text says it: the URL with the query of -G and
// --url-query, the headers of -A, -e, --json and -r besides those of -H, the body with
// all -d joined. {{command_1}} is the output of the script's first command
// substitution that is not known, {{file_1}} the content of its first file among other
// data. {name} in a URL is a path parameter.
//
//	read.go       a text, its commands
//	arguments.go  the words of a command, up to --next
//	operation.go  what the options of one operation say
//	requests.go   the requests of an operation, one for each URL
//	url.go        a URL, and glob.go its {a,b} and [1-3]
//	data.go       bodies, form.go multipart bodies, config.go -K -
//	notes.go      warnings
//
// Beside it: syntax (curl's options, names of variables), invocation (which words call
// curl), rewrite (a script rewritten in place), writer (the model as a script).
package curl
