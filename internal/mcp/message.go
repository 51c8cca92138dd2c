package mcp

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// message is what has to be known of a JSON-RPC 2.0 request or notification
// before the SDK sees it. The SDK reads the rest.
type message struct {
	text         string
	id           string // the token as it was sent, "" for a notification
	method       string
	tool         string // params.name, "" when there is none
	revision     string // the one that params._meta says, over HTTP else the header's; "" when there is none
	capabilities bool   // params._meta has the client's capabilities, an object

	arguments span // of params.arguments
	meta      span // of params._meta
}

// span is a part of the message, as byte offsets; both are 0 for none.
type span struct{ from, to int }

func (s span) of(text string) string { return text[s.from:s.to] }

// rpcError is a failure of the protocol itself, as JSON-RPC has it. Its text
// is fixed.
type rpcError struct {
	code    int64
	message string
	status  int // HTTP status
}

// The codes of JSON-RPC 2.0, section 5.1, and of MCP 2026-07-28.
const (
	codeParse               = -32700
	codeInvalidRequest      = -32600
	codeMethodNotFound      = -32601
	codeInvalidParams       = -32602
	codeInternal            = -32603
	codeHeaderMismatch      = -32020
	codeUnsupportedRevision = -32022
)

var (
	errParse    = &rpcError{codeParse, "Parse error: the message is not exactly one well-formed JSON value in UTF-8, with no member twice.", 400}
	errBatch    = &rpcError{codeInvalidRequest, "Invalid request: send one JSON-RPC request or notification in each message; batches were removed from MCP.", 400}
	errGreeting = &rpcError{codeInvalidRequest, "Invalid request: the first request of a session is initialize; from 2026-07-28 on there is none, and each request has _meta with the protocol version.", 400} // over stdio only
	errUsed     = &rpcError{codeInvalidRequest, "Invalid request: an earlier request with this id has no answer yet.", 400}
	errMismatch = &rpcError{codeHeaderMismatch, fixedText(codeHeaderMismatch), 400}
	errRevision = &rpcError{codeUnsupportedRevision, fixedText(codeUnsupportedRevision), 400}
	errShape    = &rpcError{codeInvalidRequest, "Invalid request: a message has jsonrpc \"2.0\", a method, an id that is a string of at most 1,024 bytes as it is written or an integer within ±(2^53−1) unless it is a notification, and params that are an object.", 400}
)

// readMessage reads a message strictly. What it accepts, the SDK accepts too.
func readMessage(text string) (message, *rpcError) {
	m := message{text: text}
	if !utf8.ValidString(text) {
		return m, errParse
	}
	r := reader{scanner: jsondoc.NewScanner(text), message: &m}
	defer r.scanner.Release()
	if err := r.envelope(); err != nil {
		return m, err
	}
	return m, nil
}

// idOfStart returns the id of a message of which only the start is known, ""
// when it does not stand there. It looks at as much as the SDK would get: this
// runs outside of the work slots, too.
func idOfStart(text string) string {
	text = text[:min(len(text), envelopeBytes)]
	for range utf8.UTFMax - 1 { // the cut may have gone through a character
		if text != "" && !utf8.ValidString(text) {
			text = text[:len(text)-1]
		}
	}
	m, _ := readMessage(text)
	if strings.HasSuffix(text, m.id) {
		return "" // a number at the cut may go on
	}
	return m.id
}

// reader walks a message token by token, so that an argument of a megabyte is
// passed over, not built.
type reader struct {
	scanner *jsondoc.Scanner
	message *message
	jsonrpc bool // it is "2.0"
}

func (r *reader) next() (jsondoc.Token, *rpcError) {
	token, err := r.scanner.Next()
	if err != nil {
		return token, errParse
	}
	return token, nil
}

// envelope reads the whole message.
func (r *reader) envelope() *rpcError {
	token, err := r.next()
	if err != nil {
		return err
	}
	if token.Kind != jsondoc.BeginObject {
		kind := token.Kind
		if err := r.rest(token); err != nil {
			return err
		}
		if _, err := r.next(); err != nil {
			return err
		}
		if kind == jsondoc.BeginArray {
			return errBatch
		}
		return errShape
	}
	// The shape is checked at the end: what is not JSON is a parse error,
	// whatever else it is.
	bad := false
	if err := r.members(func(name string, value jsondoc.Token) (bool, *rpcError) {
		switch name {
		case "jsonrpc":
			r.jsonrpc = value.Kind == jsondoc.String && value.Content() == "2.0"
			bad = bad || !r.jsonrpc
		case "method":
			bad = bad || value.Kind != jsondoc.String
			if value.Kind == jsondoc.String {
				r.message.method = value.Content()
			}
		case "id":
			if validID(value) {
				r.message.id = value.Raw
			} else {
				bad = true
			}
		case "params":
			bad = bad || value.Kind != jsondoc.BeginObject
			if value.Kind == jsondoc.BeginObject {
				return true, r.params()
			}
		case "result", "error":
			bad = true // an answer to a request that this server never makes
		}
		return false, nil
	}); err != nil {
		return err
	}
	if _, err := r.next(); err != nil {
		return err
	}
	if bad || !r.jsonrpc || r.message.method == "" {
		return errShape
	}
	return nil
}

