// Package powershell reads PowerShell: invocations of Invoke-WebRequest, Invoke-RestMethod and curl.exe, which become
// commands of curl. It evaluates strings, numbers, hash tables, lists, variables that are set to them, ConvertTo-Json and
// the session that browsers copy. A variable that is set to the output of a command is a variable of the request; one that
// is set to a response, or to a property of it, is a capture. Whatever else a statement contains is rejected at its
// line: splatting, operators, methods, types, script blocks and the statements that take them.
//
//	statement.go  statements, assignments and pipelines
//	command.go    commands and their arguments
//	request.go    a web cmdlet as a command of curl
//	value.go      values: tables, lists, JSON
//	text.go       strings
package powershell
