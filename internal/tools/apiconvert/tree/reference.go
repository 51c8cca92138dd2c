package tree

import (
	"net/url"
	"strconv"
	"strings"
)

// Pointer returns the value that a JSON Pointer (RFC 6901) names within v,
// nil when there is none. "" is v itself.
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

// arrayIndex returns the index that a reference token is (RFC 6901, section
// 4: no sign, no leading zero), -1 if it is none.
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

// EscapePointer writes a member's name as a reference token of a JSON Pointer.
func EscapePointer(name string) string { return escapePointer.Replace(name) }

// UnescapePointer returns the member's name that a reference token stands for.
func UnescapePointer(token string) string {
	if !strings.Contains(token, "~") { // most have none, and the replacer copies
		return token
	}
	return unescapePointer.Replace(token)
}

// Problem says why a reference leads nowhere.
type Problem uint8

// The problems of a reference.
const (
	None   Problem = iota
	Remote         // it names another document, which is never fetched
	Broken         // it names nothing in this document, or is no string
	Cyclic         // following it leads back to itself without a value
)

// References resolves the local references ($ref, RFC 6901 in a fragment) of
// one document. Each is followed once, chains included, so resolving all
// references of a document is linear in it. The document may be changed while
// it is used, but the members that references lead to must not be moved.
type References struct {
	root  *Value
	known map[string]target
}

type target struct {
	value   *Value
	ref     string
	problem Problem
}

// NewReferences resolves within the document whose root is given.
func NewReferences(root *Value) *References {
	return &References{root: root, known: map[string]target{}}
}

// Ref returns the text of a reference object: an object whose member $ref is
// a string. ok is false for every other value, an object that merely
// describes a property of that name among them.
func Ref(v *Value) (ref string, ok bool) {
	r := v.Get("$ref")
	return r.Text(), r.Kind() == String
}

// Follow returns v itself when it is not a reference, and otherwise the value
// at the end of the chain that begins with it, nil with the problem if there
// is none. Members beside $ref are not merged.
func (r *References) Follow(v *Value) (*Value, Problem) {
	t := r.follow(v)
	return t.value, t.problem
}

// Name returns the last name of the last reference in the chain that begins
// with v ("Pet" of #/components/schemas/Pet), "" when v is no reference.
func (r *References) Name(v *Value) string {
	ref := r.follow(v).ref
	if i := strings.LastIndexByte(ref, '/'); i >= 0 {
		return UnescapePointer(unescapeFragment(ref[i+1:]))
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
		// Met again before the chain has ended, it is a cycle.
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

// locate returns what one reference names, without following it further.
func (r *References) locate(ref string) (*Value, Problem) {
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, Remote
	}
	if at := r.root.Pointer(unescapeFragment(fragment)); at != nil {
		return at, None
	}
	return nil, Broken
}

// unescapeFragment undoes percent-encoding (RFC 6901, section 6); text whose
// encoding is broken stays as it is.
func unescapeFragment(fragment string) string {
	if !strings.Contains(fragment, "%") {
		return fragment
	}
	if text, err := url.PathUnescape(fragment); err == nil {
		return text
	}
	return fragment
}
