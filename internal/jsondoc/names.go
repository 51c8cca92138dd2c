package jsondoc

import (
	"hash/maphash"

	"github.com/convertd/convertd/internal/convert"
)

// names is the stack of the member names of all open objects. The names of
// the innermost object are on top, so an object's end drops them at once.
//
// A small object is searched name by name. From manyNames on, the names of
// that object are also in an open-addressing table; as objects end in the
// reverse order of their beginning, removing the newest names restores the
// table exactly, and no tombstones are needed. The hash is seeded per
// process, so a client cannot choose colliding names.
//
// Nothing here holds a pointer for each name: the garbage collector has
// nothing to look at, however many names there are.
type names struct {
	text      string
	unescaped []byte // the contents of names with escapes
	stack     []span
	table     []int32 // index into stack plus one; length is a power of two
	used      int
}

// span is where a name's content is: in names.text, or, counted from
// that text's end, in names.unescaped.
type span struct{ from, to int32 }

// scope is what names knows of one object.
type scope struct {
	base      int32 // where its names begin on the stack
	unescaped int32 // and in names.unescaped
	// marks has the bit set that mark gives for each of its names: a name
	// whose bit is not set is new, and need not be searched for.
	marks uint64
}

const manyNames = 16

var seed = maphash.MakeSeed()

// begin returns the scope of an object that begins now.
func (n *names) begin() scope {
	return scope{base: int32(len(n.stack)), unescaped: int32(len(n.unescaped))}
}

// unescape returns the span of the content of a name with escapes.
func (n *names) unescape(raw string) span {
	from := len(n.text) + len(n.unescaped)
	n.unescaped = AppendContent(n.unescaped, raw)
	return span{int32(from), int32(len(n.text) + len(n.unescaped))}
}

// content returns the name at s. It must not be kept.
func (n *names) content(s span) string {
	if int(s.to) <= len(n.text) {
		return n.text[s.from:s.to]
	}
	return convert.OwnedText(n.unescaped[int(s.from)-len(n.text) : int(s.to)-len(n.text)])
}

// add puts a name on the stack and reports whether it is new in its object.
func (n *names) add(object *scope, name span) bool {
	base := int(object.base)
	count := len(n.stack) - base
	if count >= manyNames {
		return n.addToTable(base, count, name)
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

// mark returns one of 64 bits for a name, by its length and some of its
// bytes. It need only tell the names of everyday objects apart.
func mark(name string) uint64 {
	n := len(name)
	if n == 0 {
		return 1
	}
	mixed := uint(n)<<1 ^ uint(name[0]) ^ uint(name[n/2])<<2 ^ uint(name[n-1])<<4
	return 1 << (mixed % 64)
}

func (n *names) addToTable(base, count int, name span) bool {
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
	content := n.content(n.stack[i])
	mask := len(n.table) - 1
	for slot := hash(content) & mask; ; slot = (slot + 1) & mask {
		other := int(n.table[slot]) - 1
		if other < 0 {
			n.table[slot] = int32(i + 1)
			n.used++
			return true
		}
		if other >= base && n.content(n.stack[other]) == content {
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
		slot := hash(n.content(n.stack[i])) & mask
		for n.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		n.table[slot] = int32(i + 1)
	}
}

// drop removes the names of the innermost object.
func (n *names) drop(object scope) {
	base := int(object.base)
	if len(n.stack)-base > manyNames {
		mask := len(n.table) - 1
		for i := len(n.stack) - 1; i >= base; i-- {
			slot := hash(n.content(n.stack[i])) & mask
			for n.table[slot] != int32(i+1) {
				slot = (slot + 1) & mask
			}
			n.table[slot] = 0
		}
		n.used -= len(n.stack) - base
	}
	n.stack = n.stack[:base]
	n.unescaped = n.unescaped[:object.unescaped]
}

func hash(name string) int { return int(maphash.String(seed, name) & (1<<62 - 1)) }

// duplicate refuses the name at i, which the innermost object has already,
// and says both places.
func (s *Scanner) duplicate(name Token, i int) (Kind, int, int) {
	var first convert.Failure
	first.At(s.text, s.firstPlace(name.Content(), i))
	return s.fail(i, convert.Refuse(convert.DuplicateKey,
		"A member name appears twice in one object, first at line %d, column %d.",
		"Remove or rename one of the two members; names are compared after unescaping.", first.Line, first.Column))
}

// firstPlace returns where a name of the innermost object, open at before, first
// is. It reads the text up to there again: names with escapes are kept
// without their place, and what is read once in a refusal costs less than what
// is noted for each name.
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
