package version

import (
	"runtime/debug"
	"testing"
)

func TestOf(t *testing.T) {
	module := func(path, version string, replace *debug.Module) *debug.Module {
		return &debug.Module{Path: path, Version: version, Replace: replace}
	}
	for name, test := range map[string]struct {
		linked string
		main   *debug.Module
		deps   []*debug.Module
		want   string
	}{
		"the linker's word counts":       {"2.1.0", module(Module, "v1.4.0", nil), nil, "2.1.0"},
		"go install of a version":        {"", module(Module, "v1.4.0", nil), nil, "1.4.0"},
		"a build of a commit":            {"", module(Module, "v1.4.1-0.20261122073000-0123456789ab+dirty", nil), nil, "1.4.1-0.20261122073000-0123456789ab+dirty"},
		"a checkout without its history": {"", module(Module, "(devel)", nil), nil, Unknown},
		"a program that imports it":      {"", module("example.com/x", "v9.0.0", nil), []*debug.Module{module("example.com/y", "v8.0.0", nil), module(Module, "v1.4.0", nil)}, "1.4.0"},
		"a fork in its place":            {"", module("example.com/x", "(devel)", nil), []*debug.Module{module(Module, "v1.4.0", module("example.com/fork", "v1.5.0", nil))}, "1.5.0"},
		"a folder in its place":          {"", module("example.com/x", "(devel)", nil), []*debug.Module{module(Module, "v1.4.0", module("../convertd", "", nil))}, Unknown},
		"a program without it":           {"", module("example.com/x", "v9.0.0", nil), nil, Unknown},
	} {
		if got := Of(test.linked, &debug.BuildInfo{Main: *test.main, Deps: test.deps}); got != test.want {
			t.Errorf("%s: want %s, got %s", name, test.want, got)
		}
	}
	if got := Of("", nil); got != Unknown {
		t.Errorf("without any word: %s", got)
	}
}
