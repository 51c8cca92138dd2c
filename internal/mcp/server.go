// Package mcp is the service's front door for agents: the Model Context
// Protocol over streamable HTTP and over standard input and output, on the
// official SDK. A guard stands before the SDK (message.go): it reads each
// message strictly and answers what is malformed with fixed texts. Tools,
// schemas and descriptions come from the document; arguments are the REST
// body, and go through the same contract and engine.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/engine"
)

// Config is what the front door needs to know of the service.
type Config struct {
	BaseURL string // public origin, without a final slash
	Version string // SemVer of the build
	Log     *slog.Logger
}

// Server answers MCP messages over any transport.
type Server struct {
	config   Config
	contract *contract.Contract
	engine   *engine.Engine
	sdk      *sdk.Server
	tools    map[string]bool
	about    []byte // the serverInfo of answers, JSON

	// calls holds the tool calls that are in the SDK's hands, by ticket.
	calls   sync.Map
	tickets atomic.Uint64
}

// call is a tool call that waits for its handler.
type call struct {
	ctx       context.Context // ends when the client goes away
	arguments string          // JSON, "" when there are none
}

// Versions are the protocol revisions that are served, newest first.
var Versions = []string{"2026-07-28", "2025-11-25", "2025-06-18"}

// modern is the first revision without a handshake.
const modern = "2026-07-28"

const instructions = "Deterministic text conversions. Put the text unchanged into input.value and say what it is in input.mediaType. " +
	"To run several tools on one text, call pipeline once instead of passing results back and forth. " +
	"When a result has isError, it is a problem document: change the arguments as its hint says and call again. " +
	"Limits: 1 MiB a request, 20 steps and 2 MiB of outputs a pipeline. Nothing is stored, fetched or executed."

// New returns a server whose tools are those of the document and pipeline.
func New(c *contract.Contract, e *engine.Engine, config Config) (*Server, error) {
	s := &Server{config: config, contract: c, engine: e, tools: map[string]bool{}}
	about := &sdk.Implementation{Name: "convertd", Title: c.Document().Info.Title, Version: config.Version, WebsiteURL: config.BaseURL}
	var err error
	if s.about, err = json.Marshal(about); err != nil {
		return nil, err
	}
	s.sdk = sdk.NewServer(about, &sdk.ServerOptions{
		Instructions:              instructions,
		Capabilities:              &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		SupportedProtocolVersions: Versions,
		SetCacheable: func(_ context.Context, _ sdk.Request, cacheable *sdk.Cacheable) {
			cacheable.TTLMs, cacheable.CacheScope = 3600_000, "public"
		},
	})
	s.sdk.AddReceivingMiddleware(s.recover)
	described, err := describe(c)
	if err != nil {
		return nil, err
	}
	for _, tool := range described {
		s.tools[tool.Name] = true
		s.sdk.AddTool(tool, s.callTool)
	}
	return s, nil
}

// recover keeps a panic from ending the process: the SDK runs handlers in
// goroutines of its own.
func (s *Server) recover(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.config.Log.Error("an MCP handler panicked", "type", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
				result, err = nil, &jsonrpc.Error{Code: codeInternal, Message: fixedText(codeInternal)}
			}
		}()
		return next(ctx, method, request)
	}
}

// envelopeBytes is the largest message that the SDK gets, a call's arguments
// not counted. Parsing costs it many times the size, outside of the work
// slots; no honest message comes near.
const envelopeBytes = 64 << 10

// admit returns a message as the SDK gets it. The arguments of a tool call
// are put aside under a ticket, which leave gives back.
func (s *Server) admit(ctx context.Context, m message) (text []byte, leave func(), f *convert.Failure) {
	text, leave = []byte(m.text), func() {}
	if m.method == "tools/call" && !m.isNotification() {
		ticket := strconv.FormatUint(s.tickets.Add(1), 10)
		s.calls.Store(ticket, call{ctx: ctx, arguments: m.arguments.of(m.text)})
		text, leave = m.forSDK(ticket), func() { s.calls.Delete(ticket) }
	}
	if len(text) > envelopeBytes {
		leave()
		return nil, nil, convert.Refuse(convert.RequestTooLarge,
			"The message, without a call's arguments, is larger than %d bytes.",
			"Leave out params and _meta members that the method does not need.", envelopeBytes)
	}
	return text, leave, nil
}

// callTool runs a call for the SDK.
func (s *Server) callTool(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var arguments struct{ Ticket string }
	if err := json.Unmarshal(request.Params.Arguments, &arguments); err != nil {
		return nil, err
	}
	waiting, ok := s.calls.LoadAndDelete(arguments.Ticket)
	if !ok {
		return nil, errors.New("no such ticket")
	}
	c := waiting.(call)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)()
	body, failure := s.run(ctx, request.Params.Name, c.arguments)
	result := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: convert.OwnedText(body)}}}
	switch {
	case failure == nil:
		result.StructuredContent = json.RawMessage(body)
	case failure.Code == convert.Overloaded:
		return nil, &jsonrpc.Error{Code: int64(s.contract.Problem(failure.Code).Status), Message: failure.Detail, Data: body}
	default:
		result.IsError = true
	}
	return result, nil
}

// run runs a tool or the pipeline and returns the body that REST answers
// with, the problem document when the call fails.
func (s *Server) run(ctx context.Context, tool, arguments string) (body []byte, failure *convert.Failure) {
	if arguments == "" {
		arguments = "{}"
	}
	call, failure := s.contract.Decode(tool, arguments)
	if failure == nil {
		answer, err := s.engine.Run(ctx, call)
		if err == nil {
			return answer.AppendJSON(make([]byte, 0, answer.Size())), nil
		}
		if !errors.As(err, &failure) {
			failure = convert.Internal() // the client is gone; nobody reads this
		}
	}
	return s.contract.AppendProblem(nil, s.config.BaseURL, failure), failure
}

// methods are those that a server with tools only has.
var methods = []string{"initialize", "ping", "tools/list", "tools/call", "server/discover"}

// check refuses requests for what this server does not have.
func (s *Server) check(m message) *rpcError {
	status := 200
	if m.era >= modern {
		status = 404
	}
	if !slices.Contains(methods, m.method) {
		return &rpcError{codeMethodNotFound, fixedText(codeMethodNotFound), status}
	}
	if m.method == "tools/call" && !s.tools[m.tool] {
		if m.era >= modern {
			status = 400
		}
		return &rpcError{codeInvalidParams, "Unknown tool: params.name is none of the names that tools/list gives.", status}
	}
	return nil
}

// fixedText is what is said for a code, whatever the SDK's own words are.
func fixedText(code int64) string {
	switch code {
	case codeParse:
		return errParse.message
	case codeInvalidRequest:
		return errShape.message
	case codeMethodNotFound:
		return "Method not found: this server has tools only; the methods are initialize, ping, tools/list, tools/call and server/discover."
	case codeInvalidParams:
		return "Invalid params: the members that the method requires are missing or of the wrong type; from 2026-07-28 on each request has _meta with the protocol version and the client's capabilities."
	case codeHeaderMismatch:
		return "Header mismatch: MCP-Protocol-Version, Mcp-Method and, for tools/call, Mcp-Name must be sent, each once, and say what the body says."
	case codeUnsupportedVersion:
		return "Unsupported protocol version."
	}
	return "Internal error: the service failed in a way that it should not; try again."
}
