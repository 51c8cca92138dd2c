package apiconvert

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// A byte of a description is read, understood and written in about as much time
// as eight that are only formatted.
const weightOfByte = 8

// weight takes YAML with aliases for heavy, whatever its length: they multiply
// what is there.
func weight(in convert.Input) int {
	all := weightOfByte * len(in.Value)
	if in.MediaType == "application/yaml" && strings.Contains(in.Value, "&") && strings.Contains(in.Value, "*") {
		all += convert.Light
	}
	return all
}
