package placeholder

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// segmentPattern matches <tenant>, [tenant], :owner, $owner_id, $OWNER, YOUR_BUCKET, PROJECT_ID and OWNER. $metadata and
// $everything are operations of OData and FHIR.
var segmentPattern = expression.Lazy(
	`^(?:[<[](?:(?i:your|my)[_ -])?([A-Za-z][0-9A-Za-z_ .-]*)[>\]]|:([A-Za-z][0-9A-Za-z_]*)|` +
		`\$((?:[A-Za-z_]*_?)(?i:id|uuid|slug|name|key|number)|[A-Z][0-9A-Z_]+)|(?:YOUR|MY)[_-]([0-9A-Z_-]+)|` +
		`((?:[A-Z][0-9A-Z]*[_-])+(?:ID|NAME|KEY|NUMBER|CODE)|` +
		`(?:[A-Z][0-9A-Z]*[_-])*(?:ACCOUNT|BRANCH|BUCKET|CLUSTER|COLLECTION|DATABASE|EMAIL|ENVIRONMENT|FILENAME|INDEX|NAMESPACE|` +
		`OBJECT|ORG|ORGANIZATION|OWNER|PROJECT|QUEUE|REF|REGION|REPO|REPOSITORY|SHA|SLUG|TABLE|TEAM|TENANT|TOKEN|TOPIC|USER|` +
		`USERNAME|UUID|WORKSPACE)))$`)

// valuePattern matches <tenant>, YOUR_BUCKET and your-bucket.
var valuePattern = expression.Lazy(`^(?:<(?:(?i:your|my)[_ -])?([A-Za-z][0-9A-Za-z_ .-]{1,60})>|` +
	`(?:YOUR|MY)[_-]([0-9A-Z_-]{2,60})|your[_-]([0-9a-z_-]{2,60}))$`)

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
	if text == "" || strings.IndexByte("<[:$", text[0]) < 0 && (text[0] < 'A' || text[0] > 'Z') {
		return ""
	}
	for i, name := range segmentPattern().FindStringSubmatch(text) {
		switch {
		case i == 0 || name == "":
		case i == 1 || i > 3:
			return words.Camel(name)
		default:
			return Name(name)
		}
	}
	return ""
}

// Value returns the name of the placeholder that a value of a query, header, form or JSON string consists of, or "" if
// it is a value. Tags of HTML and words in capitals are values.
func Value(text string) string {
	if text == "" || strings.IndexByte("<YyM", text[0]) < 0 {
		return ""
	}
	for _, name := range valuePattern().FindStringSubmatch(text) {
		if name != "" && name != text && !tags[strings.ToLower(name)] {
			return words.Camel(name)
		}
	}
	return ""
}

// Credential returns the name of the placeholder that a credential consists of, or "". Words in capitals and names in
// braces are placeholders.
func Credential(text string) string {
	if m := inBraces().FindStringSubmatch(text); m != nil {
		return Name(m[1])
	}
	return cmp.Or(Value(text), Segment(text))
}

var inBraces = expression.Lazy(`^\{([A-Za-z][0-9A-Za-z_]*)\}$`)

// word matches a placeholder in angle brackets or a word of a header's value.
var word = expression.Lazy(`<[^<>]*>|[^ =",;:<>]+`)

// Words replaces the words of a text that are placeholders, such as those of a header: Token token="YOUR_KEY".
func Words(text string, replace func(word string) string) string {
	return word().ReplaceAllStringFunc(text, replace)
}

var tags = words.Set(`article aside audio body br button canvas code div em footer form h1 h2 h3 head header hr html iframe
	img input li link main meta nav ol option pre script section select span strong style svg table tbody td th title tr ul
	video xml`)

// Name returns the name of a variable, in camel case if it is in capitals: userId for USER_ID and YOUR_USER_ID.
func Name(name string) string {
	if strings.ToUpper(name) != name {
		return name
	}
	for _, prefix := range []string{"YOUR_", "MY_"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return words.Camel(name)
}
