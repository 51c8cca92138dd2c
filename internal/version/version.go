// Package version says which version of the module a program was built from.
package version

import (
	"runtime/debug"
	"strings"
)

// Module is the path of this module.
const Module = "github.com/convertd/convertd"

// Unknown is the version of a build without version information, such as one of a checkout without history.
const Unknown = "1.0.0-dev"

// Of returns the module's SemVer in a build, without a leading v: linked, if it is not "", else the version of the
// module, whether it is the main module or a dependency, else Unknown.
func Of(linked string, build *debug.BuildInfo) string {
	if linked != "" {
		return linked
	}
	if build == nil {
		return Unknown
	}
	modules := append([]*debug.Module{&build.Main}, build.Deps...)
	for _, m := range modules {
		if m.Path != Module {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if text, ok := strings.CutPrefix(m.Version, "v"); ok {
			return text
		}
	}
	return Unknown
}

// Current returns Of for the running program.
func Current(linked string) string {
	build, _ := debug.ReadBuildInfo()
	return Of(linked, build)
}
