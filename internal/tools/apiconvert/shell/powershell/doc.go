// Package powershell reads PowerShell: invocations of curl.exe, and of Invoke-WebRequest and Invoke-RestMethod, which
// become the words of the equivalent curl command.
//
//	powershell.go  statements, assignments and pipelines
//	call.go        commands and their arguments
//	request.go     a web cmdlet as a curl command
//	expression.go  expressions; value.go values; text.go strings
package powershell
