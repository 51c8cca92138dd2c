// Package powershell reads PowerShell: invocations of Invoke-WebRequest, Invoke-RestMethod and curl.exe, which become
// commands of curl. It evaluates strings, numbers, hash tables, lists, variables that are set to them, ConvertTo-Json and
// the session that browsers copy. Whatever else a script contains is rejected at its line.
//
//	statement.go  statements, assignments, pipelines and their commands
//	request.go    the arguments of requests, which become options of curl
//	value.go      values: strings, tables, lists, JSON
package powershell
