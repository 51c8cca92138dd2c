package convert

// WarningCode begins a line of Result.Warnings, before a colon. The list is closed: the document has it with
// the meaning of each code (x-warnings). warning.gen.go has the codes; those of api_convert are in its package warning.
type WarningCode string

// Line returns the warning line for a code and one or more sentences.
func (c WarningCode) Line(sentence string) string { return string(c) + ": " + sentence }
