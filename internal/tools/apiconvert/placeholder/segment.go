package placeholder

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// segmentPattern matches <tenant>, [tenant], :owner, YOUR_BUCKET, PROJECT_ID and OWNER.
var segmentPattern = expression.Lazy(
	`^(?:[<[](?:(?i:your|my)[_ -])?([A-Za-z][0-9A-Za-z_ .-]*)[>\]]|:([A-Za-z][0-9A-Za-z_]*)|(?:YOUR|MY)[_-]([0-9A-Z_-]+)|((?:[A-Z][0-9A-Z]*[_-])+(?:ID|NAME|KEY|NUMBER|CODE)|` +
		`(?:[A-Z][0-9A-Z]*[_-])*(?:ACCOUNT|BRANCH|BUCKET|CLUSTER|COLLECTION|DATABASE|EMAIL|ENVIRONMENT|FILENAME|INDEX|NAMESPACE|` +
		`OBJECT|ORG|ORGANIZATION|OWNER|PROJECT|QUEUE|REF|REGION|REPO|REPOSITORY|SHA|SLUG|TABLE|TEAM|TENANT|TOKEN|TOPIC|USER|` +
		`USERNAME|UUID|WORKSPACE)))$`)

// dummyPattern matches YOUR_ORG, your-org, ACXXXXXXXX, xxxxxxxx-xxxx and YYYY-MM-DD.
var dummyPattern = expression.Lazy(`^(?:(?i:your)[_-][\w-]+|MY_[0-9A-Z_]+|[A-Za-z]{0,4}[_-]?[Xx]{5,}(?:-[Xx]+)*|YYYY-MM-DD.*)$`)

// IsDummy reports whether documentation writes text instead of a value, without markup.
func IsDummy(text string) bool {
	if text == "..." || text == "…" {
		return true
	}
	// Most values don't get as far as the pattern.
	possible := text != "" && strings.ContainsAny(text[:1], "yYmM") || strings.ContainsAny(text, "xX")
	return possible && len(text) <= maxDummy && dummyPattern().MatchString(text)
}

const maxDummy = 100

// Segment returns the parameter name for a path segment that is a placeholder, in camel case unless it already is a
// name, or "" if text isn't a placeholder.
func Segment(text string) string {
	if text == "" || strings.IndexByte("<[:", text[0]) < 0 && (text[0] < 'A' || text[0] > 'Z') {
		return ""
	}
	for i, name := range segmentPattern().FindStringSubmatch(text) {
		switch {
		case i == 0 || name == "":
		case i == 2:
			return name
		default:
			return words.Camel(name)
		}
	}
	return ""
}
