package mcp

import (
	"github.com/convertd/convertd/internal/convert"
)

// tooLarge is the hint for a message that is too large.
const tooLarge = "Send a smaller input; the envelope and JSON escapes count too. This service cannot convert a larger one."

// retrySeconds is how long an agent waits after a temporary error.
const retrySeconds = "1"

// problem returns the problem document of a failure. An agent sees no headers and has no command line, so some hints
// are adapted: seconds (digits) replaces the reference to Retry-After.
func (s *Server) problem(f *convert.Failure, seconds string) []byte {
	switch f.Code {
	case convert.RateLimited:
		f = f.WithSeconds(seconds, "then call again; one pipeline call can run several tools")
	case convert.Overloaded:
		f = f.WithSeconds(seconds, "then call again")
	}
	return s.contract.AppendProblem(nil, s.config.BaseURL, f)
}
