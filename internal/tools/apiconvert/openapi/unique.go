package openapi

import "strconv"

// Unique returns names that are different from each other: the second "get" is
// "get2".
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

// The name and summary of the example of a parameter that no request of the
// source sends: read again, it is not sent either.
const (
	NotSent      = "notSent"
	NotSentLabel = "Not sent"
)
