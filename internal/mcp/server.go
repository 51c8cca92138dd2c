// Package mcp is the service's front door for agents: the Model Context Protocol over streamable HTTP and over standard
// input and output, on the official SDK. Tools, schemas and descriptions come from the document. Arguments are the REST
// body, and go through the same contract and engine.
//
// The SDK sees no message as it arrived. Package mcp parses each one strictly first (message.go) and rejects malformed
// ones itself, with fixed messages. The SDK then checks messages against the protocol and handles all methods except
// tools/call. It never runs a tool. Nearly every tool call is one that the protocol cannot object to. It bypasses the SDK
// (call.go), because for one small call the SDK parses ten or more times with a buffer of 32 KiB each, a hundred times the
// memory of the work itself. The SDK checks any other call without its arguments; if it does not object, the call is made
// directly too.
//
// The same is true of both transports: over standard input and output (stdio.go), a message is handled like one over HTTP
// (http.go) whose headers say what the message says. Neither keeps a session of the SDK.
//
// revision.go lists the revisions of the protocol; nothing else does.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/engine"
)

// Config is what this front door needs to know about the service.
type Config struct {
	BaseURL   string // public URL, without a trailing slash; "" omits links
	Version   string // SemVer of the build
	RateLimit int    // requests per minute and address over HTTP; 0 means unlimited
	Log       *slog.Logger
}

// Server handles MCP messages over any transport.
type Server struct {
	config   Config
	contract *contract.Contract
	engine   *engine.Engine
	protocol http.Handler // the SDK, whose server is created on first use
	tools    map[string]bool
	unknown  string // the message about an unknown tool

	serverInfo []byte // of responses, JSON
}

// instructions returns the guidance that an agent reads before it calls.
func instructions(limits contract.Limits, config Config) string {
	rate := ""
	if config.RateLimit > 0 {
		rate = fmt.Sprintf("; %d requests a minute for each address, and a refusal says how many seconds to wait", config.RateLimit)
	}
	text := fmt.Sprintf(guidance, limits.RequestBytes>>20, limits.PipelineSteps, limits.PipelineBytes>>20, rate)
	if config.BaseURL != "" {
		text += fmt.Sprintf(links, config.BaseURL)
	}
	return text
}

const guidance = "Deterministic text conversions. Put the text unchanged into input.value and say what it is in input.mediaType. " +
	"To run several tools on one text, call pipeline once instead of passing results back and forth. " +
	"When a result has isError, it is a problem document: do what its hint says and call again, unless it says that this service cannot convert it. " +
	"Limits: %d MiB a request, %d steps and %d MiB of outputs a pipeline%s. " +
	"Nothing is stored, fetched or executed."

// links is the guidance that needs a base URL.
const links = " provenance.editorUrl opens the same recipe in the web editor, without the input. " +
	"Problem codes, and which to retry: %[1]s/problems; the whole API: %[1]s/v1/openapi.json."

// New returns a server with the document's tools and pipeline. It loads their descriptions on first use: that is most
// of the work of a start, and most tool calls don't need them.
func New(c *contract.Contract, e *engine.Engine, config Config) (*Server, error) {
	s := &Server{config: config, contract: c, engine: e, tools: map[string]bool{}}
	implementation := &sdk.Implementation{Name: "convertd", Title: contract.Title, Version: config.Version, WebsiteURL: config.BaseURL}
	var err error
	if s.serverInfo, err = json.Marshal(implementation); err != nil {
		return nil, err
	}
	names := append(c.ToolNames(), contract.Pipeline)
	for _, name := range names {
		s.tools[name] = true
	}
	s.unknown = "Unknown tool: params.name must be one of " + strings.Join(names, ", ") + "."
	described := sync.OnceValue(func() *sdk.Server {
		server, err := s.describedServer(implementation, names)
		if err != nil {
			panic(err) // the document is built in, and a test describes it
		}
		return server
	})
	s.protocol = sdk.NewStreamableHTTPHandler(
		func(*http.Request) *sdk.Server { return described() },
		&sdk.StreamableHTTPOptions{
			Stateless:                    true,
			JSONResponse:                 true,
			MaxRequestBodyBytes:          envelopeBytes,
			DisableLocalhostProtection:   true, // guard.Hosts knows the public name
			PropagateRequestCancellation: true,
		})
	return s, nil
}

