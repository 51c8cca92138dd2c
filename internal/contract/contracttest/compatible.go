package contracttest

import (
	"fmt"
	"maps"
	"slices"
)

// object is a decoded JSON object of an OpenAPI document.
type object = map[string]any

// Compatible returns the changes that a client of the baseline would notice and that oasdiff does not report: a changed
// or dropped operation id, status, media type, default or limit, and any change of the closed list of problem codes.
func Compatible(baseline, current object) (broken []string) {
	report := func(format string, args ...any) { broken = append(broken, fmt.Sprintf(format, args...)) }
	for path, method := range operations(baseline) {
		was, is := at(baseline, "paths", path, method), at(current, "paths", path, method)
		if is == nil {
			report("%s %s is gone", method, path)
			continue
		}
		if was["operationId"] != is["operationId"] {
			report("%s: the operationId was %v and is %v", path, was["operationId"], is["operationId"])
		}
		for status := range at(was, "responses") {
			if _, still := at(is, "responses")[status]; !still {
				report("%s: the status %s is gone", path, status)
			}
		}
		for _, mediaType := range texts(at(was, "x-service-media-types")["accepts"]) {
			if !slices.Contains(texts(at(is, "x-service-media-types")["accepts"]), mediaType) {
				report("%s: %s is no longer accepted", path, mediaType)
			}
		}
		if !slices.Equal(texts(at(was, "x-service-media-types")["produces"]), texts(at(is, "x-service-media-types")["produces"])) {
			report("%s: the produced media types changed", path)
		}
	}
	for limit, was := range at(baseline, "x-service-limits") {
		if is := at(current, "x-service-limits")[limit]; number(is) < number(was) {
			report("the limit %s was %v and is %v", limit, was, is)
		}
	}
	schemas := at(current, "components", "schemas")
	for name := range at(baseline, "components", "schemas") {
		was, is := at(baseline, "components", "schemas", name), at(schemas, name)
		for property := range at(was, "properties") {
			for _, fact := range []string{"default", "x-service-produces"} {
				old, new := at(was, "properties", property)[fact], at(is, "properties", property)[fact]
				if !kept(old, new) {
					report("%s.%s: %s was %v and is %v", name, property, fact, old, new)
				}
			}
		}
	}
	return append(broken, codes(baseline, current)...)
}

// codes compares the closed list of problem codes.
func codes(baseline, current object) (broken []string) {
	was, is := problems(baseline), problems(current)
	for _, code := range slices.Sorted(maps.Keys(was)) {
		switch {
		case is[code] == nil:
			broken = append(broken, "the problem code "+code+" is gone")
		case fmt.Sprint(was[code]["status"], was[code]["title"]) != fmt.Sprint(is[code]["status"], is[code]["title"]):
			broken = append(broken, "the status or the title of the problem code "+code+" changed")
		}
	}
	for _, code := range slices.Sorted(maps.Keys(is)) {
		if was[code] == nil {
			broken = append(broken, "the problem code "+code+" is new: the list is closed within /v1 (VER-4). Until 1.0.0 is released, add the code to openapi/baseline-1.0.0.yaml")
		}
	}
	return broken
}

func problems(description object) map[string]object {
	byCode := map[string]object{}
	list, _ := at(description, "components", "schemas", "ProblemCode")["x-problems"].([]any)
	for _, item := range list {
		if problem, ok := item.(object); ok {
			byCode[fmt.Sprint(problem["code"])] = problem
		}
	}
	return byCode
}

// kept reports whether a value is compatible: the same value, or an object that only gained members.
func kept(old, new any) bool {
	was, isObject := old.(object)
	if !isObject {
		return fmt.Sprint(old) == fmt.Sprint(new)
	}
	is, _ := new.(object)
	for name, value := range was {
		if fmt.Sprint(is[name]) != fmt.Sprint(value) {
			return false
		}
	}
	return true
}

// operations yields the path and method of each operation.
func operations(description object) func(yield func(path, method string) bool) {
	return func(yield func(string, string) bool) {
		for path := range at(description, "paths") {
			for method := range at(description, "paths", path) {
				if !yield(path, method) {
					return
				}
			}
		}
	}
}

// at returns the object at a path of names, nil if there is no such object.
func at(value object, names ...string) object {
	for _, name := range names {
		value, _ = value[name].(object)
	}
	return value
}

// texts returns a list as sorted strings.
func texts(list any) []string {
	items, _ := list.([]any)
	sorted := make([]string, len(items))
	for i, item := range items {
		sorted[i] = fmt.Sprint(item)
	}
	slices.Sort(sorted)
	return sorted
}

func number(value any) float64 {
	var n float64
	_, _ = fmt.Sscan(fmt.Sprint(value), &n)
	return n
}
