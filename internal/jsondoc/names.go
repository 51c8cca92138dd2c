package jsondoc

import (
	"hash/maphash"

	"github.com/convertd/convertd/internal/convert"
)

// names is the stack of the member names of all open objects. The names of the innermost object are on top, so
// the end of an object drops them all.
//
// Small objects are searched linearly. An object of manyNames or more names also has them in an open-addressing
// table. The end of an object leaves its names in the table: an entry is only an index, which by then is beyond the
// stack or of a name that replaced it. The hash is seeded per process, so a client cannot choose colliding names.
//
// It holds no pointers to names, so the garbage collector has nothing to scan, however many names there are.
type names struct {
	text      string
	unescaped []byte // the contents of names with escapes
	stack     []span
	table     []int32 // index into stack plus one; length is a power of two
	used      int     // entries in the table, including those of names that were dropped
}

// span is the position of a name's content: in names.text or, offset by the length of that text, in names.unescaped.
type span struct{ from, to int32 }

// scope is the state of names for one object.
type scope struct {
	base      int32 // index of its first name in the stack
	unescaped int32 // and in names.unescaped
	// marks has the bits that mark returns for its names: a name whose bit is not set is new and needs no search.
	marks uint64
}

const manyNames = 16

var seed = maphash.MakeSeed()

// begin returns the scope of a new object.
func (n *names) begin() scope {
	return scope{base: int32(len(n.stack)), unescaped: int32(len(n.unescaped))}
}

// unescape returns the span of the decoded content of a name with escapes.
func (n *names) unescape(raw string) span {
	from := len(n.text) + len(n.unescaped)
	n.unescaped = AppendContent(n.unescaped, raw)
	return span{int32(from), int32(len(n.text) + len(n.unescaped))}
}

// content returns the name at s, valid until the next change.
func (n *names) content(s span) string {
	if int(s.to) <= len(n.text) {
		return n.text[s.from:s.to]
	}
	return convert.OwnedText(n.unescaped[int(s.from)-len(n.text) : int(s.to)-len(n.text)])
}

// add pushes a name and reports whether it is new in its object.
func (n *names) add(object *scope, name span) bool {
	base := int(object.base)
	if len(n.stack)-base >= manyNames {
		return n.addToTable(base, name)
	}
	content := n.content(name)
	bit := mark(content)
	if object.marks&bit != 0 {
		for _, other := range n.stack[base:] {
			if n.content(other) == content {
				return false
			}
		}
	}
	object.marks |= bit
	n.stack = append(n.stack, name)
	return true
}

// mark returns one of 64 bits for a name, by its length and some of its bytes. It only needs to distinguish the
// names of everyday objects.
func mark(name string) uint64 {
	n := len(name)
	if n == 0 {
		return 1
	}
	mixed := uint(n)<<1 ^ uint(name[0]) ^ uint(name[n/2])<<2 ^ uint(name[n-1])<<4
	return 1 << (mixed % 64)
}

func (n *names) addToTable(base int, name span) bool {
	if len(n.stack)-base == manyNames {
		for i := base; i < len(n.stack); i++ {
			n.insert(base, i)
		}
	}
	n.stack = append(n.stack, name)
	return n.insert(base, len(n.stack)-1)
}

// insert inserts the name at stack index i, the newest, into the table. It returns false if the object that begins at
// base already has it.
func (n *names) insert(base, i int) bool {
	if 2*n.used >= len(n.table) {
		n.rebuild(i)
	}
	content := n.content(n.stack[i])
	mask := len(n.table) - 1
	slot := hash(content) & mask
	for ; n.table[slot] != 0; slot = (slot + 1) & mask {
		other := int(n.table[slot]) - 1
		if other >= base && other < i && n.content(n.stack[other]) == content {
			return false
		}
	}
	n.table[slot] = int32(i + 1)
	n.used++
	return true
}

// rebuild fills the table with the first count names of the stack, and with nothing else. It leaves at least three
// quarters empty, so that its time is linear in the insertions since.
func (n *names) rebuild(count int) {
	size := max(256, len(n.table))
	for size < 4*count {
		size *= 2
	}
	if size > len(n.table) {
		n.table = make([]int32, size)
	}
	clear(n.table)
	n.used = 0
	for i := range count {
		n.insert(count, i)
	}
}

// drop removes the names of the innermost object.
func (n *names) drop(object scope) {
	n.stack = n.stack[:object.base]
	n.unescaped = n.unescaped[:object.unescaped]
}

func hash(name string) int { return int(maphash.String(seed, name) & (1<<62 - 1)) }

// duplicate rejects the name at i as a duplicate in the innermost object and reports both positions.
func (s *Scanner) duplicate(name Token, i int) (Kind, int, int) {
	first := new(convert.Failure).At(s.text, s.firstPlace(name.Content(), i))
	return s.fail(i, convert.Reject(convert.DuplicateKey,
		"An object has two members with the same name, the first at line %d, column %d.",
		"Remove or rename one of them. Names are compared after unescaping.", first.Line, first.Column))
}

// firstPlace returns the offset of the first occurrence of a name in the innermost object, which is open at
// before. It scans the text again: names with escapes are stored without their offset, and scanning once on
// failure costs less than recording an offset for each name.
func (s *Scanner) firstPlace(name string, before int) int {
	again := NewScanner(s.text[:before])
	defer again.Release()
	place, depth := -1, len(s.outer)
	for {
		kind, from, to := again.step()
		switch {
		case kind == refused: // the text ends inside the object
			return max(place, 0)
		case again.Depth() != depth:
		case kind == BeginObject:
			place = -1 // only the last object of this depth is still open
		case kind == Name && place < 0:
			token := Token{Kind: Name, Escaped: again.escaped, Raw: s.text[from:to]}
			if token.Content() == name {
				place = from
			}
		}
	}
}
