// Package writer writes the request model as a POSIX script of curl commands.
//
//	request.API → comments, commands, here-documents → text
//
// Every option is one that curl 7.68 takes, the oldest that a supported system has,
// or came with 7.69 to 7.88. Variables are "$NAME", named in a comment on top.
//
//	write.go      the script: folders, comments, one command for each request
//	write_url.go  the URL
//	content.go    the body and the credentials
//	document.go   here-documents
//	variables.go  values of variables, and words of the shell
package writer
