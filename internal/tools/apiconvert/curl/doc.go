// Package curl reads shell scripts with curl commands into the request model. Package shell finds the commands; this
// package parses their options directly into the model. It knows every option of curl up to 8.22. It opens no file and
// sends nothing.
//
//	extract.Script → shell.Read → commands → invocation.Call → operations → requests
//
// A request contains what the script explicitly sends: the URL with the query of -G and --url-query, the headers of -A,
// -e, --json and -r in addition to those of -H, and the body with all -d joined. {{date_1}} is the output of the
// script's first unknown substitution of date, {{file_1}} the content of its first file among other data. {name} in a
// URL is a path parameter.
//
//	read.go       a script and its commands
//	arguments.go  the arguments of a command, up to --next, and of -K -
//	operation.go  the options of one operation
//	requests.go   the requests of an operation, one for each URL
//	url.go        a URL, and its {a,b} and [1-3]
//	data.go       bodies, also multipart ones
//	captures.go   the variables that the script takes from responses
//	settings.go   the variables and comments that no request has
//	others.go     commands other than curl
//	notes.go      warnings, and Portable, which prepares the model for other formats
//
// Subpackages: syntax (curl's options and arguments, names of variables), invocation (which words invoke curl), rewrite (a script
// rewritten in place), writer (the model as a script).
package curl
