package contract

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// TestObeyedHintsMend has a client that knows only the problem document do what each hint says, word by word: a few
// steps later the request is accepted, and what the change left of the valid request is still there.
// Rule: ERR-5.
func TestObeyedHintsMend(t *testing.T) {
	c := loaded(t)
	random := rand.New(rand.NewPCG(35, 7))
	mended := 0
	for range 4000 {
		examples := contracttest.Examples(t)
		e := examples[random.IntN(len(examples))]
		valid := check.Value(json.Marshal(e.Request))(t)
		value := decoded(t, valid)
		for range 1 + random.IntN(3) {
			value = mutate(random, value)
		}
		changed := check.Value(json.Marshal(value))(t)
		value = decoded(t, changed) // mutate may have used one object twice
		var before string
		for step := 0; ; step++ {
			body := string(check.Value(json.Marshal(value))(t))
			_, failure := c.Decode(e.Operation, body)
			if failure == nil {
				if step > 0 {
					mended++
				}
				break
			}
			if problem := failure.Detail + failure.Hint; step == 12 || problem == before {
				t.Fatalf("%s: obeying does not help: %s %s\n%s\nfrom %s", e.Operation, failure.Detail, failure.Hint, body, changed)
			} else {
				before = problem
			}
			value = obey(t, failure, value)
		}
		if lost := missing("", decoded(t, valid), decoded(t, changed), value); lost != "" {
			t.Fatalf("%s: obeying changed %s, which was valid\nfrom %s\nto %v", e.Operation, lost, changed, value)
		}
	}
	if mended < 1000 {
		t.Errorf("only %d requests were mended", mended)
	}
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	return check.Value(jsondoc.Decode(string(text)))(t)
}

// missing returns the pointer of a leaf that the valid and the changed request share, and the mended one doesn't. What
// belongs to a tool may go with the tool's name, and items move when others of their list do.
func missing(at string, valid, changed, mended any) string {
	switch v := valid.(type) {
	case map[string]any:
		c, isObject := changed.(map[string]any)
		m, stays := mended.(map[string]any)
		switch {
		case !isObject || c["tool"] != v["tool"]:
			return ""
		case !stays:
			return at
		}
		for name := range v {
			if c[name] != nil {
				if lost := missing(at+"/"+name, v[name], c[name], m[name]); lost != "" {
					return lost
				}
			}
		}
	case []any:
		c, isList := changed.([]any)
		m, stays := mended.([]any)
		if isList && len(c) == len(v) && stays && len(m) == len(v) {
			for i := range v {
				if lost := missing(at+"/"+strconv.Itoa(i), v[i], c[i], m[i]); lost != "" {
					return lost
				}
			}
		}
	default:
		if changed == valid && mended != valid {
			return at
		}
	}
	return ""
}

var (
	elsewhere = regexp.MustCompile(` At (/\S*|the top level): `)
	numbers   = regexp.MustCompile(`-?\d+(\.\d+)?(e\+\d+)?`)
	choice    = regexp.MustCompile(`(\w+) is one of ([^,.]+)`)
)

// obey does what the hints of a problem say, from its last to its first, since removing a member moves those after it.
func obey(t *testing.T, f *convert.Failure, value any) any {
	t.Helper()
	pointers := []string{""}
	if f.Path != nil {
		pointers[0] = *f.Path
	}
	for _, m := range elsewhere.FindAllStringSubmatch(f.Hint, -1) {
		pointers = append(pointers, strings.Replace(m[1], "the top level", "", 1))
	}
	details, hints := elsewhere.Split(f.Detail, -1), elsewhere.Split(f.Hint, -1)
	if len(details) != len(hints) {
		t.Fatalf("the detail and the hint are about different places: %s %s", f.Detail, f.Hint)
	}
	for i := range hints {
		path := strings.Split(pointers[i], "/")[1:]
		if pointers[i] == "" {
			path = nil
		}
		value = at(value, path, func(parent map[string]any, name string, old any) any {
			return obeyOne(t, details[i], hints[i], parent, name, old)
		})
	}
	return value
}

