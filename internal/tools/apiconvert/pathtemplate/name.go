package pathtemplate

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// maxName limits the length of a generated name.
const maxName = 80

// identifierName returns the name of the identifier of noun: userGroupId for user-group. A noun that is already an
// identifier is its own name.
func identifierName(noun string) string {
	name := words.Camel(noun)
	if name == "" || words.IsDigit(name[0]) || len(name) > maxName {
		return "id"
	}
	name = strings.ToLower(name[:1]) + name[1:]
	switch lower := strings.ToLower(name); {
	case words.IsCode(noun), lower == "id", lower == "uuid", lower == "guid", strings.HasSuffix(name, "Id"), strings.HasSuffix(name, "ID"):
		return name
	}
	return name + "Id"
}

// singular returns the words of a segment with the last one in the singular: order-item for order-items and orderItems.
// plural reports whether it was a plural.
func singular(text string) (noun string, plural bool) {
	list := words.Split(text)
	if len(list) == 0 {
		return "", false
	}
	one := words.SingularLast(list)
	return strings.Join(one, "-"), !slices.Equal(one, list)
}