// describedServer returns the SDK's server with all tools.
func (s *Server) describedServer(implementation *sdk.Implementation, names []string) (*sdk.Server, error) {
	server := sdk.NewServer(implementation, &sdk.ServerOptions{
		Instructions:              instructions(s.contract.Limits(), s.config),
		Capabilities:              &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		SupportedProtocolVersions: Revisions,
		SetCacheable: func(_ context.Context, _ sdk.Request, cacheable *sdk.Cacheable) {
			cacheable.TTLMs, cacheable.CacheScope = 3600_000, "public"
		},
	})
	server.AddReceivingMiddleware(s.recover)
	described, err := describe(s.contract, names)
	for _, tool := range described {
		server.AddTool(tool, unobjected)
	}
	return server, err
}

// recover keeps a panic from ending the process: the SDK runs handlers in its own goroutines.
func (s *Server) recover(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (result sdk.Result, err error) {
		defer s.recovered(ctx, func() {
			result, err = nil, &jsonrpc.Error{Code: codeInternal, Message: fixedText(codeInternal)}
		})
		return next(ctx, method, request)
	}
}

// recovered recovers from a panic and calls then. It is deferred.
func (s *Server) recovered(ctx context.Context, then func()) {
	if p := recover(); p != nil {
		s.config.Log.ErrorContext(ctx, "an MCP handler panicked", "type", fmt.Sprintf("%T", p), "stack", convert.Stack())
		then()
	}
}

// unobjected is the SDK's handler of every tool. Its result means that the SDK has no objection to a call.
func unobjected(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return &sdk.CallToolResult{Content: []sdk.Content{}}, nil
}

// run runs a tool or the pipeline and returns REST's response body: the problem document if the call fails.
func (s *Server) run(ctx context.Context, tool, arguments string) (body []byte, failure *convert.Failure) {
	if arguments == "" {
		arguments = "{}"
	}
	call, failure := s.contract.Decode(tool, arguments)
	if failure == nil {
		body, err := s.engine.AppendJSON(ctx, nil, call)
		if err == nil {
			return body, nil
		}
		if !errors.As(err, &failure) {
			failure = convert.Internal() // the client is gone; nobody reads this
		}
	}
	return s.problem(failure, retrySeconds), failure
}

// methods are those of a server that has only tools.
var methods = []string{"initialize", "ping", "tools/list", "tools/call", "server/discover"}

// check rejects requests for what this server does not have. A notification only has to have a supported revision.
func (s *Server) check(m message) *rpcError {
	if m.revision != "" && !served(m.revision) {
		return errRevision
	}
	if m.isNotification() {
		return nil
	}
	status := 200
	if isStateless(m.revision) {
		status = 404
	}
	if !slices.Contains(methods, m.method) {
		return &rpcError{codeMethodNotFound, fixedText(codeMethodNotFound), status}
	}
	if m.method == "tools/call" && !s.tools[m.tool] {
		if isStateless(m.revision) {
			status = 400
		}
		return &rpcError{codeInvalidParams, s.unknown, status}
	}
	return nil
}

// fixedText returns the message for a code, whatever the SDK's own message is.
func fixedText(code int64) string {
	switch code {
	case codeParse:
		return errParse.message
	case codeInvalidRequest:
		return errShape.message
	case codeMethodNotFound:
		return "Method not found: this server has tools only; the methods are tools/list and tools/call, from 2026-07-28 on also server/discover, and under earlier revisions initialize and ping."
	case codeInvalidParams:
		return "Invalid params: the members that the method requires are missing or of the wrong type; from 2026-07-28 on each request has _meta with the protocol version and the client's capabilities."
	case codeHeaderMismatch:
		return "Header mismatch: MCP-Protocol-Version, Mcp-Method and, for tools/call, Mcp-Name must be sent, each once, and say what the body says."
	case codeUnsupportedRevision:
		return "Unsupported protocol version."
	}
	return "Internal error: the service failed unexpectedly; try again."
}
