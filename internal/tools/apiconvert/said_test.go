package apiconvert

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// TestSaidIsTrue compares what warnings say with the output: what they say was replaced or added is there, and what they
// say is lost is not, where both formats have the same places or the thing has a name of its own.
// Rule: API-6.
func TestSaidIsTrue(t *testing.T) {
	t.Parallel()
	compared := map[string]int{}
	for i, s := range partSources(t) {
		if testing.Short() && i%4 != 0 {
			continue
		}
		for _, target := range everyTarget() {
			result, err := tryCall(s.mediaType, s.text, target)
			if err != nil {
				continue
			}
			text := result.Value
			plain := plainly(text)
			for _, w := range result.Warnings {
				code, _, _ := strings.Cut(w, ": ")
				for name, wanted := range namesOf(t, s, target, code, w) {
					compared[code]++
					has := strings.Contains(plain, plainly(name)) || wanted && strings.Contains(text, "redacted")
					if has != wanted {
						t.Errorf("%s → %s: %s is in the output: %t: %.200s", s.name, target, name, has, w)
					}
				}
				compared[code] += lostMembers(t, s, target, text, w)
			}
		}
	}
	total := 0
	for code, n := range compared {
		if total += n; n > 0 {
			t.Log(n, code)
		}
	}
	if total < check.Sample(50, 100, 100) {
		t.Errorf("only %d statements were compared", total)
	}
}

// namesOf returns the names that the output has if a warning is true, and those that it doesn't have (false).
func namesOf(t *testing.T, s partSource, target, code, w string) map[string]bool {
	names := map[string]bool{}
	switch {
	case code == "secrets_replaced":
		if m := replacedNames.FindStringSubmatch(w); m != nil {
			list, _, _ := strings.Cut(m[1], " and ")
			for name := range strings.SplitSeq(list, ", ") {
				names[name] = true
			}
		}
	case code == "added.server_default" && strings.HasPrefix(target, "swagger"): // which has no server variables
	case strings.HasPrefix(code, "added."):
		for name := range saidAbout(w) {
			if name == "name" { // of a collection; a document has a title
				name = "requests"
			}
			names[name] = true
		}
	case code == "changed.extensions":
		for name := range saidAbout(w) {
			names[name] = true
		}
	case code == "changed.variables":
		root := check.Value(source.Detect(s.mediaType, s.text, nil))(t).Doc.Root
		for _, pointers := range saidAbout(w) {
			for _, pointer := range pointers {
				if value := root.Pointer(pointer).Get("value").Text(); word.MatchString(value) {
					names[value] = true
				}
			}
		}
	case code == "lost.extensions" && (target == "curl" || target == "postman-2.1"),
		code == "lost.curl_option" && target != "curl":
		for name := range saidAbout(w) {
			name, _, _ = strings.Cut(name, " ")
			names[name] = false
		}
	}
	return names
}

// plainly returns a text without what a name has in one format and not in another.
func plainly(text string) string { return strings.ToLower(strings.ReplaceAll(text, "_", "")) }

// word matches values that every format writes in the same way.
var word = regexp.MustCompile(`^\w{2,30}$`)

var replacedNames = regexp.MustCompile(`secrets? \(([^)]*)\) w`)

// lostMembers checks that the members that a warning calls lost are not at their places, between versions of OpenAPI.
func lostMembers(t *testing.T, s partSource, target, text, warning string) (compared int) {
	if s.format != source.OpenAPI || !strings.HasPrefix(target, "openapi-3") || !strings.HasSuffix(target, "json") ||
		!strings.HasPrefix(warning, "lost.") {
		return 0
	}
	in := check.Value(source.Detect(s.mediaType, s.text, nil))(t).Doc.Root
	out := check.Value(source.Detect("application/json", text, nil))(t).Doc.Root
	if in.Has("swagger") {
		return 0
	}
	for name, pointers := range saidAbout(warning) {
		for _, pointer := range pointers {
			if before := in.Pointer(pointer).Get(name); before != nil {
				if compared++; out.Pointer(pointer).Get(name).Equal(before) {
					t.Errorf("%s → %s: %s of %s is still there: %.200s", s.name, target, name, pointer, warning)
				}
			}
		}
	}
	return compared
}

// saidAbout returns the pointers that a warning gives for each name.
func saidAbout(w string) map[string][]string {
	_, text, _ := strings.Cut(w, ": ")
	text, _, _ = strings.Cut(text, ". ")
	said := map[string][]string{}
	for thing := range strings.SplitSeq(text, "; ") {
		names, pointers, found := strings.Cut(strings.Replace(thing, " of the whole document", " of /", 1), " of /")
		if !found { // members of the document, or places that are lost as a whole
			for pointer := range strings.SplitSeq(thing, ", ") {
				if i := strings.LastIndexByte(pointer, '/'); i >= 0 {
					name := tree.UnescapePointer(pointer[i+1:])
					said[name] = append(said[name], pointer[:i])
				}
			}
			continue
		}
		for pointer := range strings.SplitSeq("/"+pointers, ", ") {
			for name := range strings.SplitSeq(names, ", ") {
				if !slices.Contains(said[name], pointer) {
					said[name] = append(said[name], pointer)
				}
			}
		}
	}
	return said
}
