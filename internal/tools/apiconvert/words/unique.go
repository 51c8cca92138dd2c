package words

import "strconv"

// Unique generates distinct names: the second "get" becomes "get2". Names with a count are taken.
type Unique map[string]int

// Take takes a name that is used anyway.
func (u Unique) Take(name string) { u[name] = max(u[name], 1) }

// Name returns wanted or, if that is taken, wanted with the next number that is free, and takes it.
func (u Unique) Name(wanted string) string { return u.Separated(wanted, "") }

// Separated is like Name, with a separator before the number.
func (u Unique) Separated(wanted, separator string) string {
	name := u.Free(wanted, separator, func(name string) bool { return u[name] > 0 })
	u.Take(name)
	return name
}

// Free is like Separated, but the caller knows which names are taken; u only has the last number of each.
func (u Unique) Free(wanted, separator string, taken func(name string) bool) string {
	name := wanted
	for taken(name) {
		u[wanted] = max(u[wanted], 1) + 1
		name = wanted + separator + strconv.Itoa(u[wanted])
	}
	return name
}
