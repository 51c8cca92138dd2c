package openapi

import "strconv"

// Unique generates distinct names: the second "get" becomes "get2".
type Unique map[string]int

func (u Unique) Name(wanted string) string {
	name := wanted
	for u[name] > 0 {
		u[wanted]++
		name = wanted + strconv.Itoa(u[wanted])
	}
	u[name]++
	return name
}

// The name and summary of the example of a parameter that no request in the source sends. When the document is read
// again, the parameter isn't sent either.
const (
	NotSent      = "notSent"
	NotSentLabel = "Not sent"
)
