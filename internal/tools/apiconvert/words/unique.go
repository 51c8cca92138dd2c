package words

import "strconv"

// Unique generates distinct names: the second "get" becomes "get2". Names with a count are taken.
type Unique map[string]int

// Take takes a name that is used anyway.
func (u Unique) Take(name string) { u[name] = max(u[name], 1) }

// Name returns wanted or, if that is taken, wanted with the next number that is free, and takes it.
func (u Unique) Name(wanted string) string {
	name := wanted
	for u[name] > 0 {
		u[wanted]++
		name = wanted + strconv.Itoa(u[wanted])
	}
	u[name]++
	return name
}
