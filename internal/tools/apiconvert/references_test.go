package apiconvert

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// referring are operations with a reference to REF, by the kind of its target.
var referring = map[string]string{
	"schema":      `"/p%d":{"post":{"requestBody":{"content":{"a/b":{"schema":{"$ref":"REF"}}}},"responses":{"200":{"description":"","schema":{"$ref":"REF"}}}}}`,
	"parameter":   `"/p%d":{"post":{"parameters":[{"$ref":"REF"}],"responses":{}}}`,
	"response":    `"/p%d":{"post":{"responses":{"200":{"$ref":"REF"}}}}`,
	"body":        `"/p%d":{"post":{"requestBody":{"$ref":"REF"},"responses":{}}}`,
	"path item":   `"/p%d":{"$ref":"REF"}`,
	"header":      `"/p%d":{"post":{"responses":{"200":{"description":"","headers":{"a":{"$ref":"REF"}}}}}}`,
	"example":     `"/p%d":{"post":{"responses":{"200":{"description":"","content":{"a/b":{"examples":{"a":{"$ref":"REF"}}}}}}}}`,
	"link":        `"/p%d":{"post":{"responses":{"200":{"description":"","links":{"a":{"$ref":"REF"}}}}}}`,
	"callback":    `"/p%d":{"post":{"callbacks":{"a":{"$ref":"REF"}},"responses":{}}}`,
	"media type":  `"/p%d":{"post":{"responses":{"200":{"description":"","content":{"a/b":{"$ref":"REF"}}}}}}`,
	"mapping":     `"/p%d":{"post":{"requestBody":{"content":{"a/b":{"schema":{"type":"object","discriminator":{"propertyName":"a","mapping":{"x":"REF"}}}}}},"responses":{}}}`,
	"$dynamicRef": `"/p%d":{"post":{"requestBody":{"content":{"a/b":{"schema":{"$dynamicRef":"REF"}}}},"responses":{}}}`,
	"operation":   `"/p%d":{"post":{"responses":{"200":{"description":"","links":{"a":{"operationRef":"REF"}}}}}}`,
}

// referable are n parts of a document, and the reference to one of them.
var referable = map[string]struct {
	ref   string
	parts func(n int) string
}{
	"elements of a property that is dropped": {"#/x/%d", func(n int) string { return `"x":[` + list(n, `{"type":"string","description":"d%d"}`) + `]` }},
	"properties of one that is dropped":      {"#/x/a%d", func(n int) string { return `"x":{` + list(n, `"a%d":{"type":"string","description":"d%d"}`) + `}` }},
	"elements that have the same name":       {"#/x/%d/a", func(n int) string { return `"x":[` + list(n, `{"a":{"type":"string","description":"d%d"}}`) + `]` }},
	"an extension":                           {"#/x-x/a%d", func(n int) string { return `"x-x":{` + list(n, `"a%d":{"type":"string","description":"d%d"}`) + `}` }},
	"components": {"#/components/schemas/a%d", func(n int) string {
		return `"components":{"schemas":{` + list(n, `"a%d":{"type":"string","description":"d%d"}`) + `}}`
	}},
	"definitions": {"#/$defs/a%d", func(n int) string {
		return `"components":{"schemas":{"S":{"$defs":{` + list(n, `"a%d":{"type":"string","description":"d%d"}`) + `}}}}`
	}},
	"anchors": {"#n%d", func(n int) string {
		return `"components":{"schemas":{` + list(n, `"a%d":{"$anchor":"n%d","type":"string"}`) + `}}`
	}},
	"ids": {"http://x/y%d", func(n int) string {
		return `"components":{"schemas":{` + list(n, `"a%d":{"$id":"http://x/y%d","type":"string"}`) + `}}`
	}},
	"a chain":         {"#/x/a%d", func(n int) string { return `"x":{` + chain(n) + fmt.Sprintf(`"a%d":{"type":"string"}}`, n) }},
	"a cycle":         {"#/x/a%d", func(n int) string { return `"x":{` + chain(n) + fmt.Sprintf(`"a%d":{"$ref":"#/x/a0"}}`, n) }},
	"each other":      {"#/paths/~1p%d", func(int) string { return `"x":1` }},
	"nothing":         {"#/none/%d", func(int) string { return `"x":1` }},
	"no anchor":       {"#none%d", func(int) string { return `"x":1` }},
	"other documents": {"http://x/y#%d", func(int) string { return `"x":1` }},
	"parts within parts": {"#/x" + strings.Repeat("/a", 100) + "/%d", func(n int) string {
		return `"x":` + strings.Repeat(`{"a":`, 100) + `[` + list(n, `{"type":"string"}`) + `]` + strings.Repeat(`}`, 100)
	}},
}

// chain returns n parts that each refer to the next one.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"a%d":{"$ref":"#/x/a%d"},`, i, i+1)
	}
	return b.String()
}

// references returns documents of n operations that refer to n parts, for each version, kind of reference and
// kind of part.
func references() (families []family) {
	for _, version := range []string{"3.2.0", "3.0.3", "2.0"} {
		head := strings.Replace(head31, "3.1.0", version, 1)
		if version == "2.0" {
			head = head20
		}
		for _, use := range slices.Sorted(maps.Keys(referring)) {
			for _, to := range slices.Sorted(maps.Keys(referable)) {
				operation := strings.ReplaceAll(referring[use], "REF", referable[to].ref)
				families = append(families, family{version + ", " + use + ": references to " + to, "application/json", func(n int) string {
					return head + `"paths":{` + list(n, operation) + `},` + referable[to].parts(n) + `}`
				}})
			}
		}
	}
	return families
}
