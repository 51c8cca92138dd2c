package contract

import (
	"strconv"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

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
	dst = jsondoc.AppendString(append(dst, `,"hint":`...), f.Hint)
	if f.Path != nil {
		dst = jsondoc.AppendString(append(dst, `,"path":`...), *f.Path)
	}
	if f.Step != "" {
		dst = jsondoc.AppendString(append(dst, `,"step":`...), f.Step)
	}
	return append(dst, '}')
}