// params reads the members of params after its opening brace.
func (r *reader) params() *rpcError {
	m := r.message
	return r.members(func(name string, value jsondoc.Token) (bool, *rpcError) {
		switch name {
		case "name":
			if value.Kind == jsondoc.String {
				m.tool = value.Content()
			}
		case "arguments":
			m.arguments.from = r.scanner.Offset() - len(value.Raw)
			err := r.rest(value)
			m.arguments.to = r.scanner.Offset()
			return true, err
		case "_meta":
			if value.Kind == jsondoc.BeginObject {
				m.meta.from = r.scanner.Offset() - 1
				err := r.meta()
				m.meta.to = r.scanner.Offset()
				return true, err
			}
		}
		return false, nil
	})
}

// meta reads the members of params._meta after its opening brace.
func (r *reader) meta() *rpcError {
	return r.members(func(name string, value jsondoc.Token) (bool, *rpcError) {
		switch name {
		case "io.modelcontextprotocol/protocolVersion":
			if value.Kind == jsondoc.String {
				r.message.revision = value.Content()
			}
		case "io.modelcontextprotocol/clientCapabilities":
			r.message.capabilities = value.Kind == jsondoc.BeginObject
		}
		return false, nil
	})
}

// members hands each member of the object whose brace has been read to see,
// with the first token of its value. see says whether it has read the value to
// its end; otherwise the rest is passed over.
func (r *reader) members(see func(name string, value jsondoc.Token) (bool, *rpcError)) *rpcError {
	for {
		name, err := r.next()
		if err != nil || name.Kind == jsondoc.EndObject {
			return err
		}
		value, err := r.next()
		if err != nil {
			return err
		}
		done, err := see(name.Content(), value)
		if err != nil {
			return err
		}
		if !done {
			if err := r.rest(value); err != nil {
				return err
			}
		}
	}
}

// rest passes over the value whose first token has been read.
func (r *reader) rest(token jsondoc.Token) *rpcError {
	if token.Kind != jsondoc.BeginObject && token.Kind != jsondoc.BeginArray {
		return nil
	}
	for depth := r.scanner.Depth() - 1; r.scanner.Depth() > depth; {
		if _, err := r.next(); err != nil {
			return err
		}
	}
	return nil
}

// longestID is the longest id that is a string, in bytes as it is written: each
// is held until its answer, and comes back in it.
const longestID = 1024

// validID reports whether a request id comes back from the SDK as it was sent:
// strings do, and integers that a double holds (MCP allows these two types).
func validID(token jsondoc.Token) bool {
	switch token.Kind {
	case jsondoc.String:
		return len(token.Raw) <= longestID+len(`""`)
	case jsondoc.Number:
		n, err := strconv.ParseInt(token.Raw, 10, 64)
		const largest = 1<<53 - 1
		return err == nil && n >= -largest && n <= largest && token.Raw != "-0"
	}
	return false
}

// answerID is the id of an answer with this error, "" for null: what is not
// JSON has no id to trust.
func (m message) answerID(e *rpcError) string {
	if e == errParse {
		return ""
	}
	return m.id
}

// data is what an error tells of itself beside its words: for a revision that
// is not served, those that are.
func (e *rpcError) data(m message) []byte {
	if e.code != codeUnsupportedRevision {
		return nil
	}
	data, _ := json.Marshal(map[string]any{"supported": Revisions, "requested": revisionOf(m)})
	return data
}

// isNotification reports whether no answer is expected.
func (m message) isNotification() bool { return m.id == "" }

// isCall reports whether a message asks for a tool's answer.
func (m message) isCall() bool { return m.method == "tools/call" && !m.isNotification() }

// forSDK returns a message as the SDK gets it. Of a tool call the arguments,
// which may be a megabyte, are replaced: the SDK parses a message about nine
// times and would hold as many copies of them. What else params may hold (task,
// progress, answers to questions never asked) is of no use to these tools and
// left out. What is still too large is refused.
func (m message) forSDK(arguments string) ([]byte, *convert.Failure) {
	out := []byte(m.text)
	if m.isCall() {
		out = append([]byte(`{"jsonrpc":"2.0","id":`), m.id...)
		out = jsondoc.AppendString(append(out, `,"method":"tools/call","params":{"name":`...), m.tool)
		out = append(append(out, `,"arguments":`...), arguments...)
		if m.meta.to > 0 {
			out = append(append(out, `,"_meta":`...), m.meta.of(m.text)...)
		}
		out = append(out, "}}"...)
	}
	if len(out) > envelopeBytes {
		return nil, convert.Refuse(convert.RequestTooLarge,
			"The message, without a call's arguments, is larger than %d bytes.",
			"Leave out params and _meta members that the method does not need.", envelopeBytes)
	}
	return out, nil
}

// envelopeBytes is the largest message that the SDK gets, a call's arguments
// not counted. Parsing costs it many times the size, outside of the work
// slots; no honest message comes near.
const envelopeBytes = 64 << 10

// appendError appends a JSON-RPC error object; id is a JSON token, "" when the
// request's could not be read.
func appendError(dst []byte, id string, code int64, text string, data []byte) []byte {
	if id == "" {
		id = "null"
	}
	dst = append(append(dst, `{"jsonrpc":"2.0","id":`...), id...)
	dst = strconv.AppendInt(append(dst, `,"error":{"code":`...), code, 10)
	dst = jsondoc.AppendString(append(dst, `,"message":`...), text)
	if data != nil {
		dst = append(append(dst, `,"data":`...), data...)
	}
	return append(dst, "}}"...)
}
