// Code generated from openapi/openapi.yaml by make generate. DO NOT EDIT.

package convert

// The warnings of the tools other than api_convert, in the order of x-warnings.
const (
	WarningNotVerified        WarningCode = "not_verified"
	WarningAlgNone            WarningCode = "alg_none"
	WarningSignatureMalformed WarningCode = "signature_malformed"
	WarningUnsafeNumber       WarningCode = "unsafe_number"
	WarningOffsetConverted    WarningCode = "offset_converted"
	WarningLeapSecond         WarningCode = "leap_second"
)
