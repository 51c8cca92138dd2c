package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/engine"
)

// Local runs calls in this process, by the engine that serves HTTP. It is safe
// for concurrent use.
type Local struct {
	contract *contract.Contract
	engine   *engine.Engine
	baseURL  string
	request  Request

	mutex sync.Mutex
	bound map[string]contract.Call // the request as a call, by its input's media type
}

// ExecTimeout is how long one tool may run on a service, unless its operator
// says otherwise. Here a tool may take what it takes: whoever waits can end it.
const ExecTimeout = 2 * time.Second

// growth is how many characters of an output that cannot be written while it is
// made are held for each byte of the input, beyond the service's limit.
const growth = 32

// NewLocal returns a converter whose answers are those of a service with this
// public origin and version, without its limits of size and time: the input is
// what the caller has read. As many calls run at once as the caller makes.
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
		Log:      slog.Default(),
	})
	return &Local{contract: c, engine: e, baseURL: baseURL, request: request, bound: map[string]contract.Call{}}, err
}

// Convert runs a call.
func (l *Local) Convert(ctx context.Context, input convert.Artifact, out io.Writer) (Answer, error) {
	call, failure := l.bind(input.MediaType)
	if failure != nil {
		return Answer{}, l.problem(failure)
	}
	call.Input = input
	answer, err := l.engine.RunTo(ctx, call, out)
	if errors.As(err, &failure) {
		return Answer{}, l.problem(failure)
	}
	if err != nil {
		return Answer{}, err
	}
	return Answer{
		Output:   answer.Output,
		Warnings: answer.Warnings,
		JSON:     func() []byte { return answer.AppendJSON(make([]byte, 0, answer.Size())) },
	}, nil
}

// bind holds the request to the description, once for each media type.
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
	return p
}
