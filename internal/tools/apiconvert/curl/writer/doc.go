// Package writer writes the request model as a POSIX script of curl commands.
//
//	request.API → comments, commands → text
//
// Every option is one that curl 7.68 accepts, the oldest release on a supported system, or was added in 7.69 to 7.88.
// Variables are "$NAME", listed in a comment at the top.
//
//	write.go      the script: folders, comments, one command per request, its headers and cookies
//	write_url.go  the URL, with credentials in its query
//	content.go    the body and the credentials, with a case for each kind
//	captures.go   the variables that responses set
//	variables.go  values of variables, and shell words
package writer
