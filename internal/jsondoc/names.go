package jsondoc

import "hash/maphash"

// names is the stack of the member names of all open objects. The names of
// the innermost object are on top, so an object's end drops them at once.
//
// A small object is searched name by name. From manyNames on, the names of
// that object are also in an open-addressing table; as objects end in the
// reverse order of their beginning, removing the newest names restores the
// table exactly, and no tombstones are needed. The hash is seeded per
// process, so a client cannot choose colliding names.
type names struct {
	stack []string
	table []int32 // index into stack plus one; length is a power of two
	used  int
}

const manyNames = 16

var seed = maphash.MakeSeed()

func (n *names) len() int { return len(n.stack) }

// add puts a name on the stack and reports whether it is new among those from
// base on, the names of its object.
func (n *names) add(base int, name string) bool {
	count := len(n.stack) - base
	if count < manyNames {
		for _, other := range n.stack[base:] {
			if other == name {
				return false
			}
		}
		n.stack = append(n.stack, name)
		return true
	}
	if count == manyNames {
		for i := base; i < len(n.stack); i++ {
			n.insert(base, i)
		}
	}
	n.stack = append(n.stack, name)
	return n.insert(base, len(n.stack)-1)
}

// insert puts the name at stack index i into the table; false if the object
// that begins at base has it already.
func (n *names) insert(base, i int) bool {
	if 2*n.used >= len(n.table) {
		n.grow()
	}
	mask := len(n.table) - 1
	for slot := hash(n.stack[i]) & mask; ; slot = (slot + 1) & mask {
		other := int(n.table[slot]) - 1
		if other < 0 {
			n.table[slot] = int32(i + 1)
			n.used++
			return true
		}
		if other >= base && n.stack[other] == n.stack[i] {
			return false
		}
	}
}

// grow doubles the table. The names are inserted in the order of the stack,
// so that the newest is still the last of its chain.
func (n *names) grow() {
	old := n.table
	n.table = make([]int32, max(64, 2*len(old)))
	in := make([]bool, len(n.stack))
	for _, entry := range old {
		if entry > 0 {
			in[entry-1] = true
		}
	}
	mask := len(n.table) - 1
	for i, is := range in {
		if !is {
			continue
		}
		slot := hash(n.stack[i]) & mask
		for n.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		n.table[slot] = int32(i + 1)
	}
}

// drop removes the names from base on.
func (n *names) drop(base int) {
	if len(n.stack)-base > manyNames {
		mask := len(n.table) - 1
		for i := len(n.stack) - 1; i >= base; i-- {
			slot := hash(n.stack[i]) & mask
			for n.table[slot] != int32(i+1) {
				slot = (slot + 1) & mask
			}
			n.table[slot] = 0
		}
		n.used -= len(n.stack) - base
	}
	n.stack = n.stack[:base]
}

func hash(name string) int { return int(maphash.String(seed, name) & (1<<62 - 1)) }
