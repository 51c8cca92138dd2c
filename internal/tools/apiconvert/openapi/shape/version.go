package shape

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Version is a minor version of OpenAPI or Swagger. Patch releases don't change the format.
type Version uint8

// The versions.
const (
	Unknown Version = iota // an OpenAPI document of an unsupported version
	V20                    // Swagger 2.0
	V30                    // OpenAPI 3.0.x
	V31                    // OpenAPI 3.1.x
	V32                    // OpenAPI 3.2.x

	// Newest is the version that the reader and writer use.
	Newest = V32
)

// Text returns the value that writers use for the openapi property (swagger for V20).
func (v Version) Text() string {
	return [...]string{V20: "2.0", V30: "3.0.3", V31: "3.1.0", V32: "3.2.0"}[v]
}

var prefixes = [...]string{V20: "2.0", V30: "3.0", V31: "3.1", V32: "3.2"}

// Of returns the version that a document declares. ok is false if the document declares none. The version may be a
// number, as in unquoted YAML. A suffix such as -rc1 in 3.0.0-rc1 is ignored.
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
