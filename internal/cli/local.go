package cli

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/engine"
)

// Local runs calls in this process, by the engine that serves HTTP.
type Local struct {
	contract *contract.Contract
	engine   *engine.Engine
	baseURL  string
}

// ExecTimeout is how long one tool may run, here and, unless its operator says
// otherwise, on a service.
const ExecTimeout = 2 * time.Second

// NewLocal returns a converter whose answers are those of a service with this
// public origin and version.
func NewLocal(c *contract.Contract, tools []convert.Tool, baseURL, version string) (*Local, error) {
	e, err := engine.New(c, tools, engine.Config{
		BaseURL:     baseURL,
		Provider:    "convertd",
		Version:     version,
		ExecTimeout: ExecTimeout,
		WorkSlots:   1,
		Log:         slog.Default(),
	})
	return &Local{contract: c, engine: e, baseURL: baseURL}, err
}

// Convert runs a call.
func (l *Local) Convert(ctx context.Context, r Request) (Answer, error) {
	call, failure := l.contract.Bind(r.Operation, r.Body)
	if failure != nil {
		return Answer{}, l.problem(failure)
	}
	answer, err := l.engine.Run(ctx, call)
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

func (l *Local) problem(f *convert.Failure) error {
	p, err := decodeProblem(l.contract.AppendProblem(nil, l.baseURL, f))
	if err != nil {
		return f
	}
	return p
}
