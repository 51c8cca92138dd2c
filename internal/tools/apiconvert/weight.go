package apiconvert

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// Reading, converting and writing a byte of a source takes about as long as formatting eight bytes.
const weightOfByte = 8

// weight treats YAML with aliases as heavy, whatever its length, because aliases multiply their anchors.
func weight(in convert.Input) int {
	all := weightOfByte * len(in.Value)
	if in.MediaType == "application/yaml" && strings.Contains(in.Value, "&") && strings.Contains(in.Value, "*") {
		all += convert.Light
	}
	return all
}
