package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"os"
	"sync"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/engine"
)

// Local converts in this process, with the engine that serves HTTP. It is safe for concurrent use.
type Local struct {
	contract *contract.Contract
	engine   *engine.Engine
	baseURL  string
	request  Request

	mutex sync.Mutex
	bound map[string]contract.Call // the checked request, by the input's media type
}

// ExecTimeout is the default of how long one tool may run on a service. A local
// conversion has no time limit: the user can interrupt it.
const ExecTimeout = 2 * time.Second

// growth is the number of characters that an output may have for each byte of the
// input, beyond the service's limit, where it has to be held in memory.
const growth = 32

// NewLocal returns a converter whose responses are those of a service with this base URL and version, without its
// limits of size and time. If baseURL is "", responses have no links.
func NewLocal(c *contract.Contract, tools []convert.Tool, request Request, baseURL, version string) (*Local, error) {
	limits := c.Limits()
	limits.RequestBytes = math.MaxInt32
	limits.PipelineSeconds = 0
	c = c.WithLimits(limits)
	e, err := engine.New(c, tools, engine.Config{
		BaseURL:  baseURL,
		Provider: "convertd",
		Version:  version,
		Growth:   growth,
		Log:      stacks(),
	})
	return &Local{contract: c, engine: e, baseURL: baseURL, request: request, bound: map[string]contract.Call{}}, err
}

// stackVariable is the environment variable with which the stack of a panic is printed.
const stackVariable = "CONVERTD_STACK"

// stacks returns the engine's logger, which prints nothing unless the user asks for it.
func stacks() *slog.Logger {
	if os.Getenv(stackVariable) == "" {
		return slog.New(slog.DiscardHandler)
	}
	return slog.Default()
}

// Convert implements Converter.
func (l *Local) Convert(ctx context.Context, input convert.Artifact, out io.Writer) (Result, error) {
	call, failure := l.bind(input.MediaType)
	if failure != nil {
		return Result{}, l.problem(failure)
	}
	call.Input = input
	result, err := l.engine.Run(ctx, call, out)
	if errors.As(err, &failure) {
		return Result{}, l.problem(failure)
	}
	if err != nil {
		return Result{}, err
	}
	return Result{
		Output:   result.Output,
		Warnings: result.Warnings,
		JSON:     func() []byte { return result.AppendJSON(nil) },
	}, nil
}

// bind checks the request against the OpenAPI document, once for each media type.
func (l *Local) bind(mediaType string) (contract.Call, *convert.Failure) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	call, known := l.bound[mediaType]
	if known {
		return call, nil
	}
	call, failure := l.contract.Bind(l.request.Operation, l.request.with(convert.Artifact{MediaType: mediaType}))
	if failure == nil {
		l.bound[mediaType] = call
	}
	return call, failure
}

func (l *Local) problem(f *convert.Failure) error {
	p, err := decodeProblem(l.contract.AppendProblem(nil, l.baseURL, f))
	if err != nil {
		return f
	}
	if f.Code == convert.InternalError {
		p = p.hinted("This is a bug in convertd. Report it with the version and, without the input, what you did: " +
			"https://github.com/convertd/convertd/issues. With " + stackVariable + "=1, the stack is printed for the report.")
	}
	return p
}
