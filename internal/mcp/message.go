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
	r := reader{jsondoc.NewScanner(text), &m}
	defer r.scanner.Release()
	wrong, err := r.envelope()
	if err != nil {
		return m, errParse
	}
	return m, wrong
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

// reader walks a message token by token, so that it skips an argument of a megabyte without building it. Its errors are
// the scanner's: the message is not JSON, whatever else is wrong.
type reader struct {
	scanner *jsondoc.Scanner
	message *message
}

// envelope reads the whole message and returns what is wrong with its shape.
func (r *reader) envelope() (wrong *rpcError, err error) {
	token, err := r.scanner.Next()
	if err != nil {
		return nil, err
	}
	bad, jsonrpc := token.Kind != jsondoc.BeginObject, false
	if !bad {
		err = r.members(func(name string, value jsondoc.Token) error {
			switch name {
			case "jsonrpc":
				jsonrpc = value.Kind == jsondoc.String && value.Content() == "2.0"
				bad = bad || !jsonrpc
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
					return r.params()
				}
			case "result", "error":
				bad = true // a response, though this server sends no requests
			}
			return nil
		})
	}
	if err == nil {
		err = r.skip(0)
	}
	if err == nil {
		_, err = r.scanner.Next()
	}
	switch {
	case token.Kind == jsondoc.BeginArray:
		wrong = errBatch
	case bad || !jsonrpc || r.message.method == "":
		wrong = errShape
	}
	return wrong, err
}

// params reads the members of params after its opening brace.
func (r *reader) params() error {
	m, depth := r.message, r.scanner.Depth()
	return r.members(func(name string, value jsondoc.Token) (err error) {
		switch {
		case name == "name" && value.Kind == jsondoc.String:
			m.tool = value.Content()
		case name == "arguments":
			m.arguments.from = r.scanner.Offset() - len(value.Raw)
			err = r.skip(depth)
			m.arguments.to = r.scanner.Offset()
		case name == "_meta" && value.Kind == jsondoc.BeginObject:
			m.meta.from = r.scanner.Offset() - len(value.Raw)
			err = r.members(func(name string, value jsondoc.Token) error {
				switch {
				case name == "io.modelcontextprotocol/protocolVersion" && value.Kind == jsondoc.String:
					m.revision = value.Content()
				case name == "io.modelcontextprotocol/clientCapabilities":
					m.capabilities = value.Kind == jsondoc.BeginObject
				}
				return nil
			})
			m.meta.to = r.scanner.Offset()
		}
		return err
	})
}

// members calls see for each member of the object whose brace has been read, with the first token of its value. What see
// does not read of the value, members skips.
func (r *reader) members(see func(name string, value jsondoc.Token) error) error {
	depth := r.scanner.Depth()
	for {
		name, err := r.scanner.Next()
		if err != nil || name.Kind == jsondoc.EndObject {
			return err
		}
		value, err := r.scanner.Next()
		if err == nil {
			err = see(name.Content(), value)
		}
		if err == nil {
			err = r.skip(depth)
		}
		if err != nil {
			return err
		}
	}
}

// skip reads to the end of the values at a greater depth.
func (r *reader) skip(depth int) error {
	for r.scanner.Depth() > depth {
		if _, err := r.scanner.Next(); err != nil {
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
