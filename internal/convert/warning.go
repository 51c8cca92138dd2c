package convert

// WarningCode is what a line of Result.Warnings begins with, before a colon.
// The list is closed: the document holds it with what each means (x-warnings),
// together with the codes of api_convert, whose package warning names them.
type WarningCode string

// The codes of the tools that have few.
const (
	NotVerified        WarningCode = "not_verified"
	AlgNone            WarningCode = "alg_none"
	SignatureMalformed WarningCode = "signature_malformed"
	UnsafeNumberKept   WarningCode = "unsafe_number"
	OffsetConverted    WarningCode = "offset_converted"
	LeapSecond         WarningCode = "leap_second"
)

// Line is the warning of a code: one sentence, or several.
func (c WarningCode) Line(sentence string) string { return string(c) + ": " + sentence }
