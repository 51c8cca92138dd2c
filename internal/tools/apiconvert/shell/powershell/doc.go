// Package powershell reads PowerShell: invocations of curl.exe, and of Invoke-WebRequest and Invoke-RestMethod, which
// become the words of the equivalent curl command. Strings, numbers, variables that are set to them, hash tables,
// ConvertTo-Json and the session that browsers copy are evaluated. A request that depends on another expression, an object
// or a splatted variable is refused with its line.
//
//	powershell.go  statements, assignments and pipelines
//	call.go        commands and their arguments
//	request.go     a web cmdlet as a curl command
//	value.go       values: tables, lists, JSON; text.go strings
package powershell
