package mcp

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// message is what has to be known about a JSON-RPC 2.0 request or notification
// before the SDK sees it. The SDK reads the rest.
type message struct {
	text         string
	id           string // the token as sent, "" for a notification
	method       string
	tool         string // params.name, "" if absent
	revision     string // from params._meta, else over HTTP the header; "" if absent
	capabilities bool   // params._meta has the client's capabilities, an object

	arguments span // of params.arguments
	meta      span // of params._meta
}

// span is a part of the message, as byte offsets; both are 0 if it is absent.
type span struct{ from, to int }

func (s span) of(text string) string { return text[s.from:s.to] }

// rpcError is an error of the protocol itself, as in JSON-RPC. Its message is fixed.
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
	errParse    = &rpcError{codeParse, "Parse error: the message is not exactly one well-formed JSON value in UTF-8 without duplicate member names.", 400}
	errBatch    = &rpcError{codeInvalidRequest, "Invalid request: send one JSON-RPC request or notification in each message; batches were removed from MCP.", 400}
	errGreeting = &rpcError{codeInvalidRequest, "Invalid request: the first request of a session is initialize; from 2026-07-28 on there is none, and each request has _meta with the protocol version.", 400} // over stdio only
	errUsed     = &rpcError{codeInvalidRequest, "Invalid request: an earlier request with this id is still running.", 400}
	errMismatch = &rpcError{codeHeaderMismatch, fixedText(codeHeaderMismatch), 400}
	errRevision = &rpcError{codeUnsupportedRevision, fixedText(codeUnsupportedRevision), 400}
	errShape    = &rpcError{codeInvalidRequest, "Invalid request: a message has jsonrpc \"2.0\", a method, an id that is a string of at most 1,024 bytes as it is written or an integer within ±(2^53−1) unless it is a notification, and params that are an object.", 400}
)

// readMessage parses a message strictly. The SDK accepts whatever readMessage accepts.
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

// idOfStart returns the id of a message from the message's start, or "" if the start does not contain it. It reads no
// more than the SDK would get, because it also runs outside the work slots.
func idOfStart(text string) string {
	text = text[:min(len(text), envelopeBytes)]
	for range utf8.UTFMax - 1 { // the cut may be inside a character
		if text != "" && !utf8.ValidString(text) {
			text = text[:len(text)-1]
		}
	}
	m, _ := readMessage(text)
	if strings.HasSuffix(text, m.id) {
		return "" // a number at the cut may continue
	}
	return m.id
}

// reader walks a message token by token, so that it skips an argument of a megabyte without building it.
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
	// Check the shape at the end: invalid JSON is a parse error, whatever else is wrong.
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
			bad = true // a response, though this server sends no requests
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

// members calls see for each member of the object whose brace has been read, with the first token of its value. see
// reports whether it has read the value to its end; if not, members skips the rest.
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

// rest skips the value whose first token has been read.
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

// longestID is the maximum length of a string id, in bytes as written. Each id is
// held until its response, which repeats it.
const longestID = 1024

// validID reports whether the SDK returns a request id as it was sent: strings,
// and integers that a double can represent exactly (MCP allows these two types).
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

// response returns the response to a message with this error. If the message is not JSON, its id cannot be trusted.
func (e *rpcError) response(m message) []byte {
	id := m.id
	if e == errParse {
		id = ""
	}
	return appendError(nil, id, e.code, e.message, e.data(m))
}

// data returns the error's data, besides its message: for a revision that is not served, those that are.
func (e *rpcError) data(m message) []byte {
	if e.code != codeUnsupportedRevision {
		return nil
	}
	data, _ := json.Marshal(map[string]any{"supported": Revisions, "requested": revisionOf(m)})
	return data
}

// isNotification reports whether the message expects no response.
func (m message) isNotification() bool { return m.id == "" }

// isCall reports whether the message is a tool call that expects a response.
func (m message) isCall() bool { return m.method == "tools/call" && !m.isNotification() }

// forSDK returns a message as the SDK gets it. It leaves out the arguments of a tool call, which may be a megabyte: the
// SDK parses a message about nine times and would hold as many copies of them. These tools don't use anything else that
// params may contain (tasks, progress, replies to requests that were never sent), so forSDK leaves it out. It rejects a
// message that is still too large.
func (m message) forSDK() ([]byte, *convert.Failure) {
	out := []byte(m.text)
	if m.isCall() {
		out = append([]byte(`{"jsonrpc":"2.0","id":`), m.id...)
		out = jsondoc.AppendString(append(out, `,"method":"tools/call","params":{"name":`...), m.tool)
		out = append(out, `,"arguments":{}`...)
		if m.meta.to > 0 {
			out = append(append(out, `,"_meta":`...), m.meta.of(m.text)...)
		}
		out = append(out, "}}"...)
	}
	if len(out) > envelopeBytes {
		return nil, convert.Reject(convert.RequestTooLarge,
			"The message, without a call's arguments, is larger than %d bytes.",
			"Leave out params and _meta members that the method does not need.", envelopeBytes)
	}
	return out, nil
}

// envelopeBytes is the largest message that the SDK gets, not counting a call's arguments. Parsing costs the SDK many
// times the size, outside the work slots. No legitimate message comes close.
const envelopeBytes = 64 << 10

// appendError appends a JSON-RPC error object. id is a JSON token, "" if the request's could not be read.
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
