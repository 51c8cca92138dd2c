package shape

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Version is a version of API descriptions, its minor version that is:
// patches change no format.
type Version uint8

// The versions.
const (
	Unknown Version = iota // a description, but of no version we know
	V20                    // Swagger 2.0
	V30                    // OpenAPI 3.0.x
	V31                    // OpenAPI 3.1.x
	V32                    // OpenAPI 3.2.x

	// Newest is the version that descriptions are read in and written in.
	Newest = V32
)

// Text is the value of the description's member openapi (of swagger for V20)
// that writers use.
func (v Version) Text() string {
	return [...]string{V20: "2.0", V30: "3.0.3", V31: "3.1.0", V32: "3.2.0"}[v]
}

var prefixes = [...]string{V20: "2.0", V30: "3.0", V31: "3.1", V32: "3.2"}

// Of returns the version that a description says it has. ok is false when the
// value is no description at all. The version may be a number, as in YAML
// without quotes; of text behind the patch (3.0.0-rc1) nothing is asked.
func Of(root *tree.Value) (v Version, ok bool) {
	for _, name := range []string{"openapi", "swagger", "swaggerVersion"} {
		text, isScalar := root.Get(name).Scalar()
		if !isScalar {
			continue
		}
		for version := V20; version <= V32; version++ {
			rest, found := strings.CutPrefix(text, prefixes[version])
			if found && (version == V20) == (name != "openapi") && (rest == "" || rest[0] == '.' || rest[0] == '-') {
				return version, true
			}
		}
		return Unknown, true
	}
	return Unknown, false
}
