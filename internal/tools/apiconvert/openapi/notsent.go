package openapi

// The name and summary of the example of a parameter that no request in the source sends. When the document is read
// again, the parameter isn't sent either.
const (
	NotSent      = "notSent"
	NotSentLabel = "Not sent"
)
