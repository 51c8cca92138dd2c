// Package writer writes the request model as a POSIX script of curl commands.
//
//	request.API → comments, commands → text
//
// Options that do not come from a script are those of curl 7.68, the oldest release on a supported system.
// Variables are "$NAME", listed in a comment at the top.
//
//	write.go      the script: folders, comments, one command per request, its headers and cookies
//	write_url.go  the URL, with credentials in its query
//	content.go    the body and the credentials, with a case for each kind
//	captures.go   the variables that responses set
//	variables.go  values of variables, and shell words
package writer
