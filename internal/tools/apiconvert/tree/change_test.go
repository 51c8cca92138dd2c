package tree

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

func parse(tb testing.TB, input string) *Value {
	tb.Helper()
	doc := check.Value(ReadJSON(input, nil))(tb)
	return doc.Root
}

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		name, input, want string
		change            func(v *Value)
	}{
		{"set in place", `{"a":1,"b":2}`, `{"a":"x","b":2}`, func(v *Value) { v.Set("a", NewString("x")) }},
		{"set at the end", `{"a":1}`, `{"a":1,"b":null}`, func(v *Value) { v.Set("b", NewNull()) }},
		{"insert", `{"a":1,"b":2}`, `{"a":1,"c":true,"b":2}`, func(v *Value) { v.Insert(1, "c", NewBool(true)) }},
		{"insert a name that is there", `{"a":1,"b":2}`, `{"b":7,"a":1}`, func(v *Value) { v.Insert(0, "b", NewInt(7)) }},
		{"insert after the end", `{"a":1}`, `{"a":7}`, func(v *Value) { v.Insert(1, "a", NewInt(7)) }},
		{"delete", `{"a":1,"b":2}`, `{"b":2}`, func(v *Value) { v.Delete("a"); v.Delete("c") }},
		{"keep", `{"a":1,"b":2,"c":3}`, `{"b":2}`, func(v *Value) { v.Keep(func(_ int, n string, _ *Value) bool { return n == "b" }) }},
		{"rename", `{"a":1,"b":2}`, `{"c":1,"b":2}`, func(v *Value) { v.Rename("a", "c"); v.Rename("c", "b") }},
		{"append", `[1]`, `[1,{},[false]]`, func(v *Value) { v.Append(NewObject(), NewArray(NewBool(false))) }},
		{"keep elements", `[1,"a",2]`, `["a"]`, func(v *Value) { v.Keep(func(_ int, _ string, e *Value) bool { return e.Kind() == String }) }},
		{"wrap", `{"a":[1]}`, `{"a":{"not":[1]}}`, func(v *Value) {
			a := v.Get("a")
			inner := a.Take()
			a.Become(NewObject().Set("not", inner))
		}},
		{"neighbours stay", `{"a":[1],"b":[2]}`, `{"a":[1,3],"b":[2]}`, func(v *Value) { v.Get("a").Append(NewInt(3)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := parse(t, c.input)
			c.change(v)
			if got := text(t, v); got != c.want {
				t.Errorf("want %s, got %s", c.want, got)
			}
		})
	}
}

// TestIndex compares lookups in a wide object, with and without an index, with a plain slice while members are
// added, removed and renamed.
func TestIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	v, names := NewObject(), []string{}
	for range 20000 {
		name := fmt.Sprint(random.IntN(300))
		other := fmt.Sprint(random.IntN(300))
		at := slices.Index(names, name)
		switch random.IntN(12) {
		case 0:
			v.Delete(name)
			if at >= 0 {
				names = slices.Delete(names, at, at+1)
			}
		case 1:
			if taken := slices.Index(names, other); v.Rename(name, other) != (at >= 0 && (taken < 0 || name == other)) {
				t.Fatal("rename")
			} else if at >= 0 && taken < 0 {
				names[at] = other
			}
		case 2:
			i := random.IntN(len(names) + 1)
			v.Insert(i, name, NewInt(0))
			if at >= 0 {
				names = slices.Delete(names, at, at+1)
			}
			names = slices.Insert(names, min(i, len(names)), name)
		case 3:
			v.Set(name, NewInt(1))
			if at < 0 {
				names = append(names, name)
			}
		default:
			if v.Position(name) != at || v.Has(name) != (at >= 0) {
				t.Fatalf("position of %s: want %d, got %d", name, at, v.Position(name))
			}
		}
	}
	if !slices.Equal(names, v.Names()) {
		t.Error("names differ")
	}
}

func TestMissing(t *testing.T) {
	var v *Value
	if v.Get("a").Element(3).Pointer("/b").Text() != "" || v.Bool() || v.Len() != 0 || v.Elements() != nil || v.ID() != -1 || v.Has("a") {
		t.Error("a missing value has something")
	}
	for range v.Members() {
		t.Error("a missing value has members")
	}
	if _, ok := v.Scalar(); ok {
		t.Error("a missing value is a scalar")
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[true]}`, `{"b":[true],"a":1}`, true},
		{`{"a":1}`, `{"a":1.0}`, false},
		{`{"a":1}`, `{"b":1}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`"1"`, `1`, false},
		{`{}`, `[]`, false},
	} {
		if parse(t, c.a).Equal(parse(t, c.b)) != c.want {
			t.Errorf("%s and %s: want %v", c.a, c.b, c.want)
		}
	}
}

