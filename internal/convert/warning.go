package convert

// WarningCode begins a line of Result.Warnings, before a colon. The list is closed: the document has it with
// the meaning of each code (x-warnings), including the codes of api_convert, which package warning has from it.
type WarningCode string

// The codes of the other tools.
const (
	NotVerified        WarningCode = "not_verified"
	AlgNone            WarningCode = "alg_none"
	SignatureMalformed WarningCode = "signature_malformed"
	UnsafeNumberKept   WarningCode = "unsafe_number"
	OffsetConverted    WarningCode = "offset_converted"
	LeapSecond         WarningCode = "leap_second"
)

// Line returns the warning line for a code and one or more sentences.
func (c WarningCode) Line(sentence string) string { return string(c) + ": " + sentence }
