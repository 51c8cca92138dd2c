package contract

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// UnknownRoute returns the failure of a request to a path that does not exist. Its hint names the tool whose name differs
// only in case and punctuation, or all tools.
func (c *Contract) UnknownRoute(path string) *convert.Failure {
	failure := convert.Reject(convert.UnknownRoute, "There is no such route.", "")
	names := c.ToolNames()
	failure.Hint = "The routes are listed in /v1/openapi.json; a tool is at /v1/tools/NAME. NAME is one of " + strings.Join(names, ", ") + "."
	path = strings.TrimRight(path, "/")
	requested := simplified(path[strings.LastIndexByte(path, '/')+1:])
	for _, name := range append(names, Pipeline) {
		if simplified(name) == requested {
			failure.Hint = "Use the route " + c.PathOf(name) + " exactly."
		}
	}
	return failure
}

// simplified returns the letters and digits of a name in lower case, without separators.
func simplified(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
}

// DoNotRetry ends the hint of a problem document if the same request fails again. The hints of other problems say when
// to retry.
const DoNotRetry = " Sending it again unchanged fails again."

// AppendProblem appends the problem document (RFC 9457) of a failure as every front door returns it, with
// members in the document's order. baseURL is the public base URL without a trailing slash; if it is empty, the
// type is about:blank.
func (c *Contract) AppendProblem(dst []byte, baseURL string, f *convert.Failure) []byte {
	entry := Status(f.Code)
	uri := "about:blank" // RFC 9457, section 4.2.1
	if baseURL != "" {
		uri = baseURL + "/problems/" + entry.Code
	}
	dst = jsondoc.AppendString(append(dst, `{"type":`...), uri)
	dst = jsondoc.AppendString(append(dst, `,"title":`...), entry.Title)
	dst = strconv.AppendInt(append(dst, `,"status":`...), int64(entry.Status), 10)
	dst = jsondoc.AppendString(append(dst, `,"code":`...), entry.Code)
	dst = jsondoc.AppendString(append(dst, `,"detail":`...), f.Detail)
	hint := f.Hint
	if entry.Retry == "never" {
		hint += DoNotRetry
	}
	dst = jsondoc.AppendString(append(dst, `,"hint":`...), hint)
	if f.Path != nil {
		dst = jsondoc.AppendString(append(dst, `,"path":`...), *f.Path)
	}
	if f.Step != "" {
		dst = jsondoc.AppendString(append(dst, `,"step":`...), f.Step)
	}
	return append(dst, '}')
}