func TestClone(t *testing.T) {
	v := parse(t, `{"a":[1,{"b":2}]}`)
	c := v.Clone(NewQuota(5, nil))
	c.Get("a").Append(NewNull())
	c.Get("a").Element(1).Set("b", NewInt(9))
	if got := text(t, v); got != `{"a":[1,{"b":2}]}` {
		t.Errorf("the original changed: %s", got)
	}
	b := NewQuota(4, nil)
	if v.Clone(b) != nil || b.Spend(1) {
		t.Error("cloned over the budget")
	}
}

func TestWriteIsBounded(t *testing.T) {
	if _, err := parse(t, `["abc"]`).AppendJSON(nil, 6); err == nil || err.(*convert.Failure).Code != convert.OutputTooLarge {
		t.Error("wrote more than the limit")
	}
	// A value that contains itself is a bug that must not end the process.
	loop := NewArray()
	loop.Append(loop)
	if _, err := loop.AppendJSON(nil, 8<<20); err == nil || err.(*convert.Failure).Code != convert.TooComplex {
		t.Error("wrote a cycle")
	}
}

func TestPointer(t *testing.T) {
	v := parse(t, `{"a/b":{"m~n":[10,{"":20}]},"":30}`)
	for pointer, want := range map[string]string{
		"/a~1b/m~0n/0":  "10",
		"/a~1b/m~0n/1/": "20",
		"/":             "30",
		"/a~1b/m~0n/00": "",
		"/a~1b/m~0n/-":  "",
		"/a~1b/m~0n/2":  "",
		"/a~1b/m~0n/0/": "",
		"/nothing":      "",
		"a":             "",
	} {
		if got, _ := v.Pointer(pointer).Scalar(); got != want {
			t.Errorf("%s: want %q, got %q", pointer, want, got)
		}
	}
	if v.Pointer("") != v || UnescapePointer(EscapePointer("~1/~0")) != "~1/~0" {
		t.Error("pointer")
	}
}

func TestReferences(t *testing.T) {
	v := parse(t, `{"c":{"a b":{"type":"x"},"p/q":{"$ref":"#/c/a%20b"},"chain":{"$ref":"#/c/p~1q"},
		"loop":{"$ref":"#/c/pool"},"pool":{"$ref":"#/c/loop"},"to loop":{"$ref":"#/c/loop"},"self":{"$ref":"#/c/self"},
		"remote":{"$ref":"other.yaml#/a"},"broken":{"$ref":"#/nothing"},"property":{"$ref":{"type":"string"}},"root":{"$ref":"#"},
		"bad":{"$ref":"#/%zz"}}}`)
	refs := NewReferences(v)
	for _, round := range []string{"first", "cached"} {
		for name, want := range map[string]struct {
			at      string
			problem ReferenceProblem
			name    string
		}{
			"a b":      {"/c/a b", None, ""},
			"p/q":      {"/c/a b", None, "a b"},
			"chain":    {"/c/a b", None, "a b"},
			"loop":     {"/none", Cyclic, ""},
			"to loop":  {"/none", Cyclic, ""},
			"self":     {"/none", Cyclic, ""},
			"remote":   {"/none", Remote, ""},
			"broken":   {"/none", Broken, ""},
			"bad":      {"/none", Broken, ""},
			"property": {"/c/property", None, ""},
			"root":     {"", None, ""},
		} {
			from := v.Get("c").Get(name)
			got, problem := refs.Follow(from)
			if got != v.Pointer(want.at) || problem != want.problem || refs.Name(from) != want.name {
				t.Errorf("%s, %s: got %v, problem %d, name %q", round, name, got, problem, refs.Name(from))
			}
		}
	}
}

func TestReferenceChains(t *testing.T) {
	var b strings.Builder
	const n = 20000
	b.WriteString(`{"s0":{}`)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, `,"s%d":{"$ref":"#/s%d"}`, i, i-1)
	}
	v := parse(t, b.String()+`}`)
	refs := NewReferences(v)
	cost := converttest.Measure(func() int {
		for i := n - 1; i > 0; i-- {
			if got, _ := refs.Follow(v.box.values[i]); got != v.Get("s0") {
				t.Fatal(i)
			}
		}
		return 0
	})
	// Following each chain anew would visit 200 million references.
	if cost.Bytes > 32<<20 {
		t.Errorf("%d references allocate %d bytes", n, cost.Bytes)
	}
}
