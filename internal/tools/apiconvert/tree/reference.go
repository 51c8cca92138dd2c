package tree

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
)

// Pointer returns the value that a JSON Pointer (RFC 6901) identifies within v, or nil if there is none. The
// pointer "" identifies v itself.
func (v *Value) Pointer(pointer string) *Value {
	if pointer == "" {
		return v
	}
	if pointer[0] != '/' {
		return nil
	}
	for rest, more := pointer[1:], true; more && v != nil; {
		var token string
		token, rest, more = strings.Cut(rest, "/")
		switch v.Kind() {
		case Object:
			v = v.Get(UnescapePointer(token))
		case Array:
			v = v.Element(arrayIndex(token))
		default:
			return nil
		}
	}
	return v
}

// arrayIndex parses a reference token as an array index (RFC 6901, section 4: no sign, no leading zero). It
// returns -1 if the token isn't one.
func arrayIndex(token string) int {
	if n, err := strconv.Atoi(token); err == nil && strconv.Itoa(n) == token {
		return n
	}
	return -1
}

var (
	escapePointer   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapePointer = strings.NewReplacer("~0", "~", "~1", "/")
)

// EscapePointer escapes a member's name as a reference token of a JSON Pointer.
func EscapePointer(name string) string { return escapePointer.Replace(name) }

// UnescapePointer returns the member's name that a reference token encodes.
func UnescapePointer(token string) string {
	if !strings.Contains(token, "~") { // the common case, and the replacer copies
		return token
	}
	return unescapePointer.Replace(token)
}

// ReferenceProblem is the reason why a reference can't be resolved.
type ReferenceProblem uint8

// The problems of a reference.
const (
	None   ReferenceProblem = iota
	Remote                  // it refers to another document, which is never fetched
	Broken                  // its target doesn't exist in this document, or it is not a string
	Cyclic                  // following it leads back to itself
)

// References resolves the local references ($ref, RFC 6901 in a fragment) of one document. It follows each
// reference once, chains included, so resolving all references of a document is linear in its size. The
// document may change meanwhile, but the members that references lead to must not move.
type References struct {
	root  *Value
	known map[string]target
}

type target struct {
	value   *Value
	ref     string
	problem ReferenceProblem
}

// NewReferences returns the References of the document with the given root.
func NewReferences(root *Value) *References {
	return &References{root: root, known: map[string]target{}}
}

// Ref returns the $ref of a Reference Object: an object whose member $ref is a string. ok is false for every
// other value, including an object that merely describes a property named $ref.
func Ref(v *Value) (ref string, ok bool) {
	r := v.Get("$ref")
	return r.Text(), r.Kind() == String
}

// Follow returns v itself when it is not a reference, and otherwise the value at the end of the chain of
// references that starts with v. If there is none it returns nil and the problem. Members next to $ref are not
// merged.
func (r *References) Follow(v *Value) (*Value, ReferenceProblem) {
	t := r.follow(v)
	return t.value, t.problem
}

// Name returns the last name in the last reference of the chain that starts with v ("Pet" for
// #/components/schemas/Pet), or "" when v is not a reference.
func (r *References) Name(v *Value) string {
	ref := r.follow(v).ref
	if i := strings.LastIndexByte(ref, '/'); i >= 0 {
		return UnescapePointer(percent.Decode(ref[i+1:]))
	}
	return ""
}

func (r *References) follow(v *Value) target {
	ref, ok := Ref(v)
	if !ok {
		return target{value: v}
	}
	var chain []string
	end := target{}
	for {
		if known, ok := r.known[ref]; ok {
			end = known
			break
		}
		chain = append(chain, ref)
		// Meeting it again before the chain has ended means a cycle.
		r.known[ref] = target{problem: Cyclic}
		at, problem := r.locate(ref)
		if problem != None {
			end = target{problem: problem}
			break
		}
		next, ok := Ref(at)
		if !ok {
			end = target{value: at, ref: ref}
			break
		}
		ref = next
	}
	for _, ref := range chain {
		r.known[ref] = end
	}
	return end
}

// locate returns the target of one reference, without following it further.
func (r *References) locate(ref string) (*Value, ReferenceProblem) {
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, Remote
	}
	if at := r.root.Pointer(percent.Decode(fragment)); at != nil {
		return at, None
	}
	return nil, Broken
}