// at returns value with what change makes of the part at a path. A member's change gets the object that it is in.
func at(value any, path []string, change func(parent map[string]any, name string, old any) any) any {
	if len(path) == 0 {
		return change(nil, "", value)
	}
	switch v := value.(type) {
	case map[string]any:
		if name := path[0]; len(path) == 1 {
			v[name] = change(v, name, v[name])
		} else {
			v[name] = at(v[name], path[1:], change)
		}
	case []any:
		if i, err := strconv.Atoi(path[0]); err == nil && i < len(v) {
			v[i] = at(v[i], path[1:], change)
		}
	}
	return value
}

// obeyOne returns the value at a place as one hint wants it.
func obeyOne(t *testing.T, detail, hint string, parent map[string]any, name string, old any) any {
	first := func(after string) string {
		_, rest, _ := strings.Cut(detail, after)
		rest, _, _ = strings.Cut(rest, ",")
		return strings.TrimSuffix(strings.TrimSpace(rest), ".")
	}
	number := func(text string, n int) json.Number {
		return json.Number(numbers.FindAllString(text, -1)[n])
	}
	limit := func() int {
		n, _ := strconv.Atoi(string(number(detail, 0)))
		return n
	}
	switch {
	case strings.HasPrefix(hint, "Add "):
		added := shown(t, hint)
		if m := choice.FindStringSubmatch(hint); m != nil {
			added = withChoice(added, m[1], m[2])
			if name == m[1] {
				added = m[2]
			}
		}
		if list, ok := old.([]any); ok && strings.HasPrefix(hint, "Add items") {
			return append(list, added)
		}
		return added
	case strings.HasPrefix(hint, "Remove "):
		return takeOut(old.(map[string]any), detail, nil)
	case strings.HasPrefix(hint, "Move "):
		object := old.(map[string]any)
		options, _ := object["options"].(map[string]any)
		if options == nil {
			options = map[string]any{}
		}
		object = takeOut(object, detail, options)
		object["options"] = options
		return object
	case strings.HasPrefix(hint, "Set tool "):
		return first("the tools are ")
	case strings.HasPrefix(hint, "Send one of the allowed values"):
		return first("the allowed values are ")
	case strings.HasPrefix(hint, "If the input is "):
		return strings.Fields(strings.NewReplacer(",", " ").Replace(hint))[4]
	case strings.HasPrefix(hint, "Send a string at this path"), strings.HasPrefix(hint, "Use only the characters"):
		return "a"
	case strings.HasPrefix(hint, "Send a shorter string"):
		return strings.Repeat("a", min(limit(), utf8.RuneCountInString(old.(string))))
	case strings.HasPrefix(hint, "Send fewer items"):
		return old.([]any)[:limit()]
	case strings.HasPrefix(hint, "List each item only once"):
		return slices.CompactFunc(old.([]any), func(a, b any) bool { return a == b })
	case strings.HasPrefix(hint, "Send a boolean"):
		return true
	case strings.Contains(hint, "{") || strings.Contains(hint, "["):
		return shown(t, hint)
	case numbers.MatchString(hint):
		return number(hint, 0)
	}
	t.Fatalf("a client cannot do what the hint says: %s %s", detail, hint)
	return nil
}

// takeOut removes the members at the positions that a detail names from an object, into another unless that is nil.
func takeOut(object map[string]any, detail string, into map[string]any) map[string]any {
	names := slices.Sorted(maps.Keys(object))
	positions, _, _ := strings.Cut(detail, ";")
	for _, position := range numbers.FindAllString(positions, -1) {
		n, _ := strconv.Atoi(position)
		if into != nil {
			into[names[n-1]] = object[names[n-1]]
		}
		delete(object, names[n-1])
	}
	return object
}

// shown returns the JSON value that a hint shows.
func shown(t *testing.T, hint string) any {
	t.Helper()
	text := hint
	if _, member, ok := strings.Cut(hint, `": `); ok && strings.HasPrefix(hint, `Add "`) {
		text = member
	} else if i := strings.IndexAny(text, `{["`); i >= 0 {
		text = text[i:]
	}
	text = strings.TrimSuffix(text, ".") // after a number
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("the hint shows no JSON: %s", hint)
	}
	return v
}

// withChoice sets the member of that name, at any depth.
func withChoice(value any, name, chosen string) any {
	if object, ok := value.(map[string]any); ok {
		for member := range object {
			if member == name {
				object[member] = chosen
			} else {
				object[member] = withChoice(object[member], name, chosen)
			}
		}
	}
	return value
}
